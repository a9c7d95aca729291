/** Distributions of dice compared with all sequences of faces. */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { getSortedDice } from '../../src/core/chance/distribution-cache.ts';
import { computeTotal, listEntries, memoizeDistribution } from '../../src/core/distributions/distribution.ts';
import * as laws from '../../src/core/distributions/index.ts';

const {
  combine,
  compareRolls: compare,
  constant,
  count,
  d,
  standardDeviation: deviation,
  die,
  probabilities: distribution,
  explode,
  sortedDice: hands,
  keepHighest: highest,
  keepLowest: lowest,
} = laws;
const { map, mean, named, netSuccesses: opposed, probability, reroll, sum, weighted: table, times } = laws;

/** Faces of small dice, some of them equal. */
const faces = fc.array(fc.integer({ min: -3, max: 5 }), { minLength: 1, maxLength: 5 });

/** Returns all sequences of `count` faces. */
function sequences(count: number, of: readonly number[]): number[][] {
  return count === 0 ? [[]] : sequences(count - 1, of).flatMap((start) => of.map((face) => [...start, face]));
}

/** Returns the probabilities of values that are equally likely. */
function shares(values: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1 / values.length);
  return counts;
}

function expectLaw(exactDistribution: laws.Distribution, values: readonly number[]): void {
  const expected = shares(values);
  expect(listEntries(exactDistribution).map(([value]) => value)).toEqual([...expected.keys()].sort((a, b) => a - b));
  for (const [value, share] of expected) expect(probability(exactDistribution, value)).toBeCloseTo(share, 12);
}

const added = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const descending = (values: readonly number[]): number[] => values.toSorted((a, b) => b - a);

