/** Reads seeds and battle indices as people and programs give them. */
import { InputError } from '../errors.ts';
import { foundNumeral, readWhole } from './numerals.ts';
import { MAX_BATTLES, MAX_SEED } from './stream.ts';

/** A seed: an integer 0..2^64-1, as a bigint, a safe integer or text: `7`, `1e6`, `1,000,000`, `0x1f`. */
export type SeedLike = bigint | number | string;

const show = (value: unknown): string => (typeof value === 'string' ? foundNumeral(value) : String(value));

function asInteger(value: SeedLike): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return /^0x[0-9a-fA-F]{1,32}$/.test(value) ? BigInt(value) : readWhole(value);
}

/**
 * @param place what the error message calls the value
 * @throws InputError unless the value is an integer 0..18446744073709551615
 */
export function parseSeed(value: SeedLike, place = 'seed'): bigint {
  const seed = asInteger(value);
  if (seed === undefined || seed < 0n || seed > MAX_SEED) {
    throw new InputError(place, `an integer 0..${String(MAX_SEED)}`, show(value));
  }
  return seed;
}

/** NaN where a double would be another number. */
function exactNumber(whole: bigint | undefined): number {
  const number = Number(whole ?? Number.NaN);
  return Number.isFinite(number) && BigInt(number) === whole ? number : Number.NaN;
}

/**
 * A whole number within bounds; text may have groups, an exponent or a suffix: `1,000,000`, `1e6`, `1_000_000`, `1M`.
 * @throws InputError unless it is one
 */
export function parseCount(value: number | string, place: string, min: number, max: number = MAX_BATTLES): number {
  const count = typeof value === 'string' ? exactNumber(readWhole(value)) : value;
  if (!Number.isInteger(count) || count < min || count > max) {
    throw new InputError(place, `an integer ${String(min)}..${String(max)}`, show(value));
  }
  return count;
}
