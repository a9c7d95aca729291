import type { Law } from './door.ts';
import { type Distribution, distributionOf, probabilities, thresholds } from './laws.ts';

/** A cache with a bound: when it would hold more than its room, it forgets everything and begins anew. */
export class Bounded<V> {
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
export function mixed(hash: number, numbers: readonly number[]): number {
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
export const ROOM: number = 2 ** 22;

/** The place in a message is the function that was called. */
export function refuse(place: string, expected: string, found: unknown): never {
  throw new RangeError(`${place}: expected ${expected}, found ${String(found)}`);
}

/** Words of 64 bits that a law takes besides its values. */
const OBJECTS = 64;

let laws = 0;

/** A law with what doors need of it. */
export class TakenLaw {
  /** Tells laws of different content apart. */
  readonly id: number = laws++;
  /** The law itself: one object for all laws of its content, as long as it is remembered. */
  readonly law: Law;
  /** Words of 64 bits that it takes, thresholds and probabilities included. */
  readonly size: number;
  #table: Uint32Array | undefined;
  #distribution: Distribution<number> | undefined;

  constructor({ offset, weights, name }: Law, total: bigint) {
    this.law = Object.freeze({
      offset,
      weights: Object.freeze([...weights]),
      ...(name !== undefined && { name }),
    });
    this.size = OBJECTS + weights.length * (4 + total.toString(16).length / 16);
  }

  /** The value of a word is the law's offset + the number of thresholds <= word. */
  get table(): Uint32Array {
    this.#table ??= thresholds(this.law);
    return this.#table;
  }

  get distribution(): Distribution<number> {
    this.#distribution ??= distributionOf(this.law);
    return this.#distribution;
  }

  /** 0 for a value that never comes. */
  probability(value: number): number {
    const { values, probabilities } = this.distribution;
    return probabilities[values.indexOf(value)] ?? 0;
  }
}

/** Checks a law that was made by hand; returns the sum of its weights. */
function checked(law: Law): bigint {
  const { offset, weights } = Object(law) as Partial<Law>;
  if (!Array.isArray(weights)) refuse('law', 'a law, such as d(6)', law);
  if (weights.length > VALUES_MAX) refuse('law', `at most ${String(VALUES_MAX)} values`, weights.length);
  if (!Number.isSafeInteger(offset) || !Number.isSafeInteger(law.offset + weights.length))
    refuse('law', 'a whole number as offset', offset);
  let total = 0n;
  for (const weight of weights as readonly unknown[]) {
    if (typeof weight !== 'bigint') refuse('law', 'weights of type bigint (table() takes numbers)', weight);
    if (weight < 0n) refuse('law', 'weights of 0 or more', weight);
    total += weight;
  }
  if (total === 0n) refuse('law', 'a weight above 0', 'none');
  return total;
}

/** A hash by FNV-1a over the low halves of the weights: laws of one hash are compared. */
function hashOf({ offset, weights, name = '' }: Law): string {
  let hash = 0x811c9dc5 ^ offset;
  for (const weight of weights) hash = Math.imul(hash ^ Number(BigInt.asUintN(32, weight)), 0x01000193);
  return `${String(hash)},${String(weights.length)},${name}`;
}

function equal(a: Law, b: Law): boolean {
  if (a.offset !== b.offset || a.weights.length !== b.weights.length || a.name !== b.name) return false;
  return a.weights.every((weight, k) => weight === b.weights[k]);
}

const byObject = new WeakMap<Law, TakenLaw>();
const byContent = new Bounded<TakenLaw>(ROOM);

function recognised(law: Law): TakenLaw {
  const total = checked(law);
  const hash = hashOf(law);
  const known = byContent.get(hash);
  if (known !== undefined && equal(known.law, law)) return known;
  const taken = new TakenLaw(law, total);
  byObject.set(taken.law, taken);
  byContent.set(hash, taken, taken.size);
  return taken;
}

/**
 * What doors need of a law.
 * @throws RangeError if it is none
 */
export function takenOf(law: Law): TakenLaw {
  let taken = byObject.get(law);
  if (taken === undefined) {
    taken = recognised(law);
    byObject.set(law, taken);
  }
  return taken;
}

/** The one object of a law's content. */
export function canonical(law: Law): Law {
  return recognised(law).law;
}

// Handfuls of equal dice, read as their sorted faces. The hands of a handful are its multisets, each with its faces in
// descending order, and follow each other lexicographically: a greater word never gives a lesser hand.

/** Hands of a handful: 20d6 has 53130. */
const HANDS_MAX = 2 ** 16;

/** Dice of a handful. The weights of many coins are large although their hands are few. */
const DICE_MAX = 100;

/** Faces in all the hands that are remembered, copies included, at some 8 bytes each. */
const HANDS_ROOM = 2 ** 23;

/** The faces of some dice, in descending order. */
export type Hand = readonly number[];

/** All hands of a handful. */
export class HandsLaw {
  readonly list: readonly Hand[];
  /** For each hand the sequences of faces that show it. */
  readonly weights: readonly bigint[];
  #copies: number[][] | undefined;
  #table: Uint32Array | undefined;
  #distribution: Distribution<Hand> | undefined;

  constructor(count: number, sides: number) {
    const list: Hand[] = [];
    const weights: bigint[] = [];
    const add = (hand: Hand, run: number, ways: bigint): void => {
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
  get copies(): readonly Hand[] {
    this.#copies ??= this.list.map((hand) => [...hand]);
    return this.#copies;
  }

  /** Whether nobody has changed a copy; else they are made anew when they are next needed. */
  areWhole(): boolean {
    const whole = this.copies.every((copy, k) => isEqual(copy, this.list[k] as Hand));
    if (!whole) this.#copies = undefined;
    return whole;
  }

  /** The index of a word's hand is the number of thresholds <= word. */
  get table(): Uint32Array {
    this.#table ??= thresholds({ offset: 0, weights: this.weights });
    return this.#table;
  }

  get distribution(): Distribution<Hand> {
    this.#distribution ??= {
      values: this.list,
      probabilities: probabilities({ offset: 0, weights: this.weights }),
    };
    return this.#distribution;
  }
}

/** Whether there are more multisets than HANDS_MAX: (count + sides - 1 choose count) of them. */
function tooMany(count: number, sides: number): boolean {
  let hands = 1;
  for (let k = 1; k <= Math.min(count, sides - 1); k++) {
    hands = (hands * (count + sides - k)) / k;
    if (hands > HANDS_MAX) return true;
  }
  return false;
}

const known = new Bounded<HandsLaw>(HANDS_ROOM);

/**
 * The hands of `count` dice with faces 1..sides.
 * @param place what is told of bad dice
 * @throws RangeError if there are more than 65536
 */
export function handsOf(place: string, count: number, sides: number): HandsLaw {
  const name = `${String(count)}d${String(sides)}`;
  let hands = known.get(name);
  if (hands === undefined) {
    if (!Number.isInteger(count) || count < 0 || count > DICE_MAX) refuse(place, `dice 0..${String(DICE_MAX)}`, count);
    if (!Number.isInteger(sides) || sides < 1 || sides > VALUES_MAX)
      refuse(place, `sides 1..${String(VALUES_MAX)}`, sides);
    if (tooMany(count, sides))
      refuse(place, `dice with at most ${String(HANDS_MAX)} different hands, such as 20d6 or 9d10`, name);
    hands = new HandsLaw(count, sides);
    known.set(name, hands, 2 * hands.list.length * (count + 8));
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
export function markedAmong(size: number, marked: number, count: number, word: number): number {
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
