/** Which rows and columns of a table have the colour of a side: those whose name is a side's outcome, metric or field. */
import { type SheetTable, toPlainText } from '../sheet/sheet.ts';
import type { SweepQuantity } from '../sweep-analysis/quantity.ts';
import { findSide, type ScenarioSide } from './sides.ts';

/** The tone of a side; nobody's; or no colour at all. */
export type SideTone = number | 'nobody' | 'none';

export interface TableTones {
  /** By column. */
  readonly heads: readonly SideTone[];
  /** By row, for the first cell. */
  readonly rows: readonly SideTone[];
}

/** The colour of an outcome, which is nobody's if no side's, or of a metric, which has none then. */
export function findSideTone({ kind, name }: SweepQuantity, sides: readonly ScenarioSide[]): SideTone {
  return findSide(name, sides)?.tone ?? (kind === 'outcome' && sides.length > 0 ? 'nobody' : 'none');
}

/** Undefined where no name is a side's: then the table has no colours. */
export function createTableTones(
  { heads, rows, quantities }: SheetTable,
  sides: readonly ScenarioSide[],
): TableTones | undefined {
  const outcomes = heads[0]?.head === 'outcome';
  const tone = (name: string, otherwise: SideTone): SideTone => findSide(name, sides)?.tone ?? otherwise;
  const marks: TableTones = {
    heads: heads.map(({ head, isName }) => (isName === true ? tone(head, 'nobody') : 'none')),
    rows:
      quantities?.map((quantity) => findSideTone(quantity, sides)) ??
      rows.map(([first = '']) => tone(toPlainText(first), outcomes ? 'nobody' : 'none')),
  };
  return [...marks.heads, ...marks.rows].some((mark) => typeof mark === 'number') ? marks : undefined;
}
