/** What sheets are made of, as data: tables and sentences. Terminal, HTML and page print the same parts. */
import type { Quantity } from './survey/quantity.ts';
import { type Column, headLine } from './text/column.ts';
import { dotted, flowed } from './text/lines.ts';
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
  /** The outcome or metric of each row, for its color; else the first cell names it. */
  readonly quantities?: readonly Quantity[];
}

export interface SheetNote extends Toned {
  readonly kind: 'note';
  /** The sentence that answers the command: pages print it first and in large letters. */
  readonly isAnswer?: true;
}

/** What a table leaves out, and JSON has. */
export interface LeftOut {
  readonly kind: 'left-out';
  readonly text: string;
}

/** Facts with dots between them: the first line of a sheet, and its last one. */
export interface FactLine {
  readonly kind: 'facts';
  readonly facts: readonly TableCell[];
  readonly tones: readonly Tone[];
}

/** What a terminal draws with characters, and what pages print in its place. */
export interface Drawing {
  readonly kind: 'drawing';
  readonly lines: (look: Look) => readonly string[];
  readonly instead: readonly SheetBlock[];
}

export type SheetBlock = Grid | SheetNote | LeftOut | FactLine | Drawing;

/** The output of a command, in blocks with an empty line between them. The first block has the name and the main facts. */
export type Sheet = readonly (readonly SheetBlock[])[];

/** A column of rows R: its head, what it means, and what stands in it. */
export interface DeclaredColumn<R> extends Column {
  /** For `warpool columns` and docs/reference/tables.md; columns with the same sentence are explained together. */
  readonly about: string;
  readonly cell: (row: R) => TableCell;
}

export const toned = (text: string, ...tones: readonly Tone[]): Toned => ({ text, tones });

export const bold = (text: string): Toned => toned(text, 'bold');

/** A dim sentence, unless it has another colour. */
export const note = (text: string, tone: Tone = 'dim'): SheetNote => ({ kind: 'note', ...toned(text, tone) });

/** The sentence that answers the command. */
export const answer = (text: string, ...tones: readonly Tone[]): SheetNote => ({
  kind: 'note',
  isAnswer: true,
  ...toned(text, ...tones),
});

export const factLine = (facts: FactLine['facts'], ...tones: readonly Tone[]): FactLine => ({
  kind: 'facts',
  facts,
  tones,
});

export const drawing = (lines: Drawing['lines'], instead: Drawing['instead'] = []): Drawing => ({
  kind: 'drawing',
  lines,
  instead,
});

/** A sentence without a color. */
export const prose = (text: string): SheetNote => ({ kind: 'note', ...toned(text) });

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

/** The sentence about what a table leaves out. */
export const leftOutText = ({ text }: LeftOut): string => `(--json also has ${text})`;

/** Prints a part on a terminal. */
function printed(part: SheetBlock, look: Look): readonly string[] {
  const paint = painted(look.paint);
  switch (part.kind) {
    case 'table':
      return columns(
        part.heads,
        part.rows.map((row) => row.map((cell) => joined(cell, paint))),
        look,
      );
    case 'drawing':
      return part.lines(look);
    case 'facts': {
      const lines = dotted(
        part.facts.map((fact) => joined(fact, paint)),
        look,
      );
      return lines.map((text) => paint({ text, tones: part.tones }));
    }
    default: {
      const { text, tones } = part.kind === 'note' ? part : toned(leftOutText(part), 'dim');
      return flowed(text, look).map((line) => paint({ text: line, tones }));
    }
  }
}

/** Prints parts on a terminal. */
export const linesOf = (parts: readonly SheetBlock[], look: Look): string[] =>
  parts.flatMap((part) => printed(part, look));

/** Blocks of lines with an empty line between them; empty ones are left out. */
export function sheetText(blocks: readonly (readonly string[])[]): string {
  const shown = blocks.filter((block) => block.length > 0).map((block) => block.join('\n'));
  return `${shown.join('\n\n')}\n`;
}

/** Prints the output of a command on a terminal. */
export const printSheet = (sheet: Sheet, look: Look): string => sheetText(sheet.map((block) => linesOf(block, look)));

/** Heads of columns, and what they mean. */
export type Explained = readonly [heads: readonly string[], about: string];

/** Explains columns; those with the same sentence together. */
export function explained(columns: readonly Column[]): Explained[] {
  const heads = new Map<string, Set<string>>();
  for (const column of columns) {
    const { about = '' } = column;
    if (about !== '') heads.set(about, (heads.get(about) ?? new Set()).add(headLine(column)));
  }
  return [...heads].map(([about, together]) => [[...together], about]);
}
