/** Validation of caller input to environments, before any of it is written. */

import { describeFound, InputError } from '../core/index.ts';

const INTEGER = 'an integer -2147483648..2147483647';

/**
 * Rejects actions that are not integers: in an integer buffer, NaN, 'x' and undefined would become action 0.
 * @param first environment of the first action
 */
export function checkActions(actions: ArrayLike<number>, first: number, count: number): void {
  if (actions.length !== count) throw new InputError('actions', `${String(count)} numbers`, String(actions.length));
  if (actions instanceof Int32Array) return;
  for (let a = 0; a < count; a++) {
    const action = actions[a] as unknown;
    if (typeof action === 'number' && (action | 0) === action) continue;
    throw new InputError(`action of environment ${String(first + a)}`, INTEGER, describeFound(action));
  }
}

/**
 * Writes flags: 0 and false are unmarked, all other numbers are marked, also 256 and 0.5, which would be 0 as bytes.
 */
export function writeMask(to: Uint8Array, mask: ArrayLike<number | boolean>): void {
  if (mask.length !== to.length) throw new InputError('mask', `${String(to.length)} flags`, String(mask.length));
  for (let e = 0; e < to.length; e++) {
    const flag = mask[e] as unknown;
    if (typeof flag === 'boolean' || (typeof flag === 'number' && !Number.isNaN(flag))) continue;
    throw new InputError(`mask of environment ${String(e)}`, 'a number, true or false', describeFound(flag));
  }
  for (let e = 0; e < to.length; e++) to[e] = mask[e] === 0 || mask[e] === false ? 0 : 1;
}

/** @throws InputError if the environment does not exist */
export function checkEnv(env: number, count: number): void {
  if (Number.isInteger(env) && env >= 0 && env < count) return;
  throw new InputError('env', `an integer 0..${String(count - 1)}`, String(env));
}

/** Rejects a range that is not within the environments. */
export function checkRange(from: number, to: number, count: number): void {
  if (!(Number.isInteger(from) && from >= 0 && from <= count))
    throw new InputError('from', `an integer 0..${String(count)}`, describeFound(from));
  if (!(Number.isInteger(to) && to >= from && to <= count))
    throw new InputError('to', `an integer ${String(from)}..${String(count)}`, describeFound(to));
}

/** Checks the length of bytes. @param count required length, if known @param least minimum length otherwise */
export function checkBytes(place: string, bytes: Uint8Array, count: number | undefined, least = 0): void {
  if (!((bytes as unknown) instanceof Uint8Array)) throw new InputError(place, 'a Uint8Array', describeFound(bytes));
  if (bytes.length === count || (count === undefined && bytes.length >= least)) return;
  throw new InputError(place, `${String(count ?? `${String(least)} or more`)} bytes`, String(bytes.length));
}

// States of battles as text: canonical JSON, so that equal states are equal bytes.

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Array.isArray(value);
}

/** Converts a value to its canonical form: only JSON types, with sorted keys. */
function canonicalizeJson(value: unknown, place: string): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return value;
  if (typeof value !== 'object' || !isPlain(value)) {
    const expected = 'numbers, texts, true, false, null, and lists and objects of these';
    const found = typeof value === 'object' ? value.constructor.name : describeFound(value);
    throw new InputError(place, expected, found);
  }
  if (Array.isArray(value)) return value.map((each, k) => canonicalizeJson(each, `${place}[${String(k)}]`));
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  const sorted = entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([key, each]) => [key, canonicalizeJson(each, `${place}.${key}`)]));
}

/**
 * Serializes a state.
 * @param place name of the state in messages
 * @throws InputError for values that JSON cannot hold, such as a Map or NaN
 */
export function stringifyState(state: unknown, place: string): string {
  return JSON.stringify(canonicalizeJson(state, place));
}
