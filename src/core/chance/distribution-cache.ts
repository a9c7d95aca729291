import type { Distribution } from './chance.ts';
import {
  computeProbabilities,
  computeThresholds,
  type FiniteDistribution,
  findQuantile,
  toFiniteDistribution,
} from './dice-tables.ts';

/** A cache of bounded size: it is cleared when a value would exceed its capacity. */
export class BoundedCache<V, K = string> {
  readonly #room: number;
  readonly #held = new Map<K, V>();
  #used = 0;

  /** @param room maximum sum of the sizes */
  constructor(room: number) {
    this.#room = room;
  }

  get(name: K): V | undefined {
    return this.#held.get(name);
  }

  set(name: K, value: V, size: number): void {
    if (this.#used + size > this.#room) {
      this.#held.clear();
      this.#used = 0;
    }
    this.#used += size;
    this.#held.set(name, value);
  }
}

/** Mixes numbers into a hash. Multiplier: D. E. Knuth, The Art of Computer Programming 3, 6.4. */
export function mixHash(hash: number, numbers: readonly number[]): number {
  let mix = hash;
  for (const number of numbers) mix = mixNumber(mix, number);
  return mix;
}

export const mixNumber = (hash: number, number: number): number =>
  Math.imul((hash ^ (hash >>> 15)) + number, 0x9e3779b1);

export function isEqual(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}

// Cache of the distributions that chance sources sample. Rules may create a distribution in every step: it is
// recognized by its content, so that derived tables are computed once. The cache is bounded.

/** Maximum number of values from the least to the greatest, including those of weight 0. */
export const VALUES_MAX: number = 2 ** 16;

/** Maximum size of cached distributions in 64-bit words: 32 MB. */
export const CACHE_WORDS_MAX: number = 2 ** 22;

/** Throws an error whose place is the called function. */
export function rejectArgument(place: string, expected: string, found: unknown): never {
  throw new RangeError(`${place}: expected ${expected}, found ${String(found)}`);
}

/** Size of a distribution without its values, in 64-bit words. */
const OBJECT_WORDS = 64;

let nextId = 0;

/** Property of canonical distributions with their cache entry: faster than a WeakMap. */
const ENTRY = Symbol('entry');

interface CanonicalDistribution extends Distribution {
  readonly [ENTRY]?: CachedDistribution;
}

/** Distribution of the number of successes of several draws. */
interface CountedDistribution {
  readonly draws: number;
  readonly distribution: Distribution;
}

/** Maximum size of the distributions of successes of one distribution, in 64-bit words. */
const COUNTS_WORDS_MAX = 2 ** 16;

/** A distribution with its derived tables. */
export class CachedDistribution {
  /** Identifies the content of the distribution. */
  readonly id: number = nextId++;
  /** The same as an object, which no number of a caller equals. */
  readonly token: object = {};
  /** Canonical object of all distributions with this content while it is cached. */
  readonly distribution: Distribution;
  /** Size in 64-bit words, including thresholds and probabilities. */
  readonly size: number;
  /** Numbers of samples by distribution, if this is their sum. */
  parts: ReadonlyMap<CachedDistribution, number> | undefined;
  #counts: BoundedCache<CountedDistribution, number> | undefined;
  #table: Uint32Array | undefined;
  #distribution: FiniteDistribution<number> | undefined;

  /** @param words size of the values, in 64-bit words */
  constructor(distribution: Distribution, words: number) {
    this.distribution = Object.freeze(Object.defineProperty(distribution, ENTRY, { value: this }));
    this.size = OBJECT_WORDS + words;
  }

  /** Distributions of the successes of several draws, by number of draws and flags. */
  get counts(): BoundedCache<CountedDistribution, number> {
    this.#counts ??= new BoundedCache(COUNTS_WORDS_MAX);
    return this.#counts;
  }

  /** Returns the value of a word. */
  sample(word: number): number {
    return this.distribution.offset + findQuantile(this.thresholds, word);
  }

  /** Returns the same distribution with a name. */
  rename(name: string): Distribution {
    return getCanonicalDistribution({ ...this.distribution, name });
  }

  /** The value of a word is the offset of the distribution + the number of thresholds <= word. */
  get thresholds(): Uint32Array {
    this.#table ??= computeThresholds(this.distribution);
    return this.#table;
  }

  get finiteDistribution(): FiniteDistribution<number> {
    this.#distribution ??= toFiniteDistribution(this.distribution);
    return this.#distribution;
  }

  /** Returns the probability of a value, which may be 0. */
  probability(value: number): number {
    const { values, probabilities } = this.finiteDistribution;
    return probabilities[values.indexOf(value)] ?? 0;
  }
}

