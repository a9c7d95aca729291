/**
 * Intervals of quantiles from order statistics (W. R. Thompson, Annals of Mathematical Statistics 1936; H. A. David and
 * H. N. Nagaraja, Order Statistics, 2003, section 7.1). Their coverage is at least 95 % for every distribution, because
 * the number of battles at or below a quantile is binomial; for repeated values, as in battles, it is higher.
 */

import { ln } from '../core/index.ts';
import { computeLogTail } from './binomial.ts';
import { type Interval, TAIL, Z95 } from './intervals.ts';

/** Cache by battles, share and tail: the metrics of a run, and cells of a sweep, repeat the same ones. */
const RANKS = new Map<string, number>();

/** Finds the least x with P(X >= x) <= tail for trials of probability p; trials + 1 if there is none. */
function findUpperRank(trials: number, p: number, tail: number): number {
  const key = `${String(trials)} ${String(p)} ${String(tail)}`;
  const known = RANKS.get(key);
  if (known !== undefined) return known;
  const mean = trials * p;
  const isRare = (x: number): boolean => x > trials || (x > mean && computeLogTail(x, trials, p) <= ln(tail));
  let rank = Math.min(trials + 1, Math.ceil(mean + Z95 * Math.sqrt(mean * (1 - p))));
  while (!isRare(rank)) rank++;
  while (isRare(rank - 1)) rank--;
  if (RANKS.size > 255) RANKS.clear();
  RANKS.set(key, rank);
  return rank;
}

/**
 * Computes the interval of a quantile, by default at 95 %: two of the observed values in ascending order, or an end of the range if
 * there are too few battles.
 * @param pairs [value, count], ascending
 * @param share above 0 and below 1
 * @param range the least and the greatest possible value
 * @param tail error rate of either side
 */
export function computeQuantileInterval(
  pairs: readonly (readonly [value: number, count: number])[],
  share: number,
  [low, high]: Interval,
  tail: number = TAIL,
): Interval {
  const battles = pairs.reduce((sum, [, count]) => sum + count, 0);
  const getValueAt = (rank: number): number => {
    let below = 0;
    for (const [value, count] of pairs) {
      below += count;
      if (below >= rank) return value;
    }
    return high;
  };
  const first = battles + 1 - findUpperRank(battles, 1 - share, tail);
  return [first < 1 ? low : getValueAt(first), getValueAt(findUpperRank(battles, share, tail))];
}
