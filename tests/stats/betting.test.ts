/**
 * Confidence sequences by betting: at most 5 % of the runs have an interim analysis whose interval misses the mean, for
 * any distribution in the range. Of 500 runs that miss with 5 %, more than 44 miss with probability 1e-4. Seeds are
 * fixed.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ConfidenceSequence } from '../../src/stats/confidence-sequence.ts';
import { type Interval, Z95 } from '../../src/stats/intervals.ts';
import { computeSampleMoments } from '../../src/stats/sample-moments.ts';
import { some } from '../depth.ts';
import { drawInto, type Law, meanOf, uniformOf, varianceOf } from './draws.ts';
import { covers, sampleIn, share } from './studies.ts';

const RUNS = 500;
const TAIL = 0.025;

const coin = (p: number): Law => [
  [0, 1 - p],
  [1, p],
];

/**
 * Returns a function that simulates a run and returns true if the intervals of all interim analyses cover the mean.
 * Analyses follow each of the first 200 battles, then increasing numbers of battles.
 */
function alwaysHolds(exactDistribution: Law, range: Interval, most: number, seed: bigint) {
  const bets = new ConfidenceSequence(1 / most);
  const mean = meanOf(exactDistribution);
  return (run: number): boolean => {
    const [uniform, counts] = [uniformOf(seed, run), exactDistribution.map(() => 0)];
    let held = true;
    for (let battles = 0; battles < most && held; ) {
      const more = battles < 200 ? 1 : Math.ceil(battles / 20);
      drawInto(counts, exactDistribution, more, uniform);
      battles += more;
      held = covers(bets.interval(sampleIn(exactDistribution, counts, range), TAIL), mean);
    }
    return held;
  };
}

describe('intervals by betting cover the mean at all interim analyses', () => {
  test.each(
    some<[string, Law, Interval]>([
      ['a coin', coin(0.5), [0, 1]],
      ['one in twenty', coin(0.05), [0, 1]],
      ['one in a thousand', coin(0.001), [0, 1]],
      ['one in ten thousand', coin(0.0001), [0, 1]],
      ['nineteen in twenty', coin(0.95), [0, 1]],
      ['a coin in a wide range', coin(0.5), [-10, 1000]],
      [
        'mostly a little more, rarely far less',
        [
          [-100, 0.01],
          [1, 0.99],
        ],
        [-100, 1],
      ],
    ]),
  )('for %s', (_, exactDistribution, range) => {
    const found = share(RUNS, alwaysHolds(exactDistribution, range, 100_000, 7n));
    expect(found).toBeGreaterThanOrEqual(1 - 44 / RUNS);
  });
});

/** Log wealth of a gambler who bets the fraction `part` against the mean m per battle: see confidence-sequence.ts. */
function wealth(pairs: readonly (readonly [number, number])[], m: number, end: number, part: number): number {
  return pairs.reduce((sum, [x, count]) => sum + count * Math.log1p((part * (m - x)) / (end - m)), 0);
}

/** Lower bound of the log wealth, from two sums. */
function known(pairs: readonly (readonly [number, number])[], m: number, end: number, part: number): number {
  const cost = -Math.log(1 - part) - part;
  return pairs.reduce((sum, [x, count]) => {
    const y = (m - x) / (end - m);
    return sum + count * (part * y - cost * y * y);
  }, 0);
}

test('excluded means lose some bet, and interval ends equal the bound from two sums', () => {
  const value = fc.integer({ min: 0, max: 30 });
  const pairs = fc.uniqueArray(fc.tuple(value, fc.integer({ min: 1, max: 400 })), {
    minLength: 1,
    maxLength: 8,
    selector: ([x]) => x,
  });
  fc.assert(
    fc.property(pairs, (found) => {
      const [low, high] = new ConfidenceSequence(1e-3).interval(computeSampleMoments(found, [0, 30]), TAIL);
      const stakes = Array.from({ length: 11 }, (_, k) => 0.9 / 2 ** k);
      const reached = Math.log(stakes.length / TAIL);
      const most = (m: number, end: number): number => Math.max(...stakes.map((part) => wealth(found, m, end, part)));
      if (high < 30) expect(most(high, 30)).toBeGreaterThanOrEqual(reached - 1e-9);
      if (low > 0) expect(most(low, 0)).toBeGreaterThanOrEqual(reached - 1e-9);
      const reported = (m: number, end: number): number =>
        Math.max(...stakes.map((part) => known(found, m, end, part)));
      if (high < 30) expect(reported(high, 30)).toBeCloseTo(reached, 6);
      if (low > 0) expect(reported(low, 0)).toBeCloseTo(reached, 6);
      const { mean } = computeSampleMoments(found, [0, 30]);
      expect(low).toBeLessThanOrEqual(mean);
      expect(high).toBeGreaterThanOrEqual(mean);
      expect([low >= -1e-12, high <= 30 + 1e-12]).toEqual([true, true]);
    }),
    { seed: 1, numRuns: 500 },
  );
});

describe('cost of intervals by betting', () => {
  test("is 2.5 to 3.7 times the battles of Student's interval for a narrow range", () => {
    const exactDistribution: Law = Array.from({ length: 11 }, (_, k) => [5 + k, 1 / 11]);
    for (const size of [60_000, 1_000_000]) {
      const halfWidth = Z95 * Math.sqrt(varianceOf(exactDistribution) / size);
      const widthAt = (battles: number): number => {
        const sample = { battles, mean: 10, variance: 10, thirdMoment: 0, range: [0, 30] as const };
        const [low, high] = new ConfidenceSequence(halfWidth / 30).interval(sample, TAIL);
        return (high - low) / 2;
      };
      expect(widthAt(3.7 * size)).toBeLessThan(halfWidth);
      expect(widthAt(2.5 * size)).toBeGreaterThan(halfWidth);
    }
  });

  test('is proportional to the range for a single observed value', () => {
    const [low, high] = new ConfidenceSequence(1e-4).interval(computeSampleMoments([[0, 10_000]], [0, 100]), TAIL);
    expect(low).toBe(0);
    expect(high).toBeGreaterThan((100 * Math.log(40)) / 10_000);
    expect(high).toBeLessThan((2.1 * 100 * Math.log(40)) / 10_000);
  });
});
