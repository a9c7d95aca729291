/** Finds the word that was probably meant. */
import { InputError } from './errors.ts';

/** Optimal string alignment: insertions, deletions, changes and swaps of neighbors that make `a` of `b`. */
export function distance(a: string, b: string): number {
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

/** ` (did you mean ...?)` if one of the words is close to what was written, else nothing. */
export function didYouMean(written: string, words: readonly string[]): string {
  if (written.length > 64) return '';
  const ranked = words
    .map((word) => ({ word, far: distance(written.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, far }) => far <= Math.max(1, Math.floor(Math.min(word.length, written.length) / 3)))
    .sort((a, b) => a.far - b.far);
  const [best] = ranked;
  return best === undefined ? '' : ` (did you mean ${best.word}?)`;
}

// Options of public functions. A name that none of them has is refused: it would be ignored.

/** All names that an object of a type can have: the compiler asks for each, and for no other. */
export type Names<T extends object> = Readonly<Record<keyof T, unknown>>;

function found(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/**
 * Makes the check of a function's options.
 * @param place the function, as messages name it
 * @returns what throws an InputError unless it is given an object with these names alone
 */
export function optionsOf<T extends object>(place: string, names: Names<T>): (options: T) => void {
  const known = Object.keys(names);
  return (options: unknown) => {
    if (typeof options !== 'object' || options === null || Array.isArray(options)) {
      throw new InputError(place, 'an object with options', found(options));
    }
    const stranger = Object.keys(options).find((name) => !known.includes(name));
    if (stranger === undefined) return;
    throw new InputError(place, `options among ${known.join(', ')}`, `"${stranger}"${didYouMean(stranger, known)}`);
  };
}

/**
 * Refuses what is no list, where a caller in JavaScript may give something else.
 * @param kind of all of its members
 * @throws InputError
 */
export function checkList(place: string, expected: string, value: unknown, kind: 'string' | 'object' = 'string'): void {
  if (!Array.isArray(value))
    throw new InputError(place, expected, typeof value === 'string' ? `"${value}"` : found(value));
  for (const member of value as unknown[])
    if (typeof member !== kind || member === null)
      throw new InputError(place, expected, `a list with ${found(member)} in it`);
}
