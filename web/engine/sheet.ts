/** Sheets of the command line in parts that a page can show: the same words and numbers. */
import { type SheetBlock, wordsOf } from '../../src/tell/parts.ts';
import { headLine } from '../../src/tell/text/column.ts';

export type SheetPart =
  | { readonly kind: 'line'; readonly text: string }
  | {
      readonly kind: 'table';
      readonly heads: readonly { readonly head: string; readonly number: boolean }[];
      readonly rows: readonly (readonly string[])[];
    };

/** Columns without a head are there where they have words. */
function withWords({ heads, rows }: Extract<SheetBlock, { kind: 'table' }>): SheetPart {
  const columns = heads.map((column, c) => ({ column, cells: rows.map((row) => wordsOf(row[c] ?? '')) }));
  const kept = columns.filter(({ column, cells }) => headLine(column) !== '' || cells.some((cell) => cell !== ''));
  return {
    kind: 'table',
    heads: kept.map(({ column }) => ({ head: headLine(column), number: column.align !== 'left' })),
    rows: rows.map((_, r) => kept.map(({ cells }) => cells[r] ?? '')),
  };
}

function shown(part: SheetBlock): SheetPart {
  if (part.kind === 'note') return { kind: 'line', text: part.text };
  if (part.kind === 'left-out') return { kind: 'line', text: `(${part.text} not shown)` };
  return withWords(part);
}

/** Tables without rows are left out. */
export function partsOf(parts: readonly SheetBlock[]): SheetPart[] {
  return parts.filter((part) => part.kind !== 'table' || part.rows.length > 0).map(shown);
}
