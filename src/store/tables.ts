/** The two tables of a store as Parquet files: which columns they have, and rows from and to them. */
import type { Column } from '../sweep/axis.ts';
import { type ColumnType, encodeTable, type ParquetColumn, readTable } from './parquet.ts';
import type { AxisValue, HistogramRow, Row } from './rows.ts';

type Plain<R> = Exclude<keyof R, 'axes'> & string;

/** Columns of `table/` behind those of the axes, in their order. */
const ROW_TYPES: Readonly<Record<Exclude<Plain<Row>, 'cell'>, ColumnType>> = {
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

const HISTOGRAM_TYPES: Readonly<Record<Plain<HistogramRow>, ColumnType>> = {
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

/** How the values of an axis are stored: numbers as numbers, all else as text unless it is true or false throughout. */
function axisType({ labels, kind }: Column): ColumnType {
  if (kind !== 'other') return kind === 'whole' ? 'int32' : 'double';
  return labels?.every((label) => typeof label === 'boolean') === true ? 'boolean' : 'text';
}

function stored(value: unknown, type: ColumnType): unknown {
  if (value === null || value === undefined) return null;
  if (type === 'int64' && typeof value === 'number') return BigInt(value);
  return type === 'text' && typeof value !== 'string' ? JSON.stringify(value) : value;
}

function column(name: string, type: ColumnType, values: Iterable<unknown>): ParquetColumn {
  return { name, type, data: Array.from(values, (value) => stored(value, type)) };
}

/** @param about what is written with the table */
export function encodeRows(rows: readonly Row[], axes: readonly Column[], about: unknown): Uint8Array {
  const columns = [
    column(
      'cell',
      'int32',
      rows.map(({ cell }) => cell),
    ),
    ...axes.map((axis) =>
      column(
        axis.name,
        axisType(axis),
        rows.map((row) => row.axes[axis.name]),
      ),
    ),
    ...Object.entries(ROW_TYPES).map(([name, type]) =>
      column(
        name,
        type,
        rows.map((row) => row[name as Plain<Row>]),
      ),
    ),
  ];
  return encodeTable(columns, about);
}

export function encodeHistograms(rows: readonly HistogramRow[], about: unknown): Uint8Array {
  const columns = Object.entries(HISTOGRAM_TYPES).map(([name, type]) =>
    column(
      name,
      type,
      rows.map((row) => row[name as Plain<HistogramRow>]),
    ),
  );
  return encodeTable(columns, about);
}

/** Integers below 2^53 come back as numbers. */
function plain(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : (value ?? null);
}

/** @throws RunError if the file is missing or no table of a store */
export async function readRows(path: string, axes: readonly Pick<Column, 'name'>[]): Promise<Row[]> {
  const names = Object.keys(ROW_TYPES);
  return (await readTable(path)).map((found) => {
    const values = Object.fromEntries(names.map((name) => [name, plain(found[name])]));
    const own = axes.map(({ name }) => [name, (found[name] ?? null) as AxisValue] as const);
    const seed = BigInt.asUintN(64, found['seed'] as bigint);
    return { ...values, cell: Number(found['cell']), axes: Object.fromEntries(own), seed } as unknown as Row;
  });
}

/** @throws RunError if the file is missing or no histogram of a store */
export async function readHistograms(path: string): Promise<HistogramRow[]> {
  const rows = await readTable(path);
  return rows.map(
    (found) => Object.fromEntries(HISTOGRAM_NAMES.map((name) => [name, plain(found[name])])) as unknown as HistogramRow,
  );
}
