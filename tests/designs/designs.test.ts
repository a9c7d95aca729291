import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { describe, expect, test } from 'vitest';
import {
  createLatinHypercube,
  createMorrisTrajectories,
  createPermutation,
  createRandomDesign,
  createStudyStream,
  drawAt,
} from '../../src/analysis/designs/design.ts';
import { countRows, createSaltelliDesign, createSobolDesign } from '../../src/analysis/designs/sobol-design.ts';
import { computeBattleKey, computeStudyKey, MAX_SEED, Stream } from '../../src/core/chance/stream.ts';
import { InputError } from '../../src/core/errors.ts';
import { DEPTH } from '../depth.ts';

/** Computes the chi-square statistic of counts with equal expectations. */
function chiSquare(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

const numbers = (length: number): number[] => Array.from({ length }, (_, i) => i);

test('keys of studies differ from keys of battles and of other studies in the run', () => {
  const keys = new Set<bigint>();
  for (const seed of [0n, 1n, MAX_SEED]) {
    for (const index of [0, 1, 2, 3, 2 ** 32, 2 ** 53 - 1]) keys.add(computeBattleKey(seed, index));
    for (let study = 0; study < 8; study++) for (let d = 0; d < 100; d++) keys.add(computeStudyKey(seed, study, d));
  }
  expect(keys.size).toBe(3 * (6 + 800));
});

describe('drawAt', () => {
  test.each([2, 64, 2 ** 20, 2 ** 24])('draws from 0..%i-1 uniformly, in any order, from one word', (below) => {
    const stream = createStudyStream('strata', 1n, 0);
    const inOrder = numbers(5000).map((place) => drawAt(stream, place, below));
    expect(numbers(5000).map((place) => drawAt(stream, 4999 - place, below))).toEqual(inOrder.toReversed());
    expect(stream.getState()[2]).toBe(1);
    expect(inOrder.every((draw) => Number.isInteger(draw) && draw >= 0 && draw < below)).toBe(true);
    const halves = [0, 1].map((half) => inOrder.filter((draw) => Math.floor((2 * draw) / below) === half).length);
    expect(chiSquare(halves)).toBeLessThan(20); // 1 degree of freedom: exceeded with probability 8e-6
  });

  test('reaches the last word of a stream', () => {
    const stream = Stream.fromKey(5n);
    const drawn = drawAt(stream, 2 ** 32 - 1, 2 ** 24);
    stream.seek(2 ** 32 - 1);
    expect(drawn).toBe(stream.word() & 0xffffff);
  });
});

describe('permutations', () => {
  test.each([1, 2, 3, 5, 64, 1000, 4096, 4097, 65_537])('of %i contain every value once', (size) => {
    const places = createPermutation(size, createStudyStream('strata', 1n, 0));
    expect(new Set(numbers(size).map(places)).size).toBe(size);
    expect(numbers(size).every((k) => places(k) >= 0 && places(k) < size)).toBe(true);
  });

  test('of 2^32 return distinct values without a table', () => {
    const places = createPermutation(2 ** 32, createStudyStream('strata', 1n, 0));
    const found = numbers(2000).map((k) => places(2 ** 32 - 1 - k * 2_000_003));
    expect(new Set(found).size).toBe(2000);
    expect(found.every((place) => Number.isInteger(place) && place >= 0 && place < 2 ** 32)).toBe(true);
    expect(found.some((place) => place > 2 ** 31)).toBe(true);
  });

  test.runIf(DEPTH > 1)('of 4 have all 24 orders equally often over the seeds', () => {
    const counts = new Map<string, number>();
    for (let seed = 0n; seed < 1200n; seed++) {
      const order = numbers(4)
        .map(createPermutation(4, createStudyStream('strata', seed, 0)))
        .join('');
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    expect(counts.size).toBe(24);
    expect(chiSquare([...counts.values()])).toBeLessThan(65); // 23 degrees of freedom: exceeded with probability 7e-6
  });

  test('of 4096 move neighbors as far apart as random permutations', () => {
    const places = createPermutation(4096, createStudyStream('strata', 9n, 0));
    const gaps = numbers(4095).map((k) => Math.abs(places(k + 1) - places(k)));
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    // Random mean distance: (n + 1) / 3, standard deviation n / sqrt(18) per distance. Limit: six standard errors.
    expect(Math.abs(mean - 4097 / 3)).toBeLessThan((6 * 4096) / Math.sqrt(18 * 4095));
  });
});

describe('Latin hypercubes', () => {
  test.each([1, 2, 7, 100, 5000])('of %i points have each stratum once in each dimension', (points) => {
    const design = createLatinHypercube(3, points, 4n);
    for (let d = 0; d < 3; d++) {
      const strata = new Set(numbers(points).map((k) => Math.floor((design.point(k)[d] ?? 1) * points)));
      expect(strata).toEqual(new Set(numbers(points)));
    }
  });

  test('of ten million points return any point without a table', () => {
    const design = createLatinHypercube(4, 1e7, 4n);
    const strata = numbers(2000).map((k) => Math.floor((design.point(k * 5000)[2] ?? 1) * 1e7));
    expect(new Set(strata).size).toBe(2000);
    expect(chiSquare(numbers(10).map((c) => strata.filter((s) => Math.floor(s / 1e6) === c).length))).toBeLessThan(40);
  });

  test('of 2^32 points have coordinates below 1, also in the last stratum', () => {
    const design = createLatinHypercube(1, 2 ** 32, 4n);
    const xs = numbers(5000).map((k) => design.point(k * 858_993)[0] ?? 1);
    expect(xs.every((x) => x > 0 && x < 1)).toBe(true);
    expect((2 ** 32 - 1 + (2 ** 20 - 0.5) / 2 ** 20) / 2 ** 32).toBeLessThan(1);
  });

  test('have uniform points in their strata and independent dimensions', () => {
    const points = 4000;
    const design = createLatinHypercube(2, points, 8n);
    const all = numbers(points).map((k) => design.point(k));
    const within = new Array<number>(10).fill(0);
    const boxes = new Array<number>(16).fill(0);
    const places = new Array<number>(16).fill(0);
    for (const [x = 0, y = 0] of all) {
      const cell = Math.floor(((x * points) % 1) * 10);
      within[cell] = (within[cell] ?? 0) + 1;
      const box = Math.floor(x * 4) * 4 + Math.floor(y * 4);
      boxes[box] = (boxes[box] ?? 0) + 1;
      const place = Math.floor(((x * points) % 1) * 4) * 4 + Math.floor(((y * points) % 1) * 4);
      places[place] = (places[place] ?? 0) + 1;
    }
    expect(chiSquare(places)).toBeLessThan(50); // 15 degrees of freedom: exceeded with probability 1.2e-5
    expect(chiSquare(within)).toBeLessThan(40); // 9 degrees of freedom: exceeded with probability 8e-6
    expect(chiSquare(boxes)).toBeLessThan(42); // 9 degrees of freedom, because the margins are fixed
  });
});

test('random points are uniform in the cube and depend only on seed and index', () => {
  const design = createRandomDesign(3, 4000, 2n);
  const cells = new Array<number>(64).fill(0);
  for (let k = 0; k < 4000; k++) {
    const cell = design.point(k).reduce((sum, x) => sum * 4 + Math.floor(x * 4), 0);
    cells[cell] = (cells[cell] ?? 0) + 1;
  }
  expect(chiSquare(cells)).toBeLessThan(123); // 63 degrees of freedom: exceeded with probability 1e-5
  expect([...design.point(3999)]).toEqual([...createRandomDesign(3, 1e9, 2n).point(3999)]);
});

test('random points equal pure-rand draws for any number of points and dimensions', () => {
  const stream = Stream.fromKey(computeStudyKey(2n, 0, 77));
  const due = numbers(6).map(() => uniformFloat64(stream));
  expect([...createRandomDesign(6, 100, 2n).point(77)]).toEqual(due);
  expect([...createRandomDesign(2, 2 ** 32, 2n).point(77)]).toEqual(due.slice(0, 2));
  expect(new Set(numbers(500).flatMap((k) => [...createRandomDesign(2, 500, 2n).point(k)])).size).toBe(1000);
});

test('Saltelli’s design has the rows A, B, and A with one coordinate of B', () => {
  const design = createSaltelliDesign(3, 8, 1n);
  expect([countRows(3), design.points, design.dimensions]).toEqual([5, 40, 3]);
  for (let j = 0; j < 8; j++) {
    const [a, b, ...mixed] = numbers(5).map((row) => [...design.point(5 * j + row)]);
    for (const [i, row] of mixed.entries()) expect(row).toEqual(a?.map((x, d) => (d === i ? b?.[d] : x)));
    expect(a?.every((x, d) => x !== b?.[d])).toBe(true);
  }
});

describe('Morris’s trajectories', () => {
  const levels = [4, 31, 2, 5];
  const design = createMorrisTrajectories(levels, 6000, 3n);

  test('change every coordinate once by half the levels, within the grid', () => {
    for (let t = 0; t < 500; t++) {
      const { order, steps, points } = design.trajectory(t);
      expect(new Set(order)).toEqual(new Set([0, 1, 2, 3]));
      expect(steps.map(Math.abs)).toEqual([2, 15, 1, 2]);
      expect(points).toHaveLength(5);
      for (const [i, moving] of order.entries()) {
        const moved = points[i + 1]?.map((level, d) => level - (points[i]?.[d] ?? 0));
        expect(moved).toEqual(steps.map((step, d) => (d === moving ? step : 0)));
      }
      expect(points.flat().every((level, p) => level >= 0 && level < (levels[p % 4] ?? 0))).toBe(true);
    }
  });

  test('have equally frequent levels of an even grid, orders and directions', () => {
    const four = new Array<number>(4).fill(0);
    const orders = new Map<string, number>();
    let up = 0;
    for (let t = 0; t < 6000; t++) {
      const { order, steps, points } = design.trajectory(t);
      for (const point of [points[0], points[4]]) four[point?.[0] ?? 0] = (four[point?.[0] ?? 0] ?? 0) + 1;
      orders.set(order.join(''), (orders.get(order.join('')) ?? 0) + 1);
      up += (steps[1] ?? 0) > 0 ? 1 : 0;
    }
    // Pairs of levels (0, 2) and (1, 3): 1 degree of freedom; each trajectory counts twice.
    expect(chiSquare(four)).toBeLessThan(2 * 20);
    expect(orders.size).toBe(24);
    expect(chiSquare([...orders.values()])).toBeLessThan(65);
    expect(Math.abs(up - 3000)).toBeLessThan(4.5 * Math.sqrt(1500));
  });

  test('depend only on seed and number', () => {
    expect(createMorrisTrajectories(levels, 1e6, 3n).trajectory(77)).toEqual(design.trajectory(77));
    expect(design.trajectory(78)).not.toEqual(design.trajectory(77));
  });
});

test('points never change, because stores identify cells of a design by seed and number', () => {
  expect([...createRandomDesign(2, 1000, 42n).point(7)]).toEqual([0.616723319547061, 0.9873503611190277]);
  expect([...createLatinHypercube(2, 1000, 42n).point(7)]).toEqual([0.08548025751113891, 0.07090254259109498]);
  expect([...createSobolDesign(2, 1000, 42n).point(7)]).toEqual([0.14379193680360913, 0.7152402058709413]);
  expect(createMorrisTrajectories([4, 10], 100, 42n).trajectory(7).points).toEqual([
    [1, 3],
    [3, 3],
    [3, 8],
  ]);
});

test('designs with invalid sizes are rejected', () => {
  expect(() => createRandomDesign(0, 5, 1n)).toThrow(InputError);
  expect(() => createLatinHypercube(2, 0.5, 1n)).toThrow(InputError);
  expect(() => createLatinHypercube(2, 2 ** 32 + 1, 1n)).toThrow(InputError);
  expect(() => createSaltelliDesign(129, 8, 1n)).toThrow(InputError);
  expect(() => createMorrisTrajectories([4, 1], 8, 1n)).toThrow(InputError);
});
