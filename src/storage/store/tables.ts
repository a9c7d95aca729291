/** Parquet files of a store: columns of the two tables, and conversion of rows. */

import { createReadError } from '../folder/files.ts';
import type { AxisColumn as Axis } from '../sweep/axis.ts';
import { type ColumnValues, encodeTable, readTable, type TableFile } from './parquet/parquet.ts';
import { TableColumn } from './parquet/table-column.ts';
import {
  type AxisValue,
  type ColumnSchema,
  type ColumnType,
  HISTOGRAM_TYPES,
  type HistogramRow,
  type HistogramRun,
  type ResultRow,
  ROW_TYPES,
  type ScalarColumn,
} from './rows.ts';

/** Chooses the column type of an axis: a number type or a boolean if all values fit, otherwise text. */
function chooseAxisType({ labels, kind }: Axis): ColumnType {
  if (kind !== 'other') return kind === 'whole' ? 'int32' : 'double';
  return labels?.every((label) => typeof label === 'boolean') === true ? 'boolean' : 'text';
}

/** Converts the value of an axis to its stored form. */
export function toStoredValue(axis: Axis, value: AxisValue | undefined): AxisValue | undefined {
  return chooseAxisType(axis) === 'text' && value !== null && value !== undefined ? String(value) : value;
}

const createColumnSchemas = (types: Readonly<Record<string, ColumnType>>): ColumnSchema[] =>
  Object.entries(types).map(([name, type]) => ({ name, type }));

const CELL_COLUMN: ColumnSchema = { name: 'cell', type: 'int32' };
const ROW_COLUMNS = createColumnSchemas(ROW_TYPES);
const HISTOGRAM_COLUMNS = createColumnSchemas(HISTOGRAM_TYPES);

const createAxisColumns = (axes: readonly Axis[]): ColumnSchema[] =>
  axes.map((axis) => ({ name: axis.name, type: chooseAxisType(axis) }));

/** @param about metadata of the table */
export function encodeRows(rows: readonly ResultRow[], axes: readonly Axis[], about: object): Uint8Array {
  const of = (head: ColumnSchema, value: (row: ResultRow) => unknown): TableColumn =>
    TableColumn.of(head, rows.map(value));
  const columns = [
    of(CELL_COLUMN, ({ cell }) => cell),
    ...createAxisColumns(axes).map((head) => of(head, (row) => row.axes[head.name])),
    ...ROW_COLUMNS.map((head) => of(head, (row) => row[head.name as ScalarColumn<ResultRow>])),
  ];
  return encodeTable(columns, about);
}

/** Creates one column of histograms. @param rows of all runs */
function createHistogramColumn(head: ColumnSchema, runs: readonly HistogramRun[], rows: number): TableColumn {
  const name = head.name as ScalarColumn<HistogramRow>;
  if (name !== 'value' && name !== 'count' && name !== 'probability') {
    const column = new TableColumn(head);
    for (const run of runs) column.push(run[name], run.values.length);
    return column;
  }
  const column = new TableColumn(head, new Float64Array(rows));
  for (const { kind, values, weights, weigh } of runs) {
    if (name === 'value' ? kind === 'outcome' : name !== weigh) column.pushNulls(values.length);
    else column.pushNumbers(name === 'value' ? values : weights);
  }
  return column;
}

/** @param about metadata of the table */
export function encodeHistograms(runs: readonly HistogramRun[], about: object): Uint8Array {
  const rows = runs.reduce((sum, { values }) => sum + values.length, 0);
  return encodeTable(
    HISTOGRAM_COLUMNS.map((head) => createHistogramColumn(head, runs, rows)),
    about,
  );
}

/** Columns of a table by name. */
type ColumnsByName = Readonly<Record<string, ColumnValues>>;

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