/** Validates a distribution; returns the sum of its weights. */
function checkDistribution(distribution: Distribution): bigint {
  const { offset, weights } = Object(distribution) as Partial<Distribution>;
  if (!Array.isArray(weights)) rejectArgument('distribution', 'a distribution, such as d(6)', distribution);
  if (weights.length > VALUES_MAX)
    rejectArgument('distribution', `at most ${String(VALUES_MAX)} values`, weights.length);
  if (!Number.isSafeInteger(offset) || !Number.isSafeInteger(distribution.offset + weights.length))
    rejectArgument('distribution', 'a whole number as offset', offset);
  let total = 0n;
  for (const weight of weights as readonly unknown[]) {
    if (typeof weight !== 'bigint')
      rejectArgument('distribution', 'weights of type bigint (weighted() takes numbers)', weight);
    if (weight < 0n) rejectArgument('distribution', 'weights of 0 or more', weight);
    total += weight;
  }
  if (total === 0n) rejectArgument('distribution', 'a weight above 0', 'none');
  return total;
}

/** Computes a FNV-1a hash of the low halves of the weights; distributions with equal hashes are compared. */
function hashDistribution({ offset, weights, name = '' }: Distribution): string {
  let hash = 0x811c9dc5 ^ offset;
  for (const weight of weights) hash = Math.imul(hash ^ Number(BigInt.asUintN(32, weight)), 0x01000193);
  return `${String(hash)},${String(weights.length)},${name}`;
}

function isEqualDistribution(a: Distribution, b: Distribution): boolean {
  if (a.offset !== b.offset || a.weights.length !== b.weights.length || a.name !== b.name) return false;
  return a.weights.every((weight, k) => weight === b.weights[k]);
}

const byObject = new WeakMap<Distribution, CachedDistribution>();
const byContent = new BoundedCache<CachedDistribution>(CACHE_WORDS_MAX);

function recognizeDistribution(distribution: Distribution): CachedDistribution {
  const total = checkDistribution(distribution);
  const hash = hashDistribution(distribution);
  const known = byContent.get(hash);
  if (known !== undefined && isEqualDistribution(known.distribution, distribution)) return known;
  const { offset, weights, name } = distribution;
  const taken = new CachedDistribution(
    { offset, weights: Object.freeze([...weights]), ...(name !== undefined && { name }) },
    weights.length * (4 + total.toString(16).length / 16),
  );
  byContent.set(hash, taken, taken.size);
  return taken;
}

/**
 * Returns the cache entry of a distribution.
 * @throws RangeError if it is not a valid distribution
 */
export function getCachedDistribution(distribution: Distribution): CachedDistribution {
  let taken = (distribution as CanonicalDistribution | undefined)?.[ENTRY] ?? byObject.get(distribution);
  if (taken === undefined) {
    taken = recognizeDistribution(distribution);
    byObject.set(distribution, taken);
  }
  return taken;
}

/** Returns the canonical object of a distribution. */
export function getCanonicalDistribution(distribution: Distribution): Distribution {
  return recognizeDistribution(distribution).distribution;
}

// Sets of equal dice as sorted faces. The results of a set are its multisets, each with its faces in descending order,
// in lexicographic order: a greater word never gives a lesser result.

/** Maximum number of results of sorted dice: 20d6 has 53130. */
const SORTED_DICE_MAX = 2 ** 16;

/** Maximum number of sorted dice. Many coins have few results, but large weights. */
const DICE_MAX = 100;

/** Maximum number of faces in all cached results, including copies, at about 8 bytes each. */
const SORTED_DICE_CACHE_MAX = 2 ** 23;

/** Faces of dice in descending order. */
export type SortedDice = readonly number[];

/** All results of a set of equal dice. */
export class SortedDiceDistribution {
  readonly list: readonly SortedDice[];
  /** By result, the number of sequences of faces. */
  readonly weights: readonly bigint[];
  #copies: number[][] | undefined;
  #table: Uint32Array | undefined;
  #distribution: FiniteDistribution<SortedDice> | undefined;

  constructor(count: number, sides: number) {
    const list: SortedDice[] = [];
    const weights: bigint[] = [];
    const add = (hand: SortedDice, run: number, ways: bigint): void => {
      if (hand.length === count) {
        list.push(Object.freeze(hand));
        weights.push(ways);
        return;
      }
      const last = hand.at(-1) ?? sides;
      for (let face = 1; face <= last; face++) {
        const same = hand.length > 0 && face === last ? run + 1 : 1;
        // The multinomial coefficient, factor by factor: n! over the factorial of each run.
        add([...hand, face], same, (ways * BigInt(hand.length + 1)) / BigInt(same));
      }
    };
    add([], 0, 1n);
    this.list = list;
    this.weights = weights;
  }

