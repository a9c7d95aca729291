/**
 * What a schema declares, as a tree of plain values. Whatever tells of fields, asks for them or makes them reads this
 * tree and no schema: error messages, `warpool systems`, the form and the hints of the page, axes, made scenarios.
 */

import { z } from 'zod';
import { isMapping, type Path, valueAt } from './problem.ts';

interface Told {
  /** What it is about; empty if nothing says. */
  readonly about: string;
  /** Its name in words, where the name alone does not say it. */
  readonly title?: string | undefined;
  /** What holds where it is left out; undefined if nothing does. */
  readonly default?: unknown;
}

/** Ends that are not declared are undefined; `above` and `below` are no values themselves. */
export interface Numeric extends Told {
  readonly kind: 'number';
  /** Only whole numbers. */
  readonly whole: boolean;
  readonly low: number | undefined;
  readonly high: number | undefined;
  readonly above: number | undefined;
  readonly below: number | undefined;
}

/** One of some values, or the only one. */
export interface DeclaredChoice extends Told {
  readonly kind: 'choice';
  readonly of: readonly unknown[];
}

/** How many elements or UTF-16 units there can be. */
interface Sized extends Told {
  readonly least: number | undefined;
  readonly most: number | undefined;
}

interface Text extends Sized {
  readonly kind: 'text';
  /** Of a regular expression with the flag `u`. */
  readonly pattern: string;
  /** What the declaration itself says that it expects. */
  readonly words: string | undefined;
}

export interface List extends Sized {
  readonly kind: 'list';
  /** The first elements, where each is another. */
  readonly first: readonly Declared[];
  /** All others, if there can be any. */
  readonly items: Declared | undefined;
}

export interface Group extends Told {
  readonly kind: 'group';
  readonly fields: ReadonlyMap<string, Declared>;
  readonly required: readonly string[];
  /** Fields by other names, if there can be any. */
  readonly others: Declared | undefined;
  /** What other names there can be. */
  readonly names: Declared | undefined;
}

/** A declaration without alternatives. `untold`: nothing is known of it, as of what a function checks. */
export type Simple =
  | Numeric
  | DeclaredChoice
  | Text
  | List
  | Group
  | (Told & { readonly kind: 'flag' | 'null' | 'untold' });

export interface Union extends Told {
  readonly kind: 'union';
  readonly of: readonly Simple[];
}

export type Declared = Simple | Union;

/** What nothing is known of. */
export const UNTOLD: Simple = { kind: 'untold', about: '' };

/** The declarations of which one holds. */
export const alternatives = (declared: Declared): readonly Simple[] =>
  declared.kind === 'union' ? declared.of : [declared];

/** A keyword of ours: the words of a declaration. */
const WORDS = 'x-words';

type Base = z.core.JSONSchema.BaseSchema;
/** As in all drafts that are in use: these bounds are numbers. */
type Json = Base & { readonly exclusiveMinimum?: number; readonly exclusiveMaximum?: number };
type Part = Base | boolean | readonly Part[] | undefined;

/** The declarations of a part, or of several; `false` declares nothing. */
const several = (part: Part): Declared[] =>
  Array.isArray(part) ? part.flatMap(several) : typeof part === 'object' ? [declaredBy(part as Json)] : [];

function simple(schema: Json): Simple {
  const told = { about: schema.description ?? '', title: schema.title, default: schema.default };
  if (schema.const !== undefined && schema.const !== null) return { ...told, kind: 'choice', of: [schema.const] };
  if (schema.enum !== undefined) return { ...told, kind: 'choice', of: schema.enum };
  switch (schema.type) {
    case 'integer':
    case 'number': {
      const { type, minimum: low, maximum: high, exclusiveMinimum: above, exclusiveMaximum: below } = schema;
      return { ...told, kind: 'number', whole: type === 'integer', low, high, above, below };
    }
    case 'string': {
      const { minLength: least, maxLength: most, pattern = '', [WORDS]: words } = schema;
      return { ...told, kind: 'text', least, most, pattern, words: words as string | undefined };
    }
    case 'array': {
      const { minItems: least, maxItems: most, prefixItems, items = {} } = schema;
      return { ...told, kind: 'list', least, most, first: several(prefixItems), items: several(items)[0] };
    }
    case 'object': {
      const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
      const fields = new Map(Object.entries(properties).map(([name, part]) => [name, several(part)[0] ?? UNTOLD]));
      const [others, names] = [several(additionalProperties)[0], several(propertyNames)[0]];
      return { ...told, kind: 'group', fields, required, others, names };
    }
    case 'boolean':
      return { ...told, kind: 'flag' };
    case 'null':
      return { ...told, kind: 'null' };
    default:
      return { ...told, kind: 'untold' };
  }
}

