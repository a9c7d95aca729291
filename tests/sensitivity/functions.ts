/** Functions on the unit cube with known sensitivity indices, with and without noise. */

import { countRows, createSaltelliDesign } from '../../src/analysis/designs/sobol-design.ts';
import type { BasePoint } from '../../src/analysis/sensitivity/sobol.ts';
import { Stream } from '../../src/core/chance/stream.ts';

export type OnCube = (x: ArrayLike<number>) => number;

/** Function of T. Ishigami and T. Homma (1990), with a = 7, b = 0.1 on -pi..pi. */
export const ishigami: OnCube = (x) => {
  const [u, v, w] = [0, 1, 2].map((d) => Math.PI * (2 * (x[d] ?? 0) - 1)) as [number, number, number];
  return Math.sin(u) + 7 * Math.sin(v) ** 2 + 0.1 * w ** 4 * Math.sin(u);
};

/** Variance, first-order and total indices of the Ishigami function. */
export const ISHIGAMI = (() => {
  const [a, b, p] = [7, 0.1, Math.PI ** 4];
  const one = (1 + (b * p) / 5) ** 2 / 2;
  const two = (a * a) / 8;
  const both = (b * b * p * p * 8) / 225;
  const variance = one + two + both;
  return {
    variance,
    first: [one, two, 0].map((part) => part / variance),
    total: [one + both, two, both].map((part) => part / variance),
  };
})();

/** Creates I. M. Sobol's g-function with these coefficients. */
export const gFunction =
  (a: readonly number[]): OnCube =>
  (x) =>
    a.reduce((product, ai, d) => (product * (Math.abs(4 * (x[d] ?? 0) - 2) + ai)) / (1 + ai), 1);

export function gIndices(a: readonly number[]) {
  const parts = a.map((ai) => 1 / (3 * (1 + ai) ** 2));
  const variance = parts.reduce((product, part) => product * (1 + part), 1) - 1;
  const total = parts.map((part) => (part * (variance + 1)) / (1 + part) / variance);
  return { variance, first: parts.map((part) => part / variance), total };
}

/**
 * Draws an approximately normal value: the sum of twelve uniform values minus six has the first three moments of the
 * standard normal distribution and nearly the same fourth.
 */
export function normal(stream: Stream): number {
  let sum = -6;
  for (let i = 0; i < 12; i++) sum += stream.word() / 2 ** 32;
  return sum;
}

/**
 * Creates rows of Saltelli's scheme with values of a function and noise of this standard deviation in each half. Half
 * of the variance is independent for each cell. The cells of a base point share the other half, scaled by their first
 * coordinate.
 */
export function sampled(f: OnCube, dimensions: number, points: number, seed: bigint, noise = 0): BasePoint[] {
  const design = createSaltelliDesign(dimensions, points, seed);
  const rows = countRows(dimensions);
  return Array.from({ length: points }, (_, j) => {
    const stream = Stream.forBattle(seed, j);
    const shared = [normal(stream), normal(stream)] as const;
    return Array.from({ length: rows }, (__, row) => {
      const x = design.point(j * rows + row);
      const tilt = Math.sqrt(3) * (2 * (x[0] ?? 0) - 1);
      const [value, scale] = [f(x), noise / Math.SQRT2];
      const half = (luck: number): number => (noise === 0 ? value : value + scale * (normal(stream) + luck * tilt));
      return [half(shared[0]), half(shared[1])] as const;
    });
  });
}

/** M. D. Morris's function of twenty factors (1991), with alternating instead of random remaining coefficients. */
export const morrisFunction: OnCube = (x) => {
  const w = Array.from({ length: 20 }, (_, i) => {
    const xi = x[i] ?? 0;
    return [2, 4, 6].includes(i) ? 2 * ((1.1 * xi) / (xi + 0.1) - 0.5) : 2 * (xi - 0.5);
  });
  const at = (i: number): number => w[i] ?? 0;
  let y = 0;
  for (let i = 0; i < 20; i++) {
    y += (i < 10 ? 20 : (-1) ** (i + 1)) * at(i);
    for (let j = i + 1; j < 20; j++) {
      y += (j < 6 ? -15 : (-1) ** (i + j)) * at(i) * at(j);
      for (let l = j + 1; l < 5; l++) {
        y -= 10 * at(i) * at(j) * at(l);
        for (let s = l + 1; s < 4; s++) y += 5 * at(i) * at(j) * at(l) * at(s);
      }
    }
  }
  return y;
};
