/** The form of a scenario: its fields as declared, with what the text has for them. */
import { InputError } from '../../src/core/index.ts';
import {
  alternatives,
  type Declared,
  declaredAt,
  declaredIn,
  isMapping,
  type List,
  likeliest,
  type Numeric,
  onlyWord,
  type Path,
  placeName,
  readDocument,
  type Simple,
  smallest,
  UNTOLD,
  within,
} from '../../src/rules/index.ts';
import { accepts, countOf } from '../../src/tell/index.ts';
import { registry } from './registry.ts';

/** What may be written for one declaration: each value of a choice, or one of its kind. */
function optionsOf(declared: Simple): Option[] {
  if (declared.kind === 'choice') return declared.of.map((value) => ({ label: String(value), value }));
  if (declared.kind === 'flag') return [true, false].map((value) => ({ label: String(value), value }));
  if (declared.kind === 'null') return [{ label: 'none (null)', value: null }];
  return [{ label: wordsFor(declared), value: smallest(declared) }];
}

function wordsFor(declared: Simple): string {
  if (declared.kind === 'list') return 'a list';
  if (declared.kind === 'group') return declared.fields.size === 0 ? 'by name' : declared.required.join(', ');
  return declared.kind === 'number' ? 'a number' : 'a text';
}

const KINDS: Readonly<Record<Exclude<Simple['kind'], 'choice'>, (value: unknown) => boolean>> = {
  number: (value) => typeof value === 'number',
  text: (value) => typeof value === 'string',
  flag: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  list: Array.isArray,
  group: isMapping,
  untold: () => false,
};

/** True of a value that a declaration is about, right or wrong. */
const isMeant = (declared: Simple, value: unknown): boolean =>
  declared.kind === 'choice' ? declared.of.includes(value) : KINDS[declared.kind](value);

const isFixed = ({ kind }: Simple): boolean => kind === 'choice' || kind === 'flag' || kind === 'null';

interface Alternative {
  readonly declared: Simple;
  readonly option: Option;
}

/** One of several declarations. */
function choiceOf(all: readonly Simple[], value: unknown, path: Path): Shape {
  const offered = all.flatMap((declared) => optionsOf(declared).map((option): Alternative => ({ declared, option })));
  const options = offered.map(({ option }) => option);
  if (value === undefined) return { kind: 'choice', options, chosen: -1 };
  const likely = likeliest(all, value);
  const chosen = offered.findIndex(({ declared, option }) =>
    isFixed(declared) ? option.value === value : likely.includes(declared) && isMeant(declared, value),
  );
  const declared = offered[chosen]?.declared;
  if (declared === undefined) return strangeOf(value);
  return { kind: 'choice', options, chosen, inner: isFixed(declared) ? undefined : shapeOf(declared, value, path) };
}

function strangeOf(value: unknown): Shape {
  return { kind: 'strange', text: JSON.stringify(value).slice(0, 80) };
}

function numberOf({ whole, low, high }: Numeric, value: unknown): Shape {
  if (typeof value === 'string') return { kind: 'text', value, number: true };
  return {
    kind: 'number',
    value: value as number | undefined,
    ...(low !== undefined && { low }),
    ...(high !== undefined && { high }),
    whole,
  };
}

function listOf({ first, items = UNTOLD, most = Number.POSITIVE_INFINITY }: List, value: unknown, path: Path): Shape {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const at = (i: number): Declared => first[i] ?? items;
  const entries = list.map((item, i) => entryFor(String(i + 1), at(i), item, [...path, i], false));
  const fresh = list.length < most ? { value: smallest(at(list.length), list.length + 1) } : undefined;
  return { kind: 'list', entries, fresh };
}

/** The shape of what one declaration takes. */
function simpleOf(declared: Simple, value: unknown, path: Path, given: unknown): Shape {
  switch (declared.kind) {
    case 'group':
      return { kind: 'group', entries: entriesOf([declared], value, path), fresh: freshIn(declared) };
    case 'list':
      return listOf(declared, value, path);
    case 'flag':
      return { kind: 'switch', value: (value ?? given ?? false) === true, given: value !== undefined };
    case 'number':
      return numberOf(declared, value);
    default:
      return { kind: 'text', value: value as string | undefined, number: false };
  }
}

function shapeOf(declared: Declared, value: unknown, path: Path): Shape {
  const all = alternatives(declared);
  const [only] = all;
  if (only === undefined) return strangeOf(value);
  if (all.length > 1 || only.kind === 'choice') return choiceOf(all, value, path);
  const typed = only.kind === 'number' && typeof value === 'string';
  const empty = value === null && (only.kind === 'group' || only.kind === 'list');
  if (value !== undefined && !typed && !empty && !isMeant(only, value)) return strangeOf(value);
  return simpleOf(only, value ?? undefined, path, declared.default);
}

function entryFor(name: string, declared: Declared, value: unknown, path: Path, required: boolean): Entry {
  return {
    path,
    place: placeName(path, ''),
    name,
    about: declared.about,
    default: defaultOf(declared),
    required,
    present: value !== undefined,
    shape: shapeOf(declared, value, path),
  };
}

const STRANGE: Simple = { ...UNTOLD, about: 'There is no such field here.' };

/** A field that tells which declaration holds, such as `mode`: all that it can be. */
function telling(name: string, all: readonly Simple[]): Declared | undefined {
  const words = all.flatMap((each) => (each.kind === 'group' ? (onlyWord(each.fields.get(name)) ?? []) : []));
  return words.length < 2 ? undefined : { kind: 'choice', of: [...new Set(words)], about: 'Which rules hold.' };
}

