/** Suggests the most similar word. */

import { describeFound } from './describe-found.ts';
import { InputError } from './errors.ts';

/**
 * Computes the optimal string alignment distance: insertions, deletions, changes and swaps that transform `a` to `b`.
 */
export function computeEditDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (last[j - 1] ?? 0) + Number(a[i - 1] !== b[j - 1]);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? (beforeLast[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(change, swap, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}

/** Returns ` (did you mean ...?)` if one of the words is close to the written one, else an empty string. */
export function suggestName(written: string, words: readonly string[]): string {
  if (written.length > 64) return '';
  const ranked = words
    .map((word) => ({ word, far: computeEditDistance(written.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, far }) => far <= Math.max(1, Math.floor(Math.min(word.length, written.length) / 3)))
    .sort((a, b) => a.far - b.far);
  const [best] = ranked;
  return best === undefined ? '' : ` (did you mean ${best.word}?)`;
}

// Checks of the options of public functions. Unknown names are rejected, because they would be ignored.

/**
 * Names of the members of a type, each with the setting that checks its value, or true. The compiler requires all of
 * them.
 */
export type OptionChecks<T extends object> = Readonly<Record<keyof T, unknown>>;

/** Picks the options of these names; omitted ones stay absent. */
export function pickNamedOptions<T extends object>(names: OptionChecks<T>, options: T): T {
  return Object.fromEntries(
    Object.entries(options).filter(([name, value]) => name in names && value !== undefined),
  ) as T;
}

/** Checks of common options, by name. */
const KINDS: readonly (readonly [name: RegExp, expected: string, fits: (value: object) => boolean])[] = [
  [/^on[A-Z]/, 'a function', (value) => typeof value === 'function'],
  [/^signal$/, 'an AbortSignal', (value) => 'aborted' in value && 'addEventListener' in value],
  [/^pool$/, 'a ThreadPool', (value) => 'play' in value],
  [/^prepared$/, 'a prepared run', (value) => 'setup' in value],
  [/^worker$/, 'a URL', (value) => value instanceof URL],
];

/** @param setting option with a check; otherwise the name selects the check */
function checkOption(name: string, setting: unknown, value: unknown): void {
  const { required, ...checked } = setting as { check?(value: unknown, place: string): unknown; required?: boolean };
  if (value === undefined && required === true) throw new InputError(name, 'a value', 'nothing');
  if (value === undefined) return;
  checked.check?.(value, name);
  const [, expected, fits] = KINDS.find(([known]) => known.test(name)) ?? [];
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
  if (expected !== undefined && !(isObject && fits?.(value) === true))
    throw new InputError(name, expected, describeFound(value), { path: [name] });
}

/**
 * Creates the check of the options of a function.
 * @param place name of the function in messages
 * @returns a function that throws an InputError for other names or invalid values
 */
export function createOptionsCheck<T extends object>(place: string, names: OptionChecks<T>): (options: T) => void {
  const known = Object.keys(names);
  return (options: unknown) => {
    if (typeof options !== 'object' || options === null || Array.isArray(options)) {
      throw new InputError(place, 'an object with options', describeFound(options), { path: [] });
    }
    const stranger = Object.keys(options).find((name) => !known.includes(name));
    if (stranger !== undefined)
      throw new InputError(place, `options among ${known.join(', ')}`, `"${stranger}"${suggestName(stranger, known)}`, {
        path: [stranger],
        code: 'unknown-name',
      });
    for (const name of known) checkOption(name, names[name as keyof T], (options as Record<string, unknown>)[name]);
  };
}

/**
 * Rejects values that are not lists, which callers in JavaScript may pass.
 * @param kind type of all members
 * @throws InputError
 */
export function checkList(
  place: string,
  expected: string,
  value: unknown,
  kind: 'string' | 'number' | 'object' = 'string',
): void {
  if (!Array.isArray(value)) throw new InputError(place, expected, describeFound(value));
  for (const member of value as unknown[])
    if (typeof member !== kind || member === null)
      throw new InputError(place, expected, `a list with ${describeFound(member)} in it`);
}

/** Rejects values that are not strings, such as the path of a file. @throws InputError */
export function checkText(place: string, value: unknown, expected = 'a string'): string {
  if (typeof value === 'string') return value;
  throw new InputError(place, expected, describeFound(value), { path: [place] });
}

/** Rejects values without a member that all values of their kind have. @throws InputError */
export function checkKind(place: string, expected: string, value: unknown, member: string): void {
  if (typeof value !== 'object' || value === null || !(member in value))
    throw new InputError(place, expected, describeFound(value), { path: [] });
}
