/** What can be typed at a cursor: names of fields, and values. */
import { type Cursor, cursorAt } from './cursor.ts';
import { namesFor, textsFor } from './given-names.ts';
import {
  aboutOf,
  acceptedBy,
  alternativesOf,
  declarationOf,
  defaultOf,
  fitting,
  type JsonSchema,
  othersOf,
  schemasAt,
} from './schemas.ts';
import { startFor } from './starts.ts';
import { flowOf, textOf } from './written.ts';

export interface Suggestion {
  readonly label: string;
  /** What it accepts, or that it is the default. */
  readonly detail: string;
  readonly about: string;
  readonly kind: 'field' | 'value';
  /** Required and not there yet. */
  readonly missing: boolean;
  readonly insert: string;
  /** Where the cursor goes, from the begin of what is inserted. */
  readonly cursor: number;
}

export interface Suggestions {
  readonly from: number;
  readonly to: number;
  readonly all: readonly Suggestion[];
}

/** Text with the place of the cursor in it. */
type Template = readonly [before: string, after?: string];

/** What follows the name of a field. */
function bodyOf(field: JsonSchema, { flow, word }: Cursor): Template {
  const all = alternativesOf(field);
  const only = (type: string): boolean => all.every((each) => each.type === type);
  const margin = `\n${' '.repeat(word.column + 2)}`;
  const [first] = all;
  if (all.length === 1 && first?.const !== undefined) return [` ${flowOf(first.const, { json: word.quote === '"' })}`];
  if (only('object')) return flow ? [' { ', ' }'] : [margin];
  if (!only('array')) return [' '];
  const deep = all.some(({ items }) => alternativesOf(items ?? {}).some(({ type }) => type === 'object'));
  return deep && !flow ? [`${margin}- `] : [' [', ']'];
}

function nameSuggestion(name: string, field: JsonSchema, required: boolean, cursor: Cursor): Suggestion {
  const { quote, named } = cursor.word;
  const label = quote === '' ? textOf(name, { json: false }) : quote + name + quote;
  const [before, after = ''] = named ? [''] : bodyOf(field, cursor);
  const colon = named ? '' : ':';
  return {
    label: name,
    detail: `${acceptedBy(field)}${required ? ', required' : ''}`,
    about: aboutOf(field),
    kind: 'field',
    missing: required,
    insert: label + colon + before + after,
    cursor: label.length + colon.length + before.length,
  };
}

function names(schema: JsonSchema, cursor: Cursor): Suggestion[] {
  const open = Object.entries(schema.properties ?? {}).filter(([name]) => !cursor.beside.includes(name));
  return open.map(([name, field]) => nameSuggestion(name, field, schema.required?.includes(name) ?? false, cursor));
}

/** Names of the scenario's own, where fields can have any. */
function otherNames(schema: JsonSchema, cursor: Cursor): Suggestion[] {
  const other = othersOf(schema);
  const taken = [...cursor.beside, ...Object.keys(schema.properties ?? {})];
  const free = namesFor(schema, cursor.scenario).filter((name) => !taken.includes(name));
  return other === undefined ? [] : free.map((name) => nameSuggestion(name, other, false, cursor));
}

interface Worth {
  readonly label: string;
  readonly about?: string;
  readonly template: Template;
}

function worth(value: unknown, cursor: Cursor, about?: string): Worth {
  const { quote } = cursor.word;
  const label = typeof value === 'string' ? value : JSON.stringify(value);
  const text = flowOf(value, { json: quote === '"' });
  return { label, template: [text], ...(about !== undefined && { about }) };
}

function groupWorth({ required = [] }: JsonSchema): Worth {
  const [only] = required;
  const fields = required.length === 1 && only !== undefined ? `${only}: ` : '';
  return { label: only === undefined ? '{ }' : `{ ${only}: }`, template: [`{ ${fields}`, ' }'] };
}

/** Values of one kind: each of a choice, or the shape of others. */
function worths(schema: JsonSchema, cursor: Cursor): Worth[] {
  const { type } = schema;
  if (schema.const !== undefined) return [worth(schema.const, cursor)];
  if (schema.enum !== undefined) return schema.enum.map((each) => worth(each, cursor));
  if (type === 'boolean') return [true, false].map((each) => worth(each, cursor));
  if (type === 'null') return [worth(null, cursor)];
  if (type === 'array') return [{ label: '[ ]', template: ['[', ']'] }];
  if (type === 'object') return [groupWorth(schema)];
  // What something is called is new.
  if (cursor.path.at(-1) === 'name') return [];
  return textsFor(schema, cursor.scenario).map((each) => worth(each, cursor));
}

function values(schema: JsonSchema, cursor: Cursor): Suggestion[] {
  const given = defaultOf(schema);
  const scalar = typeof schema.default === 'number' || typeof schema.default === 'string';
  const own = worths(schema, cursor);
  const all = scalar && !own.some(({ label }) => label === given) ? [worth(schema.default, cursor), ...own] : own;
  return all.map(({ label, about = '', template: [before, after = ''] }) => ({
    label,
    detail: label === given ? 'the default' : '',
    about,
    kind: 'value',
    missing: false,
    insert: before + after,
    cursor: before.length,
  }));
}

/** Names of systems; in a text without anything else a scenario to begin with comes along. */
function systems(cursor: Cursor): Suggestion[] {
  const { scenario, flow } = cursor;
  const bare = typeof scenario === 'object' && scenario !== null && Object.keys(scenario).length < 2 && !flow;
  return startFor().map(({ id, title, about, text }) => {
    const insert = bare ? text.replace(/^system: /, '').trimEnd() : id;
    return { label: id, detail: title, about, kind: 'value', missing: false, insert, cursor: insert.length };
  });
}

function isSystem({ kind, path }: Cursor): boolean {
  return kind === 'value' && path.length === 1 && path[0] === 'system';
}

function suggestionsAt(cursor: Cursor): Suggestion[] {
  if (isSystem(cursor)) return systems(cursor);
  const { scenario, path, kind, word } = cursor;
  const schemas =
    path.length === 0 ? fitting(alternativesOf(declarationOf(scenario)), scenario) : schemasAt(scenario, path);
  const fields = kind === 'name' || word.alone ? schemas.flatMap((schema) => names(schema, cursor)) : [];
  const given = kind === 'name' ? schemas.flatMap((schema) => otherNames(schema, cursor)) : [];
  const scalars = schemas.filter(({ type }) => type !== 'object' && type !== 'array');
  if (kind === 'name')
    return [...fields, ...given, ...(word.alone ? scalars.flatMap((schema) => values(schema, cursor)) : [])];
  return schemas.flatMap((schema) => values(schema, cursor));
}

/** What can stand at an offset of a text; undefined if nothing can be told. */
export function completeAt(text: string, offset: number): Suggestions | undefined {
  const cursor = cursorAt(text, offset);
  if (cursor === undefined) return undefined;
  const byLabel = new Map<string, Suggestion>();
  for (const each of suggestionsAt(cursor)) if (!byLabel.has(each.label)) byLabel.set(each.label, each);
  const { from, to } = cursor.word;
  return byLabel.size === 0 ? undefined : { from, to, all: [...byLabel.values()] };
}
