/** Intervals of standard deviations and quantiles: coverage for known distributions, and limits. */
import { describe, expect, test } from 'vitest';
import { computeDeviationInterval } from '../../src/stats/deviation-interval.ts';
import type { Interval } from '../../src/stats/intervals.ts';
import { computeQuantileInterval } from '../../src/stats/quantile-interval.ts';
import { computeRealSampleMoments, computeSampleMoments } from '../../src/stats/sample-moments.ts';
import { DEPTH } from '../depth.ts';
import { drawInto, type Law, uniformOf, varianceOf } from './draws.ts';
import { covers, share } from './studies.ts';

const RUNS = DEPTH === 1 ? 300 : 2000;

/** Required coverage. With a true coverage of 95 %, less is found with probability 0.009 (300 runs) or 0.02 (2 000). */
const LEAST = DEPTH === 1 ? 0.92 : 0.94;

const SIZES = [30, 300, 3000, 30_000] as const;
const SHARES = [0.05, 0.5, 0.95] as const;

const coin = (p: number): Law => [
  [0, 1 - p],
  [1, p],
];

/** Creates a distribution of 0, 1 and 2: one of them with probability p, the others equally likely. */
const between = (p: number, third: 1 | 2): Law =>
  [0, 1, 2].map((value) => [value, value === third ? p : (1 - p) / 2] as const);

const even = (low: number, high: number): Law =>
  Array.from({ length: high - low + 1 }, (_, k) => [low + k, 1 / (high - low + 1)] as const);

const geometric = (p: number): Law => Array.from({ length: 200 }, (_, k) => [k + 1, p * (1 - p) ** k] as const);

const rarely = (value: number, p: number): Law => [
  ...even(5, 15).map(([each, q]) => [each, q * (1 - p)] as const),
  [value, p],
];

const LAWS: readonly (readonly [name: string, law: Law, range: Interval])[] = [
  ['0, or 1 with 0.001', coin(0.001), [0, 1]],
  ['0, or 1 with 0.01', coin(0.01), [0, 1]],
  ['0, or 1 with 0.1', coin(0.1), [0, 1]],
  ['0, or 1 with 0.3', coin(0.3), [0, 1]],
  ['0, or 1 with 0.4', coin(0.4), [0, 1]],
  ['0, or 1 with 0.4754', coin(0.4754), [0, 1]],
  ['0, or 1 with 0.4787', coin(0.4787), [0, 1]],
  ['0, or 1 with 0.5', coin(0.5), [0, 1]],
  ['0, or 1 with 0.6', coin(0.6), [0, 1]],
  ['0, or 1 with 0.7', coin(0.7), [0, 1]],
  ['0, or 1 with 0.48, of 0..9', coin(0.48), [0, 9]],
  ['0 or 1, or 2 with 0.001', between(0.001, 2), [0, 2]],
  ['0 or 2, or 1 with 0.001', between(0.001, 1), [0, 2]],
  ['0 or 2, or 1 with 0.01', between(0.01, 1), [0, 2]],
  ['0 or 2, or 1 with 0.1', between(0.1, 1), [0, 2]],
  ['1..10', even(1, 10), [0, 10]],
  ['1..1000', even(1, 1000), [0, 1000]],
  ['geometric, 0.2', geometric(0.2), [0, 200]],
  ['5..15, or 1000 with 1e-4', rarely(1000, 1e-4), [0, 1000]],
];

type Pairs = readonly (readonly [value: number, count: number])[];

/** Returns the values of `size` draws with their counts. */
function drawn(exactDistribution: Law, size: number, run: number): Pairs {
  const counts = exactDistribution.map(() => 0);
  drawInto(counts, exactDistribution, size, uniformOf(5n, run));
  return exactDistribution.map(([value], k) => [value, counts[k] ?? 0] as const).filter(([, count]) => count > 0);
}

function quantileOf(exactDistribution: Law, share: number): number {
  let below = 0;
  const found = exactDistribution.find(([, p]) => {
    below += p;
    return below >= share * (1 - 1e-12);
  });
  return found?.[0] ?? Number.NaN;
}

describe.each(LAWS)('%s', (name, exactDistribution, range) => {
  test('intervals of standard deviations and quantiles have a coverage of 95 %', () => {
    const rows = SIZES.map((size) => {
      const runs = Array.from({ length: RUNS }, (_, run) => drawn(exactDistribution, size, run));
      const of = (truth: number, interval: (pairs: Pairs) => Interval): number =>
        share(RUNS, (run) => covers(interval(runs[run] ?? []), truth));
      const deviation = of(Math.sqrt(varianceOf(exactDistribution)), (pairs) =>
        computeDeviationInterval(pairs, range, 1),
      );
      const quantiles = SHARES.map((q) =>
        of(quantileOf(exactDistribution, q), (pairs) => computeQuantileInterval(pairs, q, range)),
      );
      for (const found of [deviation, ...quantiles]) expect(found).toBeGreaterThanOrEqual(LEAST);
      return [deviation, Math.min(...quantiles)].map((found) => found.toFixed(3)).join(', ');
    });
    if (DEPTH > 1) process.stderr.write(`| ${name} | ${rows.join(' | ')} |\n`);
  });
});

