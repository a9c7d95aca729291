import type { Distribution } from './chance.ts';
import {
  computeProbabilities,
  computeThresholds,
  type FiniteDistribution,
  toFiniteDistribution,
} from './dice-tables.ts';

/** A cache with a bound: when it would hold more than its room, it forgets everything and begins anew. */
export class BoundedCache<V> {
  readonly #room: number;
  readonly #held = new Map<string, V>();
  #used = 0;

  /** @param room the sum of the sizes that may be held */
  constructor(room: number) {
    this.#room = room;
  }

  get(name: string): V | undefined {
    return this.#held.get(name);
  }

  set(name: string, value: V, size: number): void {
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
  for (const number of numbers) mix = Math.imul((mix ^ (mix >>> 15)) + number, 0x9e3779b1);
  return mix;
}

export function isEqual(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}

// The laws that doors draw from. Rules may make a law anew at every step: it is recognised by its content, so what
// follows from it is computed once. What is remembered is bounded.

/** From the least value of a law to its greatest: as many values at most, counting those that never come. */
export const VALUES_MAX: number = 2 ** 16;

/** Words of 64 bits that remembered laws may take: 32 MB. */
export const CACHE_WORDS_MAX: number = 2 ** 22;

/** The place in a message is the function that was called. */
export function rejectArgument(place: string, expected: string, found: unknown): never {
  throw new RangeError(`${place}: expected ${expected}, found ${String(found)}`);
}

/** Words of 64 bits that a law takes besides its values. */
const OBJECT_WORDS = 64;

let nextId = 0;

/** A law with what doors need of it. */
export class CachedDistribution {
  /** Tells laws of different content apart. */
  readonly id: number = nextId++;
  /** The law itself: one object for all laws of its content, as long as it is remembered. */
  readonly distribution: Distribution;
  /** Words of 64 bits that it takes, thresholds and probabilities included. */
  readonly size: number;
  #table: Uint32Array | undefined;
  #distribution: FiniteDistribution<number> | undefined;

  constructor({ offset, weights, name }: Distribution, total: bigint) {
    this.distribution = Object.freeze({
      offset,
      weights: Object.freeze([...weights]),
      ...(name !== undefined && { name }),
    });
    this.size = OBJECT_WORDS + weights.length * (4 + total.toString(16).length / 16);
  }

  /** The value of a word is the law's offset + the number of thresholds <= word. */
  get thresholds(): Uint32Array {
    this.#table ??= computeThresholds(this.distribution);
    return this.#table;
  }

  get finiteDistribution(): FiniteDistribution<number> {
    this.#distribution ??= toFiniteDistribution(this.distribution);
    return this.#distribution;
  }

  /** 0 for a value that never comes. */
  probability(value: number): number {
    const { values, probabilities } = this.finiteDistribution;
    return probabilities[values.indexOf(value)] ?? 0;
  }
}

/** Checks a law that was made by hand; returns the sum of its weights. */
function checkDistribution(law: Distribution): bigint {
  const { offset, weights } = Object(law) as Partial<Distribution>;
  if (!Array.isArray(weights)) rejectArgument('distribution', 'a distribution, such as d(6)', law);
  if (weights.length > VALUES_MAX)
    rejectArgument('distribution', `at most ${String(VALUES_MAX)} values`, weights.length);
  if (!Number.isSafeInteger(offset) || !Number.isSafeInteger(law.offset + weights.length))
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

/** A hash by FNV-1a over the low halves of the weights: laws of one hash are compared. */
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

function recognizeDistribution(law: Distribution): CachedDistribution {
  const total = checkDistribution(law);
  const hash = hashDistribution(law);
  const known = byContent.get(hash);
  if (known !== undefined && isEqualDistribution(known.distribution, law)) return known;
  const taken = new CachedDistribution(law, total);
  byObject.set(taken.distribution, taken);
  byContent.set(hash, taken, taken.size);
  return taken;
}

/**
 * What doors need of a law.
 * @throws RangeError if it is none
 */
export function getCachedDistribution(law: Distribution): CachedDistribution {
  let taken = byObject.get(law);
  if (taken === undefined) {
    taken = recognizeDistribution(law);
    byObject.set(law, taken);
  }
  return taken;
}

/** The one object of a law's content. */
export function getCanonicalDistribution(law: Distribution): Distribution {
  return recognizeDistribution(law).distribution;
}

// Handfuls of equal dice, read as their sorted faces. The hands of a handful are its multisets, each with its faces in
// descending order, and follow each other lexicographically: a greater word never gives a lesser hand.

/** Hands of a handful: 20d6 has 53130. */
const SORTED_DICE_MAX = 2 ** 16;

/** Dice of a handful. The weights of many coins are large although their hands are few. */
const DICE_MAX = 100;

/** Faces in all the hands that are remembered, copies included, at some 8 bytes each. */
const SORTED_DICE_CACHE_MAX = 2 ** 23;

/** The faces of some dice, in descending order. */
export type SortedDice = readonly number[];

/** All hands of a handful. */
export class SortedDiceDistribution {
  readonly list: readonly SortedDice[];
  /** For each hand the sequences of faces that show it. */
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

  /** The hands, not frozen: V8 takes frozen ones apart five times as slowly. Whoever lends them looks at `areWhole` after. */
  get copies(): readonly SortedDice[] {
    this.#copies ??= this.list.map((hand) => [...hand]);
    return this.#copies;
  }

  /** Whether nobody has changed a copy; else they are made anew when they are next needed. */
  isIntact(): boolean {
    const whole = this.copies.every((copy, k) => isEqual(copy, this.list[k] as SortedDice));
    if (!whole) this.#copies = undefined;
    return whole;
  }

  /** The index of a word's hand is the number of thresholds <= word. */
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

/** Whether there are more multisets than HANDS_MAX: (count + sides - 1 choose count) of them. */
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
 * The hands of `count` dice with faces 1..sides.
 * @param place what is told of bad dice
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

// Cubes from a bag: the quantile of the hypergeometric law, found while its weights are computed.
//
// There are too many bags for tables, so thresholds are computed in IEEE doubles: the share of the least
// outcome as a product, each further one from the one before. Reference and kernel do the same operations in
// the same order (assembly/core/bag.ts), and none but + - * /, so both have the same thresholds bit for bit.
// Up to BAG_MAX cubes rounding moves a threshold by less than 2^-40 of the whole: see docs/explanation/randomness.md.

/** As many cubes as a bag may hold for the stated error to hold. */
export const BAG_MAX = 400;

/**
 * How many marked cubes are among `count` cubes drawn from `size` cubes of which `marked` are marked.
 * @param word an unsigned 32-bit integer; a greater one never gives fewer marked cubes
 */
export function sampleMarked(size: number, marked: number, count: number, word: number): number {
  const others = size - marked;
  const exhausted = count > others;
  const most = Math.min(count, marked);
  let drawn = exhausted ? count - others : 0;
  if (drawn === most) return drawn;
  // The least outcome: no marked cube is drawn, or no other cube is left behind.
  const a = exhausted ? size - count : count;
  const b = exhausted ? others : marked;
  const top = size - Math.max(a, b);
  let share = 2 ** 32;
  for (let i = 0, factors = Math.min(a, b); i < factors; i++) share = (share * (top - i)) / (size - i);
  let below = share;
  // floor(below) is the threshold; an integer word lies on or above it if word + 1 lies above `below`.
  while (drawn < most && below < word + 1) {
    share = (share * ((marked - drawn) * (count - drawn))) / ((drawn + 1) * (others - count + drawn + 1));
    below += share;
    drawn++;
  }
  return drawn;
}
