import { describe, expect, test } from 'vitest';
import type { Dice, Distribution } from '../../src/core/chance/chance.ts';
import {
  ALIAS_ATOMS,
  ALIAS_SLOTS,
  computeDistanceDistribution,
  computeExcessDistribution,
  computeFacesDistribution,
  computeHitsDistribution,
  computeMarkedDistribution,
  computeSumDistribution,
  computeThresholds,
  computeWeightThresholds,
  createDiceSetKey,
  DICE_SET_MAX,
  ESCAPE,
  findQuantile,
  getDifferenceTable,
} from '../../src/core/chance/dice-tables.ts';

const TWO32 = 2n ** 32n;
const total = (weights: readonly bigint[]): bigint => weights.reduce((sum, weight) => sum + weight, 0n);

/** Returns the number of the 2^32 words that give each outcome. */
function realised(table: Uint32Array, outcomes: number): bigint[] {
  const ends = [...table].map(BigInt);
  return Array.from({ length: outcomes }, (_, k) => (ends[k] ?? TWO32) - (k === 0 ? 0n : (ends[k - 1] ?? TWO32)));
}

/** Checks that every outcome has its probability within 2^-32, and an impossible outcome no words. */
function expectRealised(exactDistribution: Distribution): void {
  const words = realised(computeThresholds(exactDistribution), exactDistribution.weights.length);
  const sum = total(exactDistribution.weights);
  for (const [k, weight] of exactDistribution.weights.entries()) {
    const miss = (words[k] ?? 0n) * sum - weight * TWO32;
    expect(miss < sum && miss > -sum, `outcome ${String(k)}`).toBe(true);
    if (weight === 0n) expect(words[k]).toBe(0n);
  }
}

describe('distributions as exact integers', () => {
  test('3d10 has the counts of its 1000 sequences', () => {
    const { offset, weights } = computeSumDistribution({ count: 3, sides: 10 });
    expect([offset, weights.length, total(weights)]).toEqual([3, 28, 1000n]);
    expect(weights.slice(0, 8)).toEqual([1n, 3n, 6n, 10n, 15n, 21n, 28n, 36n]);
    expect(weights.toReversed()).toEqual(weights);
  });

  test('the excess of 3d10 over 3d10 equals a count of all million pairs', () => {
    const counted = new Array<bigint>(30).fill(0n);
    const sums: number[] = [];
    for (let a = 0; a < 1000; a++) sums.push(3 + (a % 10) + (Math.floor(a / 10) % 10) + Math.floor(a / 100));
    for (const x of sums)
      for (const y of sums) counted[Math.max(0, x - y + 2)] = (counted[Math.max(0, x - y + 2)] ?? 0n) + 1n;
    expect(computeExcessDistribution({ count: 3, sides: 10 }, 2).weights).toEqual(counted);
  });

  test('an impossible excess is always 0', () => {
    expect(computeExcessDistribution({ count: 1, sides: 6 }, -5).weights.length).toBe(1);
    expect(computeExcessDistribution({ count: 1, sides: 6 }, -40).weights.length).toBe(1);
  });

  test('hits are binomial', () => {
    expect(computeHitsDistribution(3, 2).weights).toEqual([64n, 96n, 48n, 8n]);
    expect(computeHitsDistribution(2, 6).weights).toEqual([0n, 0n, 36n]);
    expect(computeHitsDistribution(0, 3).weights).toEqual([1n]);
  });

  test('custom dice have the sums of all 216 sequences of three different dice', () => {
    const lot = [
      [0, 0, 1, 1, 1, 2],
      [3, 3, 3, 3, 3, 3],
      [1, 2, 4, 4, 7, 9],
    ];
    const counted = new Array<bigint>(15).fill(0n);
    for (const a of lot[0] ?? []) {
      for (const b of lot[1] ?? []) {
        for (const c of lot[2] ?? []) counted[a + b + c] = (counted[a + b + c] ?? 0n) + 1n;
      }
    }
    const { offset, weights } = computeFacesDistribution(lot);
    expect(offset).toBe(4);
    expect(weights).toEqual(counted.slice(4));
    expect(total(weights)).toBe(216n);
  });

  test('custom dice that show 1 to 6 equal d6, and no dice give 0', () => {
    expect(computeFacesDistribution(Array.from({ length: 5 }, () => [6, 5, 4, 3, 2, 1]))).toEqual(
      computeSumDistribution({ count: 5, sides: 6 }),
    );
    expect(computeFacesDistribution([])).toEqual({ offset: 0, weights: [1n] });
  });

  test('the key of a dice set is independent of the order of dice and faces', () => {
    const [a, b] = [
      [10, 2, 0, 0, 1, 1],
      [2, 2, 2, 0, 0, 9],
    ];
    expect(createDiceSetKey([a, b])).toBe(createDiceSetKey([b.toReversed(), a.toReversed()]));
    expect(createDiceSetKey([a, a])).not.toBe(createDiceSetKey([a, b]));
    expect(createDiceSetKey([[1, 12, 0, 0, 0, 0]])).not.toBe(createDiceSetKey([[11, 2, 0, 0, 0, 0]]));
  });

  test('marked cubes are hypergeometric', () => {
    expect(computeMarkedDistribution(10, 6, 3)).toEqual({ offset: 0, weights: [4n, 36n, 60n, 20n] });
    expect(computeMarkedDistribution(3, 2, 2)).toEqual({ offset: 1, weights: [2n, 1n] });
  });
});

