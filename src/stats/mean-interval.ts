/**
 * Intervals of the mean of values in a known range.
 *
 * `computeMeanInterval` is Student's with two additions on either side. One battle with the value at that end of the
 * range, for values that are still unobserved. And the shift of the quantile of a mean by skewness (E. A. Cornish and
 * R. A. Fisher 1938; N. J. Johnson, Journal of the American Statistical Association 1978), with the skewness including
 * the added battle, and only if it widens the interval. For values 0 and 1 its far end is Clopper and Pearson's, up to
 * 6 % of the width, so that it is valid if the values that dominate the mean are rare or unobserved. H. Gaffke's bound
 * (Three test statistics for a nonparametric one-sided hypothesis on the mean of a nonnegative variable, 2005) has the
 * same added battle.
 */
import { computeSingleValueInterval, type Interval, TAIL } from './intervals.ts';
import { normalUpper, studentUpper } from './quantiles.ts';
import type { SampleMoments } from './sample-moments.ts';

/**
 * Computes the distance from the mean of the sample to one end of the interval.
 * @param room from the mean to the end of the range
 * @param third mean cubed distance, above 0 if the tail is on this side
 */
function computeReach({ battles, variance }: SampleMoments, room: number, third: number, z: number): number {
  const weight = battles * variance + room * room;
  if (weight === 0) return 0;
  const skew = Math.max(0, battles * third + room * room * room) / weight;
  return Math.min(room, (room + ((z * z - 1) / 3) * skew + z * Math.sqrt(weight)) / battles);
}

/**
 * @param z quantile of the standard normal distribution for either side
 * @returns the whole range for no battles
 */
export function computeMeanInterval(sample: SampleMoments, z: number): Interval {
  const { mean, thirdMoment, range } = sample;
  return [
    mean - computeReach(sample, mean - range[0], -thirdMoment, z),
    mean + computeReach(sample, range[1] - mean, thirdMoment, z),
  ];
}

/** Computes `computeMeanInterval` with error rate `level`, half of it on either side. */
export function computeMeanIntervalAt(sample: SampleMoments, level: number): Interval {
  return computeMeanInterval(sample, normalUpper(level / 2));
}

/**
 * Computes the interval of a mean after a fixed number of battles: `computeMeanInterval` with the quantile of Student's
 * t distribution, or if all battles had one value, the possible change by unobserved values.
 * @param tail probability of either side
 */
export function computeFixedLengthInterval(sample: SampleMoments, tail: number = TAIL): Interval {
  const { battles, mean, variance, range } = sample;
  if (variance === 0) return computeSingleValueInterval(mean, battles, range, tail);
  return computeMeanInterval(sample, studentUpper(tail, battles - 1));
}

/** Computes a lower bound of the half-width of `computeMeanInterval`, times the battles and divided by the range. */
export function computeLeastReach(z: number): number {
  return (1 + z) / 2;
}
