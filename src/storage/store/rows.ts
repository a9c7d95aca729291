/**
 * The two tables of a store, as rows, with their columns in Parquet and CSV (docs/how-to/sweep.md), and a store as its readers
 * see it.
 */

import { labelField, type MetricLabels, type Scenario } from '../../rules/index.ts';
import type { AxisColumn } from '../sweep/axis.ts';

/** How the values of a column are stored. */
export type ColumnType = 'int32' | 'int64' | 'uint64' | 'double' | 'text' | 'boolean';

export interface ColumnSchema {
  readonly name: string;
  readonly type: ColumnType;
}

/** A value of an axis: what stands in the field, or the label of what stands there if that is no scalar. */
export type AxisValue = number | string | boolean | null;

/** What all rows of a cell share. */
export interface CellColumns {
  /** The number of the design's point, from 0; points that a condition leaves out have no rows. */
  readonly cell: number;
  /** The values of the axes, by the axis's name; a column each. */
  readonly axes: Readonly<Record<string, AxisValue>>;
}

/** One row of `table/`: one outcome or metric of one cell. */
export interface ResultRow extends CellColumns {
  readonly kind: 'outcome' | 'metric';
  readonly name: string;
  /** Battles played; 0 if the cell was only solved. */
  readonly battles: number;
  /** Share of an outcome, 0..1, or mean of a metric; null if no battle was played. */
  readonly estimate: number | null;
  /** 95 % interval of the estimate. */
  readonly low: number | null;
  readonly high: number | null;
  /** Of the estimate. */
  readonly standard_error: number | null;
  /** Of the distribution, which is that of the battles; by the exact law if there were none. */
  readonly standard_deviation: number;
  /** Of a metric; null for outcomes. By the exact law if no battle was played. */
  readonly min: number | null;
  readonly q05: number | null;
  readonly q25: number | null;
  readonly median: number | null;
  readonly q75: number | null;
  readonly q95: number | null;
  readonly max: number | null;
  /** The exact probability or mean; null where the cell was not solved. */
  readonly exact: number | null;
  /** Standard errors by which the estimate misses the exact value; null where one is missing. */
  readonly z: number | null;
  /** False if the cell was to reach a precision and did not; null if none was asked for. */
  readonly reached: boolean | null;
  /** In decimal. */
  readonly seed: string;
  /** SHA-256 of the cell's scenario, in hexadecimal. */
  readonly scenario: string;
  /** SHA-256 of what was counted in the cell, that of `warpool run`; null if no battle was played. */
  readonly digest: string | null;
}

/**
 * One row of `histograms/`: how often a value came among the battles of a cell that ended so. Rows of kind `outcome`
 * count the battles themselves. Battles from..to-1 are counted; `count` sums up over all rows of a cell that agree in
 * kind, name, outcome and value. Exact laws stand in rows with a `probability` and no `count`.
 */
export interface HistogramRow {
  readonly cell: number;
  readonly kind: 'outcome' | 'metric';
  /** The outcome, or the metric. */
  readonly name: string;
  readonly outcome: string;
  /** In the unit of the metric; null for outcomes. */
  readonly value: number | null;
  readonly from: number;
  readonly to: number;
  readonly count: number | null;
  readonly probability: number | null;
}

/** Rows of `histograms/` that differ in their value and its weight alone. */
export interface HistogramRun extends Omit<HistogramRow, 'value' | 'count' | 'probability'> {
  /** Ascending; an outcome has one, of no meaning. */
  readonly values: readonly number[];
  /** By value. */
  readonly weights: readonly number[];
  /** What the weights are. */
  readonly weigh: 'count' | 'probability';
}

export type ScalarColumn<R> = Exclude<keyof R, 'axes'> & string;

