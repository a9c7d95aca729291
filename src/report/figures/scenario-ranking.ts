/** Ranking of compared scenarios as dots with intervals, the highest rank at the top. */

import type { Comparison } from '../../analysis/index.ts';
import type { MetricLabels } from '../../rules/index.ts';
import type { ScenarioSide } from '../scenario/sides.ts';
import { formatValue, getScale, toPlotValue } from '../sheet/estimated-value.ts';
import { formatQuantityTitle, formatReading } from '../sweep-analysis/quantity.ts';
import { sanitizeXmlText } from '../text/sanitize.ts';
import { getSideColor } from './colors.ts';
import { createDotPlotSpec, type Dot } from './dot-plot.ts';
import type { Figure } from './figure.ts';
import { GREY, SINGLE_COLUMN } from './theme.ts';

/** Maximum number of drawn scenarios. */
const MAX_SCENARIOS = 40;

/** @param names labels of the scenarios, in the requested order */
export function createScenarioRankingFigure(
  result: Comparison,
  names: readonly string[],
  counts: MetricLabels,
  sides: readonly ScenarioSide[] = [],
): Figure {
  const { of, kind, order, standings, best } = result;
  const quantity = { kind, name: of } as const;
  const shown = order.slice(0, MAX_SCENARIOS);
  const dots = shown.flatMap((s): Dot[] => {
    const standing = standings[s];
    if (standing === undefined) return [];
    const { value, ci95, exact } = standing;
    const played = { value, interval: ci95 };
    const reading = { cell: s, axes: {}, ...(exact === undefined ? played : { value: exact, simulated: played }) };
    const name = names[s] ?? '';
    const colour = best !== undefined && !best.remaining.includes(s) ? GREY : getSideColor(of, sides);
    const tooltip = `${sanitizeXmlText(name)}\n${formatReading(quantity, reading)}`;
    return [
      {
        name,
        ...toPlotValue(getScale(quantity), value, ci95),
        colour,
        text: formatValue(getScale(quantity), played),
        tooltip,
      },
    ];
  });
  const spec = createDotPlotSpec(dots, {
    title: formatQuantityTitle(quantity, counts),
    axis: kind === 'outcome' ? 'share of battles (%)' : `mean of ${sanitizeXmlText(of)}`,
    zero: false,
  });
  const caption = [
    'Dots: estimates; lines: 95 % intervals of each scenario. The same dice make intervals of differences narrower than these lines suggest; see the table of differences.',
    ...(best !== undefined && best.remaining.length < order.length ? ['Light gray: eliminated.'] : []),
    ...(order.length > shown.length
      ? [`The first ${String(MAX_SCENARIOS)} of ${String(order.length)} are drawn.`]
      : []),
  ].join(' ');
  return { kind: 'standings', of, width: SINGLE_COLUMN, caption, spec };
}
