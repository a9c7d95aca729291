/** Both ends of a ranking of cells, and those closest to even. */

import type { Counts } from '../../rules/index.ts';
import { scaleOf, valueText } from '../figure.ts';
import type { ShownSide } from '../sides.ts';
import {
  axisText,
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
import { textWidth } from './font.ts';
import type { Picture } from './picture.ts';
import { DOUBLE, SINGLE, SOFT, TEXT } from './theme.ts';

/** Lines at each end of a ranking, and in its middle. */
const ENDS = 8;
const MIDDLE = 6;

/** Of the cells closest to even. */
const NEAREST = SOFT;

/** The most room of a name, in pixels. */
const ROOM = 320;

/** A longer name takes a picture of two columns. */
const LONG = 110;

/** Names of cells, and what they have in common or leave out. */
interface Naming {
  readonly of: (reading: Reading) => string;
  readonly subtitle: string;
}

/**
 * Names that distinguish cells within the room: what differs between them with its fields, else without, else their
 * numbers. What all have in common stands once above them.
 */
function namingOf(readings: readonly Reading[], axes: readonly Titled[]): Naming {
  const texts = ({ name }: Titled) => readings.map((reading) => axisText(reading.axes[name]));
  const differing = axes.filter((axis) => new Set(texts(axis)).size > 1);
  const common = axes.filter((axis) => !differing.includes(axis));
  const [first] = readings;
  const at = first === undefined || common.length === 0 ? '' : `all at ${placeText(first.axes, common)}`;
  const titles = [...differing.map(axisTitle), at].filter((part) => part !== '').join(', ');
  const fields: Naming = { of: ({ axes: values }) => shortPlace(values, differing), subtitle: titles };
  const values: Naming = {
    of: (reading) => differing.map(({ name }) => axisText(reading.axes[name])).join(', '),
    subtitle: titles,
  };
  const fit = [fields, values].find(({ of }) => readings.every((reading) => textWidth(of(reading), TEXT) <= ROOM));
  return fit ?? { of: ({ cell }) => `cell ${String(cell)}`, subtitle: 'cells by number' };
}

/** Everything that the lines of a picture have in common. */
interface Context {
  readonly quantity: Quantity;
  readonly axes: readonly Titled[];
  readonly naming: Naming;
}

function rankDot({ quantity, axes, naming }: Context, reading: Reading, colour: string): Dot {
  const scale = scaleOf(quantity).times;
  return {
    name: naming.of(reading),
    value: scale * reading.value,
    low: reading.interval && scale * reading.interval[0],
    high: reading.interval && scale * reading.interval[1],
    colour,
    text: valueText(scaleOf(quantity), reading),
    told: `cell ${String(reading.cell)}: ${placeText(reading.axes, axes)}\n${readingText(quantity, reading)}`,
  };
}

/**
 * Cells of one value: each by itself, or as a count where to name some would be arbitrary.
 * @param inner the end of a level that is nearer to the others
 */
function levelDot(
  context: Context,
  level: Level,
  [colour, inner]: readonly [colour: string, inner: 'from' | 'to'],
): Dot[] {
  const [first] = level.readings;
  if (first === undefined) return [];
  const dot = rankDot(context, first, colour);
  if (level.cells === 1) return [dot];
  const { value, told } = dot;
  const [name, text] = [`${grouped(level.cells)} cells`, levelText(context.quantity, level, inner)];
  return [{ name, value, colour, text, told: `${name} of ${text}, the first of them\n${told}` }];
}

interface Groups {
  readonly dots: readonly Dot[][];
  readonly subtitle: string;
}

function groupsOf(
  { quantity, cells, even }: Surveyed,
  ends: Ends,
  axes: readonly Titled[],
  sides: readonly ShownSide[],
): Groups {
  const { highest, lowest } = endsOf(ends, ENDS);
  const all = cells <= highest.length + lowest.length;
  // Where all cells lie on one side of 50 %, those closest to it are at an end anyway.
  const both = even !== undefined && even.below > 0 && even.above > 0;
  const nearest = all || !both ? [] : even.nearest.slice(0, MIDDLE);
  const single = [...highest, ...lowest].filter((level) => level.cells === 1).flatMap(({ readings }) => readings);
  const naming = namingOf([...single, ...nearest], axes);
  const context = { quantity, axes, naming };
  const dots = (levels: readonly Level[], ...look: readonly [colour: string, inner: 'from' | 'to']): Dot[] =>
    levels.flatMap((level) => levelDot(context, level, look));
  const middle = nearest.toSorted((a, b) => b.value - a.value).map((reading) => rankDot(context, reading, NEAREST));
  const own = colourIn(quantity.name, sides);
  const other = quantity.kind === 'outcome' ? opponentOf(quantity.name, sides) : undefined;
  const opposite = other === undefined ? own : colourIn(other.id, sides);
  const groups = [dots(highest, own, 'from'), middle, dots(lowest, opposite, 'to')];
  return { dots: groups.filter((group) => group.length > 0), subtitle: naming.subtitle };
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
  const { dots: groups, subtitle } = groupsOf(surveyed, ends, axes, sides);
  const isLong = groups.flat().some(({ name }) => textWidth(name, TEXT) > LONG);
  const width = isLong ? DOUBLE : SINGLE;
  const middle = groups.length > 2;
  const gaps = groups.slice(0, -1).map((_, g) => groups.slice(0, g + 1).flat().length);
  const spec = dotsSpec(groups.flat(), {
    title: `${middle ? 'highest, closest to even, lowest' : 'highest and lowest'}: ${titleOf(quantity, counts)}`,
    subtitle,
    width,
    room: ROOM,
    axis: quantity.kind === 'outcome' ? 'probability (%)' : titleOf(quantity, counts),
    zero: false,
    gaps,
  });
  return {
    kind: 'ranks',
    of: quantity.name,
    width,
    caption: captionOf(groups, middle, surveyed.halfWidth === undefined),
    spec,
  };
}
