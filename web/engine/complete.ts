/** What can be typed at a cursor: names of fields, and values. */

import { isMap, isScalar } from 'yaml';
import {
  alternatives,
  type Declared,
  type Group,
  onlyWord,
  type Path,
  pathOf,
  placesIn,
  type Simple,
  type System,
} from '../../src/rules/index.ts';
import { childrenOf, endOf, fileOf, flowOf, nodeAt, plainOf, startOf, type Tree, textOf, treeOf } from './edit.ts';
import { acceptedBy, declarationOf, declaredFor, defaultOf, fieldAt, isDeep } from './form.ts';
import { registry } from './registry.ts';

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

// Where in a scenario a cursor stands, in a text that may be half written.

/** Stands for the word at the cursor: nobody writes it. */
const MARK = '\uE000cursor';

/** A word at the cursor and what it is part of. */
export interface Word {
  readonly from: number;
  readonly to: number;
  /** The quote around it. */
  readonly quote: string;
  /** A colon follows: it is the name of a field. */
  readonly named: boolean;
  /** Nothing but blanks and dashes stands before it in its line, nothing after it. */
  readonly alone: boolean;
  /** Blanks before it, dashes counted as such. */
  readonly column: number;
}

export interface Cursor {
  readonly word: Word;
  /** `name`: of a field of the mapping at the path; `value`: at the path. */
  readonly kind: 'name' | 'value';
  readonly path: Path;
  /** Names of the other fields of the mapping. */
  readonly beside: readonly string[];
  /** Within braces or brackets. */
  readonly flow: boolean;
  /** The scenario without the word. */
  readonly scenario: unknown;
}

