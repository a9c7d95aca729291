/** The two tables of a store, as rows. Their columns in Parquet have these names; see docs/sweeps.md. */

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
export interface Row extends CellColumns {
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
