/**
 * Converts a schema to a tree of plain values. Error messages, `warpool systems`, the form and the hints of the web
 * app, axes and generators of scenarios use this tree instead of the schema.
 */

import { z } from 'zod';
import { getValueAt, isMapping, type Path } from './problem.ts';

interface DeclarationBase {
  /** Description; empty if there is none. */
  readonly about: string;
  /** Display name, if it differs from the name. */
  readonly title?: string | undefined;
  /** Default value; undefined if there is none. */
  readonly default?: unknown;
}

/** Undeclared ends are undefined; `above` and `below` are exclusive. */
export interface NumberDeclaration extends DeclarationBase {
  readonly kind: 'number';
  /** Only whole numbers. */
  readonly whole: boolean;
  readonly low: number | undefined;
  readonly high: number | undefined;
  readonly above: number | undefined;
  readonly below: number | undefined;
}

/** One of several values, or the only one. */
export interface ChoiceDeclaration extends DeclarationBase {
  readonly kind: 'choice';
  readonly of: readonly unknown[];
}

/** Limits of the number of elements or UTF-16 units. */
interface SizedDeclaration extends DeclarationBase {
  readonly least: number | undefined;
  readonly most: number | undefined;
}

interface TextDeclaration extends SizedDeclaration {
  readonly kind: 'text';
  /** Regular expression with the flag `u`. */
  readonly pattern: string;
  /** Description of accepted values by the declaration itself. */
  readonly words: string | undefined;
}

export interface ListDeclaration extends SizedDeclaration {
  readonly kind: 'list';
  /** The first elements, with individual declarations. */
  readonly first: readonly Declaration[];
  /** All further elements, if allowed. */
  readonly items: Declaration | undefined;
}

export interface GroupDeclaration extends DeclarationBase {
  readonly kind: 'group';
  readonly fields: ReadonlyMap<string, Declaration>;
  readonly required: readonly string[];
  /** Declaration of other fields, if allowed. */
  readonly others: Declaration | undefined;
  /** Declaration of further names. */
  readonly names: Declaration | undefined;
}

/** A declaration without alternatives. `untold`: unknown, such as a check by a function. */
export type SimpleDeclaration =
  | NumberDeclaration
  | ChoiceDeclaration
  | TextDeclaration
  | ListDeclaration
  | GroupDeclaration
  | (DeclarationBase & { readonly kind: 'flag' | 'null' | 'untold' });

export interface UnionDeclaration extends DeclarationBase {
  readonly kind: 'union';
  readonly of: readonly SimpleDeclaration[];
}

export type Declaration = SimpleDeclaration | UnionDeclaration;

/** Unknown declaration. */
export const UNKNOWN_DECLARATION: SimpleDeclaration = { kind: 'untold', about: '' };

/** Lists the alternatives of a declaration. */
export const listAlternatives = (declared: Declaration): readonly SimpleDeclaration[] =>
  declared.kind === 'union' ? declared.of : [declared];

/** Keyword of warpool: the description of accepted values. */
const WORDS = 'x-words';

type JsonBaseSchema = z.core.JSONSchema.BaseSchema;
/** As in all common drafts: these bounds are numbers. */
type JsonFieldSchema = JsonBaseSchema & { readonly exclusiveMinimum?: number; readonly exclusiveMaximum?: number };
type JsonSchemaPart = JsonBaseSchema | boolean | readonly JsonSchemaPart[] | undefined;

/** Converts one or several parts; `false` declares nothing. */
const declareParts = (part: JsonSchemaPart): Declaration[] =>
  Array.isArray(part)
    ? part.flatMap(declareParts)
    : typeof part === 'object'
      ? [declareJsonSchema(part as JsonFieldSchema)]
      : [];

