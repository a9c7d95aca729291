/**
 * Decides whether a number is within bounds: exactly, or by interim analyses of a run. At each interim analysis the
 * interval misses with at most the error rate divided by the number of analyses; all of them hold together with 1 -
 * error rate, and so does every decision that is based on one, wherever the run ends (Bonferroni). Analyses depend only
 * on the maximum number of battles, never on results.
 */

import { spaceAnalyses } from './analysis-schedule.ts';
import { ConfidenceSequence } from './confidence-sequence.ts';
import type { Counts } from './counts.ts';
import type { Estimand } from './estimand.ts';
import type { Interval } from './intervals.ts';
import { FIRST_ANALYSIS } from './mean-schedule.ts';

export type BoundsVerdict = 'holds' | 'fails' | 'undecided';

/** Bounds [low, high]; they may be infinite. */
export type Bounds = Interval;

/** Battles of the first interim analysis, unless there are fewer or a mean is analyzed without betting. */
const FIRST_BATTLES = 2 ** 12;

/** Ratio of the battles of successive interim analyses. */
const RATIO = 1.5;

/** Relative tolerance of exact values at a bound: rounding causes such differences. */
const ROUNDING = 1e-11;

/** Compares an exact value with bounds; a value on a bound up to rounding is within. */
export function judgeValue(value: number, [low, high]: Bounds): BoundsVerdict {
  const computeSlack = (bound: number): number => ROUNDING * Math.max(1, Math.min(Math.abs(bound), Math.abs(value)));
  return value >= low - computeSlack(low) && value <= high + computeSlack(high) ? 'holds' : 'fails';
}

/** Returns the verdict that holds for every number in an interval. */
export function judgeInterval([least, greatest]: Interval, [low, high]: Bounds): BoundsVerdict {
  if (least >= low && greatest <= high) return 'holds';
  return greatest < low || least > high ? 'fails' : 'undecided';
}

/** Schedule of interim analyses of a number, with simultaneous intervals. */
export interface InterimSchedule {
  /** Numbers of battles, ascending; the last is the maximum. */
  readonly analyses: readonly number[];
  /** Error rate of the interval of one analysis. */
  readonly level: number;
  /** Computes the interval of the number at an analysis. */
  readonly interval: (counts: Counts) => Interval;
}

/**
 * @param most maximum number of battles, at least 1
 * @param error maximum probability that any interval misses
 * @param bounded true to use betting intervals of means, which hold at all analyses together
 */
export function createInterimSchedule(
  quantity: Estimand,
  most: number,
  error: number,
  bounded = false,
): InterimSchedule {
  const bets = bounded && quantity.kind === 'mean' ? new ConfidenceSequence(1 / most) : undefined;
  const analyses = spaceAnalyses(
    quantity.kind === 'mean' && !bounded ? FIRST_ANALYSIS : FIRST_BATTLES,
    most,
    RATIO,
    most,
  );
  const level = bets === undefined ? error / analyses.length : error;
  return { analyses: analyses, level, interval: (counts) => quantity.computeInterval(counts, level, bets) };
}
