/** A store as its readers see it: what was asked, and the rows of its two tables, part by part. */
import type { Counts } from '../../rules/system.ts';
import type { HistogramRow, Row } from './rows.ts';

/** An axis of a sweep. */
export interface StoredAxis {
  /** The name of its column: its own, or its first path. */
  readonly name: string;
  /** The fields that it sets. */
  readonly paths: readonly string[];
  /** Its values, if it was given a list or a range with steps; absent if points were drawn from a range. */
  readonly values?: readonly (number | string | boolean | null)[];
  /** The ends of its range, if points were drawn from it. */
  readonly range?: readonly [low: number, high: number];
}

/** What a store says of itself, in its manifest. */
export interface StoreFacts {
  readonly name: string;
  readonly system: string;
  /** Of the module that the system was loaded from; a shipped one has none. */
  readonly systemHash?: string;
  /** The package that the module is of, such as `skirmish-game@1.2.0`. */
  readonly systemPackage?: string;
  /** What its metrics are counted in, as the system says. */
  readonly counts?: Counts;
  readonly ruleset: string;
  /** The version of the package that made it. */
  readonly warpool: string;
  readonly axes: readonly StoredAxis[];
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

/** The results of a sweep in a folder, opened for reading. */
export interface Store {
  readonly folder: string;
  readonly facts: StoreFacts;
  /** Files among its parts that are none of them, and that its rows leave out. */
  readonly strays?: readonly string[];
  /** All rows, in the order of the cells; at most one part is in memory at a time. */
  rows(): AsyncIterable<Row>;
  /** The counts and laws of one cell. */
  histogram(cell: number): Promise<readonly HistogramRow[]>;
}
