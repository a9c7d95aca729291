/** Large sums: samples computed in doubles must equal samples by exact weights. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findQuantile } from '../../src/core/chance/dice-tables.ts';
import { getCachedDistribution } from '../../src/core/chance/distribution-cache.ts';
import { SampledChance } from '../../src/core/chance/sampled-chance.ts';
import { count, type Distribution, d, die, mean, named, sum, times } from '../../src/core/distributions/index.ts';
import { DEPTH } from '../depth.ts';

function sample(distribution: Distribution, word: number): number {
  return new SampledChance({ seek: () => undefined, word: () => word }).sample(distribution);
}

/** Compares samples next to some thresholds with exact samples. */
function check(distribution: Distribution): void {
  const { thresholds } = getCachedDistribution(distribution);
  const words = [0, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1];
  for (let k = 0; k < thresholds.length; k += 7) {
    const at = thresholds[k] ?? 0;
    words.push(Math.max(0, at - 1), at, Math.min(2 ** 32 - 1, at + 1));
  }
  const expected = words.map((word) => distribution.offset + findQuantile(thresholds, word));
  expect(words.map((word) => sample(distribution, word))).toEqual(expected);
}

test('samples equal exact samples, also next to thresholds', () => {
  const dice = fc.constantFrom(
    d(2),
    d(6),
    d(20),
    die([0, 0, 3]),
    die([-2, 5]),
    count(2, d(6), (face) => face > 4),
  );
  const term = fc.tuple(fc.integer({ min: 0, max: 60 }), dice);
  fc.assert(
    fc.property(fc.array(term, { minLength: 2, maxLength: 6 }), (terms) => {
      check(sum(5, ...terms.map(([times_, each]) => times(times_, each))));
    }),
    { numRuns: DEPTH > 1 ? 100 : 15 },
  );
});

test('words on an integer threshold are sampled exactly', () => {
  // Symmetric sums with an even number of values: half of the words are below the middle.
  for (let coins = 65; coins < 200; coins += 2) {
    expect(sample(times(coins, d(2)), 2 ** 31 - 1)).toBe((3 * coins - 1) / 2);
    expect(sample(times(coins, d(2)), 2 ** 31)).toBe((3 * coins + 1) / 2);
  }
});

test('large sums have the weights, statistics, names and limits of exact sums', () => {
  const large = times(100, d(6));
  expect(large).toMatchObject({ offset: 100, name: '100d6' });
  expect(large.weights[1]).toBe(100n);
  expect(mean(large)).toBe(350);
  expect(times(100, d(6))).toBe(large);
  expect(count(200, d(6), (face) => face > 4).name).toBe('successes of 200d6');
  expect(sum(large, d(6)).weights).toStrictEqual(times(101, d(6)).weights);
  check(named('hits', large));
  expect(named('hits', large).name).toBe('hits');
  expect(() => times(1600, d(6))).toThrow('4096 bits');
});

test('a distribution of a function is computed again if its values change', () => {
  let least = 5;
  const isHit = (face: number): boolean => face >= least;
  const before = count(3, d(6), isHit);
  least = 2;
  expect(count(3, d(6), isHit)).not.toBe(before);
});

test('d rejects a text, also for known dice', () => {
  expect(d(6).name).toBe('d6');
  expect(() => d('6' as unknown as number)).toThrow('d: expected');
});
