/** Records of a store's tables as CSV has them. */
import type { Options } from 'csv-stringify';
import type { Column } from '../sweep/axis.ts';
import { HISTOGRAM_NAMES, rowNames } from './columns.ts';
import type { AxisValue, HistogramRow, Row } from './rows.ts';

/** How CSV is written so that spreadsheets open it: UTF-8 with a byte order mark, lines that end in CR LF. */
export const FORM: Options = {
  bom: true,
  header: true,
  record_delimiter: 'windows',
  // A text that begins with = + - or @ would be a formula.
  escape_formulas: true,
};

/** A number as it is, a bigint in digits, nothing for null; infinite numbers as R and pandas read them. */
function field(value: AxisValue | bigint | undefined): string | number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : value > 0 ? 'Inf' : '-Inf';
  return value === null || value === undefined ? null : String(value);
}

const REST = rowNames([]).slice(1);

/** One row of `table/`. @param columns of the axes */
export function tableRecord({ cell, axes, ...row }: Row, columns: readonly Pick<Column, 'name'>[]): unknown[] {
  const rest = REST.map((name) => field(row[name as keyof typeof row]));
  return [cell, ...columns.map(({ name }) => field(axes[name])), ...rest];
}

/** One row of `histograms/`. */
export function histogramRecord(row: HistogramRow): unknown[] {
  return HISTOGRAM_NAMES.map((name) => field(row[name as keyof HistogramRow]));
}
