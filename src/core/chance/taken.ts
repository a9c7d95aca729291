/**
 * The laws that doors draw from. Rules may make a law anew at every step: it is recognised by its content, so what
 * follows from it is computed once. What is remembered is bounded.
 */
import { Bounded } from './bounded.ts';
import type { Law } from './door.ts';
import { type Distribution, distributionOf, thresholds } from './laws.ts';

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