/** The fields of a mapping: the declared ones in their order, then those by other names. */
function entriesOf(all: readonly Simple[], value: unknown, path: Path): Entry[] {
  const [group] = likeliest(all, value);
  if (group?.kind !== 'group') return [];
  const { fields, required, others } = group;
  const given = isMapping(value) ? value : {};
  const first = [...fields.keys()].filter((name) => name === 'system' || telling(name, all) !== undefined);
  const declared = [...new Set([...first, ...fields.keys()])];
  const declaredIn = (name: string): Declared => {
    if (name === 'system' && path.length === 0) return systemField();
    return telling(name, all) ?? fields.get(name) ?? UNTOLD;
  };
  const names = [...declared, ...Object.keys(given).filter((name) => !declared.includes(name))];
  return names.map((name) => {
    const field = declared.includes(name) ? declaredIn(name) : (others ?? STRANGE);
    return entryFor(name, field, given[name], [...path, name], required.includes(name));
  });
}

/** A new field of any name, if there can be one. */
function freshIn(declared: Simple): { readonly value: unknown } | undefined {
  const others = declared.kind === 'group' ? declared.others : undefined;
  return others && { value: smallest(others) };
}

/** UTF-16 units of a text; of a longer one the page would draw thousands of fields. */
const LONGEST = 100_000;

/** The form of a text. */
export function formOf(text: string): Form {
  if (text.length > LONGEST) return { ok: false, reason: 'The text is too long for a form.' };
  try {
    const { value } = text.trim() === '' ? { value: {} } : readDocument(text, 'scenario');
    if (!isMapping(value)) return { ok: false, reason: 'The text holds no fields.' };
    return { ok: true, entries: entriesOf(alternatives(declarationOf(value)), value, []) };
  } catch (error) {
    if (error instanceof InputError) {
      return { ok: false, reason: 'The text cannot be read: mend it first.' };
    }
    throw error;
  }
}

// What the declaration of a system says of a place in its scenarios.

/** What a scenario says first of all. */
function systemField(): Declared {
  return { kind: 'choice', of: registry().names, about: 'The rules that are played by.' };
}

/** The declaration that holds for a scenario, whatever else is wrong with it. */
export function declarationOf(scenario: unknown): Declared {
  const name = isMapping(scenario) ? scenario['system'] : undefined;
  const system = registry().all.find(({ id }) => id === name);
  if (system !== undefined) return declaredIn(system.schema);
  // Of a text that names no system the names are all that can be said.
  const fields = new Map([['system', systemField()]]);
  return { kind: 'group', about: '', fields, required: ['system'], others: undefined, names: undefined };
}

/** What may stand at a path of a scenario: declarations without alternatives of their own. */
export function declaredFor(scenario: unknown, path: Path): readonly Simple[] {
  return declaredAt(declarationOf(scenario), scenario, path, likeliest);
}

/** The declaration of a field, with its alternatives; that of the first mode which has it. */
export function fieldAt(scenario: unknown, path: Path): Declared | undefined {
  const step = path.at(-1);
  if (step === undefined) return declarationOf(scenario);
  return declaredFor(scenario, path.slice(0, -1))
    .map((each) => within(each, step))
    .find((found) => found !== undefined);
}

/** True of a list whose elements can be groups of fields. */
export const isDeep = (declared: Simple): boolean =>
  declared.kind === 'list' &&
  declared.items !== undefined &&
  alternatives(declared.items).some(({ kind }) => kind === 'group');

/** What a field accepts, in a few words. */
export function acceptedBy(declared: Declared): string {
  const words = alternatives(declared).map((each) => {
    if (each.kind === 'group') return 'fields by name';
    return each.kind === 'list' && isDeep(each) ? `list of${countOf(each)} groups` : accepts(each);
  });
  return [...new Set(words)].join(' | ');
}

/** A default as a file would have it; undefined if there is none. */
export function defaultOf({ default: given }: Declared): string | undefined {
  if (given === undefined) return undefined;
  if (typeof given === 'string') return given;
  if (typeof given === 'object' && given !== null && Object.keys(given).length === 0) return 'none';
  return JSON.stringify(given).replaceAll(/[,:]/g, '$& ').replaceAll('"', '');
}

// What a form is made of: plain values, which the page draws.

/** How a field is asked for. */
export type Shape =
  | {
      readonly kind: 'number';
      readonly value: number | undefined;
      readonly low?: number;
      readonly high?: number;
      readonly whole: boolean;
    }
  /** With `number`, numbers are taken as such. */
  | { readonly kind: 'text'; readonly value: string | undefined; readonly number: boolean }
  | { readonly kind: 'switch'; readonly value: boolean; readonly given: boolean }
  /** One of some values; with `inner` the chosen one has a shape of its own. */
  | {
      readonly kind: 'choice';
      readonly options: readonly Option[];
      readonly chosen: number;
      readonly inner?: Shape | undefined;
    }
  /** With `fresh`, fields by other names can be added, with this value. */
  | {
      readonly kind: 'group';
      readonly entries: readonly Entry[];
      readonly fresh?: { readonly value: unknown } | undefined;
    }
  /** With `fresh`, more can be added. */
  | {
      readonly kind: 'list';
      readonly entries: readonly Entry[];
      readonly fresh?: { readonly value: unknown } | undefined;
    }
  /** Not as declared: shown as it is. */
  | { readonly kind: 'strange'; readonly text: string };

export interface Option {
  readonly label: string;
  /** What is written when it is chosen. */
  readonly value: unknown;
}

export interface Entry {
  readonly path: Path;
  /** What messages call it. */
  readonly place: string;
  readonly name: string;
  readonly about: string;
  readonly default?: string | undefined;
  readonly required: boolean;
  /** The text has it. */
  readonly present: boolean;
  readonly shape: Shape;
}

export type Form =
  | { readonly ok: true; readonly entries: readonly Entry[] }
  | { readonly ok: false; readonly reason: string };
