/**
 * Random numbers of a battle.
 *
 * Battle `index` of run `seed` has its own stream of 2^32 words. A 64-bit key is hashed from (seed, index); word `j` is
 * a keyed 32-bit hash of the counter `j`, so that any word of any battle is found in O(1), independently of previous
 * words.
 *
 * Sources: key derivation, splitmix64 (Steele, Lea, Flood 2014; finalizer "mix 13" of D. Stafford); word hash, triple32
 * (C. Wellons, hash-prospector) with the second half of the key added after its first round.
 * docs/explanation/randomness.md has the reasons and the measurements.
 */
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import { InputError } from '../errors.ts';
import { describeNumeral, parseWholeNumber } from '../numerals.ts';

const GOLDEN = 0x9e3779b97f4a7c15n;

/** Seeds are unsigned 64-bit integers. */
export const MAX_SEED: bigint = (1n << 64n) - 1n;

/** One past the greatest battle index: 2^53, the integer range of a double. */
export const MAX_BATTLES: number = 2 ** 53;

/** Reduces modulo 2^64 without a new bigint: four times as fast as a mask. */
const mixed = new BigUint64Array(1);

/** Applies the finalizer of splitmix64: a bijection of 64 bits in which every input bit affects every output bit. */
export function mix64(value: bigint): bigint {
  mixed[0] = value;
  mixed[0] = (mixed[0] ^ (mixed[0] >> 30n)) * 0xbf58476d1ce4e5b9n;
  mixed[0] = (mixed[0] ^ (mixed[0] >> 27n)) * 0x94d049bb133111ebn;
  return mixed[0] ^ (mixed[0] >> 31n);
}

/** Computes the part of the key that all battles of a run share, as passed to kernels. */
export function computeRunKey(seed: bigint): bigint {
  return mix64(seed + GOLDEN);
}

/** Computes the 64-bit key of battle `index` of the run with a key; the keys of a run are distinct. */
export function computeKeyInRun(key: bigint, index: number): bigint {
  return mix64(key + (BigInt(index) + 1n) * GOLDEN);
}

/** Computes the 64-bit key of battle `index` of run `seed`. */
export function computeBattleKey(seed: bigint, index: number): bigint {
  return computeKeyInRun(computeRunKey(seed), index);
}

/** First key of the streams of studies, beyond all battles. */
const FIRST_OF_STUDIES = 1n << 63n;

/**
 * Computes the key of a stream for a study of run `seed`, such as its design points. It differs from the keys of
 * battles and of other studies.
 * @param study number of the kind of study, 0..2^16-1
 * @param index 0..2^32-1
 */
export function computeStudyKey(seed: bigint, study: number, index: number): bigint {
  const at = FIRST_OF_STUDIES + (BigInt(study) << 32n) + BigInt(index);
  return mix64(computeRunKey(seed) + (at + 1n) * GOLDEN);
}

/** Computes word `counter` of the stream with the key (low, high): an unsigned 32-bit integer. */
export function computeWord(low: number, high: number, counter: number): number {
  let x = (counter + low) | 0;
  x = Math.imul(x ^ (x >>> 17), 0xed5ad4bb);
  x = ((x ^ (x >>> 11)) + high) | 0;
  x = Math.imul(x, 0xac4c1b51);
  x = Math.imul(x ^ (x >>> 15), 0x31848bab);
  return (x ^ (x >>> 14)) >>> 0;
}

/**
 * Stream of a battle, readable in order (`next`, `word`) and at any position (`seek`). It is a `RandomGenerator` of
 * pure-rand, so that the distributions of that library work with it.
 */
export class Stream implements RandomGenerator {
  readonly #low: number;
  readonly #high: number;
  #counter: number;

  private constructor(low: number, high: number, counter: number) {
    this.#low = low;
    this.#high = high;
    this.#counter = counter;
  }

  /** Returns the stream with a 64-bit key. */
  static fromKey(key: bigint): Stream {
    return new Stream(Number(key & 0xffffffffn), Number(key >> 32n), 0);
  }

  /** Returns the stream of battle `index` (0 <= index < 2^53) of run `seed` (0 <= seed < 2^64). */
  static forBattle(seed: bigint, index: number): Stream {
    return Stream.fromKey(computeBattleKey(seed, index));
  }

  /** Sets the position of the next word to `counter`, an unsigned 32-bit integer. */
  seek(counter: number): void {
    this.#counter = counter >>> 0;
  }

  /** Returns the next word, 0 <= word < 2^32. The counter wraps after 2^32 words. */
  word(): number {
    const word = computeWord(this.#low, this.#high, this.#counter);
    this.#counter = (this.#counter + 1) >>> 0;
    return word;
  }

  /** Returns the next word in the format of pure-rand: a signed 32-bit integer. */
  next(): number {
    return this.word() | 0;
  }

  clone(): Stream {
    return new Stream(this.#low, this.#high, this.#counter);
  }

  /** Returns [low half of the key, high half, counter], each an unsigned 32-bit integer. */
  getState(): readonly number[] {
    return [this.#low, this.#high, this.#counter];
  }

  /** Creates an independent stream for details of a replay, which never affect a result. */
  forkForReplay(): Stream {
    const key = (BigInt(this.#high) << 32n) | BigInt(this.#low);
    return Stream.fromKey(mix64(key + GOLDEN));
  }
}

// Parses seeds and battle indices of users and programs.

/** A seed: an integer 0..2^64-1, as a bigint, a safe integer or text: `7`, `1e6`, `1,000,000`, `0x1f`. */
export type SeedLike = bigint | number | string;

const describeValue = (value: unknown): string => {
  if (typeof value === 'string') return describeNumeral(value);
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
};

function toBigInt(value: SeedLike): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  if (typeof (value as unknown) !== 'string') return undefined;
  return /^0x[0-9a-fA-F]{1,32}$/.test(value) ? BigInt(value) : parseWholeNumber(value);
}

/**
 * @param place name of the value in error messages
 * @throws InputError if the value is not an integer 0..18446744073709551615
 */
export function parseSeed(value: SeedLike, place = 'seed'): bigint {
  const seed = toBigInt(value);
  if (seed === undefined || seed < 0n || seed > MAX_SEED) {
    throw new InputError(place, `an integer 0..${String(MAX_SEED)}`, describeValue(value));
  }
  return seed;
}

/** Converts an integer; NaN if a double cannot represent it. */
function toExactNumber(whole: bigint | undefined): number {
  const number = Number(whole ?? Number.NaN);
  return Number.isFinite(number) && BigInt(number) === whole ? number : Number.NaN;
}

/**
 * Parses a whole number within bounds; text may have groups, an exponent or a suffix: `1,000,000`, `1e6`, `1_000_000`,
 * `1M`.
 * @throws InputError if it is not one
 */
export function parseCount(value: number | string, place: string, min: number, max: number = MAX_BATTLES): number {
  const count = typeof value === 'string' ? toExactNumber(parseWholeNumber(value)) : value;
  if (!Number.isInteger(count) || count < min || count > max) {
    throw new InputError(place, `an integer ${String(min)}..${String(max)}`, describeValue(value));
  }
  return count;
}
