/** Intervals of estimates. */
import { exp, ln } from '../core/index.ts';

/** A closed interval. */
export type Interval = readonly [low: number, high: number];

/** The 0.975 quantile of the standard normal distribution: two-sided 95 %. */
export const Z95 = 1.959963984540054;

/** The 0.975 quantiles of Student's t distribution with 1 to 10 degrees of freedom. */
const STUDENT95 = [12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.306, 2.2622, 2.2281];

/**
 * Computes the 0.975 quantile of Student's t distribution: by a table up to 10 degrees of freedom, then by the
 * Cornish-Fisher expansion (Abramowitz and Stegun 26.7.5), accurate to 1e-4.
 */
export function student95(degrees: number): number {
  const z = Z95;
  return (
    STUDENT95[degrees - 1] ??
    z +
      (z ** 3 + z) / (4 * degrees) +
      (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * degrees ** 2) +
      (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * degrees ** 3)
  );
}

/**
 * Computes Student's 95 % interval of a mean.
 * @param variance of the sample, divided by its size
 * @returns undefined for a sample of one, which has no spread
 */
export function computeMeanInterval95(mean: number, variance: number, trials: number): Interval | undefined {
  if (trials < 2) return undefined;
  const spread = student95(trials - 1) * Math.sqrt(variance / (trials - 1));
  return [mean - spread, mean + spread];
}

/** Error rate of either side of a 95 % interval. */
export const TAIL = 0.025;

/**
 * Computes the maximum probability of unobserved values: larger ones are observed at least once with probability 1 -
 * `tail`. About 3.7 / trials for a tail of 2.5 %.
 */
export function computeUnobservedShare(trials: number, tail: number = TAIL): number {
  return 1 - exp(Math.max(-700, ln(tail) / trials));
}

/** Computes the maximum change of a mean by unobserved values, which have that probability and are in the range. */
export function computeUnobservedShift(trials: number, [low, high]: Interval, tail: number = TAIL): number {
  return (high - low) * computeUnobservedShare(trials, tail);
}

/**
 * Computes the interval of a mean if all trials had one value, which has no spread: only unobserved values can move the
 * mean.
 * @param tail probability of either side
 */
export function computeSingleValueInterval(
  value: number,
  trials: number,
  [low, high]: Interval,
  tail: number = TAIL,
): Interval {
  const share = computeUnobservedShare(trials, tail);
  return [value - share * (value - low), value + share * (high - value)];
}

/**
 * Computes the number of standard errors between estimate and exact value; 0 if they are equal up to rounding, infinite
 * if there is no sampling error.
 */
export function zScore(estimate: number, exact: number, exactVariance: number, trials: number): number {
  const miss = estimate - exact;
  if (Math.abs(miss) <= 1e-12 * Math.max(1, Math.abs(exact))) return 0;
  return miss / Math.sqrt(exactVariance / trials);
}
