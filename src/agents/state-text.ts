/** States of battles as text: canonical JSON, so that equal states are equal bytes. */
import { InputError } from '../core/errors.ts';
import { describeFound } from '../rules/scenario/problem.ts';

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Array.isArray(value);
}

/** What JSON holds as it is, with the keys of objects in order. */
function canonical(value: unknown, place: string): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return value;
  if (typeof value !== 'object' || !isPlain(value)) {
    const expected = 'numbers, texts, true, false, null, and lists and objects of these';
    const found = typeof value === 'object' ? value.constructor.name : describeFound(value);
    throw new InputError(place, expected, found);
  }
  if (Array.isArray(value)) return value.map((each, k) => canonical(each, `${place}[${String(k)}]`));
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  const sorted = entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([key, each]) => [key, canonical(each, `${place}.${key}`)]));
}

/**
 * The text of a state.
 * @param place what messages call the state
 * @throws InputError if it holds what JSON does not, such as a Map or NaN
 */
export function textOf(state: unknown, place: string): string {
  return JSON.stringify(canonical(state, place));
}
