/** Keys made of lists of numbers: equal for equal lists and for no others. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeKey } from '../../src/rules/play-battle.ts';

const EDGES = [-1, 0, 44, 0xfffe, 0xffff, 0x10000, 2 ** 32, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER, 0.5];
const lists = fc.array(fc.oneof(fc.constantFrom(...EDGES), fc.nat(0x20000)), { maxLength: 4 });

const codesOf = (key: string): number[] => Array.from({ length: key.length }, (_, at) => key.charCodeAt(at));

describe('a key', () => {
  test('has a character for each small number', () => {
    expect(codesOf(encodeKey([1, 2, 0xfffe]))).toEqual([1, 2, 0xfffe]);
  });

  test('tells numbers apart that end in the same bits', () => {
    const keys = EDGES.map((number) => encodeKey([number, 7]));
    expect(new Set(keys).size).toBe(EDGES.length);
  });

  test('tells lists apart that are joined to one text', () => {
    // The characters of the digits of a list that is joined.
    const digits = codesOf(encodeKey([0x10000]));
    expect(encodeKey(digits)).not.toBe(encodeKey([0x10000]));
    expect(encodeKey([1, 2])).not.toBe(encodeKey([12]));
  });

  test('is the same for equal lists and for no others', () => {
    fc.assert(
      fc.property(lists, lists, (a, b) => {
        expect(encodeKey(a) === encodeKey(b)).toBe(a.join() === b.join());
        expect(encodeKey(a)).toBe(encodeKey([...a]));
      }),
      { numRuns: 200 },
    );
  });
});
