/** Both ends of a ranking of cells, and those closest to even. */

import type { Counts } from '../../rules/system.ts';
import { scaleOf, valueText } from '../figure.ts';
import type { ShownSide } from '../sides.ts';
import {
  axisTitle,
  keyOf,
  placeText,
  type Quantity,
  type Reading,
  readingText,
  shortPlace,
  type Titled,
  titleOf,
} from '../survey/quantity.ts';
import { type Ends, endsOf, type Level, levelText } from '../survey/ranks.ts';
import type { Surveyed } from '../survey/survey.ts';
import { grouped } from '../text/digits.ts';
import { colourIn, opponentOf } from './colours.ts';
import { type Dot, dotsSpec } from './dots.ts';
import type { Picture } from './picture.ts';
import { SINGLE, SOFT } from './theme.ts';

/** Lines at each end of a ranking, and in its middle. */
const ENDS = 8;
const MIDDLE = 6;

/** Of the cells closest to even. */
const NEAREST = SOFT;

/** The most room of a name, in pixels. */
const ROOM = 168;

/** Axes that a name tells of. */
const NAMED = 3;

/** Where a cell lies, or its number where axes are many. */
function nameOf({ cell, axes: values }: Reading, axes: readonly Titled[]): string {
  return axes.length > NAMED ? `cell ${String(cell)}` : shortPlace(values, axes);
}

function rankDot(quantity: Quantity, reading: Reading, axes: readonly Titled[], colour: string): Dot {
  const scale = scaleOf(quantity).times;
  return {
    name: nameOf(reading, axes),
    value: scale * reading.value,
    low: reading.interval && scale * reading.interval[0],
    high: reading.interval && scale * reading.interval[1],
    colour,
    text: valueText(scaleOf(quantity), reading),
    told: `cell ${String(reading.cell)}: ${placeText(reading.axes, axes)}\n${readingText(quantity, reading)}`,
  };
}

/** Cells of one value: each by itself, or as a count where to name some would be arbitrary. */
/** @param inner the end of a level that is nearer to the others */
function levelDot(
  quantity: Quantity,
  level: Level,
  axes: readonly Titled[],
  [colour, inner]: readonly [colour: string, inner: 'from' | 'to'],
): Dot[] {
  const [first] = level.readings;
  if (first === undefined) return [];
  const dot = rankDot(quantity, first, axes, colour);
  if (level.cells === 1) return [dot];
  const { value, told } = dot;
  const [name, text] = [`${grouped(level.cells)} cells`, levelText(quantity, level, inner)];
  return [{ name, value, colour, text, told: `${name} of ${text}, the first of them\n${told}` }];
}

function groupsOf(
  { quantity, cells, even }: Surveyed,
  ends: Ends,
  axes: readonly Titled[],
  sides: readonly ShownSide[],
): Dot[][] {
  const { highest, lowest } = endsOf(ends, ENDS);
  const dots = (levels: readonly Level[], ...look: readonly [colour: string, inner: 'from' | 'to']): Dot[] =>
    levels.flatMap((level) => levelDot(quantity, level, axes, look));
  const all = cells <= highest.length + lowest.length;
  // Where all cells lie on one side of 50 %, those closest to it are at an end anyway.
  const both = even !== undefined && even.below > 0 && even.above > 0;
  const nearest = all || !both ? [] : even.nearest.slice(0, MIDDLE);
  const middle = nearest
    .toSorted((a, b) => b.value - a.value)
    .map((reading) => rankDot(quantity, reading, axes, NEAREST));
  const own = colourIn(quantity.name, sides);
  const other = quantity.kind === 'outcome' ? opponentOf(quantity.name, sides) : undefined;
  const opposite = other === undefined ? own : colourIn(other.id, sides);
  return [dots(highest, own, 'from'), middle, dots(lowest, opposite, 'to')].filter((group) => group.length > 0);
}

function captionOf(groups: readonly Dot[][], middle: boolean, exact: boolean): string {
  const dots = groups.flat();
  const intervals = dots.some(({ low, high }) => low !== undefined && high !== undefined && low < high);
  return [
    middle
      ? 'The cells with the greatest values above, those closest to 50 % below them, and those with the least at the bottom.'
      : 'The cells with the greatest values above, and those with the least below.',
    ...(exact ? ['Values are exact.'] : []),
    ...(intervals
      ? [
          'Thick lines are 95 % intervals, one by one; where none is seen it is narrower than the dot. The order of neighbours whose intervals overlap is open.',
        ]
      : []),
  ].join(' ');
}

/** The cells with the greatest and the least values, and those closest to even. @param all ends by key of their quantity */
export function ranksPicture(
  surveyed: Surveyed,
  all: ReadonlyMap<string, Ends>,
  axes: readonly Titled[],
  counts: Counts,
  sides: readonly ShownSide[] = [],
): Picture | undefined {
  const { quantity } = surveyed;
  const ends = all.get(keyOf(quantity));
  if (ends === undefined) return undefined;
  const groups = groupsOf(surveyed, ends, axes, sides);
  const middle = groups.length > 2;
  const gaps = groups.slice(0, -1).map((_, g) => groups.slice(0, g + 1).flat().length);
  const spec = dotsSpec(groups.flat(), {
    title: `${middle ? 'highest, closest to even, lowest' : 'highest and lowest'}: ${titleOf(quantity, counts)}`,
    subtitle: axes.length > NAMED ? 'cells by number' : axes.map(axisTitle).join(', '),
    room: ROOM,
    axis: quantity.kind === 'outcome' ? 'probability (%)' : titleOf(quantity, counts),
    zero: false,
    gaps,
  });
  return {
    kind: 'ranks',
    of: quantity.name,
    width: SINGLE,
    caption: captionOf(groups, middle, surveyed.halfWidth === undefined),
    spec,
  };
}
