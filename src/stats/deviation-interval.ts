/**
 * Computes the interval of a standard deviation. The variance is the mean of squared distances from the mean, which are
 * bounded by the declared range: so it has the interval of a mean, `computeFixedLengthInterval`, which includes
 * unobserved values. The estimated mean costs a degree of freedom. Normal theory (chi-square) is not used: it is wrong
 * for every distribution without the fourth moment of a normal one, for any number of battles.
 *
 * If two values are about equally frequent, all squared distances are nearly equal, and their spread does not show the
 * error of the estimated mean. The variance is then (b - a)² p (1 - p), with the interval of the proportion p.
 */
import { clopperPearson95 } from './binomial.ts';
import type { Interval } from './intervals.ts';
import { computeFixedLengthInterval } from './mean-interval.ts';
import { computeRealSampleMoments } from './sample-moments.ts';

type ValueCounts = readonly (readonly [value: number, count: number])[];

function computeIntervalFromSquares(pairs: ValueCounts, [low, high]: Interval): Interval {
  const { battles, mean } = computeRealSampleMoments(pairs, [low, high]);
  const most = Math.max(mean - low, high - mean) ** 2;
  const squares = pairs.map(([value, count]) => [(value - mean) ** 2, count] as const);
  // Maximum variance in the range.
  const bound = (high - low) ** 2 / 4;
  const more = battles / Math.max(1, battles - 1);
  const [least, greatest] = computeFixedLengthInterval(computeRealSampleMoments(squares, [0, most]));
  return [Math.sqrt(Math.min(bound, Math.max(0, least * more))), Math.sqrt(Math.min(bound, greatest * more))];
}

/** Maps the interval of a proportion. @param gap between the two values */
function computeIntervalFromProportion(count: number, battles: number, gap: number): Interval {
  const [low, high] = clopperPearson95(count, battles);
  const ends = [low, high].map((p) => gap * Math.sqrt(p * (1 - p)));
  return [Math.min(...ends), low <= 0.5 && high >= 0.5 ? gap / 2 : Math.max(...ends)];
}

/**
 * Returns the 95 % interval of the standard deviation of one battle. For two observed values of more possible ones it
 * is the hull of both intervals, because others may occur.
 * @param pairs [value, count], of one battle or more
 * @param range the least and the greatest possible value
 * @param unit greatest common divisor of the values
 */
export function computeDeviationInterval(pairs: ValueCounts, range: Interval, unit = 0): Interval {
  const [[a, one] = [0, 0], [b, other] = [0, 0]] = pairs;
  if (pairs.length !== 2) return computeIntervalFromSquares(pairs, range);
  const mapped = computeIntervalFromProportion(other, one + other, b - a);
  // Only two values are possible: the range is one unit wide.
  if (range[1] - range[0] < 1.5 * unit) return mapped;
  const [low, high] = computeIntervalFromSquares(pairs, range);
  return [Math.min(low, mapped[0]), Math.max(high, mapped[1])];
}