const BEFORE = /(["']?)[\p{L}\p{N}_-]*$/u;
const AFTER = /^[\p{L}\p{N}_-]*/u;

function wordAt(text: string, offset: number): Word | undefined {
  const line = text.lastIndexOf('\n', offset - 1) + 1;
  const head = text.slice(line, offset);
  const [before = '', quote = ''] = BEFORE.exec(head) ?? [];
  if (/^-+$/.test(before)) return undefined;
  const from = offset - before.length;
  const [after = ''] = AFTER.exec(text.slice(offset, offset + 80)) ?? [];
  const end = offset + after.length;
  const to = quote !== '' && text[end] === quote ? end + 1 : end;
  const tail = /.*/.exec(text.slice(to))?.[0] ?? '';
  const named = /^[ \t]*:(?=\s|$)/.test(tail);
  const alone = /^\s*(?:-\s+)*$/.test(text.slice(line, from)) && /^\s*(?:#.*)?$/.test(tail);
  return { from, to, quote, named, alone, column: from - line };
}

type Found = Pick<Cursor, 'kind' | 'path' | 'beside' | 'flow'>;

const isMark = (node: unknown): boolean => isScalar(node) && node.value === MARK;

/** Looks for the mark, in those nodes alone that are around it. */
function find(node: unknown, at: number, path: Path, flow: boolean): Found | undefined {
  if (isMark(node)) return { kind: 'value', path, beside: [], flow };
  const children = childrenOf(node);
  const inFlow = flow || (typeof node === 'object' && node !== null && 'flow' in node && node.flow === true);
  if (children.some(({ key }) => isMark(key))) {
    const beside = children.filter(({ key }) => !isMark(key)).map(({ step }) => String(step));
    return { kind: 'name', path, beside, flow: inFlow };
  }
  for (const { step, value } of children) {
    if (startOf(value) > at || endOf(value) < at) continue;
    const found = find(value, at, [...path, step], inFlow);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The value without the mark. */
function unmarked(value: unknown): unknown {
  if (value === MARK) return undefined;
  if (Array.isArray(value)) return value.map(unmarked);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => name !== MARK);
  return Object.fromEntries(entries.map(([name, inner]) => [name, unmarked(inner)]));
}

function readable(text: string): Tree | undefined {
  try {
    return treeOf(text);
  } catch {
    return undefined;
  }
}

/** What the cursor is at; undefined in comments, in texts, and where nothing can be told. */
function cursorAt(text: string, offset: number): Cursor | undefined {
  const word = wordAt(text, offset);
  if (word === undefined) return undefined;
  const mark = word.alone ? `${MARK}: ` : MARK;
  const tree = readable(text.slice(0, word.from) + mark + text.slice(word.to));
  if (tree === undefined) return undefined;
  const found = isMap(tree.contents) || isMark(tree.contents) ? find(tree.contents, word.from, [], false) : undefined;
  return found && { ...found, word, scenario: unmarked(plainOf(tree.contents)) };
}

// Names that a scenario has given itself: of players, areas, dice, types of units.

/** In the order of the text, those that a pattern takes. */
function givenNames(scenario: unknown, pattern: string): string[] {
  const fits = new RegExp(pattern, 'u');
  const given = placesIn(declarationOf(scenario), scenario).filter(({ named }) => named);
  const names = new Set(given.map(({ path }) => String(path.at(-1))));
  return [...names].filter((name) => !/^\d+$/.test(name) && fits.test(name));
}

const patternOf = (names: Declared | undefined): string => (names?.kind === 'text' ? names.pattern : '');

/** Those that can be names of fields by other names. */
function namesFor(declared: Simple, scenario: unknown): string[] {
  if (declared.kind !== 'group' || declared.others === undefined) return [];
  return givenNames(scenario, patternOf(declared.names));
}

/** Those that a text may be. */
function textsFor(declared: Simple, scenario: unknown): string[] {
  return declared.kind === 'text' ? givenNames(scenario, declared.pattern) : [];
}

// What the field is about that stands at a place of a text.

export interface Hint {
  readonly from: number;
  readonly to: number;
  /** `attacker.hp` */
  readonly path: string;
  readonly accepts: string;
  readonly default?: string | undefined;
  readonly about: string;
}

interface Place {
  readonly path: Path;
  readonly from: number;
  readonly to: number;
}

const around = (node: unknown, at: number): boolean => startOf(node) <= at && at <= endOf(node) && endOf(node) > -1;

/** The name or the value, without inner ones, at an offset. */
function placeIn(node: unknown, at: number, path: Path): Place | undefined {
  for (const { step, key, value } of childrenOf(node)) {
    const here = [...path, step];
    if (around(key, at)) return { path: here, from: startOf(key), to: endOf(key) };
    if (!around(value, at)) continue;
    const deeper = placeIn(value, at, here);
    if (deeper !== undefined) return deeper;
    return childrenOf(value).length > 0 ? undefined : { path: here, from: startOf(value), to: endOf(value) };
  }
  return undefined;
}

export function hintAt(text: string, offset: number): Hint | undefined {
  const tree = treeOf(text);
  const place = placeIn(nodeAt(tree, []), offset, []);
  if (place === undefined) return undefined;
  const { path, from, to } = place;
  const field = fieldAt(plainOf(tree.contents), path);
  if (field === undefined) return undefined;
  return { from, to, path: pathOf(path), accepts: acceptedBy(field), default: defaultOf(field), about: field.about };
}

// Scenarios to begin with: the first example of each system.

export interface Start {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** Of the smallest example. */
  readonly text: string;
}

function smallestOf({ id, examples }: System): string {
  const texts = examples.map(({ scenario }) => fileOf(scenario as object));
  return texts.toSorted((a, b) => a.length - b.length)[0] ?? `system: ${id}\n`;
}

let made: { readonly of: unknown; readonly starts: readonly Start[] } | undefined;

export function startFor(): readonly Start[] {
  const { all } = registry();
  if (made?.of === all) return made.starts;
  const starts = all.map((system) => ({
    id: system.id,
    title: system.title,
    about: system.about,
    text: smallestOf(system),
  }));
  made = { of: all, starts };
  return starts;
}
