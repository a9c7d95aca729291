/** Distributions and sorted faces by inversion: the value of each word, and the caches. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Distribution, RandomDraws } from '../../src/core/chance/chance.ts';
import { computeRatio } from '../../src/core/chance/dice-tables.ts';
import { BoundedCache, getCachedDistribution, getSortedDice } from '../../src/core/chance/distribution-cache.ts';
import { enumerateBranches } from '../../src/core/chance/enumerated-chance.ts';
import { SampledChance } from '../../src/core/chance/sampled-chance.ts';
import { Stream } from '../../src/core/chance/stream.ts';
import { d, explode, map, reroll, times } from '../../src/core/distributions/index.ts';
import { TracingChance } from '../../src/engines/automaton/tracing-chance.ts';
import { DEPTH } from '../depth.ts';

/** Returns the result of an act whose next word is `word`. */
function at<T>(word: number, act: (chance: RandomDraws) => T): T {
  const stream = { seek: () => undefined, word: () => word } as unknown as Stream;
  return act(new SampledChance(stream));
}

const total = (weights: readonly bigint[]): bigint => weights.reduce((sum, weight) => sum + weight, 0n);

/** Returns the first outcome whose cumulative weight exceeds a word: floor(2^32 * cumulative / total) > word. */
function outcomeOf(weights: readonly bigint[], word: number): number {
  let below = 0n;
  return weights.findIndex((weight) => {
    below += weight;
    return (below << 32n) / total(weights) > BigInt(word);
  });
}

/** Returns the value of the first draw of a traced act at a word, selected by the number of thresholds <= the word. */
function traced(word: number, act: (chance: RandomDraws) => unknown): unknown {
  const chance = new TracingChance();
  act(chance);
  const draw = chance.path[0]?.draw;
  const look = draw?.layers[0]?.[0];
  const thresholds = look !== undefined && 'thresholds' in look ? look.thresholds : [];
  const way = thresholds.filter((threshold) => threshold <= word).length;
  return draw?.values[draw.exits[0]?.[0]?.[way] ?? -1];
}

/** Returns the words at which an outcome begins or may begin, and the words next to them. */
function wordsAround(weights: readonly bigint[]): number[] {
  let below = 0n;
  const ends = weights.map((weight) => {
    below += weight;
    return Number((below << 32n) / total(weights));
  });
  const words = [0, 2 ** 32 - 1, ...ends.flatMap((end) => [end - 1, end, end + 1])];
  return [...new Set(words)].filter((word) => word >= 0 && word < 2 ** 32).sort((a, b) => a - b);
}

const exactDistributions: fc.Arbitrary<Distribution> = fc.record({
  offset: fc.integer({ min: -1000, max: 1000 }),
  weights: fc
    .array(fc.oneof(fc.bigInt(0n, 5n), fc.constant(1n), fc.bigInt(0n, 2n ** 70n)), { minLength: 1, maxLength: 12 })
    .filter((weights) => total(weights) > 0n),
});

const RUNS = { numRuns: 60 };

