/** The ends of a ranking of cells. */
import { cleanText } from '../clean.ts';
import {
  placeText,
  type Quantity,
  type Reading,
  readingText,
  scaleOf,
  titleOf,
  valueText,
} from '../survey/quantity.ts';
import type { Surveyed } from '../survey/survey.ts';
import { type Dot, dotsSpec } from './dots.ts';
import type { Picture } from './picture.ts';
import { BLUE, ORANGE, SINGLE } from './theme.ts';

/** Cells at each end of a ranking. */
const ENDS = 8;

function rankDot(quantity: Quantity, reading: Reading, names: readonly string[], colour: string): Dot {
  const scale = scaleOf(quantity);
  const place = placeText(reading.axes, names);
  return {
    name:
      names.length > 3
        ? `cell ${String(reading.cell)}`
        : names.map((name) => placeText(reading.axes, [name]).slice(cleanText(name).length + 1)).join(', '),
    value: scale * reading.value,
    low: reading.interval && scale * reading.interval[0],
    high: reading.interval && scale * reading.interval[1],
    colour,
    text: valueText(quantity, reading),
    told: `cell ${String(reading.cell)}: ${place}\n${readingText(quantity, reading)}`,
  };
}

/** The cells with the greatest and the least values. @param names of the axes */
export function ranksPicture(
  { quantity, highest, lowest }: Surveyed,
  names: readonly string[],
  system: string,
): Picture {
  const top = highest.slice(0, ENDS);
  const shown = new Set(top.map(({ cell }) => cell));
  const bottom = lowest.slice(0, ENDS).filter(({ cell }) => !shown.has(cell));
  const dots = [
    ...top.map((reading) => rankDot(quantity, reading, names, BLUE)),
    ...bottom.toReversed().map((reading) => rankDot(quantity, reading, names, ORANGE)),
  ];
  const spec = dotsSpec(dots, {
    title: `highest and lowest: ${titleOf(quantity, system)}`,
    subtitle: names.length > 3 ? 'cells by number' : names.map(cleanText).join(', '),
    axis: quantity.kind === 'outcome' ? 'probability (%)' : titleOf(quantity, system),
    zero: false,
    gap: top.length,
  });
  const caption =
    'The cells with the greatest (blue) and the least values (orange). Lines are 95 % intervals, one by one; the order of neighbours whose intervals overlap is open.';
  return { kind: 'ranks', of: quantity.name, width: SINGLE, caption, spec };
}
