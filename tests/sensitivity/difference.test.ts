import { expect, test } from 'vitest';
import type { ComparisonSubject } from '../../src/analysis/comparing/paired-run.ts';
import {
  computeCellDifference,
  computeHalfMeans,
  computeNoise,
  type StudyCell,
} from '../../src/analysis/sensitivity/cell-evaluator.ts';
import { Z95 } from '../../src/stats/intervals.ts';
import { computePairedShareInterval } from '../../src/stats/paired-counts.ts';

const subject = (kind: ComparisonSubject['kind'], unit = 1): ComparisonSubject => ({
  of: 'x',
  kind,
  unit,
  ranges: [[0, 5]],
  read: [0],
  exact: () => 0,
});

const simulated = (...battles: number[]): StudyCell => ({
  value: battles.reduce((sum, x) => sum + x, 0) / battles.length,
  battles: Float64Array.from(battles),
  range: [0, 5],
});

const [first, second] = [simulated(0, 1, 1, 0, 0, 1), simulated(1, 1, 0, 1, 1, 1)];

test('differences of shares use paired battles', () => {
  const { effect, ci95, exact, differs } = computeCellDifference(first, second, subject('outcome'), 0.025);
  expect([effect, exact, differs]).toEqual([2 / 6, false, true]);
  const [low, high] = computePairedShareInterval(1, 3, 6, Z95);
  expect(ci95[0]).toBeCloseTo(low, 6);
  expect(ci95[1]).toBeCloseTo(high, 6);
  expect(computeCellDifference(first, first, subject('outcome'), 0.025)).toMatchObject({ effect: 0, differs: false });
});

test('a constant difference of means has an interval for unobserved values', () => {
  const effect = computeCellDifference(simulated(1, 2, 3, 1), simulated(2, 3, 4, 2), subject('metric', 0.5), 0.025);
  const never = 1 - 0.025 ** (1 / 4);
  expect(effect).toMatchObject({ effect: 0.5, exact: false, differs: true });
  expect(effect.ci95).toEqual([expect.closeTo(0.5 - 3 * never, 12), expect.closeTo(0.5 + 2 * never, 12)]);
});

test('exact values within rounding are equal', () => {
  const [one, other] = [{ value: 0.3 }, { value: 0.1 + 0.2 }];
  expect(computeCellDifference(one, other, subject('metric'), 0.025)).toEqual({
    effect: 0,
    ci95: [0, 0],
    exact: true,
    differs: false,
  });
  expect(computeCellDifference(one, { value: 0.5 }, subject('metric'), 0.025)).toMatchObject({
    effect: 0.2,
    differs: true,
  });
});

test('computeHalfMeans returns means of both halves in the unit; the second has an odd battle', () => {
  expect(computeHalfMeans(first, 0.5)).toEqual([1 / 3, 1 / 6]);
  expect(computeHalfMeans(simulated(3, 1, 2), 1)).toEqual([3, 1.5]);
  expect(computeHalfMeans({ value: 0.7 }, 0.5)).toEqual([0.7, 0.7]);
});

test('computeNoise returns the variance of the mean difference', () => {
  // Differences 1, 0, -1, 1, 1, 0: mean 1/3, squares 4, variance (4 - 6/9) / 5.
  expect(computeNoise(first, second, 1)).toBeCloseTo((4 - 6 / 9) / 5 / 6, 12);
  expect(computeNoise(first, second, 0.5)).toBeCloseTo((4 - 6 / 9) / 5 / 6 / 4, 12);
  expect(computeNoise(first, { value: 0.5 }, 1)).toBeCloseTo((3 - 9 / 6) / 5 / 6, 12);
  expect(computeNoise({ value: 0.2 }, { value: 0.5 }, 1)).toBe(0);
});