  /**
   * Results that are not frozen: V8 destructures frozen ones five times as slowly. Callers must check `isIntact`
   * afterwards.
   */
  get copies(): readonly SortedDice[] {
    this.#copies ??= this.list.map((hand) => [...hand]);
    return this.#copies;
  }

  /** Returns false if a copy was changed; the copies are then recreated on demand. */
  isIntact(): boolean {
    const whole = this.copies.every((copy, k) => isEqual(copy, this.list[k] as SortedDice));
    if (!whole) this.#copies = undefined;
    return whole;
  }

  /** The index of the result of a word is the number of thresholds <= word. */
  get thresholds(): Uint32Array {
    this.#table ??= computeThresholds({ offset: 0, weights: this.weights });
    return this.#table;
  }

  get finiteDistribution(): FiniteDistribution<SortedDice> {
    this.#distribution ??= {
      values: this.list,
      probabilities: computeProbabilities({ offset: 0, weights: this.weights }),
    };
    return this.#distribution;
  }
}

/** Returns true if there are more multisets than SORTED_DICE_MAX: (count + sides - 1 choose count) of them. */
function isTooMany(count: number, sides: number): boolean {
  let hands = 1;
  for (let k = 1; k <= Math.min(count, sides - 1); k++) {
    hands = (hands * (count + sides - k)) / k;
    if (hands > SORTED_DICE_MAX) return true;
  }
  return false;
}

const sortedDiceCache = new BoundedCache<SortedDiceDistribution>(SORTED_DICE_CACHE_MAX);

/**
 * Returns the results of `count` dice with faces 1..sides.
 * @param place place of errors
 * @throws RangeError if there are more than 65536
 */
export function getSortedDice(place: string, count: number, sides: number): SortedDiceDistribution {
  const name = `${String(count)}d${String(sides)}`;
  let hands = sortedDiceCache.get(name);
  if (hands === undefined) {
    if (!Number.isInteger(count) || count < 0 || count > DICE_MAX)
      rejectArgument(place, `dice 0..${String(DICE_MAX)}`, count);
    if (!Number.isInteger(sides) || sides < 1 || sides > VALUES_MAX)
      rejectArgument(place, `sides 1..${String(VALUES_MAX)}`, sides);
    if (isTooMany(count, sides))
      rejectArgument(place, `dice with at most ${String(SORTED_DICE_MAX)} results, such as 20d6 or 9d10`, name);
    hands = new SortedDiceDistribution(count, sides);
    sortedDiceCache.set(name, hands, 2 * hands.list.length * (count + 8));
  }
  return hands;
}

// Cubes from a bag: the quantile of the hypergeometric distribution, found while its weights are computed.
//
// There are too many bags for tables, so thresholds are computed in IEEE doubles: the probability of the least outcome
// as a product, each further one from the previous one. Reference engine and kernel perform the same operations in the
// same order (assembly/core/bag.ts), only + - * /, so that their thresholds are bit-identical. Up to BAG_MAX cubes
// rounding moves a threshold by less than 2^-40 of the whole: see docs/explanation/randomness.md.

/** Maximum number of cubes in a bag for which the error bound holds. */
export const BAG_MAX = 400;

/**
 * Samples the number of marked cubes among `count` cubes drawn from `size` cubes of which `marked` are marked.
 * @param word an unsigned 32-bit integer; a greater one never gives fewer marked cubes
 */
export function sampleMarked(size: number, marked: number, count: number, word: number): number {
  const others = size - marked;
  const exhausted = count > others;
  const most = Math.min(count, marked);
  let drawn = exhausted ? count - others : 0;
  if (drawn === most) return drawn;
  // The least outcome: no marked cube is drawn, or all other cubes are.
  const a = exhausted ? size - count : count;
  const b = exhausted ? others : marked;
  const top = size - Math.max(a, b);
  let share = 2 ** 32;
  for (let i = 0, factors = Math.min(a, b); i < factors; i++) share = (share * (top - i)) / (size - i);
  let below = share;
  // floor(below) is the threshold; an integer word is on or above it if word + 1 is above `below`.
  while (drawn < most && below < word + 1) {
    share = (share * ((marked - drawn) * (count - drawn))) / ((drawn + 1) * (others - count + drawn + 1));
    below += share;
    drawn++;
  }
  return drawn;
}
