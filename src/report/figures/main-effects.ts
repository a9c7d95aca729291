/** Main effects of the axes of a sweep. */

import type { MetricLabels } from '../../rules/index.ts';
import type { ScenarioSide } from '../scenario/sides.ts';
import { formatPercent, SHARE, toPlotValue } from '../sheet/estimated-value.ts';
import type { QuantityAnalysis } from '../sweep-analysis/analysis.ts';
import type { MainEffects } from '../sweep-analysis/main-effects.ts';
import { type AxisTitle, createAxisTitles, formatQuantityTitle } from '../sweep-analysis/quantity.ts';
import { formatFixed } from '../text/number-format.ts';
import { getSideColor } from './colors.ts';
import { createDotPlotSpec, type Dot } from './dot-plot.ts';
import type { Figure } from './figure.ts';
import { GREY, SINGLE_COLUMN } from './theme.ts';

/** Axes, the largest effect first, then the unexplained rest. */
function createEffectDots(
  { axes, noise, rest }: MainEffects,
  title: (name: string) => string,
  colour: (name: string) => string,
): Dot[] {
  const createDot = (name: string, share: number, of: string): Dot => {
    const text = formatPercent(formatFixed, share, 1);
    return {
      name,
      ...toPlotValue(SHARE, share),
      colour: of,
      text,
      tooltip: `${name}: ${text} of the variance between cells`,
    };
  };
  const named = axes.flatMap(({ axis, share }) =>
    share === undefined ? [] : [createDot(title(axis), share, colour(axis))],
  );
  return [
    ...named.sort((a, b) => b.value - a.value),
    ...(rest === undefined ? [] : [createDot('interactions', rest, GREY)]),
    ...(noise === undefined || noise === 0 ? [] : [createDot('at most chance', noise, GREY)]),
  ];
}

/** Creates the figure of the main effects. Empty if the cells do not vary. */
export function createMainEffectsFigure(
  { quantity, effects }: QuantityAnalysis,
  axes: readonly AxisTitle[],
  counts: MetricLabels,
  sides: readonly ScenarioSide[] = [],
): Figure | undefined {
  const dots = createEffectDots(effects, createAxisTitles(axes), (name) => getSideColor(name, sides));
  if (dots.length === 0) return undefined;
  const spec = createDotPlotSpec(dots, {
    title: `main effects on the ${formatQuantityTitle(quantity, counts)}`,
    axis: 'share of the variance between cells (%)',
    zero: true,
  });
  const caption =
    effects.rest === undefined
      ? 'Variance between classes of an axis divided by the variance between cells, minus its expected value for random groups of cells (epsilon squared). The grid is incomplete, so effects of axes may overlap.'
      : 'Main effects: variance of the axis-wise means divided by the variance between cells. “Interactions” is the share that no axis explains by itself.';
  return { kind: 'effects', of: quantity.name, width: SINGLE_COLUMN, caption, spec };
}
