/** Shared layout of hosts and kernels, apart from the words of scenarios. */
import { i32, record } from '../../rules/index.ts';

/** Alignment of kernel data in bytes. */
export const ALIGNMENT = 64;

/** Maximum number of metrics of kernels. */
export const METRICS_MAX = 512;

/** Shape of counts, before the words of a scenario; followed by a `RANGE` of each metric. */
export const SHAPE = record({ outcomes: i32, metrics: i32 });

/** The least value of a metric, and the number of counted values from there on. */
export const RANGE = record({ least: i32, bins: i32 });

/** The least and the greatest possible value of a metric. */
export const SPAN = record({ least: i32, most: i32 });

/**
 * Results of `solve`: solved; not supported, so that a chain is explored; exceeds the moves or steps of the budget;
 * exceeds the memory.
 */
export const ANSWERS = { solved: 0, other: 1, beyond: 2, noRoom: 3 } as const;

/** Mass below this fraction of the least likely outcome is reported as lost. */
export const NEGLIGIBLE = 1e-15;

/** Bytes of the rows of listed battles: each with its outcome, then its metrics, in words. */
export const LISTED_BYTES = 2 ** 15;

/** Maximum number of battles of a listing. */
export const LISTED_MAX = 512;
