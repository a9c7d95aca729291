/**
 * Intervals by betting: they may miss in 5 % of the runs at any look whatever, for any law in the range. Of 500 runs that
 * miss with 5 %, more than 44 do with probability 1e-4. Seeds are fixed.
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

/** True if the intervals of all looks hold: after each of the first battles, then after ever more. */
function alwaysHolds(law: Law, range: Interval, most: number, seed: bigint) {
  const bets = new ConfidenceSequence(1 / most);
  const mean = meanOf(law);
  return (run: number): boolean => {
    const [uniform, counts] = [uniformOf(seed, run), law.map(() => 0)];
    let held = true;
    for (let battles = 0; battles < most && held; ) {
      const more = battles < 200 ? 1 : Math.ceil(battles / 20);
      drawInto(counts, law, more, uniform);
      battles += more;
      held = covers(bets.interval(sampleIn(law, counts, range), TAIL), mean);
    }
    return held;
  };
}

describe('hold at all looks together', () => {
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
  )('%s', (_, law, range) => {
    const found = share(RUNS, alwaysHolds(law, range, 100_000, 7n));
    expect(found).toBeGreaterThanOrEqual(1 - 44 / RUNS);
  });
});

/** ln of what a gambler makes of 1 who stakes the part on each battle against the mean m: see src/stats/confidence-sequence.ts. */
function wealth(pairs: readonly (readonly [number, number])[], m: number, end: number, part: number): number {
  return pairs.reduce((sum, [x, count]) => sum + count * Math.log1p((part * (m - x)) / (end - m)), 0);
}

/** A lower bound of it: what two sums tell. */
function known(pairs: readonly (readonly [number, number])[], m: number, end: number, part: number): number {
  const cost = -Math.log(1 - part) - part;
  return pairs.reduce((sum, [x, count]) => {
    const y = (m - x) / (end - m);
    return sum + count * (part * y - cost * y * y);
  }, 0);
}

test('what is ruled out lost against some stake, and no more than that is ruled out', () => {
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
      const told = (m: number, end: number): number => Math.max(...stakes.map((part) => known(found, m, end, part)));
      if (high < 30) expect(told(high, 30)).toBeCloseTo(reached, 6);
      if (low > 0) expect(told(low, 0)).toBeCloseTo(reached, 6);
      const { mean } = computeSampleMoments(found, [0, 30]);
      expect(low).toBeLessThanOrEqual(mean);
      expect(high).toBeGreaterThanOrEqual(mean);
      expect([low >= -1e-12, high <= 30 + 1e-12]).toEqual([true, true]);
    }),
    { seed: 1, numRuns: 500 },
  );
});

describe('cost', () => {
  test('some 3.5 times the battles of Student where the range is a few deviations', () => {
    const law: Law = Array.from({ length: 11 }, (_, k) => [5 + k, 1 / 11]);
    for (const size of [60_000, 1_000_000]) {
      const halfWidth = Z95 * Math.sqrt(varianceOf(law) / size);
      const widthAt = (battles: number): number => {
        const sample = { battles, mean: 10, variance: 10, thirdMoment: 0, range: [0, 30] as const };
        const [low, high] = new ConfidenceSequence(halfWidth / 30).interval(sample, TAIL);
        return (high - low) / 2;
      };
      expect(widthAt(3.7 * size)).toBeLessThan(halfWidth);
      expect(widthAt(2.5 * size)).toBeGreaterThan(halfWidth);
    }
  });

  test('what never came costs the range', () => {
    const [low, high] = new ConfidenceSequence(1e-4).interval(computeSampleMoments([[0, 10_000]], [0, 100]), TAIL);
    expect(low).toBe(0);
    expect(high).toBeGreaterThan((100 * Math.log(40)) / 10_000);
    expect(high).toBeLessThan((2.1 * 100 * Math.log(40)) / 10_000);
  });
});
