/** Both ends of a ranking of cells, and those closest to even. */

import type { Counts } from '../../rules/system.ts';
import { scaleOf, valueText } from '../figure.ts';
import { placeText, type Quantity, type Reading, readingText, titleOf } from '../survey/quantity.ts';
import type { Level } from '../survey/ranks.ts';
import type { Surveyed } from '../survey/survey.ts';
import { cleanText } from '../text/clean.ts';
import { grouped } from '../text/digits.ts';
import { type Dot, dotsSpec } from './dots.ts';
import type { Picture } from './picture.ts';
import { BLUE, GREEN, ORANGE, SINGLE } from './theme.ts';

/** Lines at each end of a ranking, and in its middle. */
const ENDS = 8;
const MIDDLE = 6;

/** The values of the axes alone, or the number of the cell where they are many. */
function nameOf({ cell, axes }: Reading, names: readonly string[]): string {
  if (names.length > 3) return `cell ${String(cell)}`;
  return names.map((name) => placeText(axes, [name]).slice(cleanText(name).length + 1)).join(', ');
}

function rankDot(quantity: Quantity, reading: Reading, names: readonly string[], colour: string): Dot {
  const scale = scaleOf(quantity).times;
  return {
    name: nameOf(reading, names),
    value: scale * reading.value,
    low: reading.interval && scale * reading.interval[0],
    high: reading.interval && scale * reading.interval[1],
    colour,
    text: valueText(scaleOf(quantity), reading),
    told: `cell ${String(reading.cell)}: ${placeText(reading.axes, names)}\n${readingText(quantity, reading)}`,
  };
}

/** Cells of one value: each by itself, or as a count where to name some would be arbitrary. */
function levelDots(quantity: Quantity, level: Level, names: readonly string[], colour: string): Dot[] {
  const dots = level.readings.map((reading) => rankDot(quantity, reading, names, colour));
  const [first] = dots;
  if (level.cells <= dots.length || first === undefined) return dots;
  const { value, text, told } = first;
  const name = `${grouped(level.cells)} cells`;
  return [{ name, value, colour, text, told: `${name} with this value, the first of them\n${told}` }];
}

function endDots(quantity: Quantity, levels: readonly Level[], names: readonly string[], colour: string): Dot[] {
  return levels.flatMap((level) => levelDots(quantity, level, names, colour)).slice(0, ENDS);
}

/** @param names of the axes */
function groupsOf({ quantity, cells, top, bottom, even }: Surveyed, names: readonly string[]): Dot[][] {
  const highest = endDots(quantity, top, names, BLUE);
  const told = new Set(highest.map((dot) => dot.told));
  const lowest = endDots(quantity, bottom, names, ORANGE).filter((dot) => !told.has(dot.told));
  const all = cells <= highest.length + lowest.length;
  // Where all cells lie on one side of 50 %, those closest to it are at an end anyway.
  const both = even !== undefined && even.below > 0 && even.above > 0;
  const nearest = all || !both ? [] : even.nearest.slice(0, MIDDLE);
  const middle = nearest
    .toSorted((a, b) => b.value - a.value)
    .map((reading) => rankDot(quantity, reading, names, GREEN));
  return [highest, middle, lowest.toReversed()].filter((group) => group.length > 0);
}

function captionOf(groups: readonly Dot[][], middle: boolean, exact: boolean): string {
  const dots = groups.flat();
  const intervals = dots.some(({ low, high }) => low !== undefined && high !== undefined && low < high);
  return [
    middle
      ? 'The cells with the greatest (blue) and the least values (orange), and those closest to 50 % (green).'
      : 'The cells with the greatest (blue) and the least values (orange).',
    ...(exact ? ['Values are exact.'] : []),
    ...(intervals
      ? [
          'Thick lines are 95 % intervals, one by one; where none is seen it is narrower than the dot. The order of neighbours whose intervals overlap is open.',
        ]
      : []),
  ].join(' ');
}

/** The cells with the greatest and the least values, and those closest to even. @param names of the axes */
export function ranksPicture(surveyed: Surveyed, names: readonly string[], counts: Counts): Picture {
  const { quantity } = surveyed;
  const groups = groupsOf(surveyed, names);
  const middle = groups.some(([dot]) => dot?.colour === GREEN);
  const gaps = groups.slice(0, -1).map((_, g) => groups.slice(0, g + 1).flat().length);
  const spec = dotsSpec(groups.flat(), {
    title: `${middle ? 'highest, closest to even, lowest' : 'highest and lowest'}: ${titleOf(quantity, counts)}`,
    subtitle: names.length > 3 ? 'cells by number' : names.map(cleanText).join(', '),
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
