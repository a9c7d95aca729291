/** Mean and variance of a sample, and the input of intervals of a mean: moments and the range of possible values. */
import type { Interval } from './intervals.ts';

export interface SampleMoments {
  readonly battles: number;
  readonly mean: number;
  /** Mean squared and mean cubed distance from the mean. */
  readonly variance: number;
  readonly thirdMoment: number;
  /** Declared range of the values. */
  readonly range: Interval;
}

/** Computes the mean of at least one value. */
export function computeMean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let k = 0; k < values.length; k++) sum += values[k] ?? 0;
  return sum / values.length;
}

/** Computes the unbiased variance of at least two values. */
export function computeVariance(values: ArrayLike<number>): number {
  const mean = computeMean(values);
  let sum = 0;
  for (let k = 0; k < values.length; k++) sum += ((values[k] ?? 0) - mean) * ((values[k] ?? 0) - mean);
  return sum / (values.length - 1);
}

/**
 * Computes the moments of integers with exact sums, so that only the last division rounds.
 * @param pairs [value, count], both integers
 */
export function computeSampleMoments(
  pairs: readonly (readonly [value: number, count: number])[],
  range: Interval,
): SampleMoments {
  let [n, sum, squares, cubes] = [0n, 0n, 0n, 0n];
  for (const [number, count] of pairs) {
    const [value, times] = [BigInt(number), BigInt(count)];
    n += times;
    sum += value * times;
    squares += value * value * times;
    cubes += value * value * value * times;
  }
  const battles = Number(n);
  return {
    battles,
    mean: Number(sum) / battles,
    variance: Number(n * squares - sum * sum) / battles / battles,
    thirdMoment: Number(n * n * cubes - 3n * n * sum * squares + 2n * sum * sum * sum) / battles / battles / battles,
    range,
  };
}

/** Computes the moments of any numbers, up to rounding; a single value has no variance. @param pairs [value, count] */
export function computeRealSampleMoments(
  pairs: readonly (readonly [value: number, count: number])[],
  range: Interval,
): SampleMoments {
  const battles = pairs.reduce((sum, [, count]) => sum + count, 0);
  const [origin = 0] = pairs[0] ?? [];
  const computeMoment = (from: number, power: number): number =>
    pairs.reduce((sum, [value, count]) => sum + (value - from) ** power * count, 0) / battles;
  const mean = origin + computeMoment(origin, 1);
  return { battles, mean, variance: computeMoment(mean, 2), thirdMoment: computeMoment(mean, 3), range };
}
