/** Colors of rows and columns of a table whose name is an outcome, metric or field of a side. */
import { type SheetTable, toPlainText } from '../sheet/sheet.ts';
import type { SweepQuantity } from '../sweep-analysis/quantity.ts';
import { findSide, type ScenarioSide } from './sides.ts';

/** Tone of a side; `nobody`: the neutral color; `none`: no color. */
export type SideTone = number | 'nobody' | 'none';

export interface TableTones {
  /** Tones by column. */
  readonly heads: readonly SideTone[];
  /** Tones by row, for the first cell. */
  readonly rows: readonly SideTone[];
}

/** Tone of an outcome or metric. Without a side, outcomes are neutral and metrics have no color. */
export function findSideTone({ kind, name }: SweepQuantity, sides: readonly ScenarioSide[]): SideTone {
  return findSide(name, sides)?.tone ?? (kind === 'outcome' && sides.length > 0 ? 'nobody' : 'none');
}

/** Finds the tones of a table. Undefined if no name belongs to a side. */
export function createTableTones(
  { heads, rows, quantities, names }: SheetTable,
  sides: readonly ScenarioSide[],
): TableTones | undefined {
  const outcomes = heads[0]?.head === 'outcome';
  const chooseTone = (name: string, otherwise: SideTone): SideTone => findSide(name, sides)?.tone ?? otherwise;
  const marks: TableTones = {
    heads: heads.map(({ head, isName, path = head }) => (isName === true ? chooseTone(path, 'nobody') : 'none')),
    rows:
      quantities?.map((quantity) => findSideTone(quantity, sides)) ??
      rows.map(([first = ''], r) => chooseTone(names?.[r] ?? toPlainText(first), outcomes ? 'nobody' : 'none')),
  };
  return [...marks.heads, ...marks.rows].some((mark) => typeof mark === 'number') ? marks : undefined;
}