function declareSimple(schema: JsonFieldSchema): SimpleDeclaration {
  const reported = { about: schema.description ?? '', title: schema.title, default: schema.default };
  if (schema.const !== undefined && schema.const !== null) return { ...reported, kind: 'choice', of: [schema.const] };
  if (schema.enum !== undefined) return { ...reported, kind: 'choice', of: schema.enum };
  switch (schema.type) {
    case 'integer':
    case 'number': {
      const { type, minimum: low, maximum: high, exclusiveMinimum: above, exclusiveMaximum: below } = schema;
      return { ...reported, kind: 'number', whole: type === 'integer', low, high, above, below };
    }
    case 'string': {
      const { minLength: least, maxLength: most, pattern = '', [WORDS]: words } = schema;
      return { ...reported, kind: 'text', least, most, pattern, words: words as string | undefined };
    }
    case 'array': {
      const { minItems: least, maxItems: most, prefixItems, items = {} } = schema;
      return {
        ...reported,
        kind: 'list',
        least,
        most,
        first: declareParts(prefixItems),
        items: declareParts(items)[0],
      };
    }
    case 'object': {
      const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
      const fields = new Map(
        Object.entries(properties).map(([name, part]) => [name, declareParts(part)[0] ?? UNKNOWN_DECLARATION]),
      );
      const [others, names] = [declareParts(additionalProperties)[0], declareParts(propertyNames)[0]];
      return { ...reported, kind: 'group', fields, required, others, names };
    }
    case 'boolean':
      return { ...reported, kind: 'flag' };
    case 'null':
      return { ...reported, kind: 'null' };
    default:
      return { ...reported, kind: 'untold' };
  }
}

/** Converts a JSON Schema. References are not resolved: their declaration is unknown. */
function declareJsonSchema(schema: JsonFieldSchema): Declaration {
  const parts = schema.oneOf ?? schema.anyOf;
  if (parts === undefined) return declareSimple(schema);
  const all = declareParts(parts);
  const about = schema.description ?? all.find((each) => each.about !== '')?.about ?? '';
  return { kind: 'union', of: all.flatMap(listAlternatives), about, default: schema.default };
}

/** Returns the message for rejected values: of the first check that has one. */
function findWording({ _zod: { def } }: z.core.$ZodTypes): string | undefined {
  for (const check of def.checks ?? []) {
    const error = check._zod.def.error as ((issue: object) => unknown) | undefined;
    const words = error?.({ code: 'custom' });
    if (typeof words === 'string') return words.split(', found ')[0];
  }
  return undefined;
}

const declarations = new WeakMap<z.ZodType, Declaration>();

/** Converts the input of a zod schema to a declaration. */
export function getDeclaration(schema: z.ZodType): Declaration {
  const before = declarations.get(schema);
  if (before !== undefined) return before;
  const json = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema: field }) {
      const words = findWording(zodSchema);
      if (words !== undefined && field.type === 'string') field[WORDS] = words;
    },
  });
  const declared = declareJsonSchema(json as JsonFieldSchema);
  declarations.set(schema, declared);
  return declared;
}

/** Returns the declaration of a field, or of an element of a list. */
export function getChildDeclaration(declared: SimpleDeclaration, step: string | number): Declaration | undefined {
  if (typeof step === 'number') return declared.kind === 'list' ? (declared.first[step] ?? declared.items) : undefined;
  return declared.kind === 'group' ? (declared.fields.get(step) ?? declared.others) : undefined;
}

/** Returns the only possible word of a field, such as `mode`. */
export const getOnlyWord = (declared: Declaration | undefined): unknown =>
  declared?.kind === 'choice' && declared.of.length === 1 ? declared.of[0] : undefined;

/** Lists the fields that distinguish alternatives, with the word for this one. */
function listDiscriminators(declared: SimpleDeclaration): (readonly [string, unknown])[] {
  const fields = declared.kind === 'group' ? [...declared.fields] : [];
  return fields.map(([name, field]) => [name, getOnlyWord(field)] as const).filter(([, word]) => word !== undefined);
}

