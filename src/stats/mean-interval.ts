/**
 * Intervals of a mean of which the values are known to lie in a range.
 *
 * `meanInterval` is Student's with two things added on either side. One battle with the value at that end of the range:
 * what never came may still come. And what skewness moves of the quantile of a mean (E. A. Cornish and R. A. Fisher 1938;
 * N. J. Johnson, Journal of the American Statistical Association 1978), with the skewness that the added battle makes,
 * and only where it widens. For values 0 and 1 its far end is Clopper and Pearson's, up to 6 % of the width, so it is right
 * where a value that carries the mean came a few times, or never. H. Gaffke's bound (Three test statistics for a
 * nonparametric one-sided hypothesis on the mean of a nonnegative variable, 2005) has the same added battle.
 */
import { computeSingleValueInterval, type Interval, TAIL } from './intervals.ts';
import { normalUpper, studentUpper } from './quantiles.ts';
import type { SampleMoments } from './sample-moments.ts';

/**
 * How far the mean may be from that of the sample on one side.
 * @param room  from the mean to the end of the range
 * @param third mean cubed distance, above 0 if the tail is on this side
 */
function computeReach({ battles, variance }: SampleMoments, room: number, third: number, z: number): number {
  const weight = battles * variance + room * room;
  if (weight === 0) return 0;
  const skew = Math.max(0, battles * third + room * room * room) / weight;
  return Math.min(room, (room + ((z * z - 1) / 3) * skew + z * Math.sqrt(weight)) / battles);
}

/**
 * @param z what the standard normal law exceeds with the probability of either side
 * @returns all of the range for no battle
 */
export function computeMeanInterval(sample: SampleMoments, z: number): Interval {
  const { mean, thirdMoment, range } = sample;
  return [
    mean - computeReach(sample, mean - range[0], -thirdMoment, z),
    mean + computeReach(sample, range[1] - mean, thirdMoment, z),
  ];
}

/** `meanInterval` that misses with probability `level`, half of it on either side. */
export function computeMeanIntervalAt(sample: SampleMoments, level: number): Interval {
  return computeMeanInterval(sample, normalUpper(level / 2));
}

/**
 * The interval of a mean after a number of battles that was fixed before: `meanInterval` with the quantile of Student's
 * law, or if all battles had one value what others, which never came, leave to the mean.
 * @param tail probability of either side
 */
export function computeFixedLengthInterval(sample: SampleMoments, tail: number = TAIL): Interval {
  const { battles, mean, variance, range } = sample;
  if (variance === 0) return computeSingleValueInterval(mean, battles, range, tail);
  return computeMeanInterval(sample, studentUpper(tail, battles - 1));
}

/** A lower bound of the half-width of `meanInterval`, times the battles and over the range. */
export function computeLeastReach(z: number): number {
  return (1 + z) / 2;
}
