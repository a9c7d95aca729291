/** What moves a result: main effects of the axes of a sweep, and sensitivities. */

import type { Counts } from '../../rules/index.ts';
import { percent, placed, SHARE } from '../figure.ts';
import type { ShownSide } from '../sides.ts';
import type { Effects } from '../survey/effects.ts';
import { type Titled, titleOf, titlesOf } from '../survey/quantity.ts';
import type { Surveyed } from '../survey/survey.ts';
import { fixed } from '../text/digits.ts';
import { colourIn } from './colours.ts';
import { type Dot, dotsSpec } from './dots.ts';
import type { Picture } from './picture.ts';
import { GREY, SINGLE } from './theme.ts';

/** Axes with the greatest effect first, then what is left. */
function effectDots(
  { axes, noise, rest }: Effects,
  title: (name: string) => string,
  colour: (name: string) => string,
): Dot[] {
  const dot = (name: string, share: number, of: string): Dot => {
    const text = percent(fixed, share, 1);
    return {
      name,
      ...placed(SHARE, share),
      colour: of,
      text,
      told: `${name}: ${text} of the variance between cells`,
    };
  };
  const named = axes.flatMap(({ axis, share }) => (share === undefined ? [] : [dot(title(axis), share, colour(axis))]));
  return [
    ...named.sort((a, b) => b.value - a.value),
    ...(rest === undefined ? [] : [dot('axes together', rest, GREY)]),
    ...(noise === undefined || noise === 0 ? [] : [dot('chance, at most', noise, GREY)]),
  ];
}

/** Main effects of the axes; nothing if the cells do not vary. */
export function effectsPicture(
  { quantity, effects }: Surveyed,
  axes: readonly Titled[],
  counts: Counts,
  sides: readonly ShownSide[] = [],
): Picture | undefined {
  const dots = effectDots(effects, titlesOf(axes), (name) => colourIn(name, sides));
  if (dots.length === 0) return undefined;
  const spec = dotsSpec(dots, {
    title: `what moves the ${titleOf(quantity, counts)}`,
    axis: 'share of the variance between cells (%)',
    zero: true,
  });
  const caption =
    effects.rest === undefined
      ? 'Variance between classes of an axis over that between cells, less what would lie between as many random groups of cells (epsilon squared). The points are no complete grid: axes may share what they explain.'
      : 'Main effects: the variance of the axis-wise means over the variance between cells. “Axes together” is what no axis explains by itself.';
  return { kind: 'effects', of: quantity.name, width: SINGLE, caption, spec };
}
