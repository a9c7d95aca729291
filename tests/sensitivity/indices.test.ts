import { describe, expect, test } from 'vitest';
import { type BasePoint, computeSobolIndices, type SobolIndices } from '../../src/analysis/sensitivity/sobol.ts';
import { DEPTH } from '../depth.ts';
import { gFunction, gIndices, ISHIGAMI, ishigami, sampled } from './functions.ts';

const firsts = ({ indices = [] }: SobolIndices): number[] => indices.map(({ first }) => first);
const totals = ({ indices = [] }: SobolIndices): number[] => indices.map(({ total }) => total);

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns the deviation of the mean of independent estimates in standard errors. */
function zOf(estimates: readonly number[], truth: number): number {
  const mean = meanOf(estimates);
  const variance = estimates.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (estimates.length - 1);
  return (mean - truth) / Math.sqrt(variance / estimates.length);
}

describe('Ishigami’s function', () => {
  test('has the published indices', () => {
    const rounded = (values: readonly number[]): number[] => values.map((value) => Number(value.toFixed(4)));
    expect(rounded(ISHIGAMI.first)).toEqual([0.3139, 0.4424, 0]);
    expect(rounded(ISHIGAMI.total)).toEqual([0.5576, 0.4424, 0.2437]);
  });

  test('has accurate indices from 4096 base points without noise', () => {
    const found = computeSobolIndices(sampled(ishigami, 3, 4096, 1n), 1n);
    expect(found.variance / ISHIGAMI.variance).toBeCloseTo(1, 2);
    expect(found.noise).toBe(0);
    for (const [i, first] of ISHIGAMI.first.entries()) {
      expect(Math.abs((firsts(found)[i] ?? 0) - first)).toBeLessThan(0.01);
      expect(Math.abs((totals(found)[i] ?? 0) - (ISHIGAMI.total[i] ?? 0))).toBeLessThan(0.01);
    }
  });

  test.runIf(DEPTH > 1)('has indices within their bootstrap intervals', () => {
    let [held, all] = [0, 0];
    for (let seed = 0n; seed < 20n; seed++) {
      const { indices = [] } = computeSobolIndices(sampled(ishigami, 3, 256, seed, 2), seed);
      for (const [i, { firstCi95, totalCi95 }] of indices.entries()) {
        for (const [[low, high], truth] of [
          [firstCi95, ISHIGAMI.first[i] ?? 0],
          [totalCi95, ISHIGAMI.total[i] ?? 0],
        ] as const) {
          all++;
          if (low <= truth && truth <= high) held++;
        }
      }
    }
    // 120 intervals at 95 %, correlated in groups of six: fewer than 105 cover with probability below 1e-4.
    expect(all).toBe(120);
    expect(held).toBeGreaterThanOrEqual(105);
  });
});

describe('noise in the cells as large as the signal', () => {
  const noise = Math.sqrt(2 * ISHIGAMI.variance);
  const runs = Array.from({ length: 60 }, (_, seed) => sampled(ishigami, 3, 512, BigInt(seed), noise));
  const found = runs.map((points) => computeSobolIndices(points, 1n));

  test('does not bias the indices or the variance', () => {
    for (const [i, first] of ISHIGAMI.first.entries()) {
      // A ratio of means has a bias of the order of 1 / 512. 4.5 standard errors: probability 7e-6 each.
      const firstZ = zOf(
        found.map((each) => firsts(each)[i] ?? 0),
        first,
      );
      const totalZ = zOf(
        found.map((each) => totals(each)[i] ?? 0),
        ISHIGAMI.total[i] ?? 0,
      );
      expect(Math.abs(firstZ)).toBeLessThan(4.5);
      expect(Math.abs(totalZ)).toBeLessThan(4.5);
    }
    expect(
      Math.abs(
        zOf(
          found.map(({ variance }) => variance),
          ISHIGAMI.variance,
        ),
      ),
    ).toBeLessThan(4.5);
  });

  test.runIf(DEPTH > 1)('strongly biases indices from whole cells', () => {
    const whole = ([one, other]: readonly [number, number]) => [(one + other) / 2, (one + other) / 2] as const;
    const plain = runs.map((points) =>
      computeSobolIndices(
        points.map((point): BasePoint => point.map(whole)),
        1n,
      ),
    );
    // Half of the variance between cells is noise, half of it independent: the third total is (0.2437 + 0.5) / 2.
    const mean = (read: (each: SobolIndices) => number[], i: number): number =>
      meanOf(plain.map((each) => read(each)[i] ?? 0));
    expect(Math.abs(mean(totals, 2) - (0.2437 + 0.5) / 2)).toBeLessThan(0.02);
    expect(Math.abs(mean(firsts, 1) - 0.4424 / 2)).toBeLessThan(0.02);
    expect(Math.abs(mean(firsts, 0) - (0.3139 + 0.5) / 2)).toBeLessThan(0.02);
  });

  test('is reported separately from the variance', () => {
    expect(meanOf(found.map((each) => each.noise))).toBeCloseTo(0.5, 1);
  });
});

describe('Sobol’s g-function', () => {
  const a = [0, 1, 4.5, 9, 99, 99, 99, 99];

  test.runIf(DEPTH > 1)('has accurate indices in eight dimensions', () => {
    const truth = gIndices(a);
    expect(truth.first[0]).toBeCloseTo(0.7162, 3);
    const found = computeSobolIndices(sampled(gFunction(a), 8, 4096, 5n), 1n);
    for (const [i, first] of truth.first.entries()) {
      expect(Math.abs((firsts(found)[i] ?? 0) - first)).toBeLessThan(0.01);
      expect(Math.abs((totals(found)[i] ?? 0) - (truth.total[i] ?? 0))).toBeLessThan(0.01);
    }
  });

  test('has small total indices for dimensions without effect, with noise', () => {
    const found = computeSobolIndices(sampled(gFunction(a), 8, 1024, 6n, 0.5), 1n);
    const { first = 0, totalCi95: [low] = [0] } = found.indices?.[0] ?? {};
    expect(low).toBeGreaterThan(0.5);
    expect(first).toBeGreaterThan(0.5);
    for (const { totalCi95 } of found.indices?.slice(4) ?? []) {
      expect(totalCi95[0]).toBeLessThan(0.02);
      expect(totalCi95[1]).toBeLessThan(0.2);
    }
  });
});

test('a constant function has no indices', () => {
  expect(
    computeSobolIndices(
      sampled(() => 0.3, 2, 16, 1n),
      1n,
    ),
  ).toEqual({ variance: 0, noise: 0, indices: undefined });
  const noisy = Array.from({ length: 40 }, (_, seed) =>
    computeSobolIndices(
      sampled(() => 0.3, 2, 16, BigInt(seed), 1),
      1n,
    ),
  );
  const none = noisy.filter(({ indices }) => indices === undefined);
  // The estimate of a variance of 0 is negative in about half of the runs: outside 8..32 of 40 with odds below 1e-4.
  expect(none.length).toBeGreaterThan(8);
  expect(none.length).toBeLessThan(33);
  expect(none.every(({ variance, noise }) => variance === 0 && noise === 1)).toBe(true);
});

test('the same seed gives the same intervals', () => {
  const points = sampled(ishigami, 3, 64, 2n, 1);
  expect(computeSobolIndices(points, 4n)).toEqual(computeSobolIndices(points, 4n));
  expect(computeSobolIndices(points, 5n).indices?.[0]?.firstCi95).not.toEqual(
    computeSobolIndices(points, 4n).indices?.[0]?.firstCi95,
  );
});
