/** Which rows and columns of a table have the colour of a side: those whose name is a side's outcome, metric or field. */
import { type Grid, wordsOf } from './parts.ts';
import { type ShownSide, sideIn } from './sides.ts';
import type { Quantity } from './survey/quantity.ts';

/** The tone of a side; nobody's; or no colour at all. */
export type MarkTone = number | 'nobody' | 'none';

export interface Marks {
  /** By column. */
  readonly heads: readonly MarkTone[];
  /** By row, for the first cell. */
  readonly rows: readonly MarkTone[];
}

/** The colour of an outcome, which is nobody's if no side's, or of a metric, which has none then. */
export function toneOf({ kind, name }: Quantity, sides: readonly ShownSide[]): MarkTone {
  return sideIn(name, sides)?.tone ?? (kind === 'outcome' && sides.length > 0 ? 'nobody' : 'none');
}

/** Undefined where no name is a side's: then the table has no colours. */
export function marksOf({ heads, rows, quantities }: Grid, sides: readonly ShownSide[]): Marks | undefined {
  const outcomes = heads[0]?.head === 'outcome';
  const tone = (name: string, otherwise: MarkTone): MarkTone => sideIn(name, sides)?.tone ?? otherwise;
  const marks: Marks = {
    heads: heads.map(({ head, named }) => (named === true ? tone(head, 'nobody') : 'none')),
    rows:
      quantities?.map((quantity) => toneOf(quantity, sides)) ??
      rows.map(([first = '']) => tone(wordsOf(first), outcomes ? 'nobody' : 'none')),
  };
  return [...marks.heads, ...marks.rows].some((mark) => typeof mark === 'number') ? marks : undefined;
}
