/** Parquet files of a store: columns of the two tables, and conversion of rows. */

import { createReadError } from '../folder/files.ts';
import type { AxisColumn as Axis } from '../sweep/axis.ts';
import {
  type AxisValue,
  type ColumnSchema,
  type ColumnType,
  createEmptyRow,
  EMPTY_ROW,
  HISTOGRAM_COLUMNS,
  HISTOGRAM_NAMES,
  type HistogramRow,
  type HistogramRun,
  type ResultRow,
  ROW_COLUMNS,
  type RowSource,
} from '../sweep/rows.ts';
import { type ColumnValues, encodeTable, readTable, type TableFile } from './parquet/parquet.ts';
import { TableColumn } from './parquet/table-column.ts';

/** Chooses the column type of an axis: a number type or a boolean if all values fit, otherwise text. */
function chooseAxisType({ labels, kind }: Axis): ColumnType {
  if (kind !== 'other') return kind === 'whole' ? 'int32' : 'double';
  return labels?.every((label) => typeof label === 'boolean') === true ? 'boolean' : 'text';
}

/** Converts the value of an axis to its stored form. */
export function toStoredValue(axis: Axis, value: AxisValue | undefined): AxisValue | undefined {
  return chooseAxisType(axis) === 'text' && value !== null && value !== undefined ? String(value) : value;
}

const createColumnSchemas = (columns: Readonly<Record<string, Pick<ColumnSchema, 'type'>>>): ColumnSchema[] =>
  Object.entries(columns).map(([name, { type }]) => ({ name, type }));

const CELL_COLUMN: ColumnSchema = { name: 'cell', type: 'int32' };
const ROW_SCHEMAS = createColumnSchemas(ROW_COLUMNS);
const HISTOGRAM_SCHEMAS = createColumnSchemas(HISTOGRAM_COLUMNS);

/** Columns of `histograms/` with a number for each row of a run. */
const NUMERIC_COLUMNS: ReadonlySet<string> = new Set(['value', 'count', 'probability']);

/** First size of a column of numbers. */
const FIRST_NUMBERS = 1024;

const createAxisSchemas = (axes: readonly Axis[]): ColumnSchema[] =>
  axes.map((axis) => ({ name: axis.name, type: chooseAxisType(axis) }));

/** Columns of `table/`, in order. */
export const createTableSchemas = (axes: readonly Axis[]): ColumnSchema[] => [
  CELL_COLUMN,
  ...createAxisSchemas(axes),
  ...ROW_SCHEMAS,
];

/** Creates a column to append to. */
const createColumn = (head: ColumnSchema, isNumeric = head.type === 'double'): TableColumn =>
  new TableColumn(head, isNumeric ? new Float64Array(FIRST_NUMBERS) : undefined);