describe('quantile intervals', () => {
  const ranks = (battles: number): Pairs => Array.from({ length: battles }, (_, k) => [k + 1, 1]);
  const at = (battles: number, q: number): Interval => computeQuantileInterval(ranks(battles), q, [-1, 10_000]);

  test('of distinct values equal the ranks in published tables', () => {
    // H. A. David and H. N. Nagaraja, Order Statistics, section 7.1: the median of 100 is between ranks 40 and 61.
    expect(at(100, 0.5)).toEqual([40, 61]);
    expect(at(6, 0.5)).toEqual([1, 6]);
    // Sums of binomial probabilities.
    expect(at(1000, 0.05)).toEqual([37, 65]);
    expect(at(1000, 0.95)).toEqual([936, 964]);
  });

  test('end at the range if there are too few battles', () => {
    expect(at(5, 0.5)).toEqual([-1, 10_000]);
    expect(at(50, 0.05)[0]).toBe(-1);
    expect(at(50, 0.95)[1]).toBe(10_000);
    expect(at(50, 0.95)[0]).toBe(44);
  });

  test('are correct for a billion battles', () => {
    const pairs: Pairs = [
      [3, 5e8 - 40_000],
      [4, 5e8 + 40_000],
    ];
    expect(computeQuantileInterval(pairs, 0.5, [0, 9])).toEqual([4, 4]);
    expect(computeQuantileInterval(pairs, 0.49997, [0, 9])).toEqual([3, 4]);
  });
});

describe('standard deviation intervals', () => {
  const pairs: Pairs = [
    [0, 600],
    [2, 400],
  ];

  test('contain the deviation near the middle and shrink with more battles', () => {
    const [low, high] = computeDeviationInterval(pairs, [0, 2]);
    const truth = 2 * Math.sqrt(0.24);
    expect(low).toBeCloseTo(truth - 0.0145, 3);
    expect(high).toBeCloseTo(truth + 0.013, 3);
    const more = computeDeviationInterval(
      pairs.map(([value, count]) => [value, 100 * count]),
      [0, 2],
    );
    expect((more[1] - more[0]) / (high - low)).toBeLessThan(0.15);
    expect(covers(more, truth)).toBe(true);
  });

  test('of two values with a share near one half have sufficient coverage', () => {
    // At this share and size, the interval from squares has its lowest coverage, 90 %.
    const [exactDistribution, size] = [coin(0.4754), 2000];
    const held = share(1000, (run) =>
      covers(
        computeDeviationInterval(drawn(exactDistribution, size, run), [0, 1], 1),
        Math.sqrt(varianceOf(exactDistribution)),
      ),
    );
    expect(held).toBeGreaterThanOrEqual(0.94);
  });

  test('allow for unobserved values: a wider range raises the upper end', () => {
    const [low, high] = computeDeviationInterval(pairs, [0, 200]);
    expect(low).toBeCloseTo(computeDeviationInterval(pairs, [0, 2])[0], 2);
    expect(high).toBeGreaterThan(10);
  });

  test('of a single value start at 0 and end at the largest possible deviation', () => {
    expect(computeDeviationInterval([[7, 1000]], [0, 10])[0]).toBe(0);
    expect(computeDeviationInterval([[7, 1000]], [0, 10])[1]).toBeCloseTo(7 * Math.sqrt(1 - 0.025 ** (1 / 1000)), 2);
    expect(computeDeviationInterval([[7, 1]], [0, 10])).toEqual([0, 5]);
    expect(computeDeviationInterval([[7, 5]], [7, 7])).toEqual([0, 0]);
  });
});

test('computeRealSampleMoments equals computeSampleMoments for integers', () => {
  const pairs: Pairs = [
    [-3, 5],
    [0, 70],
    [9, 2],
  ];
  const [one, other] = [computeRealSampleMoments(pairs, [-3, 9]), computeSampleMoments(pairs, [-3, 9])];
  expect(one.battles).toBe(77);
  for (const moment of ['mean', 'variance', 'thirdMoment'] as const) expect(one[moment]).toBeCloseTo(other[moment], 12);
  expect(computeRealSampleMoments([[0.1, 3e6]], [0, 1]).variance).toBe(0);
});
