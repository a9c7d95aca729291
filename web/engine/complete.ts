/** What can be typed at a cursor: names of fields, and values. */
import { alternatives, type Declared, type Group, onlyWord, type Simple } from '../../src/rules/scenario/declared.ts';
import { type Cursor, cursorAt } from './cursor.ts';
import { namesFor, textsFor } from './given-names.ts';
import { acceptedBy, declaredFor, defaultOf, isDeep } from './schemas.ts';
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
function bodyOf(field: Declared, { flow, word }: Cursor): Template {
  const all = alternatives(field);
  const only = (kind: Simple['kind']): boolean => all.every((each) => each.kind === kind);
  const margin = `\n${' '.repeat(word.column + 2)}`;
  const fixed = onlyWord(field);
  if (fixed !== undefined) return [` ${flowOf(fixed, { json: word.quote === '"' })}`];
  if (only('group')) return flow ? [' { ', ' }'] : [margin];
  if (!only('list')) return [' '];
  return all.some(isDeep) && !flow ? [`${margin}- `] : [' [', ']'];
}

function nameSuggestion(name: string, field: Declared, required: boolean, cursor: Cursor): Suggestion {
  const { quote, named } = cursor.word;
  const label = quote === '' ? textOf(name, { json: false }) : quote + name + quote;
  const [before, after = ''] = named ? [''] : bodyOf(field, cursor);
  const colon = named ? '' : ':';
  return {
    label: name,
    detail: `${acceptedBy(field)}${required ? ', required' : ''}`,
    about: field.about,
    kind: 'field',
    missing: required,
    insert: label + colon + before + after,
    cursor: label.length + colon.length + before.length,
  };
}

function names(group: Group, cursor: Cursor): Suggestion[] {
  const open = [...group.fields].filter(([name]) => !cursor.beside.includes(name));
  return open.map(([name, field]) => nameSuggestion(name, field, group.required.includes(name), cursor));
}

/** Names of the scenario's own, where fields can have any. */
function otherNames(group: Group, cursor: Cursor): Suggestion[] {
  const { others, fields } = group;
  const taken = [...cursor.beside, ...fields.keys()];
  const free = namesFor(group, cursor.scenario).filter((name) => !taken.includes(name));
  return others === undefined ? [] : free.map((name) => nameSuggestion(name, others, false, cursor));
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

function groupWorth({ required }: Group): Worth {
  const [only] = required;
  const fields = required.length === 1 && only !== undefined ? `${only}: ` : '';
  return { label: only === undefined ? '{ }' : `{ ${only}: }`, template: [`{ ${fields}`, ' }'] };
}

/** Values of one kind: each of a choice, or the shape of others. */
function worths(declared: Simple, cursor: Cursor): Worth[] {
  switch (declared.kind) {
    case 'choice':
      return declared.of.map((each) => worth(each, cursor));
    case 'flag':
      return [true, false].map((each) => worth(each, cursor));
    case 'null':
      return [worth(null, cursor)];
    case 'list':
      return [{ label: '[ ]', template: ['[', ']'] }];
    case 'group':
      return [groupWorth(declared)];
    default:
      // What something is called is new.
      if (cursor.path.at(-1) === 'name') return [];
      return textsFor(declared, cursor.scenario).map((each) => worth(each, cursor));
  }
}

function values(declared: Simple, cursor: Cursor): Suggestion[] {
  const given = defaultOf(declared);
  const scalar = typeof declared.default === 'number' || typeof declared.default === 'string';
  const own = worths(declared, cursor);
  const all = scalar && !own.some(({ label }) => label === given) ? [worth(declared.default, cursor), ...own] : own;
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

/** Whether the name of a system can be typed at an offset of a text. */
export function namesSystem(text: string, offset: number): boolean {
  const cursor = cursorAt(text, offset);
  return cursor !== undefined && isSystem(cursor);
}

function suggestionsAt(cursor: Cursor): Suggestion[] {
  if (isSystem(cursor)) return systems(cursor);
  const { scenario, path, kind, word } = cursor;
  const all = declaredFor(scenario, path);
  const groups = all.filter((each) => each.kind === 'group');
  const fields = kind === 'name' || word.alone ? groups.flatMap((each) => names(each, cursor)) : [];
  const given = kind === 'name' ? groups.flatMap((each) => otherNames(each, cursor)) : [];
  const scalars = all.filter((each) => each.kind !== 'group' && each.kind !== 'list');
  if (kind === 'name')
    return [...fields, ...given, ...(word.alone ? scalars.flatMap((each) => values(each, cursor)) : [])];
  return all.flatMap((each) => values(each, cursor));
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
