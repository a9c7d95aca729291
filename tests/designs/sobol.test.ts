import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Design } from '../../src/analysis/designs/design.ts';
import {
  createPlainSobolDesign,
  createSobolDesign,
  JOE_KUO,
  SOBOL_DIMENSIONS,
} from '../../src/analysis/designs/sobol-design.ts';
import { InputError } from '../../src/core/errors.ts';
import { DEPTH, some } from '../depth.ts';

const TWO32 = 2 ** 32;

/** Returns coordinate d of a point in units of 2^-32. */
const fraction = (design: Design, k: number, d: number): number => (design.point(k)[d] ?? Number.NaN) * TWO32;

/** Returns the bits in which two fractions differ. */
const differing = (a: number, b: number): number => (a ^ b) >>> 0;

/** Counts the points from..from+2^(m+n)-1 in each of the 2^m by 2^n boxes of two dimensions. */
function boxes(design: Design, from: number, [d, m]: [number, number], [e, n]: [number, number]): number[] {
  const counts = new Array<number>(2 ** (m + n)).fill(0);
  for (let k = from; k < from + 2 ** (m + n); k++) {
    const point = design.point(k);
    const box = Math.floor((point[d] ?? 0) * 2 ** m) * 2 ** n + Math.floor((point[e] ?? 0) * 2 ** n);
    counts[box] = (counts[box] ?? 0) + 1;
  }
  return counts;
}

test('JOE_KUO equals lines 2 to 256 of new-joe-kuo-6.21201 with single spaces', () => {
  const lines = JOE_KUO.trim()
    .split(/\s+/)
    .map((entry, e) => {
      const [a = '', initial = ''] = entry.split(':');
      const numbers = initial.split(',');
      return [e + 2, numbers.length, a, ...numbers].join(' ');
    });
  const digest = createHash('sha256').update(lines.join('\n')).digest('hex');
  expect(digest).toBe('f5099a29cf03c97a0c16dbb40ae5a9ccd4668948bb2b752e9f4432b1c7901855');
});

describe('the unscrambled Sobol sequence', () => {
  test('starts with the points published by Joe and Kuo in Gray code order', () => {
    const published = [
      [0, 0, 0],
      [0.5, 0.5, 0.5],
      [0.75, 0.25, 0.25],
      [0.25, 0.75, 0.75],
      [0.375, 0.375, 0.625],
      [0.875, 0.875, 0.125],
      [0.625, 0.125, 0.875],
      [0.125, 0.625, 0.375],
      [0.1875, 0.3125, 0.9375],
      [0.6875, 0.8125, 0.4375],
    ];
    const design = createPlainSobolDesign(3, 16);
    expect(published.map((_, n) => [...design.point(n ^ (n >> 1))])).toEqual(published);
  });

  test('has the known points 2^i in the first and second dimension', () => {
    const design = createPlainSobolDesign(2, TWO32);
    const odd = (i: number, r: number): boolean => (i & r) === r; // C(i, r), by E. Kummer
    for (let i = 0; i < 32; i++) {
      const column = Array.from({ length: i + 1 }, (_, r) => (odd(i, r) ? 2 ** (31 - r) : 0));
      expect(fraction(design, 2 ** i, 0)).toBe(2 ** (31 - i));
      expect(fraction(design, 2 ** i, 1)).toBe(column.reduce((sum, bit) => sum + bit, 0));
    }
  });

  test('equals a recursive computation in Gray code order around point 2^20', () => {
    const dimensions = 5;
    const design = createPlainSobolDesign(dimensions, TWO32);
    const directions = Array.from({ length: 32 }, (_, i) =>
      Array.from({ length: dimensions }, (__, d) => fraction(design, 2 ** i, d)),
    );
    const at = new Array<number>(dimensions).fill(0);
    for (let n = 1; n <= 2 ** 20 + 200; n++) {
      const flipped = directions[31 - Math.clz32(n & -n)];
      for (let d = 0; d < dimensions; d++) at[d] = differing(at[d] ?? 0, flipped?.[d] ?? 0);
      if (n < 2 ** 20 - 200) continue;
      const point = [...design.point(n ^ (n >> 1))].map((x) => x * TWO32);
      expect(point).toEqual(at);
    }
  });

  test('has points around 2^20, 2^31 and 2^32 that are XORs of lower points', () => {
    const design = createPlainSobolDesign(SOBOL_DIMENSIONS, TWO32);
    for (const base of [2 ** 20, 2 ** 31, 2 ** 31 + 2 ** 30]) {
      for (const k of [0, 1, 2, 777, 2 ** 20 - 1]) {
        for (const d of [0, 1, 2, 17, 64, 255]) {
          const sum = differing(fraction(design, base, d), fraction(design, k, d));
          expect(fraction(design, base + k, d)).toBe(sum);
        }
      }
    }
    const last = design.point(TWO32 - 1);
    expect(last[0]).toBe(1 - 1 / TWO32);
    expect([...last].every((x) => x >= 0 && x < 1)).toBe(true);
  });

  test('has direction numbers with distinct lowest bits in every dimension', () => {
    const design = createPlainSobolDesign(SOBOL_DIMENSIONS, TWO32);
    for (let i = 0; i < 32; i++) {
      for (const x of design.point(2 ** i)) expect((x * TWO32) % 2 ** (32 - i)).toBe(2 ** (31 - i));
    }
  });
});