/** Rows of `table/` during writing. */
export class RowTable {
  readonly #cell = createColumn(CELL_COLUMN);
  readonly #axes: readonly TableColumn[];
  readonly #columns = Object.entries(ROW_COLUMNS).map(
    ([name, { type, of }]) => [createColumn({ name, type }), of] as const,
  );

  constructor(axes: readonly Axis[]) {
    this.#axes = createAxisSchemas(axes).map((head) => createColumn(head));
  }

  get rows(): number {
    return this.#cell.length;
  }

  /** Adds rows, column by column: V8 optimizes these loops only for many rows. */
  add(sources: readonly RowSource[]): void {
    for (const { facts } of sources) this.#cell.push(facts.cell);
    for (const column of this.#axes) for (const { facts } of sources) column.push(facts.axes[column.name]);
    for (const [column, of] of this.#columns) for (const source of sources) column.push(of(source));
  }

  /** @param about metadata of the table */
  encode(about: object): Uint8Array {
    return encodeTable([this.#cell, ...this.#axes, ...this.#columns.map(([column]) => column)], about);
  }
}

/** Adds the values or weights of runs to a column. */
function addNumbers(column: TableColumn, name: 'value' | HistogramRun['weigh'], runs: readonly HistogramRun[]): void {
  for (const { kind, values, weights, weigh } of runs) {
    if (name === 'value' ? kind === 'outcome' : name !== weigh) column.pushNulls(values.length);
    else column.pushNumbers(name === 'value' ? values : weights);
  }
}

/** Rows of `histograms/` during writing. */
export class HistogramTable {
  readonly #columns = HISTOGRAM_SCHEMAS.map((head) => createColumn(head, NUMERIC_COLUMNS.has(head.name)));

  get rows(): number {
    return this.#columns[0]?.length ?? 0;
  }

  /** Adds runs, column by column. */
  add(runs: readonly HistogramRun[]): void {
    for (const column of this.#columns) {
      const name = column.name as keyof HistogramRow;
      if (name === 'value' || name === 'count' || name === 'probability') addNumbers(column, name, runs);
      else for (const run of runs) column.push(run[name], run.values.length);
    }
  }

  /** @param about metadata of the table */
  encode(about: object): Uint8Array {
    return encodeTable(this.#columns, about);
  }
}

/** @param about metadata of the table */
export function encodeHistograms(runs: Iterable<HistogramRun>, about: object): Uint8Array {
  const table = new HistogramTable();
  table.add([...runs]);
  return table.encode(about);
}

/** Columns of a table by name, without those that have no values. */
type ColumnsByName = ReadonlyMap<string, ColumnValues>;

/** Converts integers below 2^53 to numbers. */
function toNumber(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : (value ?? null);
}

/** Cells lo..hi-1 of a segment. */
export type CellRange = readonly [from: number, to: number];

/** Rejects a row of a cell outside of the part, or without the common columns. */
function checkRow(cell: unknown, kind: unknown, name: unknown, [from, to]: CellRange): void {
  if (!(typeof cell === 'number' && cell >= from && cell < to)) throw new Error(`it has a row of cell ${String(cell)}`);
  if (kind === 'outcome' || (kind === 'metric' && typeof name === 'string')) return;
  throw new Error(`it has a row of ${String(kind)} ${String(name)}`);
}

/** Creates a reader of axis values; successive rows with equal values share one object. */
function createAxesReader(columns: ColumnsByName, axes: readonly Axis[]): (row: number) => ResultRow['axes'] {
  const named = axes.map(({ name }) => [name, columns.get(name) ?? []] as const);
  let [last, shared]: [row: number, ResultRow['axes']] = [-1, {}];
  return (row) => {
    let isSame = last >= 0;
    for (const [, values] of named) isSame &&= values[row] === values[last];
    if (!isSame)
      shared = Object.fromEntries(named.map(([name, values]) => [name, values[row] ?? null])) as ResultRow['axes'];
    last = row;
    return shared;
  };
}

/** Reads seeds, in decimal. */
function createSeedReader(seeds: ColumnValues): (row: number) => string {
  let last: { readonly seed: bigint; readonly text: string } | undefined;
  return (row) => {
    const seed = seeds[row];
    if (typeof seed !== 'bigint') throw new Error('it has a row without a seed');
    if (last?.seed !== seed) last = { seed, text: String(BigInt.asUintN(64, seed)) };
    return last.text;
  };
}

/** Creates a reader of one key of a row. */
function createKeyReader(key: string, columns: ColumnsByName, axes: readonly Axis[]): (row: number) => unknown {
  if (key === 'axes') return createAxesReader(columns, axes);
  const values = columns.get(key) ?? [];
  return key === 'seed' ? createSeedReader(values) : (row) => toNumber(values[row]);
}

/** Writes a key of all rows. Missing values are there already. */
function fillKey(rows: readonly Record<string, unknown>[], key: string, read: (row: number) => unknown): void {
  for (let row = 0; row < rows.length; row++) {
    const [value, made] = [read(row), rows[row]];
    if (value !== null && made !== undefined) made[key] = value;
  }
}

/** Reads rows of a part. @param requested keys of the rows */
async function readRowsLike<R>(
  requested: readonly string[],
  file: TableFile,
  heads: readonly ColumnSchema[],
  cells: CellRange,
  axes: readonly Axis[] = [],
): Promise<R[]> {
  const empty = createEmptyRow(requested);
  const keys = Object.keys(empty);
  const names = ['cell', 'kind', 'name', ...axes.map(({ name }) => name), ...keys];
  const wanted = heads.flatMap(({ name }) => (names.includes(name) ? [name] : []));
  const { rows: length, columns } = await readTable(file, heads, wanted);
  try {
    const [cell = [], kind = [], name = []] = names.map((key) => columns.get(key));
    for (let row = 0; row < length; row++) checkRow(cell[row], kind[row], name[row], cells);
    const rows = Array.from({ length }, () => ({ ...empty }));
    const filled = keys.filter((key) => columns.has(key) || key === 'axes' || key === 'seed');
    for (const key of filled) fillKey(rows, key, createKeyReader(key, columns, axes));
    return rows as R[];
  } catch (error) {
    throw createReadError(file.name, error);
  }
}

/**
 * @param keys of the rows. Default: all
 * @throws RunError if the file is damaged, or not a table of a store with these axes and cells
 */
export function readRows<K extends keyof ResultRow = keyof ResultRow>(
  file: TableFile,
  axes: readonly Axis[],
  cells: CellRange,
  keys: readonly K[] = Object.keys(EMPTY_ROW) as K[],
): Promise<Pick<ResultRow, K>[]> {
  return readRowsLike(keys, file, createTableSchemas(axes), cells, axes);
}

/** @throws RunError if the file is damaged, or has no histograms of a store with these cells */
export function readHistograms(file: TableFile, cells: CellRange): Promise<HistogramRow[]> {
  return readRowsLike(HISTOGRAM_NAMES, file, HISTOGRAM_SCHEMAS, cells);
}
