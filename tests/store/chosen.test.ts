/** Selection of the cells that a verification simulates again. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { describe, expect, test } from 'vitest';
import { createStudyStream } from '../../src/analysis/designs/design.ts';
import { choosePlaces, createRandomSeed } from '../../src/storage/folder/verification.ts';
import { verifyStore } from '../../src/storage/store/verify-store.ts';
import { DEPTH } from '../depth.ts';
import { place, run } from './folders.ts';

const placesOf = (total: number, wanted: number, seed: bigint): number[] => {
  const chosen = choosePlaces(total, wanted, seed);
  return Array.from({ length: total }, (_, at) => at).filter((at) => chosen.has(at));
};

const CHOICES = 12_000;

describe('choosePlaces', () => {
  test('returns the requested number of places, or all if there are fewer', () => {
    for (const total of [0, 1, 2, 9, 40])
      for (const wanted of [0, 1, 5, 40, 41]) expect(placesOf(total, wanted, 3n)).toHaveLength(Math.min(total, wanted));
  });

  test('returns the same places for the same seed, and others for another seed', () => {
    expect(placesOf(1000, 10, 7n)).toEqual(placesOf(1000, 10, 7n));
    expect(placesOf(1000, 10, 7n)).not.toEqual(placesOf(1000, 10, 8n));
    const stream = createStudyStream('verify', 7n, 0);
    expect(placesOf(1000, 1, 7n)).toEqual([uniformInt(stream, 0, 999)]);
  });

  // Chi-squared with 9 degrees of freedom: above 33.7 for 1 of 10 000 seeds. The seeds are fixed.
  test.each([
    ['two of five: every pair', 5, 2],
    ['three of five: every set', 5, 3],
    ['one of ten', 10, 1],
    ['nine of ten', 10, 9],
  ])('chooses %s equally often', (_, total, wanted) => {
    const found = new Map<string, number>();
    for (let seed = 0; seed < CHOICES; seed++) {
      const key = placesOf(total, wanted, BigInt(seed)).join();
      found.set(key, (found.get(key) ?? 0) + 1);
    }
    expect(found.size).toBe(10);
    const due = CHOICES / 10;
    expect([...found.values()].reduce((sum, count) => sum + (count - due) ** 2 / due, 0)).toBeLessThan(33.7);
  });
});

describe('seed of a verification', () => {
  test.runIf(DEPTH > 1)('is random by default, and its reported value repeats the verification', async () => {
    const folder = place();
    await run('axes: [{ path: attacker.hp, range: [1, 6] }]\nbattles: 100\nexact: never', folder);
    const options = { cells: 2, workers: 1 };
    const [first, second] = [await verifyStore(folder, options), await verifyStore(folder, options)];
    expect(first.seed).toMatch(/^\d+$/);
    expect(second.seed).not.toBe(first.seed);
    expect(await verifyStore(folder, { ...options, seed: first.seed })).toEqual(first);
    expect(createRandomSeed()).not.toBe(createRandomSeed());
    await expect(verifyStore(folder, { seed: -1 })).rejects.toThrow('seed: expected an integer 0..');
    writeFileSync(join(folder, 'manifest.json'), '{');
    expect(await verifyStore(folder, { seed: 5 })).toMatchObject({ seed: '5', cells: 0 });
  });
});
