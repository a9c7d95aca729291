/** Keys of lists of numbers: equal only for equal lists. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeKey } from '../../src/rules/play-battle.ts';

const EDGES = [-1, 0, 44, 0xfffe, 0xffff, 0x10000, 2 ** 32, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER, 0.5];
const lists = fc.array(fc.oneof(fc.constantFrom(...EDGES), fc.nat(0x20000)), { maxLength: 4 });

const codesOf = (key: string): number[] => Array.from({ length: key.length }, (_, at) => key.charCodeAt(at));

describe('a key', () => {
  test('has one character for each small number', () => {
    expect(codesOf(encodeKey([1, 2, 0xfffe]))).toEqual([1, 2, 0xfffe]);
  });

  test('distinguishes numbers with equal low bits', () => {
    const keys = EDGES.map((number) => encodeKey([number, 7]));
    expect(new Set(keys).size).toBe(EDGES.length);
  });

  test('distinguishes lists with the same concatenated text', () => {
    // Codes of the characters that encode one large number.
    const digits = codesOf(encodeKey([0x10000]));
    expect(encodeKey(digits)).not.toBe(encodeKey([0x10000]));
    expect(encodeKey([1, 2])).not.toBe(encodeKey([12]));
  });

  test('is equal only for equal lists', () => {
    fc.assert(
      fc.property(lists, lists, (a, b) => {
        expect(encodeKey(a) === encodeKey(b)).toBe(a.join() === b.join());
        expect(encodeKey(a)).toBe(encodeKey([...a]));
      }),
      { numRuns: 200 },
    );
  });
});
