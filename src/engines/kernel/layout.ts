/** What hosts and kernels have agreed on beside the words of scenarios. */
import { i32, record } from '../../rules/index.ts';

/** Bytes to a multiple of which what kernels lay out begins. */
export const ALIGNMENT = 64;

/** As many metrics as kernels have room for. */
export const METRICS_MAX = 512;

/** The shape of a tally, which comes before the words of a scenario; a `RANGE` of each metric follows. */
export const SHAPE = record({ outcomes: i32, metrics: i32 });

/** The least value of a metric, and how many values from there on are counted. */
export const RANGE = record({ least: i32, bins: i32 });

/** The least and the greatest value of a metric that has any probability. */
export const SPAN = record({ least: i32, most: i32 });

/**
 * What `solve` answers: the law is there; the scenario is left to a chain; it takes more moves or steps than it may; it takes
 * more memory than it may.
 */
export const ANSWERS = { solved: 0, other: 1, beyond: 2, noRoom: 3 } as const;

/** As a part of the least likely outcome's mass, mass below which the rest is reported as lost. */
export const NEGLIGIBLE = 1e-15;

/** Bytes for the rows of battles that are listed: of each its outcome, then its metrics, in words. */
export const LISTED_BYTES = 2 ** 15;

/** Battles that are listed at once, at most. */
export const LISTED_MAX = 512;
