/** The columns of the two tables of a store, in their order. */
import type { Column } from '../sweep/axis.ts';
import type { ColumnType } from './parquet.ts';
import type { HistogramRow, Row } from './rows.ts';

export type Plain<R> = Exclude<keyof R, 'axes'> & string;

/** Columns of `table/` behind those of the axes, in their order. */
export const ROW_TYPES: Readonly<Record<Exclude<Plain<Row>, 'cell'>, ColumnType>> = {
  kind: 'text',
  name: 'text',
  battles: 'int64',
  estimate: 'double',
  low: 'double',
  high: 'double',
  standard_error: 'double',
  standard_deviation: 'double',
  min: 'double',
  q05: 'double',
  q25: 'double',
  median: 'double',
  q75: 'double',
  q95: 'double',
  max: 'double',
  exact: 'double',
  z: 'double',
  reached: 'boolean',
  seed: 'uint64',
  scenario: 'text',
  digest: 'text',
};

export const HISTOGRAM_TYPES: Readonly<Record<Plain<HistogramRow>, ColumnType>> = {
  cell: 'int32',
  kind: 'text',
  name: 'text',
  outcome: 'text',
  value: 'double',
  from: 'int64',
  to: 'int64',
  count: 'int64',
  probability: 'double',
};

export const HISTOGRAM_NAMES: readonly string[] = Object.keys(HISTOGRAM_TYPES);

/** All columns of `table/`. */
export function rowNames(axes: readonly Pick<Column, 'name'>[]): string[] {
  return ['cell', ...axes.map(({ name }) => name), ...Object.keys(ROW_TYPES)];
}