describe('distributions equal the enumeration of all sequences', () => {
  test('of sum and times', () => {
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

  test('of keepHighest and keepLowest', () => {
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

  test('of reroll, explode, map, combine, compareRolls, netSuccesses and count', () => {
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
          expectLaw(
            opposed(die(a), die(b)),
            pairs.map(([x, y]) => Math.max(0, x - y)),
          );
          expectLaw(
            count(limit, die(a), when),
            sequences(limit, a).map((each) => each.filter(when).length),
          );
        },
      ),
      { numRuns: 60 },
    );
  });
});

test('map to distributions samples the distribution of each value', () => {
  fc.assert(
    fc.property(faces, faces, faces, fc.integer({ min: -3, max: 5 }), (a, b, c, bound) => {
      const exactDistribution = map(die(a), (value) => (value > bound ? die(b) : value < bound ? die(c) : value));
      const expected = a.flatMap((value) => {
        const then = value > bound ? b : value < bound ? c : [value];
        return Array.from({ length: b.length * c.length }, (_, k) => then[k % then.length] ?? 0);
      });
      expectLaw(exactDistribution, expected);
    }),
    { numRuns: 60 },
  );
});

test('sortedDice equals the enumeration of two groups of dice', () => {
  const read = (attack: readonly number[], defence: readonly number[]): number =>
    attack.reduce((all, face) => 10 * all + face, 0) - 7 * (defence[0] ?? 0) - (defence[1] ?? 0);
  const rolls = sequences(3, [1, 2, 3, 4]).flatMap((attack) =>
    sequences(2, [1, 2, 3]).map((defence) => read(descending(attack), descending(defence))),
  );
  expectLaw(
    hands(
      [
        [3, 4],
        [2, 3],
      ],
      read,
    ),
    rolls,
  );
});

test('sortedDice counts three dice against two, with ties to the defender', () => {
  const lost = hands(
    [
      [3, 6],
      [2, 6],
    ],
    ([a = 0, b = 0], [x = 0, y = 0]) => Number(a > x) + Number(b > y),
  );
  expect(lost).toEqual({ offset: 0, weights: [2275n, 2611n, 2890n] });
});

test('mean, standardDeviation and probabilities equal direct computation', () => {
  fc.assert(
    fc.property(faces, (a) => {
      const exactDistribution = die(a);
      const centre = added(a) / a.length;
      expect(mean(exactDistribution)).toBeCloseTo(centre, 12);
      expect(deviation(exactDistribution)).toBeCloseTo(
        Math.sqrt(added(a.map((face) => (face - centre) ** 2)) / a.length),
        12,
      );
      expect(distribution(exactDistribution)).toEqual(
        listEntries(exactDistribution).map(([value]) => [value, probability(exactDistribution, value)]),
      );
    }),
    { numRuns: 60 },
  );
  expect(deviation(times(100, d(6)))).toBe(Math.sqrt((100 * 35) / 12));
});

test('distributions of dice are named like their notation, others have no name', () => {
  const five = (face: number): boolean => face >= 5;
  const smashed = named(
    'smash',
    table([
      [1, 2],
      [5, 1],
    ]),
  );
  const called = (exactDistribution: laws.Distribution): string | undefined => exactDistribution.name;
  expect(called(d(6))).toBe('d6');
  expect(called(times(3, d(10)))).toBe('3d10');
  expect(called(times(3, smashed))).toBe('3 x (smash)');
  expect(called(sum(times(2, d(6)), constant(3), constant(-1)))).toBe('2d6 + 3 - 1');
  expect(called(highest(3, 4, d(6)))).toBe('highest 3 of 4d6');
  expect(called(lowest(1, 2, d(20)))).toBe('lowest 1 of 2d20');
  expect(called(count(5, d(6), five))).toBe('successes of 5d6');
  expect(called(opposed(count(5, d(6), five), d(3)))).toBe('successes of 5d6 against d3');
  expect(called(compare(d(6), d(8)))).toBe('d6 against d8');
  expect(called(reroll(d(6), five))).toBe('d6 rerolled');
  expect(called(reroll(d(6), five, Number.POSITIVE_INFINITY))).toBe('d6 rerolled');
  expect(called(explode(d(6), five, 2))).toBe('d6 exploding');
  expect(called(named('fate', d(3)))).toBe('fate');
  const nameless = [die([1, 2, 2]), map(d(6), (face) => face), table([[1, 1]]), combine(d(2), d(2), Math.max)];
  for (const exactDistribution of [...nameless, sum(d(6), die([1])), times(2, die([1, 2])), opposed(die([1]), d(6))])
    expect(exactDistribution).not.toHaveProperty('name');
});

test('repeated calls return the same object', () => {
  expect(times(3, d(10))).toBe(times(3, d(10)));
  expect(highest(2, 3, d(6))).toBe(highest(2, 3, d(6)));
  expect(highest(2, 3, d(6))).not.toBe(highest(1, 3, d(6)));
  expect(lowest(2, 3, d(6))).not.toBe(highest(2, 3, d(6)));
  expect(map(d(6), (face) => face * face)).toBe(map(d(6), (face) => face ** 2));
  expect(sum(d(4), constant(2))).toBe(sum(d(4), constant(2)));
  expect(sum(d(4), 2)).toBe(sum(d(4), constant(2)));
  expect(compare(d(20), 15)).toBe(compare(d(20), constant(15)));
  expect(opposed(3, d(6))).toBe(opposed(constant(3), d(6)));
  expect(combine(3, d(6), Math.min)).toBe(map(d(6), (face) => Math.min(3, face)));
  expect(opposed(d(4), d(6))).not.toBe(opposed(d(6), d(4)));
  expect(compare(d(4), d(6))).not.toBe(opposed(d(4), d(6)));
  expect(named('a', d(6))).not.toBe(named('b', d(6)));
});

test('memoizeDistribution calls its function once per list of values', () => {
  const made = vi.fn(() => d(6));
  const values = Array.from({ length: 5000 }, (_, k) => k % 7);
  const other = values.with(4999, 8);
  for (const given of [values, [...values], other, values, other]) memoizeDistribution('made', [1], made, given);
  memoizeDistribution('made', [2], made, values);
  expect(made).toHaveBeenCalledTimes(3);
});

test('count depends on draws and flags, and returns one object for repeated calls', () => {
  for (const sides of [6, 16, 17, 20]) {
    for (let repeat = 0; repeat < 2; repeat++) {
      for (let draws = 0; draws < 4; draws++) {
        for (let least = 1; least <= sides + 1; least++) {
          const exactDistribution = count(draws, d(sides), (face) => face >= least);
          expect(mean(exactDistribution)).toBeCloseTo((draws * (sides + 1 - least)) / sides, 12);
          expect(count(draws, d(sides), (face) => face > least - 1)).toBe(exactDistribution);
        }
      }
    }
    for (const wrong of [2.5, Number.NaN, '2' as unknown as number, 2 ** 32 + 2])
      expect(() => count(wrong, d(sides), (face) => face >= 2)).toThrow('times: expected draws 0..10000');
  }
});

test('sortedDice reads faces at each call and computes equal readings once', () => {
  const handful = getSortedDice('a test', 3, 4);
  const { weights } = handful;
  const weighed = vi.fn(() => weights);
  Object.defineProperty(handful, 'weights', { get: weighed });
  let bonus = 0;
  const read = ([best = 0]: readonly number[], [other = 0]: readonly number[]): number => best + bonus - other;
  const exactDistributions = [0, 0, 1, 0, 1].map((more) => {
    bonus = more;
    return hands(
      [
        [3, 4],
        [2, 5],
      ],
      read,
    );
  });
  expect(exactDistributions.map(mean).map((value) => value - mean(exactDistributions[0] as laws.Distribution))).toEqual(
    [0, 0, 1, 0, 1],
  );
  expect(weighed).toHaveBeenCalledTimes(2);
});

test('sortedDice rejects sorting of faces in place, without effect on other distributions', () => {
  const best = (): laws.Distribution => hands([[3, 6]], ([one = 0]) => one);
  const right = best();
  expect(() => hands([[3, 6]], (faces) => (faces as number[]).sort((a, b) => a - b)[0] ?? 0)).toThrow(TypeError);
  expect(best()).toBe(right);
});

test('dice have known probabilities and means', () => {
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
  expect(reroll(d(6), (face) => face <= 2, Number.POSITIVE_INFINITY)).toMatchObject({
    offset: 3,
    weights: [1n, 1n, 1n, 1n],
  });
});

test('weighted keeps its weights without their common divisor', () => {
  const exactDistribution = table([
    [3, 4],
    [-1, 2n],
    [3, 2],
    [9, 0],
  ]);
  expect(exactDistribution).toEqual({ offset: -1, weights: [1n, 0n, 0n, 0n, 3n] });
  expect(computeTotal(exactDistribution)).toBe(4n);
});

test.each([
  [() => d(0), 'd: expected sides 1..65536, found 0'],
  [() => d(2.5), 'd: expected sides 1..65536, found 2.5'],
  [() => die([]), 'die: expected a value with a weight above 0, found none'],
  [() => die(6 as unknown as number[]), 'die: expected a list of faces, found 6'],
  [() => table(6 as unknown as [number, number][]), 'weighted: expected a list of values with weights, found 6'],
  [() => hands(2 as unknown as [number, number][], () => 0), 'sortedDice: expected a list of [count, sides], found 2'],
  [() => mean({} as laws.Distribution), 'distribution: expected a distribution, such as d(6), found [object Object]'],
  [
    () => deviation(undefined as unknown as laws.Distribution),
    'distribution: expected a distribution, such as d(6), found undefined',
  ],
  [
    () => distribution(6 as unknown as laws.Distribution),
    'distribution: expected a distribution, such as d(6), found 6',
  ],
  [
    () => probability(null as unknown as laws.Distribution, 1),
    'distribution: expected a distribution, such as d(6), found null',
  ],
  [() => die([1.5]), 'die: expected whole numbers as values, found 1.5'],
  [() => table([[1, -1]]), 'weighted: expected weights of 0 or more, found -1'],
  [() => table([[1, 0.5]]), 'weighted: expected whole numbers as weights, found 0.5'],
  [() => table([[1, 0]]), 'weighted: expected a value with a weight above 0, found none'],
  [() => times(-1, d(6)), 'times: expected draws 0..10000, found -1'],
  [() => times(10_000, d(100)), 'times: expected weights whose sum has at most 4096 bits, found about 66439 bits'],
  [() => times(8000, d(6)), 'times: expected weights whose sum has at most 4096 bits, found about 20680 bits'],
  [() => times(1000, d(16)), 'times: expected at most 8388608 products of weights, found about 56250000'],
  [() => highest(90, 100, d(6)), 'keepHighest: expected at most 8388608 products of weights, found about 13530000'],
  [() => highest(3, 2, d(6)), 'keepHighest: expected draws to keep 0..2, found 3'],
  [() => map(d(6), () => Number.NaN), 'map: expected whole numbers as values, found NaN'],
  [() => map(d(6), () => undefined as unknown as number), 'map: expected whole numbers as values, found undefined'],
  [() => count(-1, d(6), () => true), 'times: expected draws 0..10000, found -1'],
  [
    () => hands([[21, 6]], () => 1),
    'sortedDice: expected dice with at most 65536 results, such as 20d6 or 9d10, found 21d6',
  ],
  [
    () =>
      hands(
        [
          [10, 6],
          [10, 6],
        ],
        () => 1,
      ),
    'sortedDice: expected at most 8388608 products of weights, found about 9018009',
  ],
  [() => hands([[2, 6]], () => 0.5), 'sortedDice: expected whole numbers as values, found 0.5'],
  [() => times(2, { offset: 0, weights: [1n, -1n] }), 'distribution: expected weights of 0 or more, found -1'],
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
])('rejects %s', (act, message) => {
  expect(act).toThrow(RangeError);
  expect(act).toThrow(message);
});
