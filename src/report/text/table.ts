/**
 * Tables. Names are never truncated. If a line is too short, names are wrapped; then spare columns are omitted, with a
 * note below the table; then every row becomes a block.
 */

import { COLUMN_GAP, joinHeading, type TableRows, type TextColumn } from './column.ts';
import { sanitizeLine } from './sanitize.ts';
import { formatStackedRows } from './stacked-table.ts';
import { getTableWidth, type TerminalStyle } from './terminal-style.ts';
import {
  alignDecimalPoints,
  breakName,
  breakNameIndented,
  formatHeading,
  getLeastWidth,
  measureText,
  padText,
  wrapSentence,
} from './wrapping.ts';

export type { TableRows, TextColumn } from './column.ts';
export { type Paint, PLAIN_PAINT, type TerminalStyle } from './terminal-style.ts';
export { formatDimSentence, joinFacts, measureText, wrapSentence, wrapText } from './wrapping.ts';

/** Column with its cells and widths. */
interface ColumnLayout {
  readonly column: TextColumn;
  readonly cells: readonly string[];
  readonly natural: number;
  readonly least: number;
}

function createColumnLayout(column: TextColumn, cells: readonly string[], breaks: boolean): ColumnLayout {
  const aligned = column.align === 'point' ? alignDecimalPoints(cells) : cells;
  const head = Math.max(...column.head.split('\n').map(measureText));
  const natural = Math.max(head, ...aligned.map(measureText));
  return { column, cells: aligned, natural, least: breaks ? Math.max(head, ...cells.map(getLeastWidth)) : natural };
}

/** Actual width of a narrowed column. */
function measureNarrowedWidth({ column, cells, natural }: ColumnLayout, width: number): number {
  if (width >= natural) return natural;
  const lines = [...column.head.split('\n'), ...cells.flatMap((cell) => breakNameIndented(cell, width))];
  return Math.max(...lines.map(measureText));
}

/** Computes widths that fit into a line, narrowing the widest columns first. Undefined if that is impossible. */
function fitWidths(columns: readonly ColumnLayout[], width: number): number[] | undefined {
  const widths = columns.map(({ natural }) => natural);
  let over = widths.reduce((sum, each) => sum + each + COLUMN_GAP, -COLUMN_GAP) - width;
  for (; over > 0; over--) {
    const free = columns.map(({ least }, c) => ((widths[c] ?? 0) > least ? (widths[c] ?? 0) : 0));
    const widest = Math.max(0, ...free);
    if (widest === 0) return undefined;
    widths[free.indexOf(widest)] = widest - 1;
  }
  return columns.map((each, c) => measureNarrowedWidth(each, widths[c] ?? 0));
}

/** Formats the lines of a row. Cells with fewer lines are padded at the top or the bottom. */
function formatRow(cells: readonly (readonly string[])[], { columns, widths, bottom }: RowLayout): string[] {
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, y) =>
    columns
      .map(({ column }, c) => {
        const lines = cells[c] ?? [];
        const text = lines[bottom ? y - height + lines.length : y] ?? '';
        return padText(text, widths[c] ?? 0, column.align === 'left' ? 'left' : 'right');
      })
      .join(' '.repeat(COLUMN_GAP))
      .trimEnd(),
  );
}

interface RowLayout {
  readonly columns: readonly ColumnLayout[];
  readonly widths: readonly number[];
  /** True if cells are aligned with the last line of the row. */
  readonly bottom: boolean;
}

function formatTableLines(
  columns: readonly ColumnLayout[],
  widths: readonly number[],
  { paint }: TerminalStyle,
): string[] {
  const headless = columns.every(({ column }) => column.head === '');
  const heads = columns.map(({ column }) => column.head.split('\n').map(paint.dim));
  const count = columns[0]?.cells.length ?? 0;
  const formatCell = ({ cells, natural }: ColumnLayout, r: number, width: number): string[] =>
    width < natural ? breakNameIndented(cells[r] ?? '', width) : [cells[r] ?? ''];
  const rows = Array.from({ length: count }, (_, r) => columns.map((each, c) => formatCell(each, r, widths[c] ?? 0)));
  return [
    ...(headless ? [] : formatRow(heads, { columns, widths, bottom: true })),
    ...rows.flatMap((row) => formatRow(row, { columns, widths, bottom: false })),
  ];
}

/** Formats the note on omitted columns. */
function formatOmittedColumns(columns: readonly ColumnLayout[], look: TerminalStyle): string[] {
  const names = columns.flatMap(({ column }) => (column.head === '' ? [] : joinHeading(column))).join('; ');
  if (names === '') return [];
  const lines = wrapSentence(`(too narrow for: ${names}; use --json or a wider terminal)`, look);
  return lines.flatMap((line) => breakName(line, getTableWidth(look))).map(look.paint.dim);
}

const canBreak = ({ breaks, align }: TextColumn, c: number): boolean => breaks ?? (c === 0 && align === 'left');

/** Sanitizes names, which come from files and must not move the cursor. */
function sanitizeTable(heads: readonly TextColumn[], rows: TableRows): [heads: TextColumn[], rows: TableRows] {
  return [
    heads.map((column) => (column.isName === true ? { ...column, head: sanitizeLine(column.head) } : column)),
    rows.map((row) => heads.map((column, c) => (canBreak(column, c) ? sanitizeLine(row[c] ?? '') : (row[c] ?? '')))),
  ];
}

/** Creates columns with widths, and with wrapped heads if lines are limited. */
function createColumnLayouts(heads: readonly TextColumn[], rows: TableRows, width: number): ColumnLayout[] {
  return heads.map((column, c) => {
    const head = column.isName === true && Number.isFinite(width) ? formatHeading(column.head) : column.head;
    const cells = rows.map((row) => row[c] ?? '');
    return createColumnLayout({ ...column, head }, cells, canBreak(column, c));
  });
}

/** Sets of shown columns, from all columns to only those that are not spare. */
function listColumnChoices(all: readonly ColumnLayout[]): ColumnLayout[][] {
  const spares = all.flatMap(({ column: { spare } }) => spare ?? []);
  return [0, ...new Set(spares.sort((a, b) => a - b))].map((left) =>
    all.filter(({ column: { spare = Number.POSITIVE_INFINITY } }) => spare > left),
  );
}

/** Formats rows below a dim heading. */
export function formatTable(heads: readonly TextColumn[], rows: TableRows, look: TerminalStyle): string[] {
  if (rows.length === 0 && heads.every(({ head }) => head === '')) return [];
  const [named, cells] = sanitizeTable(heads, rows);
  const all = createColumnLayouts(named, cells, getTableWidth(look));
  for (const kept of listColumnChoices(all)) {
    const widths = fitWidths(kept, getTableWidth(look));
    const out = all.filter((each) => !kept.includes(each));
    if (widths !== undefined) return [...formatTableLines(kept, widths, look), ...formatOmittedColumns(out, look)];
  }
  return formatStackedRows(named, cells, look);
}