const preferMatching = <T>(all: readonly T[], good: (each: T) => boolean): readonly T[] =>
  all.some(good) ? all.filter(good) : all;

/** Selects among alternatives. */
type DeclarationSelector = (all: readonly SimpleDeclaration[], value: unknown) => readonly SimpleDeclaration[];

/** Selects the alternatives that fit a value: none that a field such as `mode` excludes, unless that excludes all. */
const selectMeant: DeclarationSelector = (all, value) =>
  preferMatching(all, (each) =>
    listDiscriminators(each).every(([name, word]) =>
      [word, null, undefined].includes(getValueAt(value, [name]) as null),
    ),
  );

/** Selects the alternatives that have all fields of the value, if no field such as `mode` decides. */
export const selectLikeliest: DeclarationSelector = (all, value) => {
  const some = selectMeant(all, value);
  const chosen = new Set(some.map((each) => JSON.stringify(listDiscriminators(each)))).size < 2;
  if (!isMapping(value) || !chosen) return some;
  return preferMatching(some, (each) =>
    Object.keys(value).every((name) => getChildDeclaration(each, name) !== undefined),
  );
};

const stepInto = (all: readonly SimpleDeclaration[], step: string | number): Declaration[] =>
  all.flatMap((each) => getChildDeclaration(each, step) ?? []);

/**
 * Finds the declarations at a path, without nested alternatives.
 * @param value the whole value, which selects alternatives
 * @param choose selects alternatives; default: `selectMeant`
 */
export function findDeclarations(
  declared: Declaration,
  value: unknown,
  path: Path,
  choose = selectMeant,
): readonly SimpleDeclaration[] {
  const start = choose(listAlternatives(declared), value);
  return path.reduce((all, step, s) => {
    const next = stepInto(all, step).flatMap(listAlternatives);
    return choose(next, getValueAt(value, path.slice(0, s + 1)));
  }, start);
}

/** A path of a value and its declaration. */
export interface DeclaredValue {
  readonly path: Path;
  readonly value: unknown;
  readonly declared: readonly SimpleDeclaration[];
  /** True if the last step is a name that the scenario chooses. */
  readonly named: boolean;
}

/** Lists all paths of a value, each before those within it. */
export function listDeclaredValues(declared: Declaration, whole: unknown): DeclaredValue[] {
  const found: DeclaredValue[] = [];
  const visit = (all: readonly SimpleDeclaration[], value: unknown, path: Path, named: boolean): void => {
    const here = selectMeant(all, value);
    found.push({ path, value, declared: here, named });
    if (!Array.isArray(value) && !isMapping(value)) return;
    for (const step of Array.isArray(value) ? value.keys() : Object.keys(value)) {
      const own = here.some(
        (each) => each.kind === 'group' && each.others && getChildDeclaration(each, step) === each.others,
      );
      visit(stepInto(here, step).flatMap(listAlternatives), getValueAt(value, [step]), [...path, step], own);
    }
  };
  visit(listAlternatives(declared), whole, [], false);
  return found;
}

// Describes accepted values at a path: type, range and choices together, for any failed check.

/** Lists the constants at the path of the declarations. */
export function listWords(declared: readonly SimpleDeclaration[]): string[] {
  return [...new Set(declared.flatMap((each) => (each.kind === 'choice' ? each.of.map(String) : [])))];
}

const filterGroups = (declared: readonly SimpleDeclaration[]): GroupDeclaration[] =>
  declared.filter((each) => each.kind === 'group');

/** Lists the declarations of names of fields that are not declared individually. */
export function listNameDeclarations(declared: readonly SimpleDeclaration[]): SimpleDeclaration[] {
  return filterGroups(declared).flatMap(({ names }) => (names === undefined ? [] : listAlternatives(names)));
}

/** Lists the declared fields. */
export function listFieldNames(declared: readonly SimpleDeclaration[]): string[] {
  const names = filterGroups(declared).flatMap((each) => [
    ...each.fields.keys(),
    ...listWords(listNameDeclarations([each])),
  ]);
  return [...new Set(names)];
}

