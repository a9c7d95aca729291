/** What sheets are made of, as data: tables and sentences. Terminal, HTML and page print the same parts. */
import { type Column, headLine } from './text/column.ts';
import { flowed } from './text/lines.ts';
import type { Look, Paint } from './text/look.ts';
import { columns } from './text/table.ts';

type Tone = keyof Paint;

/** Text with colours, the inner one first. */
export interface Toned {
  readonly text: string;
  readonly tones: readonly Tone[];
  /** A bar made of characters: where there are pictures it is left out. */
  readonly drawn?: true;
}

export type TableCell = string | Toned | readonly (string | Toned)[];

export interface Grid {
  readonly kind: 'table';
  readonly heads: readonly Column[];
  readonly rows: readonly (readonly TableCell[])[];
}

export interface SheetNote extends Toned {
  readonly kind: 'note';
}

/** What a table leaves out, and JSON has. */
export interface LeftOut {
  readonly kind: 'left-out';
  readonly text: string;
}

export type SheetBlock = Grid | SheetNote | LeftOut;

/** A column of rows R: its head, what it means, and what stands in it. */
export interface DeclaredColumn<R> extends Column {
  /** For `warpool columns` and docs/tables.md; columns with the same sentence are explained together. */
  readonly about: string;
  readonly cell: (row: R) => TableCell;
}

export const toned = (text: string, ...tones: readonly Tone[]): Toned => ({ text, tones });

export const bold = (text: string): Toned => toned(text, 'bold');

/** A dim sentence, unless it has another colour. */
export const note = (text: string, tone: Tone = 'dim'): SheetNote => ({ kind: 'note', ...toned(text, tone) });

export const leftOut = (text: string): LeftOut => ({ kind: 'left-out', text });

/** A table of declared columns. */
export function grid<R>(declared: readonly DeclaredColumn<R>[], rows: readonly R[]): Grid {
  return { kind: 'table', heads: declared, rows: rows.map((row) => declared.map(({ cell }) => cell(row))) };
}

/** A cell in other words: what becomes of each of its texts. */
function joined(cell: TableCell, text: (toned: Toned) => string): string {
  if (typeof cell === 'string') return cell;
  return 'text' in cell ? text(cell) : cell.map((each) => joined(each, text)).join(' ');
}

const painted =
  (paint: Paint) =>
  ({ text, tones }: Toned): string =>
    tones.reduce((all, tone) => paint[tone](all), text);

/** A cell without its colours and bars. */
export const wordsOf = (cell: TableCell): string => joined(cell, ({ text, drawn }) => (drawn === true ? '' : text));

/** A table for where there are pictures: without colours and bars. Columns without a head are there where they have words. */
export function withWords({ heads, rows }: Grid): Pick<Grid, 'heads'> & { readonly rows: readonly string[][] } {
  const columns = heads.map((column, c) => ({ column, cells: rows.map((row) => wordsOf(row[c] ?? '')) }));
  const kept = columns.filter(({ column, cells }) => headLine(column) !== '' || cells.some((cell) => cell !== ''));
  return { heads: kept.map(({ column }) => column), rows: rows.map((_, r) => kept.map(({ cells }) => cells[r] ?? '')) };
}

/** Parts on a terminal. */
export function linesOf(parts: readonly SheetBlock[], look: Look): string[] {
  const paint = painted(look.paint);
  return parts.flatMap((part) => {
    if (part.kind === 'table')
      return columns(
        part.heads,
        part.rows.map((row) => row.map((cell) => joined(cell, paint))),
        look,
      );
    const { text, tones } = part.kind === 'note' ? part : toned(`(--json also has ${part.text})`, 'dim');
    return flowed(text, look).map((line) => paint({ text: line, tones }));
  });
}

/** Blocks of lines with an empty line between them; empty ones are left out. */
export function sheetText(blocks: readonly (readonly string[])[]): string {
  const shown = blocks.filter((block) => block.length > 0).map((block) => block.join('\n'));
  return `${shown.join('\n\n')}\n`;
}
