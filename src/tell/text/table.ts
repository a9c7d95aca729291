/**
 * Text in columns. Names are never cut: where a line is too short for a table, names go on in the next line, then
 * columns that are declared to be spare are left out, which is said below, and then every row is a block.
 */
import { clean } from './clean.ts';
import { type Column, GAP, headLine, type Rows } from './column.ts';
import { broken, continued, flowed, headed, leastWidth, lengthOf, onPoint, padded } from './lines.ts';
import { type Look, tableWidth } from './look.ts';
import { stacked } from './stacked.ts';

export type { Column, Rows } from './column.ts';
export { dotted, flowed, lengthOf, said, wrapped } from './lines.ts';
export { type Look, type Paint, PLAIN } from './look.ts';

/** A column with its cells and its widths. */
interface Laid {
  readonly column: Column;
  readonly cells: readonly string[];
  readonly natural: number;
  readonly least: number;
}

function laid(column: Column, cells: readonly string[], breaks: boolean): Laid {
  const aligned = column.align === 'point' ? onPoint(cells) : cells;
  const head = Math.max(...column.head.split('\n').map(lengthOf));
  const natural = Math.max(head, ...aligned.map(lengthOf));
  return { column, cells: aligned, natural, least: breaks ? Math.max(head, ...cells.map(leastWidth)) : natural };
}

/** The width that a narrowed column really takes. */
function taken({ column, cells, natural }: Laid, width: number): number {
  if (width >= natural) return natural;
  const lines = [...column.head.split('\n'), ...cells.flatMap((cell) => continued(cell, width))];
  return Math.max(...lines.map(lengthOf));
}

/** Widths with which the columns fit into a line, the widest narrowed first; undefined if there are none. */
function fitted(columns: readonly Laid[], width: number): number[] | undefined {
  const widths = columns.map(({ natural }) => natural);
  let over = widths.reduce((sum, each) => sum + each + GAP, -GAP) - width;
  for (; over > 0; over--) {
    const free = columns.map(({ least }, c) => ((widths[c] ?? 0) > least ? (widths[c] ?? 0) : 0));
    const widest = Math.max(0, ...free);
    if (widest === 0) return undefined;
    widths[free.indexOf(widest)] = widest - 1;
  }
  return columns.map((each, c) => taken(each, widths[c] ?? 0));
}

/** Lines of a row; cells of fewer lines are filled at the top or at the bottom. */
function across(cells: readonly (readonly string[])[], { columns, widths, bottom }: Across): string[] {
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, y) =>
    columns
      .map(({ column }, c) => {
        const lines = cells[c] ?? [];
        const text = lines[bottom ? y - height + lines.length : y] ?? '';
        return padded(text, widths[c] ?? 0, column.align === 'left' ? 'left' : 'right');
      })
      .join(' '.repeat(GAP))
      .trimEnd(),
  );
}

interface Across {
  readonly columns: readonly Laid[];
  readonly widths: readonly number[];
  /** Whether cells stand on the last line of the row. */
  readonly bottom: boolean;
}

function drawn(columns: readonly Laid[], widths: readonly number[], { paint }: Look): string[] {
  const headless = columns.every(({ column }) => column.head === '');
  const heads = columns.map(({ column }) => column.head.split('\n').map(paint.dim));
  const count = columns[0]?.cells.length ?? 0;
  const cell = ({ cells, natural }: Laid, r: number, width: number): string[] =>
    width < natural ? continued(cells[r] ?? '', width) : [cells[r] ?? ''];
  const rows = Array.from({ length: count }, (_, r) => columns.map((each, c) => cell(each, r, widths[c] ?? 0)));
  return [
    ...(headless ? [] : across(heads, { columns, widths, bottom: true })),
    ...rows.flatMap((row) => across(row, { columns, widths, bottom: false })),
  ];
}

/** Says which columns are left out. */
function leftOutNote(columns: readonly Laid[], look: Look): string[] {
  const names = columns.flatMap(({ column }) => (column.head === '' ? [] : headLine(column))).join('; ');
  if (names === '') return [];
  const lines = flowed(`(too narrow for: ${names}. --json or a wider terminal has them.)`, look);
  return lines.flatMap((line) => broken(line, tableWidth(look))).map(look.paint.dim);
}

const breaksAt = ({ breaks, align }: Column, c: number): boolean => breaks ?? (c === 0 && align === 'left');

/** Names come from files: they must not move the cursor. */
function cleaned(heads: readonly Column[], rows: Rows): [heads: Column[], rows: Rows] {
  return [
    heads.map((column) => (column.named === true ? { ...column, head: clean(column.head) } : column)),
    rows.map((row) => heads.map((column, c) => (breaksAt(column, c) ? clean(row[c] ?? '') : (row[c] ?? '')))),
  ];
}

/** Columns with their widths, and with heads that are broken where lines are limited. */
function measured(heads: readonly Column[], rows: Rows, width: number): Laid[] {
  return heads.map((column, c) => {
    const head = column.named === true && Number.isFinite(width) ? headed(column.head) : column.head;
    const cells = rows.map((row) => row[c] ?? '');
    return laid({ ...column, head }, cells, breaksAt(column, c));
  });
}

/** Which columns are shown, from all of them to those alone that are not spare. */
function choices(all: readonly Laid[]): Laid[][] {
  const spares = all.flatMap(({ column: { spare } }) => spare ?? []);
  return [0, ...new Set(spares.sort((a, b) => a - b))].map((left) =>
    all.filter(({ column: { spare = Number.POSITIVE_INFINITY } }) => spare > left),
  );
}

/** Rows under a dim heading, no lines. */
export function columns(heads: readonly Column[], rows: Rows, look: Look): string[] {
  if (rows.length === 0 && heads.every(({ head }) => head === '')) return [];
  const [named, cells] = cleaned(heads, rows);
  const all = measured(named, cells, tableWidth(look));
  for (const kept of choices(all)) {
    const widths = fitted(kept, tableWidth(look));
    const out = all.filter((each) => !kept.includes(each));
    if (widths !== undefined) return [...drawn(kept, widths, look), ...leftOutNote(out, look)];
  }
  return stacked(named, cells, look);
}