/** Formats ` 1..8`, ` >= 1`, ` > 0`: the bounds of a number, without the limits of its type. */
function formatBounds({ low: least, high: most, above, below }: NumberDeclaration): string {
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

/** Formats ` of 2 to 32`, ` of 2`, ` of at least 1`. */
function formatExtent({ least, most }: TextDeclaration | ListDeclaration): string {
  if (least !== undefined && least === most) return ` of ${String(least)}`;
  if (least !== undefined && most !== undefined) return ` of ${String(least)} to ${String(most)}`;
  if (least !== undefined) return ` of at least ${String(least)}`;
  return most === undefined ? '' : ` of at most ${String(most)}`;
}

function describeText(declared: TextDeclaration): string {
  const size = formatExtent(declared);
  return declared.words ?? `a string${size === '' ? '' : `${size} characters`}`;
}

const KINDS = { flag: 'true or false', null: 'null', group: 'a mapping', untold: 'a JSON value' } as const;

/** Describes a kind of value, without constants. */
function describeKind(declared: Exclude<SimpleDeclaration, { kind: 'choice' }>): string {
  switch (declared.kind) {
    case 'number':
      return `${declared.whole ? 'an integer' : 'a number'}${formatBounds(declared)}`;
    case 'text':
      return describeText(declared);
    case 'list':
      return `a list${formatExtent(declared)}`;
    default:
      return KINDS[declared.kind];
  }
}

const describeMapping = ({ required }: GroupDeclaration): string =>
  required.length === 0 ? 'a mapping' : `a mapping with ${required.join(', ')}`;

function describeKinds(declared: readonly SimpleDeclaration[]): string[] {
  const several = filterGroups(declared).length > 1;
  return declared.flatMap((each) => {
    if (each.kind === 'choice') return [];
    return [several && each.kind === 'group' ? describeMapping(each) : describeKind(each)];
  });
}

/** Formats `one of a, b, c`, or a single word. */
export function formatOneOf(words: readonly string[]): string {
  return words.length === 1 ? words.join('') : `one of ${words.join(', ')}`;
}

/** Describes the values that declarations accept. */
export function describeExpected(declared: readonly SimpleDeclaration[]): string {
  const words = listWords(declared);
  const parts = [...(words.length === 0 ? [] : [formatOneOf(words)]), ...new Set(describeKinds(declared))];
  const last = parts.pop() ?? 'nothing';
  return parts.length === 0 ? last : `${parts.join(', ')} or ${last}`;
}

// Generates values of a declaration, field by field; a chooser makes the choices.

/** Source of choices. Fields are identified by their name, those of a map by the name of the map. */
export interface ValueChooser {
  /** Chooses a number of a closed range, in fractions: 1, or tenths. */
  readonly number: (low: number, high: number, parts: number) => number;
  /** Chooses a number 0..count-1. */
  readonly among: (count: number) => number;
  /** Decides whether an optional field is present. */
  readonly has: (field: string) => boolean;
  /** Minimum number of additional entries of a map. */
  readonly entries: number;
  /**
   * Returns texts to choose from; the first list with an accepted text is used.
   * @param nth number of previous values of the kind, for distinct names
   */
  readonly texts: (field: string, nth: number) => readonly (readonly string[])[];
  /** Returns a value to use unchanged; undefined: generate one. */
  readonly own?: (declared: Declaration, field: string) => unknown;
  /** Returns true to repeat the first two elements of a list. */
  readonly hasRepeatedElements?: () => boolean;
}

/** Maximum number of additional elements of lists and entries of maps. */
const EXTRA_ELEMENTS = 4;

/** The greatest generated number, and the maximum if none is declared. */
const GREATEST = 1e9;
const USUAL = 100;

/** Computes the ends of the range of a number, in fractions if it need not be whole. */
function computeEnds({
  whole,
  low,
  high,
  above = Number.NEGATIVE_INFINITY,
  below = Number.POSITIVE_INFINITY,
}: NumberDeclaration) {
  const parts = whole ? 1 : 10;
  const least = Math.max(low ?? 0, above + 1 / parts);
  const most = Math.min(high ?? Math.max(least, USUAL), below - 1 / parts, GREATEST);
  return { parts, least: Math.min(least, high ?? least), most: Math.max(least, most) };
}

function createTextTest({
  pattern,
  least = 0,
  most = Number.POSITIVE_INFINITY,
}: TextDeclaration): (text: string) => boolean {
  const form = new RegExp(pattern, 'u');
  return (text) => text.length >= least && text.length <= most && form.test(text);
}

/** @param field name of the value, for the chooser @param nth number of previous values of its kind */
export function generateValue(declared: Declaration, choices: ValueChooser, field = '', nth = 1): unknown {
  const own = choices.own?.(declared, field);
  if (own !== undefined) return own;
  const findOne = <T>(all: readonly T[]): T | undefined => all[choices.among(all.length)];
  switch (declared.kind) {
    case 'union':
      return generateValue(findOne(declared.of) ?? UNKNOWN_DECLARATION, choices, field, nth);
    case 'choice':
      return findOne(declared.of);
    case 'flag':
      return choices.among(2) === 0;
    case 'null':
      return null;
    case 'number': {
      const { parts, least, most } = computeEnds(declared);
      return choices.number(least, most, parts);
    }
    case 'list':
      return generateList(declared, choices, field);
    case 'group':
      return generateGroup(declared, choices, field, nth);
    default: {
      const accepted = declared.kind === 'text' ? createTextTest(declared) : () => true;
      const pools = choices.texts(field, nth).map((pool) => pool.filter(accepted));
      return findOne(pools.find((pool) => pool.length > 0) ?? ['name']);
    }
  }
}

function generateList(
  { least = 0, most = least + EXTRA_ELEMENTS, first, items }: ListDeclaration,
  choices: ValueChooser,
  field: string,
): unknown[] {
  const length = least + choices.among(Math.min(most - least, EXTRA_ELEMENTS) + 1);
  const all = Array.from({ length }, (_, k) => {
    const element = first[k] ?? items;
    return element === undefined ? undefined : generateValue(element, choices, field, k + 1);
  });
  const twins = first.length === 0 && choices.hasRepeatedElements?.() === true;
  return twins ? all.map(() => all[choices.among(Math.min(2, length))]) : all;
}

function generateGroup(
  { fields, required, others, names }: GroupDeclaration,
  choices: ValueChooser,
  field: string,
  nth: number,
): object {
  const due = [...fields].filter(([name]) => required.includes(name) || choices.has(name));
  const known = due.map(([name, each]): [string, unknown] => [name, generateValue(each, choices, name, nth)]);
  if (fields.size > 0 || others === undefined) return Object.fromEntries(known);
  const length = choices.entries + choices.among(EXTRA_ELEMENTS - choices.entries + 1);
  const free = Array.from({ length }, () =>
    String(generateValue(names ?? UNKNOWN_DECLARATION, choices, `${field}.key`)),
  );
  const keys = [...required, ...free];
  return Object.fromEntries(keys.map((key) => [key, generateValue(others, choices, `${field}.value`)]));
}

/** Start values of a form: as little as possible, numbers near 0. */
const SMALLEST: ValueChooser = {
  number: (low, high) => Math.min(Math.max(0, low), high),
  among: () => 0,
  has: () => false,
  entries: 0,
  texts: (_, nth) => [[`Name ${String(nth)}`, `name-${String(nth)}`, '1d6', String(nth)]],
  own: ({ default: given }) => given ?? undefined,
};

/** Generates the smallest accepted value. @param nth number of previous values of the kind, for distinct names */
export const generateSmallest = (declared: Declaration, nth = 1): unknown => generateValue(declared, SMALLEST, '', nth);
