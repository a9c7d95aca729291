/** Alias tables represent the weights that they are built from exactly. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { computeWeights, createAliasTable } from '../../src/engines/kernel/final-state-kernel.ts';

/** Returns the weight of each value in an alias table; a slot has a total weight of 2^32. */
function realised({ bits, thresholds, aliases }: ReturnType<typeof createAliasTable>): number[] {
  const weights = new Array<number>(2 ** bits).fill(0);
  for (const [slot, threshold] of thresholds.entries()) {
    const alias = aliases[slot] ?? 0;
    weights[slot] = (weights[slot] ?? 0) + threshold;
    weights[alias] = (weights[alias] ?? 0) + 2 ** 32 - threshold;
  }
  return weights;
}

const distributions = fc
  .array(fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constant(0), fc.constant(1e-12)), {
    minLength: 1,
    maxLength: 70,
  })
  .filter((weights) => weights.some((weight) => weight > 0))
  .map((weights) => {
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return weights.map((weight) => weight / total);
  });

describe('alias tables', () => {
  test('represent every weight exactly, and 0 in slots without a value', () => {
    fc.assert(
      fc.property(distributions, (distribution) => {
        const table = createAliasTable(distribution);
        const weights = computeWeights(distribution, 2 ** (32 + table.bits));
        expect(realised(table)).toEqual([
          ...weights,
          ...new Array<number>(2 ** table.bits - distribution.length).fill(0),
        ]);
      }),
    );
  });

  test('computeWeights rounds down and adds the rest to the most likely value', () => {
    expect(computeWeights([0.1, 0.7, 0.2], 10)).toEqual([1, 7, 2]);
    expect(computeWeights([0.29, 0.42, 0.29], 10)).toEqual([2, 6, 2]);
    fc.assert(
      fc.property(distributions, (distribution) => {
        const total = 2 ** 40;
        const weights = computeWeights(distribution, total);
        expect(weights.reduce((sum, weight) => sum + weight, 0)).toBe(total);
        const likeliest = distribution.indexOf(Math.max(...distribution));
        for (const [k, weight] of weights.entries()) {
          if (k !== likeliest) expect(weight).toBe(Math.floor((distribution[k] ?? 0) * total));
        }
      }),
    );
  });

  test.each([1, 2, 3, 4, 5, 4096, 300_000])(
    'use the next power of two as the number of slots for %i values',
    (values) => {
      const { bits, thresholds } = createAliasTable(new Array<number>(values).fill(1 / values));
      expect(thresholds).toHaveLength(2 ** bits);
      expect(2 ** bits).toBeGreaterThanOrEqual(values);
      expect(2 ** bits).toBeLessThan(Math.max(3, 2 * values));
    },
  );
});
