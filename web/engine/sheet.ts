/** Sheets of the command line in parts that a page can show: the same words and numbers. */
import {
  headLine,
  linesOf,
  type Marks,
  marksOf,
  PLAIN,
  type SheetBlock,
  type ShownSide,
  withWords,
} from '../../src/tell/index.ts';

export type SheetPart =
  | { readonly kind: 'line'; readonly text: string }
  | {
      readonly kind: 'table';
      /** `title` explains a head, as `warpool columns` does. */
      readonly heads: readonly { readonly head: string; readonly number: boolean; readonly title?: string }[];
      readonly rows: readonly (readonly string[])[];
      /** Colours of the sides that its heads and rows are of. */
      readonly marks?: Marks | undefined;
    };

const PLAINLY = { width: Number.POSITIVE_INFINITY, paint: PLAIN };

function shown(part: SheetBlock, sides: readonly ShownSide[]): SheetPart[] {
  if (part.kind === 'left-out') return [{ kind: 'line', text: `(${part.text} not shown)` }];
  if (part.kind === 'drawing' && part.instead.length > 0) return partsOf(part.instead, sides);
  if (part.kind !== 'table') return linesOf([part], PLAINLY).map((text) => ({ kind: 'line', text }));
  const { heads, rows } = withWords(part);
  const marks = marksOf(part, sides);
  const shownHeads = heads.map((column) => ({
    head: headLine(column),
    number: column.align !== 'left',
    ...(column.about !== undefined && { title: column.about }),
  }));
  return [{ kind: 'table', heads: shownHeads, rows, marks }];
}

/** Tables without rows are left out. */
export function partsOf(parts: readonly SheetBlock[], sides: readonly ShownSide[] = []): SheetPart[] {
  return parts.filter((part) => part.kind !== 'table' || part.rows.length > 0).flatMap((part) => shown(part, sides));
}
