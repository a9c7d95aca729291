import { describe, expect, test } from 'vitest';
import { Stream } from '../../src/core/chance/stream.ts';
import { ComparisonCounts, findTiedGroups } from '../../src/stats/comparison-counts.ts';
import { student95 } from '../../src/stats/intervals.ts';
import { normalUpper, studentUpper } from '../../src/stats/quantiles.ts';
import { countsIn } from './studies.ts';

const uniform = (stream: Stream): number => stream.word() / 2 ** 32;

/** Draws the values of all scenarios in one battle; a part of the random numbers is shared. */
function battleOf(stream: Stream, distributions: readonly ((u: number) => number)[], shared: number): number[] {
  const luck = uniform(stream);
  return distributions.map((exactDistribution) => {
    const [which, own] = [uniform(stream), uniform(stream)];
    return exactDistribution(which < shared ? luck : own);
  });
}

describe('gaps of ComparisonCounts', () => {
  test('between equal scenarios are ties with intervals for unobserved values', () => {
    const ranges = Array.from({ length: 2 }, () => [0, 6] as const);
    const counts = new ComparisonCounts({ shares: false, unit: 0.5, ranges });
    for (let battle = 0; battle < 1000; battle++) counts.count([battle % 7, battle % 7]);
    const [gap] = counts.gaps();
    expect(gap).toMatchObject({
      difference: 0,
      differing: 0,
      verdict: 'tie',
      varianceReduction: Number.POSITIVE_INFINITY,
    });
    expect(gap?.battlesNeeded).toBeUndefined();
    const never = 1 - 0.025 ** 0.001;
    expect(gap?.ci95).toEqual([expect.closeTo(-3 * never, 12), expect.closeTo(3 * never, 12)]);
    expect(gap?.unobserved).toBeCloseTo(6 * never, 12);
  });

  test('report a number of battles that distinguishes the scenarios with probability 80 %', () => {
    const distributions = [0.3, 0.36].map((p) => (u: number) => (u < p ? 1 : 0));
    const pilot = countsIn(2, true, [0, 5]);
    const stream = Stream.forBattle(5n, 0);
    for (let battle = 0; battle < 400_000; battle++) pilot.count(battleOf(stream, distributions, 0.6));
    const needed = pilot.gaps()[0]?.battlesNeeded ?? 0;
    let reported = 0;
    for (let study = 0; study < 500; study++) {
      const counts = countsIn(2, true, [0, 5]);
      for (let battle = 0; battle < needed; battle++) counts.count(battleOf(stream, distributions, 0.6));
      if (counts.gaps()[0]?.verdict === 'higher') reported++;
    }
    expect(reported / 500).toBeGreaterThan(0.74);
    expect(reported / 500).toBeLessThan(0.86);
  });

  test('after a single battle have intervals from the ranges of values', () => {
    const counts = countsIn(2, false, [0, 5]);
    counts.count([1, 5]);
    expect(counts.gaps()[0]).toMatchObject({ difference: 4, verdict: 'tie' });
    expect(counts.gaps()[0]?.ci95).toEqual([expect.closeTo(4 - 0.975 * 9, 9), expect.closeTo(4 + 0.975, 9)]);
  });

  test('that are constant in all battles have intervals for unobserved values', () => {
    const counts = countsIn(2, false, [0, 5]);
    for (let battle = 0; battle < 1000; battle++) counts.count([battle % 4, 1 + (battle % 4)]);
    const [gap] = counts.gaps();
    const never = 1 - 0.025 ** 0.001;
    expect(gap).toMatchObject({
      difference: 1,
      differing: 1000,
      verdict: 'higher',
      varianceReduction: Number.POSITIVE_INFINITY,
    });
    expect(gap?.ci95).toEqual([expect.closeTo(1 - 6 * never, 12), expect.closeTo(1 + 4 * never, 12)]);
    expect(counts.computeValues()[0]?.ci95[0]).toBeLessThan(1.5);
    const hasEqualResults = countsIn(2, false, [0, 5]);
    hasEqualResults.count([2, 3], 1000);
    expect(hasEqualResults.computeValues()[0]).toEqual({
      value: 2,
      ci95: [expect.closeTo(2 - 2 * never, 12), expect.closeTo(2 + 3 * never, 12)],
    });
  });
});

describe('findTiedGroups', () => {
  /** Parses pairs and groups of one-digit numbers: "01 02". */
  const digits = (text: string): number[][] =>
    text.split(' ').flatMap((word) => (word === '' ? [] : [Array.from(word, Number)]));

  test.each([
    ['', '012'],
    ['02', '01 12'],
    ['01 02', '0 12'],
    ['01 02 12', '0 1 2'],
    ['01', '02 12'],
  ])('for the distinct pairs "%s" returns the groups %s', (apart, groups) => {
    expect(findTiedGroups([0, 1, 2], digits(apart) as [number, number][])).toEqual(digits(groups));
  });

  test('returns groups in the order of their members', () => {
    expect(findTiedGroups([2, 0, 1], [[1, 2]])).toEqual(digits('20 01'));
  });
});

describe('quantiles', () => {
  test('of the normal distribution equal published tables', () => {
    expect(normalUpper(0.025)).toBeCloseTo(1.959963984540054, 11);
    expect(normalUpper(0.2)).toBeCloseTo(0.8416212335729143, 9);
    expect(normalUpper(0.0005)).toBeCloseTo(3.2905267314918945, 11);
  });

  test("of Student's distribution equal published tables", () => {
    for (const degrees of [1, 2, 3, 5, 10]) expect(studentUpper(0.025, degrees)).toBeCloseTo(student95(degrees), 3);
    const table = { 1: 636.619, 2: 31.599, 3: 12.924, 10: 4.587, 30: 3.646, 40: 3.551, 120: 3.373 };
    for (const [degrees, quantile] of Object.entries(table))
      expect(Math.abs(studentUpper(0.0005, Number(degrees)) / quantile - 1)).toBeLessThan(1e-3);
  });
});