/** Columns of `table/` behind those of the axes, in their order. */
export const ROW_TYPES: Readonly<Record<Exclude<ScalarColumn<ResultRow>, 'cell'>, ColumnType>> = {
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

export const HISTOGRAM_TYPES: Readonly<Record<ScalarColumn<HistogramRow>, ColumnType>> = {
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
export function listRowColumns(axes: readonly Pick<AxisColumn, 'name'>[]): string[] {
  return ['cell', ...axes.map(({ name }) => name), ...Object.keys(ROW_TYPES)];
}

/** How CSV is written: UTF-8; for Excel with a byte order mark, and lines that end in CR LF. */
export const createCsvFormat = (excel: boolean) => ({
  bom: excel,
  header: true,
  record_delimiter: excel ? '\r\n' : '\n',
  // A text that begins with = + - or @ would be a formula.
  escape_formulas: true,
});

/** A number as it is, a bigint in digits, nothing for null; infinite numbers as R and pandas read them. */
function formatField(value: AxisValue | bigint | undefined): string | number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : value > 0 ? 'Inf' : '-Inf';
  return value === null || value === undefined ? null : String(value);
}

const ROW_COLUMN_NAMES = listRowColumns([]).slice(1);

/** One row of `table/`. @param columns of the axes */
export function createTableRecord(
  { cell, axes, ...row }: ResultRow,
  columns: readonly Pick<AxisColumn, 'name'>[],
): unknown[] {
  const rest = ROW_COLUMN_NAMES.map((name) => formatField(row[name as keyof typeof row]));
  return [cell, ...columns.map(({ name }) => formatField(axes[name])), ...rest];
}

/** One row of `histograms/`. */
export function createHistogramRecord(row: HistogramRow): unknown[] {
  return HISTOGRAM_NAMES.map((name) => formatField(row[name as keyof HistogramRow]));
}

/** An axis of a sweep. */
export interface StoredAxis {
  /** What people read of it: its label, its own name, or words of its field. */
  readonly label?: string;
  /** The name of its column: its own, or its first path. */
  readonly name: string;
  /** The fields that it sets. */
  readonly paths: readonly string[];
  /** Its values, if it was given a list or a range with steps; absent if points were drawn from a range. */
  readonly values?: readonly (number | string | boolean | null)[];
  /** The ends of its range, if points were drawn from it. */
  readonly range?: readonly [low: number, high: number];
  /** True if these are whole numbers. */
  readonly whole?: boolean;
}

/** An axis as readers know it. @param base the scenario that is varied */
export function createStoredAxis({ name, label, paths, labels, range, kind }: AxisColumn, base: Scenario): StoredAxis {
  const words = name === paths[0] ? paths.map((path) => labelField(base, path)).join(' and ') : name;
  return {
    name,
    label: label ?? words,
    paths,
    ...(labels && { values: labels }),
    ...(range && { range, whole: kind === 'whole' }),
  };
}

/** What a side costs: a column as an axis has one, which no axis sets. */
export interface StoredCosts extends StoredAxis {
  /** What each of its paths costs. */
  readonly prices: readonly number[];
}

/** What a store says of itself, in its manifest. */
export interface StoreInfo {
  readonly name: string;
  readonly system: string;
  /** The scenario that is varied. */
  readonly scenario?: Scenario;
  /** Of the module that the system was loaded from; a shipped one has none. */
  readonly systemHash?: string;
  /** The package that the module is of, such as `skirmish-game@1.2.0`. */
  readonly systemPackage?: string;
  /** What its metrics are counted in, as the system says. */
  readonly counts?: MetricLabels;
  readonly ruleset: string;
  /** The version of the package that made it. */
  readonly warpool: string;
  readonly axes: readonly StoredAxis[];
  /** What the sides cost, where the sweep has prices. */
  readonly costs?: readonly StoredCosts[];
  /** `grid`, `latin-hypercube`, `sobol` or `random`. */
  readonly design: string;
  /** Points of the design, those that a condition leaves out counted as well. */
  readonly points: number;
  /** 0 if cells were only solved; absent if a precision was asked for. */
  readonly battles?: number;
  /** As the sweep file has it. */
  readonly precision?: number | string;
  readonly precisionOf?: string;
  /** True if means have intervals that hold for every law in the declared range of their metric. */
  readonly bounded?: boolean;
  readonly seed: string;
  /** `common`: all cells play the same streams, so they can be compared battle by battle; else each has its own seed. */
  readonly streams: 'common' | 'independent';
  /** True when every cell is there. */
  readonly complete: boolean;
  /** SHA-256 over all parts; absent while the sweep is not complete. */
  readonly digest?: string;
}

/** Columns that tell cells apart: axes, and what the sides cost. */
export const listCellColumns = ({ axes, costs = [] }: Pick<StoreInfo, 'axes' | 'costs'>): StoredAxis[] => [
  ...axes,
  ...costs,
];

/** The results of a sweep in a folder, opened for reading. */
export interface Store {
  readonly folder: string;
  readonly info: StoreInfo;
  /** Files among its parts that are none of them, and that its rows leave out. */
  readonly strayFiles?: readonly string[];
  /** All rows, in the order of the cells; at most one part is in memory at a time. */
  rows(): AsyncIterable<ResultRow>;
  /** The same, part by part: faster, for one row at a time takes longer than to read it. */
  parts(): AsyncIterable<readonly ResultRow[]>;
  /** The counts and laws of one cell. */
  histogram(cell: number): Promise<readonly HistogramRow[]>;
}
