/** Options of public functions. A name that none of them has is refused: it would be ignored. */
import { InputError } from '../../core/errors.ts';
import { didYouMean } from '../suggest.ts';

/** All names that an object of a type can have, settings or not: the compiler asks for each, and for no other. */
export type Names<T extends object> = Readonly<Record<keyof T, unknown>>;

function found(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
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