describe('quantile tables', () => {
  test.each([
    ...[1, 2, 9, 63, 64].flatMap((dice) => [1, 2, 3, 4, 5, 6].map((value) => computeHitsDistribution(dice, value))),
    computeSumDistribution({ count: 3, sides: 10 }),
    computeSumDistribution({ count: 8, sides: 100 }),
    computeMarkedDistribution(40, 13, 10),
    computeFacesDistribution([[0, 0, 0, 0, 1, 1]]),
    computeFacesDistribution([
      [0, 5, 5, 20, 20, 20],
      [1, 1, 1, 1, 1, 40],
    ]),
    computeFacesDistribution(Array.from({ length: DICE_SET_MAX }, (_, d) => [0, 1, d % 3, 3, 20, 100])),
    { offset: 0, weights: [0n, 0n, 5n, 0n, 3n, 0n] },
  ])('give each outcome its probability within 2^-32 (%#)', expectRealised);

  test('give the right outcome at both ends of every step', () => {
    const table = computeThresholds(computeHitsDistribution(9, 2));
    for (const [k, threshold] of table.entries()) {
      expect(findQuantile(table, threshold)).toBeGreaterThanOrEqual(k + 1);
      if (threshold > 0) expect(findQuantile(table, threshold - 1)).toBeLessThanOrEqual(k);
    }
    expect(findQuantile(table, 0)).toBe(0);
    expect(findQuantile(table, 2 ** 32 - 1)).toBe(9);
  });

  test('never select an index of weight 0', () => {
    const table = computeWeightThresholds([0, 2, 0, 1, 0]);
    expect([findQuantile(table, 0), findQuantile(table, 2 ** 32 - 1)]).toEqual([1, 3]);
    expect(findQuantile(table, Math.floor((2 / 3) * 2 ** 32) - 1)).toBe(1);
    expect(findQuantile(table, Math.floor((2 / 3) * 2 ** 32))).toBe(3);
  });
});

/** Returns the distribution of distances that a difference table gives, as integers of 2^13 x 2^32. */
function realisedDistances(dice: Dice, outcomes: number): bigint[] {
  const { cut, primary, alias, residual } = getDifferenceTable(dice);
  const atoms = new Array<bigint>(outcomes).fill(0n);
  let escaped = 0n;
  const add = (distance: number, count: number): void => {
    if (distance === ESCAPE) escaped += BigInt(count);
    else atoms[distance] = (atoms[distance] ?? 0n) + BigInt(count);
  };
  for (let slot = 0; slot < ALIAS_SLOTS; slot++) {
    add(primary[slot] ?? 0, cut[slot] ?? 0);
    add(alias[slot] ?? 0, ALIAS_ATOMS - (cut[slot] ?? 0));
  }
  const rest = escaped === 0n ? [] : realised(residual, outcomes);
  return atoms.map((count, k) => count * TWO32 + escaped * (rest[k] ?? 0n));
}

describe('difference tables', () => {
  const dice: Dice[] = [
    { count: 3, sides: 10 },
    { count: 1, sides: 2 },
    { count: 1, sides: 6 },
    { count: 2, sides: 16 },
    { count: 4, sides: 10 },
    { count: 8, sides: 100 },
  ];

  test.each(dice)('$count d $sides gives |X - Y| within 2^-32 per outcome', (die) => {
    const { weights } = computeDistanceDistribution(die);
    const sum = total(weights);
    const words = realisedDistances(die, weights.length);
    const all = BigInt(ALIAS_SLOTS * ALIAS_ATOMS) * TWO32;
    expect(total(words)).toBe(all);
    for (const [k, weight] of weights.entries()) {
      const miss = (words[k] ?? 0n) * sum - weight * all;
      const bound = (sum * all) / TWO32;
      expect(miss < bound && miss > -bound, `distance ${String(k)}`).toBe(true);
    }
  });

  test('3d10 differs from the exact distribution by less than 3e-12 per outcome', () => {
    const die = { count: 3, sides: 10 };
    const { weights } = computeDistanceDistribution(die);
    const sum = Number(total(weights));
    const words = realisedDistances(die, weights.length);
    for (const [k, weight] of weights.entries()) {
      const miss = Number(words[k] ?? 0n) / 2 ** 45 - Number(weight) / sum;
      expect(Math.abs(miss)).toBeLessThan(3e-12);
    }
  });
});
