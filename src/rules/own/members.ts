/** Checks what authors declare, member by member: one that nobody reads would be ignored, one that is missing fails later. */
import { InputError } from '../../core/errors.ts';
import { describeFound, isMapping } from '../scenario/finding.ts';
import { didYouMean } from '../suggest.ts';

/** What a member has to be. */
export interface Member {
  readonly expected: string;
  readonly holds: (value: unknown) => boolean;
  readonly optional: boolean;
}

export const needed = (expected: string, holds: (value: unknown) => boolean): Member => ({
  ...{ expected, holds, optional: false },
});

export const optional = (expected: string, holds: (value: unknown) => boolean): Member => ({
  ...{ expected, holds, optional: true },
});

export const isFunction = (value: unknown): boolean => typeof value === 'function';
export const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
export const isNumber = (value: unknown): boolean => Number.isFinite(value);
export const isInteger = (value: unknown): boolean => Number.isInteger(value);
export const isObject = (value: unknown): boolean => isMapping(value);
export const isList = (value: unknown): boolean => Array.isArray(value);
export const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

/**
 * Refuses an object that lacks a member, has one of another kind, or one that is not known.
 * @param place   as messages name it: `defineSystem my-duel`
 * @param members all that it can have
 * @throws InputError
 */
export function checkMembers(place: string, value: unknown, members: Readonly<Record<string, Member>>): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InputError(place, 'an object', describeFound(value));
  const known = Object.entries(members);
  const names = known.map(([name]) => name);
  // An object of a class may have fields of its own.
  const stranger = isMapping(value) ? Object.keys(value).find((name) => !names.includes(name)) : undefined;
  if (stranger !== undefined)
    throw new InputError(place, `members among ${names.join(', ')}`, `"${stranger}"${didYouMean(stranger, names)}`);
  for (const [name, { expected, holds, optional: mayLack }] of known) {
    const found = (value as Readonly<Record<string, unknown>>)[name];
    if (holds(found) || (mayLack && found === undefined)) continue;
    throw new InputError(`${place} ${name}`, expected, describeFound(found));
  }
}

/** Checks each of a list or a mapping, by what it is called in messages. */
export function checkEach(place: string, values: unknown, members: Readonly<Record<string, Member>>): void {
  for (const [name, value] of Object.entries({ ...(values as Readonly<Record<string, unknown>> | undefined) }))
    checkMembers(Array.isArray(values) ? `${place}[${name}]` : `${place}.${name}`, value, members);
}
