/** Reads seeds and battle indices as people and programs give them. */
import { InputError } from '../errors.ts';
import { MAX_BATTLES, MAX_SEED } from './stream.ts';

/** A seed: an integer 0..2^64-1, as a bigint, a safe integer or decimal (or 0x hexadecimal) text. */
export type SeedLike = bigint | number | string;

function show(value: unknown): string {
  if (typeof value === 'string') return value === '' ? 'nothing' : `"${value.slice(0, 40)}"`;
  return String(value);
}

function asInteger(value: SeedLike): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  return /^(-?[0-9]{1,40}|0x[0-9a-fA-F]{1,32})$/.test(value) ? BigInt(value) : undefined;
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

/**
 * A whole number within bounds; text may use an exponent or underscores: `1e6`, `1_000_000`.
 * @throws InputError unless it is one
 */
export function parseCount(value: number | string, place: string, min: number, max: number = MAX_BATTLES): number {
  const plain = typeof value === 'string' ? value.replace(/(?<=\d)_(?=\d)/g, '') : value;
  const proper = typeof plain === 'number' || /^[0-9]+(\.[0-9]+)?(e\+?[0-9]+)?$/i.test(plain);
  const count = proper ? Number(plain) : Number.NaN;
  if (!Number.isInteger(count) || count < min || count > max) {
    throw new InputError(place, `an integer ${String(min)}..${String(max)}`, show(value));
  }
  return count;
}
