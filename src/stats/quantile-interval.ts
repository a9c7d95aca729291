/**
 * Intervals of quantiles from order statistics (W. R. Thompson, Annals of Mathematical Statistics 1936; H. A. David and H. N.
 * Nagaraja, Order Statistics, 2003, section 7.1). They hold with 95 % at least for every law, since how many battles are at
 * or below a quantile is binomial; where values come often, as in battles, for more.
 */
import { lnTail } from './binomial.ts';
import { ln } from './elementary.ts';
import { type Interval, TAIL, Z95 } from './intervals.ts';

/** By battles and share: the metrics of a run, and cells of a sweep, ask for the same again and again. */
const RANKS = new Map<string, number>();

/** The least x with P(X >= x) <= 2.5 % for so many trials of probability p; trials + 1 if there is none. */
function findUpperRank(trials: number, p: number): number {
  const key = `${String(trials)} ${String(p)}`;
  const known = RANKS.get(key);
  if (known !== undefined) return known;
  const mean = trials * p;
  const isRare = (x: number): boolean => x > trials || (x > mean && lnTail(x, trials, p) <= ln(TAIL));
  let rank = Math.min(trials + 1, Math.ceil(mean + Z95 * Math.sqrt(mean * (1 - p))));
  while (!isRare(rank)) rank++;
  while (isRare(rank - 1)) rank--;
  if (RANKS.size > 255) RANKS.clear();
  RANKS.set(key, rank);
  return rank;
}

/**
 * The 95 % interval of the least value that a share of the law does not exceed: two of the values that came in ascending
 * order, or where there are too few battles for that an end of the range.
 * @param pairs [value, count], ascending
 * @param share above 0 and below 1
 * @param range the least and the greatest value that there can be
 */
export function computeQuantileInterval(
  pairs: readonly (readonly [value: number, count: number])[],
  share: number,
  [low, high]: Interval,
): Interval {
  const battles = pairs.reduce((sum, [, count]) => sum + count, 0);
  const at = (rank: number): number => {
    let below = 0;
    for (const [value, count] of pairs) {
      below += count;
      if (below >= rank) return value;
    }
    return high;
  };
  const first = battles + 1 - findUpperRank(battles, 1 - share);
  return [first < 1 ? low : at(first), at(findUpperRank(battles, share))];
}
