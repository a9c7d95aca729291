/** Compares means battle by battle: sums of values and of their differences, and intervals of these. */
import { ConfidenceSequence } from './confidence-sequence.ts';
import type { ValueWeights } from './counts.ts';
import { computeUnobservedShift, type Interval } from './intervals.ts';
import { computeFixedLengthInterval, computeMeanInterval } from './mean-interval.ts';
import { normalUpper } from './quantiles.ts';
import type { SampleMoments } from './sample-moments.ts';

/** Sums of whole numbers and of their powers; below 2^53 they are exact. */
export class PowerSums {
  sum = 0;
  squares = 0;
  cubes = 0;
  /** Number of values that are not 0, and the least and the greatest of them. */
  others = 0;
  least: number = Number.POSITIVE_INFINITY;
  most: number = Number.NEGATIVE_INFINITY;

  count(value: number, times = 1): void {
    if (value === 0) return;
    this.sum += times * value;
    this.squares += times * value * value;
    this.cubes += times * value * value * value;
    this.others += times;
    if (value < this.least) this.least = value;
    if (value > this.most) this.most = value;
  }

  /** Adds values with their counts. */
  add({ values, weights }: ValueWeights): void {
    for (const [k, value] of values.entries()) this.count(value, weights[k]);
  }

  /** Returns true if all of `size` numbers are equal. */
  isConstant(size: number): boolean {
    return this.others === 0 || (this.others === size && this.least === this.most);
  }

  /** @param range of the numbers */
  computeMoments(size: number, range: Interval): SampleMoments {
    const [mean, squares, cubes] = [this.sum / size, this.squares / size, this.cubes / size];
    if (this.isConstant(size)) return { battles: size, mean, variance: 0, thirdMoment: 0, range };
    const variance = Math.max(0, squares - mean * mean);
    return { battles: size, mean, variance, thirdMoment: cubes - 3 * mean * squares + 2 * mean * mean * mean, range };
  }
}

/** Computes the least and the greatest difference of values in two ranges. */
export function computeDifferenceRange([low, high]: Interval, [otherLow, otherHigh]: Interval): Interval {
  return [otherLow - high, otherHigh - low];
}

/** Unit of a metric, and the range of its differences. */
export interface MetricScale {
  /** Value of one step. */
  readonly unit: number;
  /** Range in steps. */
  readonly range: Interval;
}

export interface MeanDifference {
  readonly mean: readonly [number, number];
  /** Second minus first. */
  readonly difference: number;
  readonly ci95: Interval;
  /** Of the difference, from the observed battles. */
  readonly standardError: number;
  /** Maximum change by unobserved differences, with the confidence of either end of the interval. */
  readonly unobserved: number;
  /**
   * Variance of an unpaired comparison of the same number of battles, divided by the paired variance; infinite if that
   * is 0.
   */
  readonly varianceReduction: number;
  /** Battles in which the two have different values. */
  readonly differing: number;
}

/**
 * Interval of a difference of means: of a comparison of fixed length at its end, of one of many interim analyses, or by
 * betting, which is valid for every distribution in the range and at all analyses together.
 */
export type IntervalMethod = 'end' | 'look' | ConfidenceSequence;

/** Computes the interval in steps of the unit. */
function computeDifferenceInterval(sample: SampleMoments, tail: number, method: IntervalMethod): Interval {
  if (method instanceof ConfidenceSequence) return method.interval(sample, tail);
  return method === 'look' ? computeMeanInterval(sample, normalUpper(tail)) : computeFixedLengthInterval(sample, tail);
}

/**
 * Computes the difference of two means over n battles.
 * @param sums of the values of either, and of their differences battle by battle
 * @param tail probability of either side of the interval
 */
export function computeMeanDifference(
  sums: { readonly first: PowerSums; readonly second: PowerSums; readonly gaps: PowerSums },
  n: number,
  { unit, range }: MetricScale,
  tail = 0.025,
  method: IntervalMethod = 'end',
): MeanDifference {
  const [first, second] = [sums.first, sums.second].map((each) => each.computeMoments(n, range));
  const gaps = sums.gaps.computeMoments(n, range);
  const [low, high] = computeDifferenceInterval(gaps, tail, method);
  return {
    mean: [(first?.mean ?? 0) * unit, (second?.mean ?? 0) * unit],
    difference: gaps.mean * unit,
    ci95: [low * unit, high * unit],
    standardError: Math.sqrt(gaps.variance / n) * unit,
    unobserved: computeUnobservedShift(n, range, tail) * unit,
    varianceReduction: ((first?.variance ?? 0) + (second?.variance ?? 0)) / gaps.variance,
    differing: sums.gaps.others,
  };
}
