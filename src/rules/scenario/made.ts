/** Values that a declaration accepts, each field by itself; a source of choices says which. */
import { type Declared, type Group, type List, type Numeric, type Text, UNTOLD } from './declared.ts';

/** Where values come from. Fields are named by their own name, those of a map by the map's. */
export interface Choices {
  /** A number of a closed range, in whole parts: 1, or tenths. */
  readonly number: (low: number, high: number, parts: number) => number;
  /** One of so many: 0..count-1. */
  readonly among: (count: number) => number;
  /** Whether a field is there that can be left out. */
  readonly has: (field: string) => boolean;
  /** Entries of a map at least, besides those that are required. */
  readonly entries: number;
  /**
   * Texts to choose from; of the first list that has any, those that the declaration accepts.
   * @param nth how many of the kind there are, for names that must differ
   */
  readonly texts: (field: string, nth: number) => readonly (readonly string[])[];
  /** A value that is taken as it is; undefined: one is made. */
  readonly own?: (declared: Declared, field: string) => unknown;
  /** Whether the elements of a list are the first two of them, again and again. */
  readonly twins?: () => boolean;
}

/** Elements of lists, and entries of maps, beyond the fewest. */
const MORE = 4;

/** The greatest number that is made, and the greatest one where none is declared. */
const GREATEST = 1e9;
const USUAL = 100;

/** The ends of a number, in parts of one if it need not be whole. */
function endsOf({ whole, low, high, above = Number.NEGATIVE_INFINITY, below = Number.POSITIVE_INFINITY }: Numeric) {
  const parts = whole ? 1 : 10;
  const least = Math.max(low ?? 0, above + 1 / parts);
  const most = Math.min(high ?? Math.max(least, USUAL), below - 1 / parts, GREATEST);
  return { parts, least: Math.min(least, high ?? least), most: Math.max(least, most) };
}

function fits({ pattern, least = 0, most = Number.POSITIVE_INFINITY }: Text): (text: string) => boolean {
  const form = new RegExp(pattern, 'u');
  return (text) => text.length >= least && text.length <= most && form.test(text);
}

/** @param field what is made, for the source of choices @param nth how many of the kind there are */
export function made(declared: Declared, choices: Choices, field = '', nth = 1): unknown {
  const own = choices.own?.(declared, field);
  if (own !== undefined) return own;
  const one = <T>(all: readonly T[]): T | undefined => all[choices.among(all.length)];
  switch (declared.kind) {
    case 'union':
      return made(one(declared.of) ?? UNTOLD, choices, field, nth);
    case 'choice':
      return one(declared.of);
    case 'flag':
      return choices.among(2) === 0;
    case 'null':
      return null;
    case 'number': {
      const { parts, least, most } = endsOf(declared);
      return choices.number(least, most, parts);
    }
    case 'list':
      return listOf(declared, choices, field);
    case 'group':
      return groupOf(declared, choices, field, nth);
    default: {
      const accepted = declared.kind === 'text' ? fits(declared) : () => true;
      const pools = choices.texts(field, nth).map((pool) => pool.filter(accepted));
      return one(pools.find((pool) => pool.length > 0) ?? ['name']);
    }
  }
}

function listOf({ least = 0, most = least + MORE, first, items }: List, choices: Choices, field: string): unknown[] {
  const length = least + choices.among(Math.min(most - least, MORE) + 1);
  const all = Array.from({ length }, (_, k) => {
    const element = first[k] ?? items;
    return element === undefined ? undefined : made(element, choices, field, k + 1);
  });
  const twins = first.length === 0 && choices.twins?.() === true;
  return twins ? all.map(() => all[choices.among(Math.min(2, length))]) : all;
}

function groupOf({ fields, required, others, names }: Group, choices: Choices, field: string, nth: number): object {
  const due = [...fields].filter(([name]) => required.includes(name) || choices.has(name));
  const known = due.map(([name, each]): [string, unknown] => [name, made(each, choices, name, nth)]);
  if (fields.size > 0 || others === undefined) return Object.fromEntries(known);
  const length = choices.entries + choices.among(MORE - choices.entries + 1);
  const free = Array.from({ length }, () => String(made(names ?? UNTOLD, choices, `${field}.key`)));
  const keys = [...required, ...free];
  return Object.fromEntries(keys.map((key) => [key, made(others, choices, `${field}.value`)]));
}

/** What a form begins with: as little as possible, numbers near 0. */
const SMALLEST: Choices = {
  number: (low, high) => Math.min(Math.max(0, low), high),
  among: () => 0,
  has: () => false,
  entries: 0,
  texts: (_, nth) => [[`Name ${String(nth)}`, `name-${String(nth)}`, '1d6', String(nth)]],
  own: ({ default: given }) => given ?? undefined,
};

/** The smallest value that a declaration accepts. @param nth how many of the kind there are, for names that must differ */
export const smallest = (declared: Declared, nth = 1): unknown => made(declared, SMALLEST, '', nth);
