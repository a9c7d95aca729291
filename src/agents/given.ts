/** What callers write into environments, checked before any of it is written: numbers and bytes, never what becomes of them. */
import { InputError } from '../core/errors.ts';
import { describeFound } from '../rules/scenario/problem.ts';

const INTEGER = 'an integer -2147483648..2147483647';

/**
 * Refuses actions that are no integers: written into a field of integers, NaN, 'x' and nothing would be action 0.
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

/** Writes flags: 0 and false mark nothing, all other numbers do, though as bytes 256 and 0.5 would be 0. */
export function writeMask(to: Uint8Array, mask: ArrayLike<number | boolean>): void {
  if (mask.length !== to.length) throw new InputError('reset mask', `${String(to.length)} flags`, String(mask.length));
  for (let e = 0; e < to.length; e++) {
    const flag = mask[e] as unknown;
    if (typeof flag === 'boolean' || (typeof flag === 'number' && !Number.isNaN(flag))) continue;
    throw new InputError(`reset mask of environment ${String(e)}`, 'a number, true or false', describeFound(flag));
  }
  for (let e = 0; e < to.length; e++) to[e] = mask[e] === 0 || mask[e] === false ? 0 : 1;
}

/** Refuses a range of environments that there are not. */
export function checkRange(from: number, to: number, count: number): void {
  if (!(Number.isInteger(from) && from >= 0 && from <= count))
    throw new InputError('from', `an integer 0..${String(count)}`, describeFound(from));
  if (!(Number.isInteger(to) && to >= from && to <= count))
    throw new InputError('to', `an integer ${String(from)}..${String(count)}`, describeFound(to));
}

/** Refuses what is not so many bytes. @param count unless it is not known @param least bytes where it is not */
export function checkBytes(place: string, found: Uint8Array, count: number | undefined, least = 0): void {
  if (!((found as unknown) instanceof Uint8Array)) throw new InputError(place, 'a Uint8Array', describeFound(found));
  if (found.length === count || (count === undefined && found.length >= least)) return;
  throw new InputError(place, `${String(count ?? `${String(least)} or more`)} bytes`, String(found.length));
}
