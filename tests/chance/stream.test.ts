import { uniformBigInt } from 'pure-rand/distribution/uniformBigInt';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { skipN } from 'pure-rand/utils/skipN';
import { describe, expect, test } from 'vitest';
import { computeBattleKey, MAX_SEED, mix64, Stream } from '../../src/core/chance/stream.ts';

/** Computes chi-square of counts against equal expectation. */
function chiSquare(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

describe('a stream as a generator of pure-rand', () => {
  test('next returns the word as a signed integer', () => {
    const [a, b] = [Stream.forBattle(1n, 0), Stream.forBattle(1n, 0)];
    for (let i = 0; i < 100; i++) expect(a.next()).toBe(b.word() | 0);
  });

  test('a clone continues with the same words, independently', () => {
    const stream = Stream.forBattle(5n, 5);
    stream.next();
    const clone = stream.clone();
    expect(clone.getState()).toEqual(stream.getState());
    const next = stream.next();
    expect(clone.next()).toBe(next);
  });

  test('utilities and distributions of pure-rand accept it', () => {
    const stream = Stream.forBattle(1n, 1);
    const skipped = stream.clone();
    skipN(skipped, 5);
    for (let i = 0; i < 5; i++) stream.next();
    expect(skipped.next()).toBe(stream.next());
    expect(uniformBigInt(stream, 0n, 2n ** 70n)).toBeGreaterThanOrEqual(0n);
  });

  test('uniformInt over the first words of 60 000 battles rolls a fair d6', () => {
    const counts = new Array<number>(6).fill(0);
    for (let i = 0; i < 60_000; i++) {
      const face = uniformInt(Stream.forBattle(9n, i), 1, 6);
      counts[face - 1] = (counts[face - 1] ?? 0) + 1;
    }
    // 5 degrees of freedom: above 35 with odds 1.5e-6.
    expect(chiSquare(counts)).toBeLessThan(35);
  });
});

describe('keys', () => {
  test('the counter wraps, and seek reaches any word', () => {
    const stream = Stream.forBattle(3n, 7);
    const first = stream.word();
    stream.seek(2 ** 32 - 1);
    stream.word();
    expect(stream.word()).toBe(first);
  });

  test('battles of a run and equal indices of different runs have different keys', () => {
    const keys = new Set<bigint>();
    for (const seed of [0n, 1n, 2n, MAX_SEED]) for (let i = 0; i < 5000; i++) keys.add(computeBattleKey(seed, i));
    expect(keys.size).toBe(20_000);
  });

  test('battle 1 of seed 42 has another key than battle 0 of seed 43', () => {
    expect(computeBattleKey(42n, 1)).not.toBe(computeBattleKey(43n, 0));
  });

  test('one flipped bit of seed or index flips about half of the key', () => {
    const flipped = (a: bigint, b: bigint): number => (a ^ b).toString(2).replaceAll('0', '').length;
    for (let bit = 0n; bit < 53n; bit++) {
      expect(flipped(computeBattleKey(0n, 0), computeBattleKey(1n << bit, 0))).toBeGreaterThan(12);
      expect(flipped(computeBattleKey(0n, 0), computeBattleKey(0n, Number(1n << bit)))).toBeGreaterThan(12);
    }
  });

  test('mix64 is defined on 64 bits', () => {
    expect(mix64(0n)).toBe(0n);
    expect(mix64(1n << 64n)).toBe(0n);
  });
});
