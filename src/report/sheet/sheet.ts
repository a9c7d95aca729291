/** What sheets are made of, as data: tables and sentences. Terminal, HTML and page print the same parts. */
import type { SweepQuantity } from '../sweep-analysis/quantity.ts';
import { joinHeading, type TextColumn } from '../text/column.ts';
import { formatTable } from '../text/table.ts';
import type { Paint, TerminalStyle } from '../text/terminal-style.ts';
import { joinFacts, wrapSentence } from '../text/wrapping.ts';

type TextTone = keyof Paint;

/** Text with colours, the inner one first. */
export interface StyledText {
  readonly text: string;
  readonly tones: readonly TextTone[];
  /** A bar made of characters: where there are pictures it is left out. */
  readonly isBar?: true;
}

export type TableCell = string | StyledText | readonly (string | StyledText)[];

export interface SheetTable {
  readonly kind: 'table';
  readonly heads: readonly TextColumn[];
  readonly rows: readonly (readonly TableCell[])[];
  /** The outcome or metric of each row, for its color; else the first cell names it. */
  readonly quantities?: readonly SweepQuantity[];
}

export interface SheetNote extends StyledText {
  readonly kind: 'note';
  /** The sentence that answers the command: pages print it first and in large letters. */
  readonly isAnswer?: true;
}

/** What a table leaves out, and JSON has. */
export interface Omission {
  readonly kind: 'left-out';
  readonly text: string;
}

/** Facts with dots between them: the first line of a sheet, and its last one. */
export interface FactLine {
  readonly kind: 'facts';
  readonly facts: readonly TableCell[];
  readonly tones: readonly TextTone[];
}

/** What a terminal draws with characters, and what pages print in its place. */
export interface TerminalDrawing {
  readonly kind: 'drawing';
  readonly lines: (look: TerminalStyle) => readonly string[];
  readonly fallback: readonly SheetBlock[];
}

export type SheetBlock = SheetTable | SheetNote | Omission | FactLine | TerminalDrawing;

/** The output of a command, in blocks with an empty line between them. The first block has the name and the main facts. */
export type Sheet = readonly (readonly SheetBlock[])[];

/** A column of rows R: its head, what it means, and what stands in it. */
export interface DeclaredColumn<R> extends TextColumn {
  /** For `warpool columns` and docs/reference/tables.md; columns with the same sentence are explained together. */
  readonly about: string;
  readonly cell: (row: R) => TableCell;
}

export const styleText = (text: string, ...tones: readonly TextTone[]): StyledText => ({ text, tones });

export const bold = (text: string): StyledText => styleText(text, 'bold');

/** A dim sentence, unless it has another colour. */
export const createNote = (text: string, tone: TextTone = 'dim'): SheetNote => ({
  kind: 'note',
  ...styleText(text, tone),
});

/** The sentence that answers the command. */
export const createAnswer = (text: string, ...tones: readonly TextTone[]): SheetNote => ({
  kind: 'note',
  isAnswer: true,
  ...styleText(text, ...tones),
});

export const createFactLine = (facts: FactLine['facts'], ...tones: readonly TextTone[]): FactLine => ({
  kind: 'facts',
  facts,
  tones,
});

export const createDrawing = (
  lines: TerminalDrawing['lines'],
  fallback: TerminalDrawing['fallback'] = [],
): TerminalDrawing => ({
  kind: 'drawing',
  lines,
  fallback,
});

/** A sentence without a color. */
export const createProse = (text: string): SheetNote => ({ kind: 'note', ...styleText(text) });

export const createOmission = (text: string): Omission => ({ kind: 'left-out', text });

/** A table of declared columns. */
export function createTable<R>(declared: readonly DeclaredColumn<R>[], rows: readonly R[]): SheetTable {
  return { kind: 'table', heads: declared, rows: rows.map((row) => declared.map(({ cell }) => cell(row))) };
}

/** A cell in other words: what becomes of each of its texts. */
function joinCell(cell: TableCell, text: (toned: StyledText) => string): string {
  if (typeof cell === 'string') return cell;
  return 'text' in cell ? text(cell) : cell.map((each) => joinCell(each, text)).join(' ');
}

const createPainter =
  (paint: Paint) =>
  ({ text, tones }: StyledText): string =>
    tones.reduce((all, tone) => paint[tone](all), text);

/** A cell without its colours and bars. */
export const toPlainText = (cell: TableCell): string =>
  joinCell(cell, ({ text, isBar }) => (isBar === true ? '' : text));

/** A table for where there are pictures: without colours and bars. Columns without a head are there where they have words. */
export function toPlainTable({
  heads,
  rows,
}: SheetTable): Pick<SheetTable, 'heads'> & { readonly rows: readonly string[][] } {
  const columns = heads.map((column, c) => ({ column, cells: rows.map((row) => toPlainText(row[c] ?? '')) }));
  const kept = columns.filter(({ column, cells }) => joinHeading(column) !== '' || cells.some((cell) => cell !== ''));
  return { heads: kept.map(({ column }) => column), rows: rows.map((_, r) => kept.map(({ cells }) => cells[r] ?? '')) };
}

/** The sentence about what a table leaves out. */
export const formatOmission = ({ text }: Omission): string => `(--json also has ${text})`;

/** Prints a part on a terminal. */
function formatBlock(part: SheetBlock, look: TerminalStyle): readonly string[] {
  const paint = createPainter(look.paint);
  switch (part.kind) {
    case 'table':
      return formatTable(
        part.heads,
        part.rows.map((row) => row.map((cell) => joinCell(cell, paint))),
        look,
      );
    case 'drawing':
      return part.lines(look);
    case 'facts': {
      const lines = joinFacts(
        part.facts.map((fact) => joinCell(fact, paint)),
        look,
      );
      return lines.map((text) => paint({ text, tones: part.tones }));
    }
    default: {
      const { text, tones } = part.kind === 'note' ? part : styleText(formatOmission(part), 'dim');
      return wrapSentence(text, look).map((line) => paint({ text: line, tones }));
    }
  }
}

/** Prints parts on a terminal. */
export const formatBlocks = (parts: readonly SheetBlock[], look: TerminalStyle): string[] =>
  parts.flatMap((part) => formatBlock(part, look));

/** Blocks of lines with an empty line between them; empty ones are left out. */
export function joinBlocks(blocks: readonly (readonly string[])[]): string {
  const shown = blocks.filter((block) => block.length > 0).map((block) => block.join('\n'));
  return `${shown.join('\n\n')}\n`;
}

/** Prints the output of a command on a terminal. */
export const formatSheet = (sheet: Sheet, look: TerminalStyle): string =>
  joinBlocks(sheet.map((block) => formatBlocks(block, look)));

/** Heads of columns, and what they mean. */
export type ColumnExplanation = readonly [heads: readonly string[], about: string];

/** Explains columns; those with the same sentence together. */
export function explainColumns(columns: readonly TextColumn[]): ColumnExplanation[] {
  const heads = new Map<string, Set<string>>();
  for (const column of columns) {
    const { about = '' } = column;
    if (about !== '') heads.set(about, (heads.get(about) ?? new Set()).add(joinHeading(column)));
  }
  return [...heads].map(([about, together]) => [[...together], about]);
}
