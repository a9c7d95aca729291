/**
 * Rows and columns of the two tables of a store, in Parquet and CSV (docs/how-to/sweep.md), and the interface of stores
 * for readers.
 */

import { labelField, type MetricLabels, type Scenario } from '../../rules/index.ts';
import { type MetricSummary, zScore } from '../../stats/index.ts';
import type { AxisColumn } from './axis.ts';

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

/** Facts about a cell that all of its rows have. */
export interface CellFacts extends CellColumns {
  readonly battles: number;
  readonly reached: boolean | null;
  readonly seed: string;
  readonly scenario: string;
  readonly digest: string | null;
}

/** Simulated or exact moments of an outcome or metric. An outcome has no quantiles. */
export interface RowMoments extends Partial<Pick<MetricSummary, 'min' | 'max' | 'quantiles'>> {
  readonly mean: number;
  readonly variance: number;
  readonly ci95?: MetricSummary['ci95'] | undefined;
}

/** Source of a row of `table/`: one outcome or metric of one cell. */
export interface RowSource {
  readonly facts: CellFacts;
  readonly kind: 'outcome' | 'metric';
  readonly name: string;
  readonly played: RowMoments | undefined;
  readonly exact: RowMoments | undefined;
}

/** Source of rows of `histograms/` that differ only in value and weight. */
export interface HistogramRun {
  readonly cell: number;
  readonly kind: 'outcome' | 'metric';
  readonly name: string;
  readonly outcome: string;
  readonly from: number;
  readonly to: number;
  /** Ascending; an outcome has one meaningless value. */
  readonly values: readonly number[];
  /** By value. */
  readonly weights: readonly number[];
  /** Kind of the weights. */
  readonly weigh: 'count' | 'probability';
}

/** Declares a column of `table/`. @param of value of a row */
const column = <V>(type: ColumnType, of: (source: RowSource) => V) => ({ type, of });

/** Declares a column of `histograms/`. @param of value of the k-th row of a run */
const histogramColumn = <V>(type: ColumnType, of: (run: HistogramRun, k: number) => V) => ({ type, of });

/** Columns of `table/` that are from the exact distribution if no battles were simulated. */
export const DISTRIBUTION_COLUMNS = {
  /** Standard deviation of single battles. */
  standard_deviation: column('double', ({ played, exact }) => Math.sqrt((played ?? exact)?.variance ?? 0)),
  /** Smallest value of a metric; empty for outcomes. */
  min: column('double', ({ played, exact }) => (played ?? exact)?.min ?? null),
  /** 5 % quantile of a metric. */
  q05: column('double', ({ played, exact }) => (played ?? exact)?.quantiles?.[0.05] ?? null),
  /** 25 % quantile of a metric. */
  q25: column('double', ({ played, exact }) => (played ?? exact)?.quantiles?.[0.25] ?? null),
  /** Median of a metric. */
  median: column('double', ({ played, exact }) => (played ?? exact)?.quantiles?.[0.5] ?? null),
  /** 75 % quantile of a metric. */
  q75: column('double', ({ played, exact }) => (played ?? exact)?.quantiles?.[0.75] ?? null),
  /** 95 % quantile of a metric. */
  q95: column('double', ({ played, exact }) => (played ?? exact)?.quantiles?.[0.95] ?? null),
  /** Largest value of a metric. */
  max: column('double', ({ played, exact }) => (played ?? exact)?.max ?? null),
};

/** Divides the variance of single battles for the variance of the mean. */
const countDegrees = ({ kind, facts: { battles } }: RowSource): number =>
  kind === 'outcome' ? battles : Math.max(1, battles - 1);

/** Columns of `table/` after the cell and the axes, in order. */
export const ROW_COLUMNS = {
  /** `outcome` or `metric`. */
  kind: column('text', ({ kind }) => kind),
  /** Name of the outcome or metric. */
  name: column('text', ({ name }) => name),
  /** Simulated battles; 0 if the cell was only solved. */
  battles: column('int64', ({ facts }) => facts.battles),
  /** Share of the outcome (0..1), or mean of the metric (in its unit). */
  estimate: column('double', ({ played }) => played?.mean ?? null),
  /** Lower end of the 95 % interval of the estimate. */
  low: column('double', ({ played }) => played?.ci95?.[0] ?? null),
  /** Upper end of the 95 % interval of the estimate. */
  high: column('double', ({ played }) => played?.ci95?.[1] ?? null),
  /** Standard error of the estimate. */
  standard_error: column('double', (row) => (row.played ? Math.sqrt(row.played.variance / countDegrees(row)) : null)),
  ...DISTRIBUTION_COLUMNS,
  /** Exact probability or mean; empty if the cell was not solved. */
  exact: column('double', ({ exact }) => exact?.mean ?? null),
  /** Error of the estimate in standard errors; empty without an exact value. */
  z: column('double', ({ played, exact, facts }) =>
    played && exact ? zScore(played.mean, exact.mean, exact.variance, facts.battles) : null,
  ),
  /** Whether the precision was reached; empty without a precision. */
  reached: column('boolean', ({ facts }) => facts.reached),
  /** Seed in decimal. */
  seed: column('uint64', ({ facts }) => facts.seed),
  /** SHA-256 of the cell's scenario, in hexadecimal. */
  scenario: column('text', ({ facts }) => facts.scenario),
  /** SHA-256 of the counts, the same as of `warpool run`; empty without simulated battles. */
  digest: column('text', ({ facts }) => facts.digest),
};

