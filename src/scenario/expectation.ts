/** What a schema accepts at a place, in words: type, range and choices at once, whichever of them failed. */
import { isMapping } from './finding.ts';
import { type JsonSchema, WORDS } from './json-schema.ts';
import type { Path } from './problem.ts';

type Part = JsonSchema | boolean | undefined;

/** The alternatives that a schema is made of. */
function alternatives(schema: JsonSchema): JsonSchema[] {
  const parts = schema.oneOf ?? schema.anyOf;
  return parts === undefined ? [schema] : parts.flatMap(alternatives);
}

/** The constants that a schema allows, if it is a choice of constants. */
function choices(schema: JsonSchema): string[] | undefined {
  if (schema.const !== undefined && schema.const !== null) return [String(schema.const)];
  return schema.enum?.map(String);
}

/** False if the mapping says by one of its fields (`mode: mass`) that it means another schema. */
function meant(schema: JsonSchema, value: unknown): boolean {
  if (!isMapping(value)) return true;
  return Object.entries(schema.properties ?? {}).every(([name, field]) => {
    if (typeof field === 'boolean' || field.const === undefined || !(name in value)) return true;
    return field.const === value[name];
  });
}

/** The alternatives that `value` can mean; all of them if it can mean none. */
function candidates(schemas: readonly JsonSchema[], value: unknown): JsonSchema[] {
  const all = schemas.flatMap(alternatives);
  const fitting = all.filter((schema) => meant(schema, value));
  return fitting.length === 0 ? all : fitting;
}

function element({ prefixItems, items }: JsonSchema, index: number): Part {
  return prefixItems?.[index] ?? (Array.isArray(items) ? items[index] : items);
}

function part(schema: JsonSchema, step: string | number): Part {
  if (typeof step === 'number') return element(schema, step);
  const field = Object.hasOwn(schema.properties ?? {}, step) ? schema.properties?.[step] : undefined;
  return field ?? schema.additionalProperties;
}

/** What is at the path, or undefined. */
export function valueAt(value: unknown, path: Path): unknown {
  let here = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as Readonly<Record<string | number, unknown>>)[step];
  }
  return here;
}

/**
 * The schemas that hold at a path; more than one where there are alternatives.
 *
 * @param schema of the whole
 * @param value  the whole as it was found; it decides between alternatives
 */
export function schemasAt(schema: JsonSchema, value: unknown, path: Path): JsonSchema[] {
  let here = [schema];
  for (const [i, step] of path.entries()) {
    here = candidates(here, valueAt(value, path.slice(0, i)))
      .map((candidate) => part(candidate, step))
      .filter((found) => typeof found === 'object');
  }
  return candidates(here, valueAt(value, path));
}

/** The constants that can stand at the schemas' place. */
export function wordsOf(schemas: readonly JsonSchema[]): string[] {
  return [...new Set(schemas.flatMap((schema) => choices(schema) ?? []))];
}

/** The fields that the schemas know. */
export function fieldsOf(schemas: readonly JsonSchema[]): string[] {
  const names = schemas.flatMap(({ properties, propertyNames }) => [
    ...Object.keys(properties ?? {}),
    ...(typeof propertyNames === 'object' ? (choices(propertyNames) ?? []) : []),
  ]);
  return [...new Set(names)];
}

/** ` 1..8`, ` >= 1`, ` > 0`: the bounds of a number, those of the machine left out. */
function range({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): string {
  const low = minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? undefined : String(minimum);
  const high = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : String(maximum);
  if (low !== undefined && high !== undefined) return ` ${low}..${high}`;
  const bounds = [
    low === undefined ? '' : `>= ${low}`,
    typeof exclusiveMinimum === 'number' ? `> ${String(exclusiveMinimum)}` : '',
    high === undefined ? '' : `<= ${high}`,
    typeof exclusiveMaximum === 'number' ? `< ${String(exclusiveMaximum)}` : '',
  ].filter((bound) => bound !== '');
  return bounds.length === 0 ? '' : ` ${bounds.join(' and ')}`;
}

/** ` of 2 to 32`, ` of 2`, ` of at least 1`. */
function extent(least: number | undefined, most: number | undefined): string {
  if (least !== undefined && least === most) return ` of ${String(least)}`;
  if (least !== undefined && most !== undefined) return ` of ${String(least)} to ${String(most)}`;
  if (least !== undefined) return ` of at least ${String(least)}`;
  return most === undefined ? '' : ` of at most ${String(most)}`;
}

function text(schema: JsonSchema): string {
  const words = schema[WORDS];
  if (typeof words === 'string') return words.split(', found ')[0] ?? words;
  const size = extent(schema.minLength, schema.maxLength);
  return `a string${size === '' ? '' : `${size} characters`}`;
}

/** A kind of value in words, constants apart. */
function kind(schema: JsonSchema): string {
  switch (schema.type) {
    case 'integer':
      return `an integer${range(schema)}`;
    case 'number':
      return `a number${range(schema)}`;
    case 'boolean':
      return 'true or false';
    case 'string':
      return text(schema);
    case 'null':
      return 'null';
    case 'array':
      return `a list${extent(schema.minItems, schema.maxItems)}`;
    case 'object':
      return 'a mapping';
    default:
      return 'another value';
  }
}

function mapping({ required = [] }: JsonSchema): string {
  return required.length === 0 ? 'a mapping' : `a mapping with ${required.join(', ')}`;
}

function kinds(schemas: readonly JsonSchema[]): string[] {
  const mappings = schemas.filter(({ type }) => type === 'object').length;
  return schemas
    .filter((schema) => choices(schema) === undefined)
    .map((schema) => (mappings > 1 && schema.type === 'object' ? mapping(schema) : kind(schema)));
}

/** `one of a, b, c`; a single word stands for itself. */
export function oneOf(words: readonly string[]): string {
  return words.length === 1 ? words.join('') : `one of ${words.join(', ')}`;
}

/** What the schemas accept. */
export function describeExpected(schemas: readonly JsonSchema[]): string {
  const words = wordsOf(schemas);
  const parts = [...(words.length === 0 ? [] : [oneOf(words)]), ...new Set(kinds(schemas))];
  const last = parts.pop() ?? 'nothing';
  return parts.length === 0 ? last : `${parts.join(', ')} or ${last}`;
}