describe('a distribution', () => {
  test('is inverted word by word, and a greater word never gives a lower value', () => {
    fc.assert(
      fc.property(exactDistributions, fc.integer({ min: 0, max: 2 ** 32 - 1 }), (exactDistribution, any) => {
        const words = [...wordsAround(exactDistribution.weights), any].sort((a, b) => a - b);
        const values = words.map((word) => at(word, (chance) => chance.sample(exactDistribution)));
        expect(values).toEqual(
          words.map((word) => exactDistribution.offset + outcomeOf(exactDistribution.weights, word)),
        );
        expect(values).toEqual(values.toSorted((a, b) => a - b));
      }),
      RUNS,
    );
  });

  test('is enumerated with its weights, each value once, in ascending order', () => {
    fc.assert(
      fc.property(exactDistributions, (exactDistribution) => {
        const expected = exactDistribution.weights
          .map((weight, k) => ({
            value: exactDistribution.offset + k,
            probability: computeRatio(weight, total(exactDistribution.weights)),
          }))
          .filter((_, k) => exactDistribution.weights[k] !== 0n);
        expect([...enumerateBranches((chance) => chance.sample(exactDistribution))]).toEqual(expected);
      }),
      RUNS,
    );
  });

  test('is traced like it is sampled', () => {
    fc.assert(
      fc.property(exactDistributions, (exactDistribution) => {
        const chance = new TracingChance();
        chance.seek(5, 1);
        chance.sample(exactDistribution);
        expect([chance.path[0]?.at, chance.path[0]?.after]).toEqual([
          { word: 6, half: 0 },
          { word: 7, half: 0 },
        ]);
        const take = (chance: RandomDraws): number => chance.sample(exactDistribution);
        for (const word of wordsAround(exactDistribution.weights)) expect(traced(word, take)).toBe(at(word, take));
      }),
      RUNS,
    );
  });

  test.each([
    [6, 'distribution: expected a distribution, such as d(6), found 6'],
    [null, 'distribution: expected a distribution, such as d(6), found null'],
    [undefined, 'distribution: expected a distribution, such as d(6), found undefined'],
    [{ offset: 0, weights: [] }, 'distribution: expected a weight above 0, found none'],
    [{ offset: 0, weights: [0n] }, 'distribution: expected a weight above 0, found none'],
    [{ offset: 0, weights: [2n, -1n] }, 'distribution: expected weights of 0 or more, found -1'],
    [
      { offset: 0, weights: [2, 1] },
      'distribution: expected weights of type bigint (weighted() takes numbers), found 2',
    ],
    [{ offset: 0.5, weights: [1n] }, 'distribution: expected a whole number as offset, found 0.5'],
    [{ weights: [1n] }, 'distribution: expected a whole number as offset, found undefined'],
    [{ offset: 0, weights: new Array(65537).fill(1n) }, 'distribution: expected at most 65536 values, found 65537'],
  ])('is rejected by every chance and function if it is invalid (%#)', (exactDistribution, message) => {
    const take = (chance: RandomDraws): number => chance.sample(exactDistribution as unknown as Distribution);
    for (const act of [
      () => at(0, take),
      () => [...enumerateBranches(take)],
      () => take(new TracingChance()),
      () => times(2, exactDistribution as unknown as Distribution),
      () => map(exactDistribution as unknown as Distribution, (value) => value),
      () => reroll(exactDistribution as unknown as Distribution, () => true),
      () => explode(exactDistribution as unknown as Distribution, () => true, 1),
    ]) {
      expect(act).toThrow(RangeError);
      expect(act).toThrow(message);
    }
  });
});

/** Returns all sequences of faces, each sorted. */
function rolled(count: number, sides: number): string[] {
  let all: number[][] = [[]];
  for (let k = 0; k < count; k++)
    all = all.flatMap((start) => Array.from({ length: sides }, (_, face) => [...start, face + 1]));
  return all.map((faces) => faces.sort((a, b) => b - a).join());
}

const HANDFULS = [
  [0, 6],
  [1, 7],
  [3, 1],
  [2, 6],
  [3, 6],
  [5, 3],
  [4, 5],
] as const;

