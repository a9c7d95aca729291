/**
 * How long a run is that is to tell the mean of a metric to so much: the fixed-width sequential interval of Y. S. Chow
 * and H. Robbins (On the asymptotic theory of fixed-width sequential confidence intervals for the mean, Annals of
 * Mathematical Statistics 1965), at looks. The run ends at the first look at which `meanInterval` is narrow enough.
 *
 * What never came is counted in the interval by the range that the metric declares, so no run ends before what may come
 * is too rare to matter: with a range of R and a half-width of h not before 2 R / h battles.
 *
 * Z: where the variance is known well it settles faster than the looks grow, so there are two looks at most at which
 * the run can end, and it ends at the earlier if the variance is below a bound. In the limit the variance there and the
 * means at both looks are jointly normal. The worst that such a choice can do, over all bounds and all correlations of
 * variance and mean, makes 4 % at each look 4.9 % together.
 */

import { roundUpToStep, spaceAnalysesUp } from './analysis-schedule.ts';
import { computeMaxHalfWidth, type HalfWidthTarget } from './half-width-target.ts';
import type { Interval } from './intervals.ts';
import { computeLeastReach } from './mean-interval.ts';

/** Battles of the first look. */
export const FIRST_ANALYSIS: number = 2 ** 14;

/** Each look has at most so many times the battles of the one before. */
const RATIO = 1.25;

/** What one interval at one look misses, and the quantile of the normal law that makes it so. */
export const LEVEL = 0.04;
export const Z = 2.053748910631823;

/** The half-width of any sample of so many battles is less than this times the range over the root of them. */
const WIDEST = 1.1;

/** Intervals that hold at all numbers of battles are wider: at 95 % and with forty stakes by less than this. */
const WIDEST_BOUNDED = 3;

/**
 * The looks of a run that ends once the interval of a mean is narrow enough.
 * @param range of the values
 * @param most battles that may be played
 */
export function scheduleMeanAnalyses(aim: HalfWidthTarget, range: Interval, most: number, bounded = false): number[] {
  const width = range[1] - range[0];
  const least = Math.min(computeMaxHalfWidth(aim, 0), Math.max(width, Number.MIN_VALUE));
  const greatest = computeMaxHalfWidth(aim, Math.max(Math.abs(range[0]), Math.abs(range[1])));
  const first = Math.max(FIRST_ANALYSIS, bounded ? 0 : (computeLeastReach(Z) * width) / greatest);
  const enough = ((bounded ? WIDEST_BOUNDED : WIDEST) * (width / least)) ** 2;
  return spaceAnalysesUp(first, RATIO, Math.min(most, roundUpToStep(Math.max(first, enough))));
}

/** True if an interval of a mean is narrow enough. */
export function isMeanNarrow([low, high]: Interval, mean: number, aim: HalfWidthTarget): boolean {
  return (high - low) / 2 <= computeMaxHalfWidth(aim, mean);
}