describe.each([
  ['plain', (dimensions: number) => createPlainSobolDesign(dimensions, TWO32)],
  ['scrambled', (dimensions: number) => createSobolDesign(dimensions, TWO32, 7n)],
])('elementary intervals of the %s sequence', (_, designOf) => {
  test.runIf(DEPTH > 1).each(some([2 ** 20, 0, 2 ** 31]))(
    'contain one of 1024 points from %i in each of 1024 strata of every dimension',
    (from) => {
      const design = designOf(256);
      const seen = Array.from({ length: 256 }, () => new Set<number>());
      for (let k = from; k < from + 1024; k++) {
        for (const [d, x] of design.point(k).entries()) seen[d]?.add(Math.floor(x * 1024));
      }
      expect(seen.map(({ size }) => size)).toEqual(new Array(256).fill(1024));
    },
  );

  test('contain one point per box of any shape in two dimensions: a (0, 2)-sequence', () => {
    const design = designOf(2);
    for (const from of [0, 2 ** 20, 2 ** 31]) {
      for (let m = 0; m <= 10; m++) expect(new Set(boxes(design, from, [0, m], [1, 10 - m]))).toEqual(new Set([1]));
    }
  });

  test('contain one of 2^12 points in each orthant of 12 dimensions (property A of Sobol)', () => {
    const design = designOf(12);
    const met = new Set<number>();
    for (let k = 0; k < 2 ** 12; k++) met.add(design.point(k).reduce((sum, x) => sum * 2 + Math.floor(2 * x), 0));
    expect(met.size).toBe(2 ** 12);
  });
});

describe('scrambling', () => {
  test('keeps the number of leading bits that two points share', () => {
    const plain = createPlainSobolDesign(4, 4096);
    const design = createSobolDesign(4, 4096, 11n);
    for (let k = 1; k < 4096; k += 13) {
      for (let d = 0; d < 4; d++) {
        const before = differing(fraction(plain, k, d), fraction(plain, k - 1, d));
        const after = differing(fraction(design, k, d), fraction(design, k - 1, d));
        expect(Math.clz32(after)).toBe(Math.clz32(before));
      }
    }
  });

  test('distributes a point uniformly over the seeds in each dimension', () => {
    for (const [k, d] of [
      [0, 0],
      [5, 1],
      [2 ** 31, 7],
    ] as const) {
      const counts = new Array<number>(16).fill(0);
      for (let seed = 0n; seed < 1600n; seed++) {
        const cell = Math.floor((createSobolDesign(d + 1, TWO32, seed).point(k)[d] ?? 0) * 16);
        counts[cell] = (counts[cell] ?? 0) + 1;
      }
      const chiSquare = counts.reduce((sum, count) => sum + (count - 100) ** 2 / 100, 0);
      expect(chiSquare).toBeLessThan(50); // 15 degrees of freedom: exceeded with probability 1.2e-5
    }
  });

  test('flips nodes of a level independently, unlike a digital shift', () => {
    const plain = createPlainSobolDesign(1, 2 ** 12);
    const design = createSobolDesign(1, 2 ** 12, 3n);
    const flips = Array.from({ length: 2 ** 12 }, (_, k) => differing(fraction(plain, k, 0), fraction(design, k, 0)));
    const tenth = flips.map((flip) => (flip >>> 22) & 1).reduce((sum, bit) => sum + bit, 0);
    // 512 nodes at level 9 with eight points each: 8 * Binomial(512, 1/2), within 6 standard deviations of the mean.
    expect(Math.abs(tenth - 2048)).toBeLessThan(6 * 8 * Math.sqrt(128));
  });

  test('integrates a smooth function with less than 1/20 of the random error', () => {
    const product = (point: Float64Array): number => point.reduce((all, x) => all * (1 + (x - 0.5)), 1);
    const errors = Array.from({ length: 20 }, (_, seed) => {
      const design = createSobolDesign(6, 1024, BigInt(seed));
      let sum = 0;
      for (let k = 0; k < 1024; k++) sum += product(design.point(k));
      return sum / 1024 - 1;
    });
    const rms = Math.sqrt(errors.reduce((sum, error) => sum + error * error, 0) / 20);
    // The standard deviation of the function is ((13/12)^6 - 1)^(1/2) = 0.785, over 1024^(1/2): 0.0245 if random.
    expect(rms).toBeLessThan(0.0245 / 20);
  });

  test('depends on the seed, but not on points and dimensions of the design', () => {
    expect([...createSobolDesign(3, 2 ** 20, 5n).point(9)]).toEqual([
      ...createSobolDesign(7, 16, 5n).point(9).slice(0, 3),
    ]);
    expect([...createSobolDesign(3, 16, 6n).point(9)]).not.toEqual([...createSobolDesign(3, 16, 5n).point(9)]);
  });
});

test('createSobolDesign rejects invalid dimensions and numbers of points', () => {
  expect(() => createSobolDesign(257, 8, 1n)).toThrow(InputError);
  expect(() => createSobolDesign(0, 8, 1n)).toThrow(InputError);
  expect(() => createSobolDesign(2, 0, 1n)).toThrow(InputError);
  expect(() => createSobolDesign(2, TWO32 + 1, 1n)).toThrow(InputError);
});