/** Reads rows of a part. @param reader creates a function that makes a row from the columns */
async function readRowsWith<R>(
  file: TableFile,
  heads: readonly ColumnSchema[],
  cells: CellRange,
  reader: (columns: ColumnsByName) => (row: number) => R,
): Promise<R[]> {
  const values = await readTable(file, heads);
  const columns = Object.fromEntries(heads.map(({ name }, c) => [name, values[c] ?? []]));
  try {
    const { cell = [], kind = [], name = [] } = columns;
    for (let row = 0; row < cell.length; row++) checkRow(cell[row], kind[row], name[row], cells);
    const read = reader(columns);
    return Array.from({ length: cell.length }, (_, row) => read(row));
  } catch (error) {
    throw createReadError(file.name, error);
  }
}

/** Creates a reader of axis values; successive rows with equal values share one object. */
function createAxesReader(columns: ColumnsByName, axes: readonly Axis[]): (row: number) => ResultRow['axes'] {
  const named = axes.map(({ name }) => [name, columns[name] ?? []] as const);
  let [last, shared]: [row: number | undefined, ResultRow['axes']] = [undefined, {}];
  return (row) => {
    const before = last;
    if (before === undefined || !named.every(([, values]) => values[row] === values[before]))
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

/** Lists fields explicitly: building an object by name and value takes ten times as long. */
function createRowReader(columns: ColumnsByName, axes: readonly Axis[]): (row: number) => ResultRow {
  const found = columns as Readonly<Record<ScalarColumn<ResultRow>, ColumnValues>>;
  const axesOf = createAxesReader(columns, axes);
  const seedOf = createSeedReader(found.seed);
  return (row) => ({
    cell: found.cell[row] as number,
    axes: axesOf(row),
    kind: found.kind[row] as ResultRow['kind'],
    name: toNumber(found.name[row]) as string,
    battles: toNumber(found.battles[row]) as number,
    estimate: toNumber(found.estimate[row]) as number | null,
    low: toNumber(found.low[row]) as number | null,
    high: toNumber(found.high[row]) as number | null,
    standard_error: toNumber(found.standard_error[row]) as number | null,
    standard_deviation: toNumber(found.standard_deviation[row]) as number,
    min: toNumber(found.min[row]) as number | null,
    q05: toNumber(found.q05[row]) as number | null,
    q25: toNumber(found.q25[row]) as number | null,
    median: toNumber(found.median[row]) as number | null,
    q75: toNumber(found.q75[row]) as number | null,
    q95: toNumber(found.q95[row]) as number | null,
    max: toNumber(found.max[row]) as number | null,
    exact: toNumber(found.exact[row]) as number | null,
    z: toNumber(found.z[row]) as number | null,
    reached: toNumber(found.reached[row]) as boolean | null,
    seed: seedOf(row),
    scenario: toNumber(found.scenario[row]) as string,
    digest: toNumber(found.digest[row]) as string | null,
  });
}

/** @throws RunError if the file is damaged, or not a table of a store with these axes and cells */
export function readRows(file: TableFile, axes: readonly Axis[], cells: CellRange): Promise<ResultRow[]> {
  return readRowsWith(file, [CELL_COLUMN, ...createAxisColumns(axes), ...ROW_COLUMNS], cells, (columns) =>
    createRowReader(columns, axes),
  );
}

/** @throws RunError if the file is damaged, or has no histograms of a store with these cells */
export function readHistograms(file: TableFile, cells: CellRange): Promise<HistogramRow[]> {
  return readRowsWith(file, HISTOGRAM_COLUMNS, cells, (columns) => {
    const found = columns as Readonly<Record<ScalarColumn<HistogramRow>, ColumnValues>>;
    return (row) => ({
      cell: found.cell[row] as number,
      kind: found.kind[row] as HistogramRow['kind'],
      name: toNumber(found.name[row]) as string,
      outcome: toNumber(found.outcome[row]) as string,
      value: toNumber(found.value[row]) as number | null,
      from: toNumber(found.from[row]) as number,
      to: toNumber(found.to[row]) as number,
      count: toNumber(found.count[row]) as number | null,
      probability: toNumber(found.probability[row]) as number | null,
    });
  });
}
