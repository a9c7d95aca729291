/** Draws from a bag: thresholds in doubles against the exact distribution, and TypeScript against AssemblyScript. */
import { describe, expect, test } from 'vitest';
import { computeMarkedDistribution, computeThresholds } from '../../src/core/chance/dice-tables.ts';
import { BAG_MAX, sampleMarked } from '../../src/core/chance/distribution-cache.ts';
import { Stream } from '../../src/core/chance/stream.ts';
import { loadKernel } from '../../src/engines/kernel/kernel.ts';

type Bag = readonly [size: number, marked: number, count: number];

const TWO32 = 2n ** 32n;

/** Rounding moves a threshold by less than 1 / PART of a word: 2^-40 of all words. */
const PART = 2n ** 8n;

/** Returns the number of words that give `outcome` or less. */
function wordsUpTo(bag: Bag, outcome: number): number {
  let low = 0;
  let high = 2 ** 32;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (sampleMarked(...bag, middle) <= outcome) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Compares thresholds with the exact ones, rounded down, up to rounding errors; returns the number of differences. */
function compare(bag: Bag): number {
  const { offset, weights } = computeMarkedDistribution(...bag);
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  const exact = computeThresholds({ offset, weights });
  const what = bag.join(' ');
  let below = 0n;
  let before = 0n;
  let unequal = 0;
  for (const [k, weight] of weights.slice(0, -1).entries()) {
    below += weight;
    const words = BigInt(wordsUpTo(bag, offset + k));
    const miss = words * total - below * TWO32;
    if (miss * PART > total || (miss + total) * PART < -total) expect.fail(`threshold ${String(k)} of ${what}`);
    const share = (words - before) * total - weight * TWO32;
    if (share * PART > total * (PART + 2n) || share * PART < -total * (PART + 2n)) expect.fail(`share of ${what}`);
    unequal += Number(words !== BigInt(exact[k] ?? 0));
    before = words;
  }
  return unequal;
}

/** Returns random bags of up to `sizes` cubes; the same at every run. */
function someBags(count: number, sizes = BAG_MAX): Bag[] {
  const stream = Stream.forBattle(400n, 0);
  const below = (bound: number): number => Math.floor((stream.word() / 2 ** 32) * bound);
  return Array.from({ length: count }, () => {
    const size = 1 + below(sizes);
    return [size, below(size + 1), below(size + 1)];
  });
}

describe('marked cubes computed in doubles', () => {
  test('have the exact thresholds for every bag of up to 14 cubes', () => {
    let unequal = 0;
    let bags = 0;
    for (let size = 0; size <= 14; size++) {
      for (let marked = 0; marked <= size; marked++) {
        for (let count = 0; count <= size; count++, bags++) unequal += compare([size, marked, count]);
      }
    }
    expect(bags).toBe(1240);
    // A threshold that is exactly an integer may be one lower.
    expect(unequal).toBeLessThan(60);
  });

  test('have the exact thresholds for bags of up to 400 cubes', () => {
    for (const bag of someBags(60)) compare(bag);
    const ends: Bag[] = [
      [400, 200, 200],
      [400, 1, 399],
      [400, 399, 1],
      [400, 399, 399],
      [400, 100, 350],
      [400, 350, 100],
    ];
    for (const bag of ends) compare(bag);
  }, 120_000);

  test('are within the possible numbers at both ends of the words', () => {
    for (const [size, marked, count] of someBags(2000)) {
      const least = Math.max(0, count - (size - marked));
      for (const word of [0, 2 ** 31, 2 ** 32 - 1]) {
        const drawn = sampleMarked(size, marked, count, word);
        expect(drawn >= least && drawn <= Math.min(marked, count)).toBe(true);
      }
    }
  });

  test('are 1 from the middle of the words on when drawing 1 of 2 cubes', () => {
    expect([sampleMarked(2, 1, 1, 2 ** 31 - 1), sampleMarked(2, 1, 1, 2 ** 31)]).toEqual([0, 1]);
  });

  test.each([
    [10, 0, 3, 0],
    [10, 10, 3, 3],
    [10, 4, 0, 0],
    [10, 4, 10, 4],
    [0, 0, 0, 0],
  ])('are certain in a bag of %i with %i marked and %i drawn', (size, marked, count, drawn) => {
    for (const word of [0, 2 ** 32 - 1]) expect(sampleMarked(size, marked, count, word)).toBe(drawn);
  });

  test('do not decrease with a greater word or more marked cubes', () => {
    const stream = Stream.forBattle(401n, 0);
    for (const [size, marked, count] of someBags(500, 60)) {
      const word = stream.word();
      const drawn = sampleMarked(size, marked, count, word);
      expect(sampleMarked(size, marked, count, Math.min(2 ** 32 - 1, word + 2 ** 24))).toBeGreaterThanOrEqual(drawn);
      if (marked < size) expect(sampleMarked(size, marked + 1, count, word)).toBeGreaterThanOrEqual(drawn);
    }
  });
});

describe.each(['release', 'debug'] as const)('AssemblyScript, build %s', (build) => {
  test('draws the same marked cubes', async () => {
    const module = await loadKernel('testing/chance', build);
    const { exports } = new WebAssembly.Instance(module, { env: { abort: () => expect.fail('abort') } });
    const marked = exports['marked'] as (size: number, among: number, count: number, word: number) => number;
    const stream = Stream.forBattle(402n, 0);
    for (const bag of someBags(20_000)) {
      // A random word, and words next to the threshold of an outcome.
      const word = stream.word();
      const threshold = bag[0] < 20 ? wordsUpTo(bag, sampleMarked(...bag, word)) : word;
      for (const each of [word, threshold, threshold - 1, 0, 2 ** 32 - 1]) {
        const bounded = Math.min(2 ** 32 - 1, Math.max(0, each));
        if (marked(...bag, bounded) !== sampleMarked(...bag, bounded)) {
          expect.fail(`bag ${bag.join(' ')}, word ${String(bounded)}`);
        }
      }
    }
  });
});
