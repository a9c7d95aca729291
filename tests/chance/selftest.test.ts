import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { describe, expect, test } from 'vitest';
import { seedingDefects, seedingStatistics } from '../../src/core/chance/selftest.ts';
import { Stream } from '../../src/core/chance/stream.ts';
import { some } from '../depth.ts';

describe('the self-test of seeding', () => {
  test.each(some([0n, 1n, 42n, 2n ** 63n, 2n ** 64n - 1n]))('finds nothing in the streams of seed %s', (seed) => {
    // 21 statistics a seed at |z| <= 5: odds of a false alarm 1.2e-5 a seed, and the seeds are fixed.
    expect(seedingDefects((index) => Stream.of(seed, index))).toEqual([]);
  });

  test('fails when the key of a battle is seed + index', () => {
    const defects = seedingDefects((index) => Stream.keyed(1n + BigInt(index)));
    expect(defects.map(({ name }) => name)).toContain('sum of twelve floats: dispersion of windows');
    expect(defects.map(({ name }) => name)).toContain('sum of twelve floats: correlation at lag 1');
  });

  test('fails when a small generator is seeded with seed + index', () => {
    const defects = seedingDefects((index) => xoroshiro128plus(1 + index));
    expect(defects.length).toBeGreaterThan(3);
  });

  test('looks at every view and lag', () => {
    expect(seedingStatistics((index) => Stream.of(1n, index), 4096)).toHaveLength(21);
  });
});
