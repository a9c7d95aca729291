/** Sheets: the output of a command as data, tables and sentences. Terminal, HTML and web app print the same parts. */
import type { SweepQuantity } from '../sweep-analysis/quantity.ts';
import { joinHeading, type TextColumn } from '../text/column.ts';
import { formatTable } from '../text/table.ts';
import type { Paint, TerminalStyle } from '../text/terminal-style.ts';
import { joinFacts, wrapSentence } from '../text/wrapping.ts';

type TextTone = keyof Paint;

/** Text with colors, the inner one first. */
export interface StyledText {
  readonly text: string;
  readonly tones: readonly TextTone[];
  /** True for a bar of characters, which outputs with figures omit. */
  readonly isBar?: true;
}

export type TableCell = string | StyledText | readonly (string | StyledText)[];

export interface SheetTable {
  readonly kind: 'table';
  readonly heads: readonly TextColumn[];
  readonly rows: readonly (readonly TableCell[])[];
  /** Outcome or metric of each row, for its color. Default: its name. */
  readonly quantities?: readonly SweepQuantity[];
  /** Name of each row, for its color. Default: the text of the first cell. */
  readonly names?: readonly string[];
}

export interface SheetNote extends StyledText {
  readonly kind: 'note';
  /** True for the main result, which HTML reports print first and in large letters. */
  readonly isAnswer?: true;
}

/** Note on content that the table omits and JSON contains. */
export interface Omission {
  readonly kind: 'left-out';
  readonly text: string;
}

/** Facts separated by dots: the first line of a sheet, and its last one. */
export interface FactLine {
  readonly kind: 'facts';
  readonly facts: readonly TableCell[];
  readonly tones: readonly TextTone[];
}

/** Drawing of characters for a terminal, and its replacement in HTML. */
export interface TerminalDrawing {
  readonly kind: 'drawing';
  readonly lines: (look: TerminalStyle) => readonly string[];
  readonly fallback: readonly SheetBlock[];
}

export type SheetBlock = SheetTable | SheetNote | Omission | FactLine | TerminalDrawing;

/** Output of a command, in blocks separated by empty lines. The first block has the name and the main facts. */
export type Sheet = readonly (readonly SheetBlock[])[];

/** Column of rows R: head, meaning and cell function. */
export interface DeclaredColumn<R> extends TextColumn {
  /** Meaning, for `warpool columns` and docs/reference/tables.md. Columns with the same text share an entry. */
  readonly about: string;
  readonly cell: (row: R) => TableCell;
}

export const styleText = (text: string, ...tones: readonly TextTone[]): StyledText => ({ text, tones });

export const bold = (text: string): StyledText => styleText(text, 'bold');

/** Creates a note, dim by default. */
export const createNote = (text: string, tone: TextTone = 'dim'): SheetNote => ({
  kind: 'note',
  ...styleText(text, tone),
});

/** Creates the main result. */
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

/** Creates a sentence without a color. */
export const createProse = (text: string): SheetNote => ({ kind: 'note', ...styleText(text) });

export const createOmission = (text: string): Omission => ({ kind: 'left-out', text });

/** Creates a table of declared columns. */
export function createTable<R>(declared: readonly DeclaredColumn<R>[], rows: readonly R[]): SheetTable {
  return { kind: 'table', heads: declared, rows: rows.map((row) => declared.map(({ cell }) => cell(row))) };
}

/** Maps the texts of a cell. */
function joinCell(cell: TableCell, text: (toned: StyledText) => string): string {
  if (typeof cell === 'string') return cell;
  return 'text' in cell ? text(cell) : cell.map((each) => joinCell(each, text)).join(' ');
}

const createPainter =
  (paint: Paint) =>
  ({ text, tones }: StyledText): string =>
    tones.reduce((all, tone) => paint[tone](all), text);

/** Converts a cell to text without colors and bars. */
export const toPlainText = (cell: TableCell): string =>
  joinCell(cell, ({ text, isBar }) => (isBar === true ? '' : text));

/** Converts a table for outputs with figures: without colors, bars, and empty columns without a head. */
export function toPlainTable({
  heads,
  rows,
}: SheetTable): Pick<SheetTable, 'heads'> & { readonly rows: readonly string[][] } {
  const columns = heads.map((column, c) => ({ column, cells: rows.map((row) => toPlainText(row[c] ?? '')) }));
  const kept = columns.filter(({ column, cells }) => joinHeading(column) !== '' || cells.some((cell) => cell !== ''));
  return { heads: kept.map(({ column }) => column), rows: rows.map((_, r) => kept.map(({ cells }) => cells[r] ?? '')) };
}

/** Formats the note on omitted content. */
export const formatOmission = ({ text }: Omission): string => `(--json also has ${text})`;

/** Formats a part for a terminal. */
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

/** Formats parts for a terminal. */
export const formatBlocks = (parts: readonly SheetBlock[], look: TerminalStyle): string[] =>
  parts.flatMap((part) => formatBlock(part, look));

/** Joins blocks of lines with empty lines between them, without empty blocks. */
export function joinBlocks(blocks: readonly (readonly string[])[]): string {
  const shown = blocks.filter((block) => block.length > 0).map((block) => block.join('\n'));
  return `${shown.join('\n\n')}\n`;
}

/** Formats the output of a command for a terminal. */
export const formatSheet = (sheet: Sheet, look: TerminalStyle): string =>
  joinBlocks(sheet.map((block) => formatBlocks(block, look)));

/** Heads of columns with their meanings. */
export type ColumnExplanation = readonly [heads: readonly string[], about: string];

/** Lists the meanings of columns. Columns with the same text share an entry. */
export function explainColumns(columns: readonly TextColumn[]): ColumnExplanation[] {
  const heads = new Map<string, Set<string>>();
  for (const column of columns) {
    const { about = '' } = column;
    if (about !== '') heads.set(about, (heads.get(about) ?? new Set()).add(joinHeading(column)));
  }
  return [...heads].map(([about, together]) => [[...together], about]);
}
