/**
 * Rows and columns of the two tables of a store, in Parquet and CSV (docs/how-to/sweep.md), and the interface of stores
 * for readers.
 */

import { labelField, type MetricLabels, type Scenario } from '../../rules/index.ts';
import type { AxisColumn } from '../sweep/axis.ts';

/** Storage type of a column. */
export type ColumnType = 'int32' | 'int64' | 'uint64' | 'double' | 'text' | 'boolean';

export interface ColumnSchema {
  readonly name: string;
  readonly type: ColumnType;
}

/** Value of an axis: the value of the field, or the label of a value that is not a scalar. */
export type AxisValue = number | string | boolean | null;

/** Columns shared by all rows of a cell. */
export interface CellColumns {
  /** Index of the design's point; excluded points have no rows. */
  readonly cell: number;
  /** Values of the axes, by name; one column each. */
  readonly axes: Readonly<Record<string, AxisValue>>;
}

/** One row of `table/`: one outcome or metric of one cell. */
export interface ResultRow extends CellColumns {
  readonly kind: 'outcome' | 'metric';
  readonly name: string;
  /** Simulated battles; 0 if the cell was only solved. */
  readonly battles: number;
  /** Share of an outcome, 0..1, or mean of a metric; null without simulated battles. */
  readonly estimate: number | null;
  /** 95 % interval of the estimate. */
  readonly low: number | null;
  readonly high: number | null;
  /** Standard error of the estimate. */
  readonly standard_error: number | null;
  /** Standard deviation of the simulated battles, or of the exact distribution if there are none. */
  readonly standard_deviation: number;
  /** Quantiles of a metric; null for outcomes. From the exact distribution if no battles were simulated. */
  readonly min: number | null;
  readonly q05: number | null;
  readonly q25: number | null;
  readonly median: number | null;
  readonly q75: number | null;
  readonly q95: number | null;
  readonly max: number | null;
  /** Exact probability or mean; null if the cell was not solved. */
  readonly exact: number | null;
  /** Standard errors between estimate and exact value; null if either is missing. */
  readonly z: number | null;
  /** False if the cell missed its precision; null without a precision. */
  readonly reached: boolean | null;
  /** In decimal. */
  readonly seed: string;
  /** SHA-256 of the cell's scenario, in hexadecimal. */
  readonly scenario: string;
  /** SHA-256 of the counts of the cell, as printed by `warpool run`; null without simulated battles. */
  readonly digest: string | null;
}

/**
 * Row of `histograms/`: number of battles with this outcome and value. Rows of kind `outcome` count the battles
 * themselves. `count` is of battles from..to-1, and adds up over the rows of a cell with the same kind, name, outcome
 * and value. Exact distributions have a `probability` and no `count`.
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

/** Rows of `histograms/` that differ only in value and weight. */
export interface HistogramRun extends Omit<HistogramRow, 'value' | 'count' | 'probability'> {
  /** Ascending; an outcome has one meaningless value. */
  readonly values: readonly number[];
  /** By value. */
  readonly weights: readonly number[];
  /** Kind of the weights. */
  readonly weigh: 'count' | 'probability';
}

export type ScalarColumn<R> = Exclude<keyof R, 'axes'> & string;

/** Columns of `table/` after those of the axes, in order. */
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

/** Creates the CSV format: UTF-8; for Excel with a byte order mark and CR LF. */
export const createCsvFormat = (excel: boolean) => ({
  bom: excel,
  header: true,
  record_delimiter: excel ? '\r\n' : '\n',
  // A text that begins with = + - or @ would be a formula.
  escape_formulas: true,
});

/** Formats a field: numbers and bigints in digits, nothing for null, infinite numbers as R and pandas read them. */
function formatField(value: AxisValue | bigint | undefined): string | number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : value > 0 ? 'Inf' : '-Inf';
  return value === null || value === undefined ? null : String(value);
}

const ROW_COLUMN_NAMES = listRowColumns([]).slice(1);

/** Formats one row of `table/`. @param columns of the axes */
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
  /** Label for reports: its label, its name, or the label of its field. */
  readonly label?: string;
  /** Column name: its own name, or its first path. */
  readonly name: string;
  /** The fields that it sets. */
  readonly paths: readonly string[];
  /** Its values, if they are a list or a range with steps; absent if points are sampled from a range. */
  readonly values?: readonly (number | string | boolean | null)[];
  /** Bounds, if points are sampled from its range. */
  readonly range?: readonly [low: number, high: number];
  /** True if these are integers. */
  readonly whole?: boolean;
}

/** Describes an axis for readers. @param base base scenario */
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

/** Points of a side: a column like an axis, which no axis sets. */
export interface StoredCosts extends StoredAxis {
  /** Price of each of its paths. */
  readonly prices: readonly number[];
}

/** Facts about a store from its manifest. */
export interface StoreInfo {
  readonly name: string;
  readonly system: string;
  /** The scenario that is varied. */
  readonly scenario?: Scenario;
  /** SHA-256 of the module of the system; absent for shipped systems. */
  readonly systemHash?: string;
  /** Package of the module, such as `skirmish-game@1.2.0`. */
  readonly systemPackage?: string;
  /** Units of its metrics, from the system. */
  readonly counts?: MetricLabels;
  readonly ruleset: string;
  /** Version of warpool that created it. */
  readonly warpool: string;
  readonly axes: readonly StoredAxis[];
  /** Points of the sides, if the sweep has prices. */
  readonly costs?: readonly StoredCosts[];
  /** `grid`, `latin-hypercube`, `sobol` or `random`. */
  readonly design: string;
  /** Points of the design, excluded ones included. */
  readonly points: number;
  /** 0 if cells were only solved; absent with a precision. */
  readonly battles?: number;
  /** Same as in the sweep file. */
  readonly precision?: number | string;
  readonly precisionOf?: string;
  /** True if intervals of means hold for every distribution in the declared range of the metric. */
  readonly bounded?: boolean;
  readonly seed: string;
  /**
   * `common`: all cells use the same streams, so they can be compared battle by battle; otherwise each has a separate
   * seed.
   */
  readonly streams: 'common' | 'independent';
  /** True if all cells are stored. */
  readonly complete: boolean;
  /** SHA-256 over all parts; absent for an incomplete sweep. */
  readonly digest?: string;
}

/** Columns that identify cells: axes, and the points of the sides. */
export const listCellColumns = ({ axes, costs = [] }: Pick<StoreInfo, 'axes' | 'costs'>): StoredAxis[] => [
  ...axes,
  ...costs,
];

/** Opened results of a sweep. */
export interface Store {
  readonly folder: string;
  readonly info: StoreInfo;
  /** Files in its folders that are not parts; its rows ignore them. */
  readonly strayFiles?: readonly string[];
  /** All rows, in the order of the cells; at most one part is in memory at a time. */
  rows(): AsyncIterable<ResultRow>;
  /** All rows by part: faster, because yielding single rows takes longer than reading them. */
  parts(): AsyncIterable<readonly ResultRow[]>;
  /** Counts and distributions of one cell. */
  histogram(cell: number): Promise<readonly HistogramRow[]>;
}
