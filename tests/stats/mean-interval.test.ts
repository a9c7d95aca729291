/** Intervals of means of values in a range: comparison with exact intervals of two values, and limits. */
import { describe, expect, test } from 'vitest';
import { clopperPearson } from '../../src/stats/binomial.ts';
import {
  computeSingleValueInterval,
  computeUnobservedShare,
  computeUnobservedShift,
} from '../../src/stats/intervals.ts';
import { computeLeastReach, computeMeanInterval, computeMeanIntervalAt } from '../../src/stats/mean-interval.ts';
import { computeSampleMoments } from '../../src/stats/sample-moments.ts';

const BATTLES = 100_000;

const coins = (ones: number, range: readonly [number, number] = [0, 1]) =>
  computeSampleMoments(
    (
      [
        [0, BATTLES - ones],
        [1, ones],
      ] as const
    ).filter(([, count]) => count > 0),
    range,
  );

describe('mean interval of two values', () => {
  test.each([0.05, 0.04, 0.01, 0.001])('at level %f is slightly wider than the Clopper-Pearson interval', (level) => {
    for (const ones of [0, 1, 2, 3, 5, 10, 30, 100, 1000, 50_000]) {
      const [low, high] = computeMeanIntervalAt(coins(ones), level);
      const [exactLow, exactHigh] = clopperPearson(ones, BATTLES, level);
      const width = exactHigh - exactLow;
      expect(high).toBeGreaterThan(exactHigh - 0.02 * width);
      expect(high).toBeLessThan(exactHigh + 0.06 * width);
      // Skewness does not move the lower end inwards: the interval may be wider, but not narrower.
      expect(low).toBeLessThan(exactLow + 0.005 * width);
      expect(low).toBeGreaterThan(exactLow - 0.35 * width);
    }
  });

  test('is symmetric in the two ends of the range', () => {
    for (const ones of [0, 3, 40_000]) {
      const [low, high] = computeMeanInterval(coins(ones), 2);
      const mirrored = computeMeanInterval(coins(BATTLES - ones), 2);
      expect(mirrored[0]).toBeCloseTo(1 - high, 12);
      expect(mirrored[1]).toBeCloseTo(1 - low, 12);
    }
  });
});

test('the mean interval allows for unobserved values within the range', () => {
  const [near, far] = [1, 1000].map((max) => computeMeanInterval(coins(500, [0, max]), 2));
  expect(far?.[0]).toBe(near?.[0]);
  expect(far?.[1] ?? 0).toBeGreaterThan(0.005 + (1000 * Math.log(1 / 0.0228)) / BATTLES);
  const [low, high] = computeMeanInterval(computeSampleMoments([[7, BATTLES]], [7, 7]), 2);
  expect([low, high]).toEqual([7, 7]);
  for (const z of [1.2, 2, 4]) {
    const ends = computeMeanInterval(computeSampleMoments([[7, BATTLES]], [0, 100]), z);
    expect((ends[1] - ends[0]) / 2).toBeGreaterThan((computeLeastReach(z) * 100) / BATTLES);
  }
});

test('the interval of a single observed value allows for unobserved values', () => {
  expect(computeUnobservedShare(1)).toBeCloseTo(0.975, 12);
  expect(computeUnobservedShare(1_000_000) * 1e6).toBeCloseTo(-Math.log(0.025), 4);
  expect(computeUnobservedShift(1_000_000, [-5, 5]) * 1e5).toBeCloseTo(3.689, 3);
  const [low, high] = computeSingleValueInterval(1, 1000, [-1, 4]);
  expect(low).toBeCloseTo(1 - 2 * (1 - 0.025 ** 0.001), 12);
  expect(high).toBeCloseTo(1 + 3 * (1 - 0.025 ** 0.001), 12);
  expect(computeSingleValueInterval(4, 1000, [-1, 4])[1]).toBe(4);
});

test('sample moments are exact for close values far from 0', () => {
  const sample = computeSampleMoments(
    [
      [1_000_000, 1e9],
      [1_000_001, 3e9],
    ],
    [0, 2_000_000],
  );
  expect(sample).toMatchObject({ battles: 4e9, mean: 1_000_000.75, variance: 0.1875 });
  expect(sample.thirdMoment).toBeCloseTo(-0.09375, 12);
});
