/** The two tables of a store as Parquet files: which columns they have, and rows from and to them. */

import { unreadable } from '../folder/files.ts';
import type { Column as Axis } from '../sweep/axis.ts';
import { Column } from './columns.ts';
import { type ColumnValues, encodeTable, readTable, type TableFile } from './parquet.ts';
import {
  type AxisValue,
  type ColumnHead,
  type ColumnType,
  HISTOGRAM_TYPES,
  type HistogramRow,
  type HistogramRun,
  type Plain,
  ROW_TYPES,
  type Row,
} from './rows.ts';

/** How the values of an axis are stored: numbers as numbers, all else as text unless it is true or false throughout. */
function axisType({ labels, kind }: Axis): ColumnType {
  if (kind !== 'other') return kind === 'whole' ? 'int32' : 'double';
  return labels?.every((label) => typeof label === 'boolean') === true ? 'boolean' : 'text';
}

/** What a table holds of a value of an axis. */
export function heldOf(axis: Axis, value: AxisValue | undefined): AxisValue | undefined {
  return axisType(axis) === 'text' && value !== null && value !== undefined ? String(value) : value;
}

const headsOf = (types: Readonly<Record<string, ColumnType>>): ColumnHead[] =>
  Object.entries(types).map(([name, type]) => ({ name, type }));

const CELL: ColumnHead = { name: 'cell', type: 'int32' };
const ROW_HEADS = headsOf(ROW_TYPES);
const HISTOGRAM_HEADS = headsOf(HISTOGRAM_TYPES);

const axisHeads = (axes: readonly Axis[]): ColumnHead[] =>
  axes.map((axis) => ({ name: axis.name, type: axisType(axis) }));

/** @param about what is written with the table */
export function encodeRows(rows: readonly Row[], axes: readonly Axis[], about: object): Uint8Array {
  const of = (head: ColumnHead, value: (row: Row) => unknown): Column => Column.of(head, rows.map(value));
  const columns = [
    of(CELL, ({ cell }) => cell),
    ...axisHeads(axes).map((head) => of(head, (row) => row.axes[head.name])),
    ...ROW_HEADS.map((head) => of(head, (row) => row[head.name as Plain<Row>])),
  ];
  return encodeTable(columns, about);
}

/** One column of histograms. @param rows of all runs */
function histogramColumn(head: ColumnHead, runs: readonly HistogramRun[], rows: number): Column {
  const name = head.name as Plain<HistogramRow>;
  if (name !== 'value' && name !== 'count' && name !== 'probability') {
    const column = new Column(head);
    for (const run of runs) column.push(run[name], run.values.length);
    return column;
  }
  const column = new Column(head, new Float64Array(rows));
  for (const { kind, values, weights, weigh } of runs) {
    if (name === 'value' ? kind === 'outcome' : name !== weigh) column.pushNulls(values.length);
    else column.pushNumbers(name === 'value' ? values : weights);
  }
  return column;
}

/** @param about what is written with the table */
export function encodeHistograms(runs: readonly HistogramRun[], about: object): Uint8Array {
  const rows = runs.reduce((sum, { values }) => sum + values.length, 0);
  return encodeTable(
    HISTOGRAM_HEADS.map((head) => histogramColumn(head, runs, rows)),
    about,
  );
}

/** The columns of a table that was read, by name. */
type Columns = Readonly<Record<string, ColumnValues>>;

/** Integers below 2^53 come back as numbers. */
function plain(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : (value ?? null);
}

/** Cells lo..hi-1 of a segment. */
export type Cells = readonly [from: number, to: number];

/** Refuses a row of a cell that its part cannot have, and one without what every row has. */
function checkRow(cell: unknown, kind: unknown, name: unknown, [from, to]: Cells): void {
  if (!(typeof cell === 'number' && cell >= from && cell < to)) throw new Error(`it has a row of cell ${String(cell)}`);
  if (kind === 'outcome' || (kind === 'metric' && typeof name === 'string')) return;
  throw new Error(`it has a row of ${String(kind)} ${String(name)}`);
}

