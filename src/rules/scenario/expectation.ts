/** What a declaration accepts at a place, in words: type, range and choices at once, whichever of them failed. */
import { alternatives, type Group, type List, type Numeric, type Simple, type Text } from './declared.ts';

/** The constants that can stand at the declarations' place. */
export function wordsOf(declared: readonly Simple[]): string[] {
  return [...new Set(declared.flatMap((each) => (each.kind === 'choice' ? each.of.map(String) : [])))];
}

const groupsOf = (declared: readonly Simple[]): Group[] => declared.filter((each) => each.kind === 'group');

/** What the names of fields have to be that are not declared one by one. */
export function namesOf(declared: readonly Simple[]): Simple[] {
  return groupsOf(declared).flatMap(({ names }) => (names === undefined ? [] : alternatives(names)));
}

/** The fields that the declarations know. */
export function fieldsOf(declared: readonly Simple[]): string[] {
  const names = groupsOf(declared).flatMap((each) => [...each.fields.keys(), ...wordsOf(namesOf([each]))]);
  return [...new Set(names)];
}

/** ` 1..8`, ` >= 1`, ` > 0`: the bounds of a number, those of the machine left out. */
function range({ low: least, high: most, above, below }: Numeric): string {
  const low = least === undefined || least <= Number.MIN_SAFE_INTEGER ? undefined : String(least);
  const high = most === undefined || most >= Number.MAX_SAFE_INTEGER ? undefined : String(most);
  if (low !== undefined && high !== undefined) return ` ${low}..${high}`;
  const bounds = [
    low === undefined ? '' : `>= ${low}`,
    above === undefined ? '' : `> ${String(above)}`,
    high === undefined ? '' : `<= ${high}`,
    below === undefined ? '' : `< ${String(below)}`,
  ].filter((bound) => bound !== '');
  return bounds.length === 0 ? '' : ` ${bounds.join(' and ')}`;
}

/** ` of 2 to 32`, ` of 2`, ` of at least 1`. */
function extent({ least, most }: Text | List): string {
  if (least !== undefined && least === most) return ` of ${String(least)}`;
  if (least !== undefined && most !== undefined) return ` of ${String(least)} to ${String(most)}`;
  if (least !== undefined) return ` of at least ${String(least)}`;
  return most === undefined ? '' : ` of at most ${String(most)}`;
}

function text(declared: Text): string {
  const size = extent(declared);
  return declared.words ?? `a string${size === '' ? '' : `${size} characters`}`;
}

const KINDS = { flag: 'true or false', null: 'null', group: 'a mapping', untold: 'another value' } as const;

/** A kind of value in words, constants apart. */
function kind(declared: Exclude<Simple, { kind: 'choice' }>): string {
  switch (declared.kind) {
    case 'number':
      return `${declared.whole ? 'an integer' : 'a number'}${range(declared)}`;
    case 'text':
      return text(declared);
    case 'list':
      return `a list${extent(declared)}`;
    default:
      return KINDS[declared.kind];
  }
}

const mapping = ({ required }: Group): string =>
  required.length === 0 ? 'a mapping' : `a mapping with ${required.join(', ')}`;

function kinds(declared: readonly Simple[]): string[] {
  const several = groupsOf(declared).length > 1;
  return declared.flatMap((each) => {
    if (each.kind === 'choice') return [];
    return [several && each.kind === 'group' ? mapping(each) : kind(each)];
  });
}

/** `one of a, b, c`; a single word stands for itself. */
export function oneOf(words: readonly string[]): string {
  return words.length === 1 ? words.join('') : `one of ${words.join(', ')}`;
}

/** What the declarations accept. */
export function describeExpected(declared: readonly Simple[]): string {
  const words = wordsOf(declared);
  const parts = [...(words.length === 0 ? [] : [oneOf(words)]), ...new Set(kinds(declared))];
  const last = parts.pop() ?? 'nothing';
  return parts.length === 0 ? last : `${parts.join(', ')} or ${last}`;
}
