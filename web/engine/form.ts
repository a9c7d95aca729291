/** The form of a scenario: its fields as declared, with what the text has for them. */
import { InputError, InputErrors } from '../../src/errors.ts';
import { readDocument } from '../../src/scenario/document.ts';
import { isMapping } from '../../src/scenario/finding.ts';
import { type Path, placeName } from '../../src/scenario/problem.ts';
import { registry } from './registry.ts';
import { aboutOf, alternativesOf, declarationOf, defaultOf, fitting, type JsonSchema, othersOf } from './schemas.ts';
import type { Entry, Form, Option, Shape } from './shapes.ts';
import { smallest } from './smallest.ts';

const NUMBERS = new Set(['integer', 'number']);

/** What may be written for one declaration: each value of a choice, or one of its kind. */
function optionsOf(schema: JsonSchema): Option[] {
  if (schema.const !== undefined) return [{ label: schema.const, value: schema.const }];
  if (schema.enum !== undefined) return schema.enum.map((value) => ({ label: value, value }));
  if (schema.type === 'boolean') return [true, false].map((value) => ({ label: String(value), value }));
  if (schema.type === 'null') return [{ label: 'none (null)', value: null }];
  return [{ label: wordsFor(schema), value: smallest(schema) }];
}

function wordsFor(schema: JsonSchema): string {
  const { type, required = [], properties = {} } = schema;
  if (type === 'array') return 'a list';
  if (type === 'object') return Object.keys(properties).length === 0 ? 'by name' : required.join(', ');
  return NUMBERS.has(type ?? '') ? 'a number' : 'a text';
}

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  integer: (value) => typeof value === 'number',
  number: (value) => typeof value === 'number',
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: isMapping,
};

/** True of a value that a declaration is about, right or wrong. */
function about(schema: JsonSchema, value: unknown): boolean {
  if (schema.const !== undefined) return schema.const === value;
  if (schema.enum !== undefined) return schema.enum.includes(value as string);
  return TYPES[schema.type ?? '']?.(value) ?? false;
}

const isFixed = ({ const: only, enum: some, type }: JsonSchema): boolean =>
  only !== undefined || some !== undefined || type === 'boolean' || type === 'null';

interface Alternative {
  readonly schema: JsonSchema;
  readonly option: Option;
}

/** One of several declarations. */
function choiceOf(all: readonly JsonSchema[], value: unknown, path: Path): Shape {
  const offered = all.flatMap((schema) => optionsOf(schema).map((option): Alternative => ({ schema, option })));
  const options = offered.map(({ option }) => option);
  if (value === undefined) return { kind: 'choice', options, chosen: -1 };
  const likely = fitting(all, value);
  const chosen = offered.findIndex(({ schema, option }) =>
    isFixed(schema) ? option.value === value : likely.includes(schema) && about(schema, value),
  );
  const schema = offered[chosen]?.schema;
  if (schema === undefined) return strangeOf(value);
  return { kind: 'choice', options, chosen, inner: isFixed(schema) ? undefined : shapeOf(schema, value, path) };
}

function strangeOf(value: unknown): Shape {
  return { kind: 'strange', text: JSON.stringify(value).slice(0, 80) };
}

function numberOf({ type, minimum, maximum }: JsonSchema, value: unknown): Shape {
  if (typeof value === 'string') return { kind: 'text', value, number: true };
  return {
    kind: 'number',
    value: value as number | undefined,
    ...(minimum !== undefined && { low: minimum }),
    ...(maximum !== undefined && { high: maximum }),
    whole: type === 'integer',
  };
}

function listOf({ items = {}, maxItems = Number.POSITIVE_INFINITY }: JsonSchema, value: unknown, path: Path): Shape {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  const entries = list.map((item, i) => entryFor(String(i + 1), items, item, [...path, i], false));
  const fresh = list.length < maxItems ? { value: smallest(items, list.length + 1) } : undefined;
  return { kind: 'list', entries, fresh };
}

