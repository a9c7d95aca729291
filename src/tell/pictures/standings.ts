/** Scenarios that were compared, as dots with intervals, the first in rank above. */

import type { Counts } from '../../rules/index.ts';
import type { Comparison } from '../../studies/index.ts';
import { placed, scaleOf, valueText } from '../figure.ts';
import type { ShownSide } from '../sides.ts';
import { readingText, titleOf } from '../survey/quantity.ts';
import { cleanText } from '../text/clean.ts';
import { colourIn } from './colours.ts';
import { type Dot, dotsSpec } from './dots.ts';
import type { Picture } from './picture.ts';
import { GREY, SINGLE } from './theme.ts';

/** Scenarios that have a line, at most. */
const SHOWN = 40;

/** @param names of the scenarios, in the order given */
export function standingsPicture(
  result: Comparison,
  names: readonly string[],
  counts: Counts,
  sides: readonly ShownSide[] = [],
): Picture {
  const { of, kind, order, standings, best } = result;
  const quantity = { kind, name: of } as const;
  const shown = order.slice(0, SHOWN);
  const dots = shown.flatMap((s): Dot[] => {
    const standing = standings[s];
    if (standing === undefined) return [];
    const { value, ci95, exact } = standing;
    const played = { value, interval: ci95 };
    const reading = { cell: s, axes: {}, ...(exact === undefined ? played : { value: exact, played }) };
    const name = names[s] ?? '';
    const colour = best !== undefined && !best.left.includes(s) ? GREY : colourIn(of, sides);
    const told = `${cleanText(name)}\n${readingText(quantity, reading)}`;
    return [
      {
        name,
        ...placed(scaleOf(quantity), value, ci95),
        colour,
        text: valueText(scaleOf(quantity), played),
        told,
      },
    ];
  });
  const spec = dotsSpec(dots, {
    title: titleOf(quantity, counts),
    axis: kind === 'outcome' ? 'share of battles (%)' : `mean of ${cleanText(of)}`,
    zero: false,
  });
  const caption = [
    'Dots: estimates; lines: 95 % intervals of each scenario by itself. The same dice make differences narrower than these lines suggest: the table of differences decides.',
    ...(best !== undefined && best.left.length < order.length ? ['Light grey: dropped.'] : []),
    ...(order.length > shown.length ? [`The first ${String(SHOWN)} of ${String(order.length)} are drawn.`] : []),
  ].join(' ');
  return { kind: 'standings', of, width: SINGLE, caption, spec };
}