/** Columns of `histograms/`, in order. */
export const HISTOGRAM_COLUMNS = {
  /** Index of the cell. */
  cell: histogramColumn('int32', ({ cell }) => cell),
  /** `outcome` or `metric`; rows of kind `outcome` count the battles themselves. */
  kind: histogramColumn('text', ({ kind }) => kind),
  /** Name of the outcome or metric. */
  name: histogramColumn('text', ({ name }) => name),
  /** Outcome of the battles. */
  outcome: histogramColumn('text', ({ outcome }) => outcome),
  /** Value of the metric, in its unit; empty for outcomes. */
  value: histogramColumn('double', ({ kind, values }, k) => (kind === 'metric' ? (values[k] ?? null) : null)),
  /** First counted battle. */
  from: histogramColumn('int64', ({ from }) => from),
  /** First battle after the counted ones. */
  to: histogramColumn('int64', ({ to }) => to),
  /** Number of these battles with this outcome and value; empty for exact distributions. */
  count: histogramColumn('int64', ({ weigh, weights }, k) => (weigh === 'count' ? (weights[k] ?? null) : null)),
  /** Exact probability; empty for counts. */
  probability: histogramColumn('double', ({ weigh, weights }, k) => (weigh === 'count' ? null : (weights[k] ?? null))),
};

type ValuesOf<C extends Readonly<Record<string, { of: (...source: never) => unknown }>>> = {
  readonly [K in keyof C]: ReturnType<C[K]['of']>;
};

/** One row of `table/`: one outcome or metric of one cell. */
export interface ResultRow extends CellColumns, ValuesOf<typeof ROW_COLUMNS> {}

/** Row of `histograms/`: number or exact probability of battles with this outcome and value. */
export interface HistogramRow extends Pick<CellColumns, 'cell'>, ValuesOf<typeof HISTOGRAM_COLUMNS> {}

export const ROW_NAMES: readonly string[] = Object.keys(ROW_COLUMNS);
export const HISTOGRAM_NAMES: readonly string[] = Object.keys(HISTOGRAM_COLUMNS);

/** Columns that axes cannot be named after. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([...ROW_NAMES, ...HISTOGRAM_NAMES]);

const ROW_ENTRIES = Object.entries(ROW_COLUMNS);

/** Creates a row without values. Copying it and setting its keys is ten times as fast as adding them one by one. */
export const createEmptyRow = (keys: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(keys.map((key) => [key, null]));

export const EMPTY_ROW = createEmptyRow(['cell', 'axes', ...ROW_NAMES]) as unknown as ResultRow;

/** Creates a row of `table/`. */
export function createRow(source: RowSource): ResultRow {
  const { cell, axes } = source.facts;
  const row: ResultRow & Record<string, unknown> = { ...EMPTY_ROW, cell, axes };
  for (const [name, { of }] of ROW_ENTRIES) row[name] = of(source);
  return row;
}

/** Creates the k-th row of a run. */
export const createHistogramRow = (run: HistogramRun, k: number): HistogramRow =>
  Object.fromEntries(
    Object.entries(HISTOGRAM_COLUMNS).map(([name, { of }]) => [name, of(run, k)]),
  ) as unknown as HistogramRow;

/** All columns of `table/`. */
export function listRowColumns(axes: readonly Pick<AxisColumn, 'name'>[]): string[] {
  return ['cell', ...axes.map(({ name }) => name), ...ROW_NAMES];
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

/** Formats one row of `table/`. @param columns of the axes */
export function createTableRecord(
  { cell, axes, ...row }: ResultRow,
  columns: readonly Pick<AxisColumn, 'name'>[],
): unknown[] {
  const rest = ROW_NAMES.map((name) => formatField(row[name as keyof typeof row]));
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
  /**
   * All rows by part: faster, because yielding single rows takes longer than reading them.
   * @param keys keys of the rows that are read. Default: all
   */
  parts<K extends keyof ResultRow = keyof ResultRow>(keys?: readonly K[]): AsyncIterable<readonly Pick<ResultRow, K>[]>;
  /** Counts and distributions of one cell. */
  histogram(cell: number): Promise<readonly HistogramRow[]>;
}