/** The shape of what one declaration takes. */
function simpleOf(schema: JsonSchema, value: unknown, path: Path): Shape {
  const { type = 'string' } = schema;
  if (type === 'object')
    return { kind: 'group', entries: entriesOf([schema], value, path), fresh: freshIn([schema], value) };
  if (type === 'array') return listOf(schema, value, path);
  if (type === 'boolean')
    return { kind: 'switch', value: (value ?? schema.default ?? false) === true, given: value !== undefined };
  if (NUMBERS.has(type)) return numberOf(schema, value);
  return { kind: 'text', value: value as string | undefined, number: false };
}

function shapeOf(schema: JsonSchema, value: unknown, path: Path): Shape {
  const all = alternativesOf(schema);
  const [only] = all;
  if (only === undefined) return strangeOf(value);
  if (all.length > 1 || only.enum !== undefined || only.const !== undefined) return choiceOf(all, value, path);
  const typed = NUMBERS.has(only.type ?? '') && typeof value === 'string';
  const empty = value === null && (only.type === 'object' || only.type === 'array');
  if (value !== undefined && !typed && !empty && !about(only, value)) return strangeOf(value);
  return simpleOf({ ...only, default: schema.default }, value ?? undefined, path);
}

function entryFor(name: string, schema: JsonSchema, value: unknown, path: Path, required: boolean): Entry {
  return {
    path,
    place: placeName(path, ''),
    name,
    about: aboutOf(schema),
    default: defaultOf(schema),
    required,
    present: value !== undefined,
    shape: shapeOf(schema, value, path),
  };
}

function strange(name: string, value: unknown, path: Path): Entry {
  const shape: Shape = { kind: 'strange', text: JSON.stringify(value).slice(0, 80) };
  return {
    path,
    place: placeName(path, ''),
    name,
    about: 'There is no such field here.',
    required: false,
    present: true,
    shape,
  };
}

/** A field that tells which declaration holds, such as `mode`: all that it can be. */
function telling(name: string, all: readonly JsonSchema[]): JsonSchema | undefined {
  const consts = all.flatMap(({ properties }) => properties?.[name]?.const ?? []);
  return consts.length < 2 ? undefined : { enum: [...new Set(consts)], description: 'Which rules hold.' };
}

function declaredIn(name: string, schema: JsonSchema, all: readonly JsonSchema[], path: Path): JsonSchema {
  if (name === 'system' && path.length === 0)
    return { enum: registry().names, description: 'The rules that are played by.' };
  return telling(name, all) ?? schema.properties?.[name] ?? {};
}

/** The fields of a mapping: the declared ones in their order, then those by other names. */
function entriesOf(all: readonly JsonSchema[], value: unknown, path: Path): Entry[] {
  const [schema] = fitting(all, value);
  if (schema === undefined) return [];
  const given = isMapping(value) ? value : {};
  const names = Object.keys(schema.properties ?? {});
  const first = names.filter((name) => name === 'system' || telling(name, all) !== undefined);
  const declared = [...new Set([...first, ...names])];
  const others = Object.keys(given).filter((name) => !declared.includes(name));
  const other = othersOf(schema);
  return [
    ...declared.map((name) => {
      const here = [...path, name];
      const required = schema.required?.includes(name) ?? false;
      return entryFor(name, declaredIn(name, schema, all, path), given[name], here, required);
    }),
    ...others.map((name) =>
      other === undefined
        ? strange(name, given[name], [...path, name])
        : entryFor(name, other, given[name], [...path, name], false),
    ),
  ];
}

/** A new field of any name, if there can be one. */
function freshIn(all: readonly JsonSchema[], value: unknown): { readonly value: unknown } | undefined {
  const [schema] = fitting(all, value);
  const other = schema && othersOf(schema);
  return other && { value: smallest(other) };
}

/** UTF-16 units of a text; of a longer one the page would draw thousands of fields. */
const LONGEST = 100_000;

/** The form of a text. */
export function formOf(text: string): Form {
  if (text.length > LONGEST) return { ok: false, reason: 'The text is too long for a form.' };
  try {
    const { value } = text.trim() === '' ? { value: {} } : readDocument(text, 'scenario');
    if (!isMapping(value)) return { ok: false, reason: 'The text holds no fields.' };
    return { ok: true, entries: entriesOf(alternativesOf(declarationOf(value)), value, []) };
  } catch (error) {
    if (error instanceof InputError || error instanceof InputErrors) {
      return { ok: false, reason: 'The text cannot be read: mend it first.' };
    }
    throw error;
  }
}