/** What a JSON Schema declares. References are not followed: what they lead to is untold. */
function declaredBy(schema: Json): Declared {
  const parts = schema.oneOf ?? schema.anyOf;
  if (parts === undefined) return simple(schema);
  const all = several(parts);
  const about = schema.description ?? all.find((each) => each.about !== '')?.about ?? '';
  return { kind: 'union', of: all.flatMap(alternatives), about, default: schema.default };
}

/** The words with which a declaration refuses a value: the message of its first check that has one. */
function wording({ _zod: { def } }: z.core.$ZodTypes): string | undefined {
  for (const check of def.checks ?? []) {
    const error = check._zod.def.error as ((issue: object) => unknown) | undefined;
    const words = error?.({ code: 'custom' });
    if (typeof words === 'string') return words.split(', found ')[0];
  }
  return undefined;
}

const known = new WeakMap<z.ZodType, Declared>();

/** What a schema of zod declares that files should hold. */
export function declaredIn(schema: z.ZodType): Declared {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const json = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema: field }) {
      const words = wording(zodSchema);
      if (words !== undefined && field.type === 'string') field[WORDS] = words;
    },
  });
  const declared = declaredBy(json as Json);
  known.set(schema, declared);
  return declared;
}

/** The declaration of a field, or of an element of a list. */
export function within(declared: Simple, step: string | number): Declared | undefined {
  if (typeof step === 'number') return declared.kind === 'list' ? (declared.first[step] ?? declared.items) : undefined;
  return declared.kind === 'group' ? (declared.fields.get(step) ?? declared.others) : undefined;
}

/** The word of a field that can have no other, such as `mode`. */
export const onlyWord = (declared: Declared | undefined): unknown =>
  declared?.kind === 'choice' && declared.of.length === 1 ? declared.of[0] : undefined;

/** Fields that tell which of several declarations holds, with the word for this one. */
function telling(declared: Simple): (readonly [string, unknown])[] {
  const fields = declared.kind === 'group' ? [...declared.fields] : [];
  return fields.map(([name, field]) => [name, onlyWord(field)] as const).filter(([, word]) => word !== undefined);
}

const preferred = <T>(all: readonly T[], good: (each: T) => boolean): readonly T[] =>
  all.some(good) ? all.filter(good) : all;

/** Chooses among declarations of which one holds. */
type Fit = (all: readonly Simple[], value: unknown) => readonly Simple[];

/** Those that a value can be meant by: none that a field such as `mode` rules out, unless that rules out all. */
const meant: Fit = (all, value) =>
  preferred(all, (each) =>
    telling(each).every(([name, word]) => [word, null, undefined].includes(valueAt(value, [name]) as null)),
  );

/** Of those, where no field such as `mode` is to choose, the ones that have all fields of the value. */
export const likeliest: Fit = (all, value) => {
  const some = meant(all, value);
  const chosen = new Set(some.map((each) => JSON.stringify(telling(each)))).size < 2;
  if (!isMapping(value) || !chosen) return some;
  return preferred(some, (each) => Object.keys(value).every((name) => within(each, name) !== undefined));
};

const stepped = (all: readonly Simple[], step: string | number): Declared[] =>
  all.flatMap((each) => within(each, step) ?? []);

/**
 * The declarations that hold at a path, without alternatives of their own.
 * @param value the whole as it was found; it decides between alternatives
 * @param choose how it does: those that it can be meant by, unless given
 */
export function declaredAt(declared: Declared, value: unknown, path: Path, choose = meant): readonly Simple[] {
  const start = choose(alternatives(declared), value);
  return path.reduce((all, step, s) => {
    const next = stepped(all, step).flatMap(alternatives);
    return choose(next, valueAt(value, path.slice(0, s + 1)));
  }, start);
}

/** A place of a value and what is declared of it. */
export interface Place {
  readonly path: Path;
  readonly value: unknown;
  readonly declared: readonly Simple[];
  /** The last step is a name of the scenario's own. */
  readonly named: boolean;
}

/** All places of a value, each before those within it. */
export function placesIn(declared: Declared, whole: unknown): Place[] {
  const found: Place[] = [];
  const visit = (all: readonly Simple[], value: unknown, path: Path, named: boolean): void => {
    const here = meant(all, value);
    found.push({ path, value, declared: here, named });
    if (!Array.isArray(value) && !isMapping(value)) return;
    for (const step of Array.isArray(value) ? value.keys() : Object.keys(value)) {
      const own = here.some((each) => each.kind === 'group' && each.others && within(each, step) === each.others);
      visit(stepped(here, step).flatMap(alternatives), valueAt(value, [step]), [...path, step], own);
    }
  };
  visit(alternatives(declared), whole, [], false);
  return found;
}

// What a declaration accepts at a place, in words: type, range and choices at once, whichever of them failed.

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

// Values that a declaration accepts, each field by itself; a source of choices says which.

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
