/** A table in blocks, one for each row, for lines that are too short for it. */
import { type Column, GAP, headLine, type Rows } from './column.ts';
import { broken, lengthOf, padded, wrapped } from './lines.ts';
import { type Look, tableWidth } from './look.ts';

/** Columns by which what belongs to a block is indented. */
const INDENT = 2;

/** What stands over a block: a name, or a value with its head. */
function title(column: Column | undefined, cell: string): string {
  return column === undefined || column.align === 'left' || column.head === '' ? cell : `${headLine(column)} ${cell}`;
}

/** The label of a value and the value; values without a head speak for themselves. */
type Entry = readonly [label: string, value: string];

function entriesOf(heads: readonly Column[], row: readonly string[]): Entry[] {
  return heads.slice(1).flatMap((column, c): Entry[] => {
    const value = (row[c + 1] ?? '').trim();
    return value === '' ? [] : [[headLine(column), value]];
  });
}

/** Entries below each other, in as many columns as the line has room for; in two lines each if it has none. */
function laidOut(entries: readonly Entry[], labels: number, values: number, { paint, ...look }: Look): string[] {
  const room = tableWidth({ ...look, paint }) - INDENT;
  const each = labels + GAP + values;
  const indent = ' '.repeat(INDENT);
  if (each > room)
    return entries.flatMap(([label, value]) => [
      ...broken(label, room).map((line) => indent + paint.dim(line)),
      ...wrapped(value, 2 * INDENT, room + INDENT),
    ]);
  const texts = entries.map(([label, value]) =>
    label === '' ? value : `${padded(paint.dim(label), labels + GAP, 'left')}${value}`,
  );
  const height = Math.ceil(texts.length / Math.max(1, Math.floor((room + GAP) / (each + GAP))));
  return Array.from({ length: height }, (_, y) => {
    const line = texts.filter((_text, t) => t % height === y).map((text) => padded(text, each + GAP, 'left'));
    return indent + line.join('').trimEnd();
  });
}

/** Rows as blocks; nothing is left out but cells without a value. */
export function stacked(heads: readonly Column[], rows: Rows, look: Look): string[] {
  const blocks = rows.map((row) => entriesOf(heads, row));
  const longest = (of: 0 | 1): number => Math.max(0, ...blocks.flat().map((entry) => lengthOf(entry[of])));
  const [labels, values] = [longest(0), longest(1)];
  return rows.flatMap((row, r) => [
    ...broken(title(heads[0], row[0] ?? ''), tableWidth(look)).map(look.paint.bold),
    ...laidOut(blocks[r] ?? [], labels, values, look),
  ]);
}
