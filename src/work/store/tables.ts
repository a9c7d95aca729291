/** The two tables of a store as Parquet files: which columns they have, and rows from and to them. */

import { unreadable } from '../folder/files.ts';
import type { Column as Axis } from '../sweep/axis.ts';
import { Column } from './columns.ts';
import { encodeTable, readTable, type TableFile } from './parquet.ts';
import {
  type AxisValue,
  type ColumnHead,
  type ColumnType,
  HISTOGRAM_NAMES,
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

/** Integers below 2^53 come back as numbers. */
function plain(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : (value ?? null);
}

/** Cells lo..hi-1 of a segment. */
export type Cells = readonly [from: number, to: number];

/** Refuses a row of a cell that its part cannot have, and one without what every row has. */
function checkRow(found: Readonly<Record<string, unknown>>, [from, to]: Cells): void {
  const { cell, kind, name } = found;
  if (!(typeof cell === 'number' && cell >= from && cell < to)) throw new Error(`it has a row of cell ${String(cell)}`);
  if (kind === 'outcome' || (kind === 'metric' && typeof name === 'string')) return;
  throw new Error(`it has a row of ${String(kind)} ${String(name)}`);
}

/** Reads rows of a part, each of them into what `as` makes of it. */
async function rowsIn<R>(
  file: TableFile,
  heads: readonly ColumnHead[],
  cells: Cells,
  as: (found: Record<string, unknown>) => R,
): Promise<R[]> {
  const rows = await readTable(file, heads);
  try {
    for (const row of rows) checkRow(row, cells);
    return rows.map(as);
  } catch (error) {
    throw unreadable(file.name, error);
  }
}

/** @throws RunError if the file is damaged, or no table of a store with such axes and cells */
export function readRows(file: TableFile, axes: readonly Axis[], cells: Cells): Promise<Row[]> {
  const names = Object.keys(ROW_TYPES);
  return rowsIn(file, [CELL, ...axisHeads(axes), ...ROW_HEADS], cells, (found) => {
    const values = Object.fromEntries(names.map((name) => [name, plain(found[name])]));
    const own = axes.map(({ name }) => [name, (found[name] ?? null) as AxisValue] as const);
    if (typeof found['seed'] !== 'bigint') throw new Error('it has a row without a seed');
    const seed = String(BigInt.asUintN(64, found['seed']));
    return { ...values, cell: Number(found['cell']), axes: Object.fromEntries(own), seed } as unknown as Row;
  });
}

/** @throws RunError if the file is damaged, or no histograms of a store with such cells */
export function readHistograms(file: TableFile, cells: Cells): Promise<HistogramRow[]> {
  return rowsIn(
    file,
    HISTOGRAM_HEADS,
    cells,
    (found) => Object.fromEntries(HISTOGRAM_NAMES.map((name) => [name, plain(found[name])])) as unknown as HistogramRow,
  );
}
