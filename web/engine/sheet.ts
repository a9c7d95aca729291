/** Sheets of the command line in parts that a page can show: the same words and numbers. */
import { type Marks, marksOf } from '../../src/tell/marks.ts';
import { type SheetBlock, withWords } from '../../src/tell/parts.ts';
import type { ShownSide } from '../../src/tell/sides.ts';
import { headLine } from '../../src/tell/text/column.ts';

export type SheetPart =
  | { readonly kind: 'line'; readonly text: string }
  | {
      readonly kind: 'table';
      readonly heads: readonly { readonly head: string; readonly number: boolean }[];
      readonly rows: readonly (readonly string[])[];
      /** Colours of the sides that its heads and rows are of. */
      readonly marks?: Marks | undefined;
    };

function shown(part: SheetBlock, sides: readonly ShownSide[]): SheetPart {
  if (part.kind === 'note') return { kind: 'line', text: part.text };
  if (part.kind === 'left-out') return { kind: 'line', text: `(${part.text} not shown)` };
  const { heads, rows } = withWords(part);
  return {
    kind: 'table',
    heads: heads.map((column) => ({ head: headLine(column), number: column.align !== 'left' })),
    rows,
    marks: marksOf(part, sides),
  };
}

/** Tables without rows are left out. */
export function partsOf(parts: readonly SheetBlock[], sides: readonly ShownSide[] = []): SheetPart[] {
  return parts.filter((part) => part.kind !== 'table' || part.rows.length > 0).map((part) => shown(part, sides));
}