describe('sorted faces', () => {
  test.each(HANDFULS)('of %dd%d have the frequencies of all sequences', (count, sides) => {
    const sequences = rolled(count, sides);
    const { list, weights } = getSortedDice('roll', count, sides);
    const expected = new Map<string, number>();
    for (const faces of sequences) expected.set(faces, (expected.get(faces) ?? 0) + 1);
    expect(new Map(list.map((hand, k) => [hand.join(), Number(weights[k])]))).toEqual(expected);
    const enumerated = [...enumerateBranches((chance) => chance.roll(count, sides).join())];
    expect(enumerated).toEqual(
      list.map((hand, k) => ({ value: hand.join(), probability: Number(weights[k]) / sequences.length })),
    );
  });

  test.each(HANDFULS)('of %dd%d do not decrease with greater words', (count, sides) => {
    const { weights } = getSortedDice('roll', count, sides);
    const words = wordsAround(weights);
    const seen = words.map((word) => at(word, (chance) => chance.roll(count, sides)));
    const written = seen.map((faces) => faces.map((face) => String.fromCodePoint(face)).join(''));
    expect(written).toEqual(written.toSorted());
    expect(new Set(written).size).toBe(weights.length);
    expect(at(0, (chance) => chance.roll(count, sides))).toEqual(new Array(count).fill(1));
    expect(at(2 ** 32 - 1, (chance) => chance.roll(count, sides))).toEqual(new Array(count).fill(sides));
  });

  test.each([...HANDFULS, ...(DEPTH > 1 ? [[14, 6] as const] : [])])(
    'of %dd%d are traced like they are sampled',
    (count, sides) => {
      const roll = (chance: RandomDraws): readonly number[] => chance.roll(count, sides);
      // Some results of 14d6 are too rare to have a word.
      const words = wordsAround(getSortedDice('roll', count, sides).weights);
      const some = words.filter((_, k) => k % Math.ceil(words.length / 40) === 0);
      for (const word of [...some, 2 ** 32 - 1]) expect(traced(word, roll)).toBe(at(word, roll));
    },
  );

  test('support the largest roll: 20d6 with 6^20 sequences', () => {
    const { list, weights } = getSortedDice('roll', 20, 6);
    expect(list.length).toBe(53_130);
    expect(total(weights)).toBe(6n ** 20n);
  });

  test('are an immutable list', () => {
    const faces = at(0, (chance) => chance.roll(2, 6)) as number[];
    expect(() => faces.pop()).toThrow(TypeError);
  });

  test.each([
    [21, 6, 'roll: expected dice with at most 65536 results, such as 20d6 or 9d10, found 21d6'],
    [2, 65_536, 'roll: expected dice with at most 65536 results, such as 20d6 or 9d10, found 2d65536'],
    [101, 2, 'roll: expected dice 0..100, found 101'],
    [-1, 6, 'roll: expected dice 0..100, found -1'],
    [2.5, 6, 'roll: expected dice 0..100, found 2.5'],
    [2, 0, 'roll: expected sides 1..65536, found 0'],
    [Number.NaN, 6, 'roll: expected dice 0..100, found NaN'],
  ])('%d dice of %d sides are rejected', (count, sides, message) => {
    const roll = (chance: RandomDraws): readonly number[] => chance.roll(count, sides);
    for (const act of [() => at(0, roll), () => [...enumerateBranches(roll)], () => roll(new TracingChance())]) {
      expect(act).toThrow(RangeError);
      expect(act).toThrow(message);
    }
  });
});

describe('the cache of distributions', () => {
  test('finds a distribution by its content, including its name', () => {
    const exactDistribution = (): Distribution => ({ offset: 2, weights: [1n, 2n ** 40n, 3n], name: 'a' });
    expect(getCachedDistribution(exactDistribution())).toBe(getCachedDistribution(exactDistribution()));
    for (const other of [
      { ...exactDistribution(), offset: 3 },
      { ...exactDistribution(), name: 'b' },
      { ...exactDistribution(), weights: [1n, 2n ** 40n, 3n, 0n] },
      // The low halves are equal, and so is the hash.
      { ...exactDistribution(), weights: [1n, 2n ** 41n, 3n] },
    ])
      expect(getCachedDistribution(other)).not.toBe(getCachedDistribution(exactDistribution()));
  });

  test('keeps a distribution whose weights are changed later', () => {
    const weights = [1n, 1n];
    const { distribution: exactDistribution } = getCachedDistribution({ offset: 50, weights });
    weights[1] = 0n;
    expect(exactDistribution.weights).toEqual([1n, 1n]);
    expect(() => (d(6).weights as bigint[]).pop()).toThrow(TypeError);
  });

  test('is cleared before it exceeds its limit', () => {
    const cache = new BoundedCache<number>(10);
    cache.set('a', 1, 4);
    cache.set('b', 2, 6);
    expect([cache.get('a'), cache.get('b')]).toEqual([1, 2]);
    cache.set('c', 3, 1);
    expect(['a', 'b', 'c'].map((name) => cache.get(name))).toEqual([undefined, undefined, 3]);
  });

  test('gives the same samples for new and stored distributions', () => {
    const kept = times(3, d(10));
    for (let battle = 0; battle < 200; battle++) {
      const [one, other] = [
        new SampledChance(Stream.forBattle(3n, battle)),
        new SampledChance(Stream.forBattle(3n, battle)),
      ];
      expect(one.sample(times(3, d(10)))).toBe(other.sample(kept));
      const fresh = { offset: kept.offset, weights: [...kept.weights] };
      expect(one.sample(fresh)).toBe(other.sum({ count: 3, sides: 10 }));
    }
  });
});
