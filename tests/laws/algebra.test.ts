/** Laws of dice against every sequence of faces. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as laws from '../../src/laws/index.ts';
import { entriesOf, totalOf } from '../../src/laws/law.ts';

const { combine, compare, constant, d, die, explode, highest, lowest, map, mean, probability } = laws;
const { reroll, sum, table, times } = laws;

/** Faces of small dice, a few of them alike. */
const faces = fc.array(fc.integer({ min: -3, max: 5 }), { minLength: 1, maxLength: 5 });

/** All sequences of `count` faces. */
function sequences(count: number, of: readonly number[]): number[][] {
  return count === 0 ? [[]] : sequences(count - 1, of).flatMap((start) => of.map((face) => [...start, face]));
}

/** The probabilities of values that are equally likely. */
function shares(values: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1 / values.length);
  return counts;
}

function expectLaw(law: laws.Law, values: readonly number[]): void {
  const expected = shares(values);
  expect(entriesOf(law).map(([value]) => value)).toEqual([...expected.keys()].sort((a, b) => a - b));
  for (const [value, share] of expected) expect(probability(law, value)).toBeCloseTo(share, 12);
}

const added = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const descending = (values: readonly number[]): number[] => values.toSorted((a, b) => b - a);

describe('against every sequence of faces', () => {
  test('sums and several draws', () => {
    fc.assert(
      fc.property(faces, faces, fc.integer({ min: 0, max: 4 }), (a, b, count) => {
        expectLaw(
          sum(die(a), die(b)),
          a.flatMap((x) => b.map((y) => x + y)),
        );
        expectLaw(times(count, die(a)), sequences(count, a).map(added));
      }),
      { numRuns: 60 },
    );
  });

  test('highest and lowest of several', () => {
    const several = fc.integer({ min: 1, max: 4 }).chain((count) => fc.tuple(fc.nat(count), fc.constant(count)));
    fc.assert(
      fc.property(faces, several, (a, [keep, count]) => {
        const all = sequences(count, a).map(descending);
        expectLaw(
          highest(keep, count, die(a)),
          all.map((each) => added(each.slice(0, keep))),
        );
        expectLaw(
          lowest(keep, count, die(a)),
          all.map((each) => added(each.slice(count - keep))),
        );
      }),
      { numRuns: 60 },
    );
  });

  test('what is drawn again, explodes, is mapped, combined and compared', () => {
    fc.assert(
      fc.property(
        faces,
        faces,
        fc.integer({ min: -3, max: 5 }),
        fc.integer({ min: 1, max: 3 }),
        (a, b, bound, limit) => {
          const when = (value: number): boolean => value >= bound;
          const all = sequences(limit + 1, a);
          const last = (each: readonly number[]): number => each.find((value) => !when(value)) ?? each.at(-1) ?? 0;
          expectLaw(reroll(die(a), when, limit), all.map(last));
          const run = (each: readonly number[]): number => {
            const end = each.findIndex((value) => !when(value));
            return added(each.slice(0, end < 0 ? each.length : end + 1));
          };
          expectLaw(explode(die(a), when, limit), all.map(run));
          expectLaw(
            map(die(a), (value) => value * value),
            a.map((value) => value * value),
          );
          const pairs = a.flatMap((x) => b.map((y) => [x, y] as const));
          expectLaw(
            combine(die(a), die(b), (x, y) => 10 * x + y),
            pairs.map(([x, y]) => 10 * x + y),
          );
          expectLaw(
            compare(die(a), die(b)),
            pairs.map(([x, y]) => Math.sign(x - y)),
          );
        },
      ),
      { numRuns: 60 },
    );
  });
});

test('known figures', () => {
  expect(probability(highest(3, 4, d(6)), 18)).toBe(21 / 1296);
  expect(mean(highest(3, 4, d(6)))).toBeCloseTo(12.2445987654321, 12);
  expect(
    probability(
      times(
        5,
        map(d(6), (face) => Number(face >= 4)),
      ),
      (hits) => hits >= 3,
    ),
  ).toBe(0.5);
  expect(mean(times(100, d(6)))).toBe(350);
  expect(mean(sum(constant(-7), d(2)))).toBe(-5.5);
  expect(reroll(d(6), (face) => face <= 2, Number.POSITIVE_INFINITY)).toEqual({ offset: 3, weights: [1n, 1n, 1n, 1n] });
});

test('a table has the weights that it is given, without their common divisor', () => {
  const law = table([
    [3, 4],
    [-1, 2n],
    [3, 2],
    [9, 0],
  ]);
  expect(law).toEqual({ offset: -1, weights: [1n, 0n, 0n, 0n, 3n] });
  expect(totalOf(law)).toBe(4n);
});

test.each([
  [() => d(0), 'd: expected sides 1..65536, found 0'],
  [() => d(2.5), 'd: expected sides 1..65536, found 2.5'],
  [() => die([]), 'die: expected a value with a weight above 0, found none'],
  [() => die([1.5]), 'die: expected whole numbers as values, found 1.5'],
  [() => table([[1, -1]]), 'table: expected weights of 0 or more, found -1'],
  [() => table([[1, 0.5]]), 'table: expected whole numbers as weights, found 0.5'],
  [() => table([[1, 0]]), 'table: expected a value with a weight above 0, found none'],
  [() => times(-1, d(6)), 'times: expected draws 0..10000, found -1'],
  [() => times(10_000, d(100)), 'times: expected weights whose sum has at most 4096 bits, found about 66439 bits'],
  [() => times(8000, d(6)), 'times: expected weights whose sum has at most 4096 bits, found about 20680 bits'],
  [() => times(1000, d(16)), 'times: expected at most 8388608 products of weights, found about 56250000'],
  [() => highest(90, 100, d(6)), 'highest: expected at most 8388608 products of weights, found about 13530000'],
  [() => highest(3, 2, d(6)), 'highest: expected draws to keep 0..2, found 3'],
  [() => map(d(6), () => Number.NaN), 'map: expected whole numbers as values, found NaN'],
  [() => explode(d(6), () => true, 101), 'explode: expected draws 1..100, found 101'],
  [
    () => reroll(d(6), () => true, Number.POSITIVE_INFINITY),
    'reroll: expected a value that is not drawn again, found none',
  ],
  [() => reroll(d(6), () => true, -1), 'reroll: expected draws 0..10000, found -1'],
  [
    () => combine(d(2), d(2), (x, y) => x * y * 70_000),
    'combine: expected values within 65536 of each other, found 70000..280000',
  ],
])('refuses %s', (act, message) => {
  expect(act).toThrow(RangeError);
  expect(act).toThrow(message);
});
