/**
 * Whether a number lies within bounds: decided exactly, or from looks at a run. At each look its interval misses with
 * the error over the number of looks at most, so with 1 - error all of them hold, and with them every decision that is
 * read off one, wherever the run ends (Bonferroni). Looks depend on the most battles alone, never on a result.
 */

import { spaceAnalyses } from './analysis-schedule.ts';
import { ConfidenceSequence } from './confidence-sequence.ts';
import type { Counts } from './counts.ts';
import type { Estimand } from './estimand.ts';
import type { Interval } from './intervals.ts';
import { FIRST_ANALYSIS } from './mean-schedule.ts';

export type BoundsVerdict = 'holds' | 'fails' | 'undecided';

/** What should be within [low, high]; the ends may be infinite. */
export type Bounds = Interval;

/** Battles of the first look, unless there are fewer or a mean is looked at without bets. */
const FIRST_BATTLES = 2 ** 12;

/** Each look has so many times the battles of the one before. */
const RATIO = 1.5;

/** Exact values that are beyond a bound by less, in units of the larger, are on it: rounding makes this much. */
const ROUNDING = 1e-11;

/** A value that is known exactly is within bounds if it is on one of them up to rounding. */
export function judgeValue(value: number, [low, high]: Bounds): BoundsVerdict {
  const slack = (bound: number): number => ROUNDING * Math.max(1, Math.min(Math.abs(bound), Math.abs(value)));
  return value >= low - slack(low) && value <= high + slack(high) ? 'holds' : 'fails';
}

/** What an interval says for certain, if the number is in it. */
export function judgeInterval([least, greatest]: Interval, [low, high]: Bounds): BoundsVerdict {
  if (least >= low && greatest <= high) return 'holds';
  return greatest < low || least > high ? 'fails' : 'undecided';
}

/** At which numbers of battles a number is looked at, and its interval there: all of them hold together but for an error. */
export interface InterimSchedule {
  /** Ascending; the last is the most. */
  readonly analyses: readonly number[];
  /** By how much the confidence of the interval of one look falls short of 1. */
  readonly level: number;
  /** Of the number, at a look. */
  readonly interval: (tally: Counts) => Interval;
}

/**
 * @param most    battles that may be played, at least 1
 * @param error   with what probability an interval misses at most
 * @param bounded a mean has the interval of bets, which holds at all looks together
 */
export function createInterimSchedule(
  quantity: Estimand,
  most: number,
  error: number,
  bounded = false,
): InterimSchedule {
  const bets = bounded && quantity.kind === 'mean' ? new ConfidenceSequence(1 / most) : undefined;
  const looks = spaceAnalyses(quantity.kind === 'mean' && !bounded ? FIRST_ANALYSIS : FIRST_BATTLES, most, RATIO, most);
  const level = bets === undefined ? error / looks.length : error;
  return { analyses: looks, level, interval: (tally) => quantity.computeInterval(tally, level, bets) };
}