/** Reads rows of a part. @param reader makes a row of what stands in columns there */
async function rowsIn<R>(
  file: TableFile,
  heads: readonly ColumnHead[],
  cells: Cells,
  reader: (columns: Columns) => (row: number) => R,
): Promise<R[]> {
  const values = await readTable(file, heads);
  const columns = Object.fromEntries(heads.map(({ name }, c) => [name, values[c] ?? []]));
  try {
    const { cell = [], kind = [], name = [] } = columns;
    for (let row = 0; row < cell.length; row++) checkRow(cell[row], kind[row], name[row], cells);
    const read = reader(columns);
    return Array.from({ length: cell.length }, (_, row) => read(row));
  } catch (error) {
    throw unreadable(file.name, error);
  }
}

/** Reads the values of axes; neighbours that agree in all of them share them. */
function axesReader(columns: Columns, axes: readonly Axis[]): (row: number) => Row['axes'] {
  const named = axes.map(({ name }) => [name, columns[name] ?? []] as const);
  let [last, shared]: [row: number | undefined, Row['axes']] = [undefined, {}];
  return (row) => {
    const before = last;
    if (before === undefined || !named.every(([, values]) => values[row] === values[before]))
      shared = Object.fromEntries(named.map(([name, values]) => [name, values[row] ?? null])) as Row['axes'];
    last = row;
    return shared;
  };
}

/** Reads seeds, in decimal. */
function seedReader(seeds: ColumnValues): (row: number) => string {
  let last: { readonly seed: bigint; readonly text: string } | undefined;
  return (row) => {
    const seed = seeds[row];
    if (typeof seed !== 'bigint') throw new Error('it has a row without a seed');
    if (last?.seed !== seed) last = { seed, text: String(BigInt.asUintN(64, seed)) };
    return last.text;
  };
}

/** Field by field: an object by name and value takes ten times as long. */
function rowReader(columns: Columns, axes: readonly Axis[]): (row: number) => Row {
  const found = columns as Readonly<Record<Plain<Row>, ColumnValues>>;
  const axesOf = axesReader(columns, axes);
  const seedOf = seedReader(found.seed);
  return (row) => ({
    cell: found.cell[row] as number,
    axes: axesOf(row),
    kind: found.kind[row] as Row['kind'],
    name: plain(found.name[row]) as string,
    battles: plain(found.battles[row]) as number,
    estimate: plain(found.estimate[row]) as number | null,
    low: plain(found.low[row]) as number | null,
    high: plain(found.high[row]) as number | null,
    standard_error: plain(found.standard_error[row]) as number | null,
    standard_deviation: plain(found.standard_deviation[row]) as number,
    min: plain(found.min[row]) as number | null,
    q05: plain(found.q05[row]) as number | null,
    q25: plain(found.q25[row]) as number | null,
    median: plain(found.median[row]) as number | null,
    q75: plain(found.q75[row]) as number | null,
    q95: plain(found.q95[row]) as number | null,
    max: plain(found.max[row]) as number | null,
    exact: plain(found.exact[row]) as number | null,
    z: plain(found.z[row]) as number | null,
    reached: plain(found.reached[row]) as boolean | null,
    seed: seedOf(row),
    scenario: plain(found.scenario[row]) as string,
    digest: plain(found.digest[row]) as string | null,
  });
}

/** @throws RunError if the file is damaged, or no table of a store with such axes and cells */
export function readRows(file: TableFile, axes: readonly Axis[], cells: Cells): Promise<Row[]> {
  return rowsIn(file, [CELL, ...axisHeads(axes), ...ROW_HEADS], cells, (columns) => rowReader(columns, axes));
}

/** @throws RunError if the file is damaged, or no histograms of a store with such cells */
export function readHistograms(file: TableFile, cells: Cells): Promise<HistogramRow[]> {
  return rowsIn(file, HISTOGRAM_HEADS, cells, (columns) => {
    const found = columns as Readonly<Record<Plain<HistogramRow>, ColumnValues>>;
    return (row) => ({
      cell: found.cell[row] as number,
      kind: found.kind[row] as HistogramRow['kind'],
      name: plain(found.name[row]) as string,
      outcome: plain(found.outcome[row]) as string,
      value: plain(found.value[row]) as number | null,
      from: plain(found.from[row]) as number,
      to: plain(found.to[row]) as number,
      count: plain(found.count[row]) as number | null,
      probability: plain(found.probability[row]) as number | null,
    });
  });
}
