/** What the declaration of a system says of a place in its scenarios. */
import { accepts, type JsonSchema } from '../../src/report/fields.ts';
import { isMapping } from '../../src/scenario/finding.ts';
import { jsonSchema } from '../../src/scenario/index.ts';
import type { Path } from '../../src/scenario/problem.ts';
import { registry } from './registry.ts';

export type { JsonSchema };

const known = new WeakMap<object, JsonSchema>();

/** Of a text that names no system: the names are all that can be said. */
function nameless(): JsonSchema {
  const system = { description: 'The rules that are played by.', enum: registry().names };
  return { type: 'object', properties: { system }, required: ['system'], additionalProperties: false };
}

/** The declaration that holds for a scenario, whatever else is wrong with it. */
export function declarationOf(scenario: unknown): JsonSchema {
  const name = isMapping(scenario) ? scenario['system'] : undefined;
  const system = registry().all.find(({ id }) => id === name);
  if (system === undefined) return nameless();
  const found = known.get(system) ?? (jsonSchema(system.id, registry()) as JsonSchema);
  known.set(system, found);
  return found;
}

/** The schema of the fields by other names, if there can be any. */
export function othersOf({ additionalProperties }: JsonSchema): JsonSchema | undefined {
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

const hasField = (schema: JsonSchema, name: string): boolean =>
  Object.hasOwn(schema.properties ?? {}, name) || othersOf(schema) !== undefined;

/** False if a field that tells which declaration holds, such as `mode`, has another's value. */
function chosen({ properties = {} }: JsonSchema, value: unknown): boolean {
  if (!isMapping(value)) return true;
  return Object.entries(properties).every(([name, field]) => {
    const tells = field.const !== undefined && value[name] !== undefined && value[name] !== null;
    return !tells || value[name] === field.const;
  });
}

function preferred<T>(all: readonly T[], good: (each: T) => boolean): readonly T[] {
  const some = all.filter(good);
  return some.length > 0 ? some : all;
}

/** The declarations of which one holds, each without choices of its own. */
export function alternativesOf(schema: JsonSchema): JsonSchema[] {
  const inner = schema.oneOf ?? schema.anyOf;
  if (inner === undefined) return [schema];
  const { description } = schema;
  return inner.flatMap(alternativesOf).map((each) => ({ ...(description !== undefined && { description }), ...each }));
}

/** True of declarations among which a field such as `mode` has to choose. */
function choosing(all: readonly JsonSchema[]): boolean {
  const [first, ...others] = all.map(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, field]) => (field.const === undefined ? [] : [[name, field.const]])),
  );
  return others.some((each) => JSON.stringify(each) !== JSON.stringify(first));
}

/** Those of the declarations that go best with what a value has already. */
export function fitting(all: readonly JsonSchema[], value: unknown): readonly JsonSchema[] {
  const told = preferred(all, (each) => chosen(each, value));
  if (!isMapping(value) || choosing(told)) return told;
  return preferred(told, (each) => Object.keys(value).every((name) => hasField(each, name)));
}

function inside(schema: JsonSchema, step: string | number): JsonSchema | undefined {
  if (typeof step === 'number') return schema.items;
  const { properties = {} } = schema;
  return Object.hasOwn(properties, step) ? properties[step] : othersOf(schema);
}

function valueIn(value: unknown, step: string | number): unknown {
  if (Array.isArray(value)) return typeof step === 'number' ? (value[step] as unknown) : undefined;
  return isMapping(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

/** What may stand at a path of a scenario: declarations without choices of their own. */
export function schemasAt(scenario: unknown, path: Path): readonly JsonSchema[] {
  let value = scenario;
  let schemas = fitting(alternativesOf(declarationOf(scenario)), value);
  for (const step of path) {
    value = valueIn(value, step);
    const next = schemas.flatMap((schema) => inside(schema, step) ?? []);
    schemas = fitting(next.flatMap(alternativesOf), value);
  }
  return schemas;
}

/** The declaration of a field, with its choices; that of the first mode which has it. */
export function fieldAt(scenario: unknown, path: Path): JsonSchema | undefined {
  const step = path.at(-1);
  if (step === undefined) return declarationOf(scenario);
  return schemasAt(scenario, path.slice(0, -1))
    .map((schema) => inside(schema, step))
    .find((found) => found !== undefined);
}

function countOf({ minItems, maxItems }: JsonSchema): string {
  const least = minItems === undefined ? '' : String(minItems);
  return minItems === undefined && maxItems === undefined ? '' : ` ${least}..${String(maxItems ?? '')}`;
}

/** What a field accepts, in a few words. */
export function acceptedBy(schema: JsonSchema): string {
  const words = alternativesOf(schema).map((each) => {
    if (each.type === 'object') return 'fields by name';
    const deep = each.type === 'array' && alternativesOf(each.items ?? {}).some(({ type }) => type === 'object');
    return deep ? `list of${countOf(each)} groups` : accepts(each);
  });
  return [...new Set(words)].join(' | ');
}

/** What a field is about. */
export function aboutOf(schema: JsonSchema): string {
  return (
    schema.description ?? alternativesOf(schema).find(({ description }) => description !== undefined)?.description ?? ''
  );
}

/** A default as a file would have it; undefined if there is none. */
export function defaultOf(schema: JsonSchema): string | undefined {
  const { default: given } = schema;
  if (given === undefined) return undefined;
  if (typeof given === 'string') return given;
  if (typeof given === 'object' && given !== null && Object.keys(given).length === 0) return 'none';
  return JSON.stringify(given).replaceAll(/[,:]/g, '$& ').replaceAll('"', '');
}
