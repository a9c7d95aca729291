/** Tables as blocks, one for each row, for narrow terminals. */
import { COLUMN_GAP, joinHeading, type TableRows, type TextColumn } from './column.ts';
import { getTableWidth, type TerminalStyle } from './terminal-style.ts';
import { breakName, measureText, padText, wrapText } from './wrapping.ts';

/** Indentation of the content of a block, in columns. */
const INDENT = 2;

/** Formats the title of a block: a name, or a value with its head. */
function formatBlockTitle(column: TextColumn | undefined, cell: string): string {
  return column === undefined || column.align === 'left' || column.head === ''
    ? cell
    : `${joinHeading(column)} ${cell}`;
}

/** Label and value of an entry; values without a head have no label. */
type LabeledValue = readonly [label: string, value: string];

function createEntries(heads: readonly TextColumn[], row: readonly string[]): LabeledValue[] {
  return heads.slice(1).flatMap((column, c): LabeledValue[] => {
    const value = (row[c + 1] ?? '').trim();
    return value === '' ? [] : [[joinHeading(column), value]];
  });
}

/** Arranges entries in as many columns as fit; if none fit, each entry takes two lines. */
function layOutEntries(
  entries: readonly LabeledValue[],
  labels: number,
  values: number,
  { paint, ...look }: TerminalStyle,
): string[] {
  const room = getTableWidth({ ...look, paint }) - INDENT;
  const each = labels + COLUMN_GAP + values;
  const indent = ' '.repeat(INDENT);
  if (each > room)
    return entries.flatMap(([label, value]) => [
      ...breakName(label, room).map((line) => indent + paint.dim(line)),
      ...wrapText(value, 2 * INDENT, room + INDENT),
    ]);
  const texts = entries.map(([label, value]) =>
    label === '' ? value : `${padText(paint.dim(label), labels + COLUMN_GAP, 'left')}${value}`,
  );
  const height = Math.ceil(texts.length / Math.max(1, Math.floor((room + COLUMN_GAP) / (each + COLUMN_GAP))));
  return Array.from({ length: height }, (_, y) => {
    const line = texts.filter((_text, t) => t % height === y).map((text) => padText(text, each + COLUMN_GAP, 'left'));
    return indent + line.join('').trimEnd();
  });
}

/** Formats rows as blocks. Only empty cells are omitted. */
export function formatStackedRows(heads: readonly TextColumn[], rows: TableRows, look: TerminalStyle): string[] {
  const blocks = rows.map((row) => createEntries(heads, row));
  const findLongest = (of: 0 | 1): number => Math.max(0, ...blocks.flat().map((entry) => measureText(entry[of])));
  const [labels, values] = [findLongest(0), findLongest(1)];
  return rows.flatMap((row, r) => [
    ...breakName(formatBlockTitle(heads[0], row[0] ?? ''), getTableWidth(look)).map(look.paint.bold),
    ...layOutEntries(blocks[r] ?? [], labels, values, look),
  ]);
}
