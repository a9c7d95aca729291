/** Completion at a cursor: names of fields, and values. */

import { isMap, isScalar } from 'yaml';
import {
  type Declaration,
  formatPath,
  type GroupDeclaration,
  getOnlyWord,
  listAlternatives,
  listDeclaredValues,
  type Path,
  type SimpleDeclaration,
  type System,
} from '../../../src/rules/index.ts';
import { getRegistry } from '../registry/registry.ts';
import {
  findNode,
  formatFlow,
  formatScenarioFile,
  formatText,
  getNodeEnd,
  getNodeStart,
  listChildren,
  parseTree,
  type Tree,
  toPlainValue,
} from './edit.ts';
import { describeAccepted, findDeclaration, findFieldAt, formatDefault, isDeep, listDeclarationsAt } from './form.ts';

export interface Suggestion {
  readonly label: string;
  /** Accepted values, or "the default". */
  readonly detail: string;
  readonly about: string;
  readonly kind: 'field' | 'value';
  /** True for a required field that is missing. */
  readonly missing: boolean;
  readonly insert: string;
  /** Cursor position after insertion, from the start of the inserted text. */
  readonly cursor: number;
}

export interface Suggestions {
  readonly from: number;
  readonly to: number;
  readonly all: readonly Suggestion[];
}

/** Text before and after the cursor. */
type InsertTemplate = readonly [before: string, after?: string];

/** Creates the text after the name of a field. */
function createFieldBody(field: Declaration, { flow, word }: Cursor): InsertTemplate {
  const all = listAlternatives(field);
  const isOnly = (kind: SimpleDeclaration['kind']): boolean => all.every((each) => each.kind === kind);
  const margin = `\n${' '.repeat(word.column + 2)}`;
  const fixed = getOnlyWord(field);
  if (fixed !== undefined) return [` ${formatFlow(fixed, { json: word.quote === '"' })}`];
  if (isOnly('group')) return flow ? [' { ', ' }'] : [margin];
  if (!isOnly('list')) return [' '];
  return all.some(isDeep) && !flow ? [`${margin}- `] : [' [', ']'];
}

function createNameSuggestion(name: string, field: Declaration, required: boolean, cursor: Cursor): Suggestion {
  const { quote, named } = cursor.word;
  const label = quote === '' ? formatText(name, { json: false }) : quote + name + quote;
  const [before, after = ''] = named ? [''] : createFieldBody(field, cursor);
  const colon = named ? '' : ':';
  return {
    label: name,
    detail: `${describeAccepted(field)}${required ? ', required' : ''}`,
    about: field.about,
    kind: 'field',
    missing: required,
    insert: label + colon + before + after,
    cursor: label.length + colon.length + before.length,
  };
}

function suggestFieldNames(group: GroupDeclaration, cursor: Cursor): Suggestion[] {
  const open = [...group.fields].filter(([name]) => !cursor.siblings.includes(name));
  return open.map(([name, field]) => createNameSuggestion(name, field, group.required.includes(name), cursor));
}

/** Suggests names defined in the scenario, for groups that allow any names. */
function suggestCustomNames(group: GroupDeclaration, cursor: Cursor): Suggestion[] {
  const { others, fields } = group;
  const taken = [...cursor.siblings, ...fields.keys()];
  const free = listPossibleNames(group, cursor.scenario).filter((name) => !taken.includes(name));
  return others === undefined ? [] : free.map((name) => createNameSuggestion(name, others, false, cursor));
}

interface ValueSuggestion {
  readonly label: string;
  readonly about?: string;
  readonly template: InsertTemplate;
}

function createValueSuggestion(value: unknown, cursor: Cursor, about?: string): ValueSuggestion {
  const { quote } = cursor.word;
  const label = typeof value === 'string' ? value : JSON.stringify(value);
  const text = formatFlow(value, { json: quote === '"' });
  return { label, template: [text], ...(about !== undefined && { about }) };
}

function createGroupSuggestion({ required }: GroupDeclaration): ValueSuggestion {
  const [only] = required;
  const fields = required.length === 1 && only !== undefined ? `${only}: ` : '';
  return { label: only === undefined ? '{ }' : `{ ${only}: }`, template: [`{ ${fields}`, ' }'] };
}

/** Creates suggestions for a declaration: all values of a choice, or the syntax of other kinds. */
function createValueSuggestions(declared: SimpleDeclaration, cursor: Cursor): ValueSuggestion[] {
  switch (declared.kind) {
    case 'choice':
      return declared.of.map((each) => createValueSuggestion(each, cursor));
    case 'flag':
      return [true, false].map((each) => createValueSuggestion(each, cursor));
    case 'null':
      return [createValueSuggestion(null, cursor)];
    case 'list':
      return [{ label: '[ ]', template: ['[', ']'] }];
    case 'group':
      return [createGroupSuggestion(declared)];
    default:
      // Names are new: suggest nothing.
      if (cursor.path.at(-1) === 'name') return [];
      return listPossibleTexts(declared, cursor.scenario).map((each) => createValueSuggestion(each, cursor));
  }
}

function suggestValues(declared: SimpleDeclaration, cursor: Cursor): Suggestion[] {
  const given = formatDefault(declared);
  const scalar = typeof declared.default === 'number' || typeof declared.default === 'string';
  const own = createValueSuggestions(declared, cursor);
  const all =
    scalar && !own.some(({ label }) => label === given)
      ? [createValueSuggestion(declared.default, cursor), ...own]
      : own;
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

/** Suggests systems; in an empty text, with an example scenario. */
function suggestSystems(cursor: Cursor): Suggestion[] {
  const { scenario, flow } = cursor;
  const bare = typeof scenario === 'object' && scenario !== null && Object.keys(scenario).length < 2 && !flow;
  return listStarters().map(({ id, title, about, text }) => {
    const insert = bare ? text.replace(/^system: /, '').trimEnd() : id;
    return { label: id, detail: title, about, kind: 'value', missing: false, insert, cursor: insert.length };
  });
}

function isSystemField({ kind, path }: Cursor): boolean {
  return kind === 'value' && path.length === 1 && path[0] === 'system';
}

/** Returns whether a system name can be typed at an offset. */
export function canNameSystem(text: string, offset: number): boolean {
  const cursor = findCursor(text, offset);
  return cursor !== undefined && isSystemField(cursor);
}

function createSuggestions(cursor: Cursor): Suggestion[] {
  if (isSystemField(cursor)) return suggestSystems(cursor);
  const { scenario, path, kind, word } = cursor;
  const all = listDeclarationsAt(scenario, path);
  const groups = all.filter((each) => each.kind === 'group');
  const fields = kind === 'name' || word.alone ? groups.flatMap((each) => suggestFieldNames(each, cursor)) : [];
  const given = kind === 'name' ? groups.flatMap((each) => suggestCustomNames(each, cursor)) : [];
  const scalars = all.filter((each) => each.kind !== 'group' && each.kind !== 'list');
  if (kind === 'name')
    return [...fields, ...given, ...(word.alone ? scalars.flatMap((each) => suggestValues(each, cursor)) : [])];
  return all.flatMap((each) => suggestValues(each, cursor));
}

/** Returns completions at an offset; undefined if there are none. */
export function completeTextAt(text: string, offset: number): Suggestions | undefined {
  const cursor = findCursor(text, offset);
  if (cursor === undefined) return undefined;
  const byLabel = new Map<string, Suggestion>();
  for (const each of createSuggestions(cursor)) if (!byLabel.has(each.label)) byLabel.set(each.label, each);
  const { from, to } = cursor.word;
  return byLabel.size === 0 ? undefined : { from, to, all: [...byLabel.values()] };
}

// Position of a cursor in a scenario whose text may be incomplete.

/** Placeholder of the word at the cursor, which no text contains. */
const CURSOR_MARK = '\uE000cursor';

/** Word at the cursor and its context. */
export interface CursorWord {
  readonly from: number;
  readonly to: number;
  /** Opening quote; empty without one. */
  readonly quote: string;
  /** True if a colon follows: the word is a field name. */
  readonly named: boolean;
  /** True if only spaces and dashes precede it in its line, and nothing follows. */
  readonly alone: boolean;
  /** Column: number of characters before it in its line. */
  readonly column: number;
}

export interface Cursor {
  readonly word: CursorWord;
  /** `name`: a field name in the mapping at `path`; `value`: the value at `path`. */
  readonly kind: 'name' | 'value';
  readonly path: Path;
  /** Names of the other fields of the mapping. */
  readonly siblings: readonly string[];
  /** True within braces or brackets. */
  readonly flow: boolean;
  /** Scenario without the word. */
  readonly scenario: unknown;
}

const BEFORE = /(["']?)[\p{L}\p{N}_-]*$/u;
const AFTER = /^[\p{L}\p{N}_-]*/u;

function findWordAt(text: string, offset: number): CursorWord | undefined {
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

type CursorPosition = Pick<Cursor, 'kind' | 'path' | 'siblings' | 'flow'>;

const isMark = (node: unknown): boolean => isScalar(node) && node.value === CURSOR_MARK;

/** Finds the mark, visiting only nodes around it. */
function findMark(node: unknown, at: number, path: Path, flow: boolean): CursorPosition | undefined {
  if (isMark(node)) return { kind: 'value', path, siblings: [], flow };
  const children = listChildren(node);
  const inFlow = flow || (typeof node === 'object' && node !== null && 'flow' in node && node.flow === true);
  if (children.some(({ key }) => isMark(key))) {
    const siblings = children.filter(({ key }) => !isMark(key)).map(({ step }) => String(step));
    return { kind: 'name', path, siblings, flow: inFlow };
  }
  for (const { step, value } of children) {
    if (getNodeStart(value) > at || getNodeEnd(value) < at) continue;
    const found = findMark(value, at, [...path, step], inFlow);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Removes the mark from a value. */
function removeMark(value: unknown): unknown {
  if (value === CURSOR_MARK) return undefined;
  if (Array.isArray(value)) return value.map(removeMark);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => name !== CURSOR_MARK);
  return Object.fromEntries(entries.map(([name, inner]) => [name, removeMark(inner)]));
}

function parseReadable(text: string): Tree | undefined {
  try {
    return parseTree(text);
  } catch {
    return undefined;
  }
}

/** Finds the context of the cursor; undefined in comments, quoted texts, and unreadable texts. */
function findCursor(text: string, offset: number): Cursor | undefined {
  const word = findWordAt(text, offset);
  if (word === undefined) return undefined;
  const mark = word.alone ? `${CURSOR_MARK}: ` : CURSOR_MARK;
  const tree = parseReadable(text.slice(0, word.from) + mark + text.slice(word.to));
  if (tree === undefined) return undefined;
  const found =
    isMap(tree.contents) || isMark(tree.contents) ? findMark(tree.contents, word.from, [], false) : undefined;
  return found && { ...found, word, scenario: removeMark(toPlainValue(tree.contents)) };
}

// Names defined in the scenario: players, areas, dice, unit types.

/** Lists names that match a pattern, in the order of the text. */
function listExistingNames(scenario: unknown, pattern: string): string[] {
  const fits = new RegExp(pattern, 'u');
  const given = listDeclaredValues(findDeclaration(scenario), scenario).filter(({ named }) => named);
  const names = new Set(given.map(({ path }) => String(path.at(-1))));
  return [...names].filter((name) => !/^\d+$/.test(name) && fits.test(name));
}

const getPattern = (names: Declaration | undefined): string => (names?.kind === 'text' ? names.pattern : '');

/** Lists names for fields of any name. */
function listPossibleNames(declared: SimpleDeclaration, scenario: unknown): string[] {
  if (declared.kind !== 'group' || declared.others === undefined) return [];
  return listExistingNames(scenario, getPattern(declared.names));
}

/** Lists names that a text field may have. */
function listPossibleTexts(declared: SimpleDeclaration, scenario: unknown): string[] {
  return declared.kind === 'text' ? listExistingNames(scenario, declared.pattern) : [];
}

// Description of the field at a position of a text.

export interface Hint {
  readonly from: number;
  readonly to: number;
  /** Field path: `attacker.hp`. */
  readonly path: string;
  readonly accepts: string;
  readonly default?: string | undefined;
  readonly about: string;
}

interface HintPlace {
  readonly path: Path;
  readonly from: number;
  readonly to: number;
}

const isAround = (node: unknown, at: number): boolean =>
  getNodeStart(node) <= at && at <= getNodeEnd(node) && getNodeEnd(node) > -1;

/** Finds the innermost name or value at an offset. */
function findHintPlace(node: unknown, at: number, path: Path): HintPlace | undefined {
  for (const { step, key, value } of listChildren(node)) {
    const here = [...path, step];
    if (isAround(key, at)) return { path: here, from: getNodeStart(key), to: getNodeEnd(key) };
    if (!isAround(value, at)) continue;
    const deeper = findHintPlace(value, at, here);
    if (deeper !== undefined) return deeper;
    return listChildren(value).length > 0
      ? undefined
      : { path: here, from: getNodeStart(value), to: getNodeEnd(value) };
  }
  return undefined;
}

export function createHint(text: string, offset: number): Hint | undefined {
  const tree = parseTree(text);
  const place = findHintPlace(findNode(tree, []), offset, []);
  if (place === undefined) return undefined;
  const { path, from, to } = place;
  const field = findFieldAt(toPlainValue(tree.contents), path);
  if (field === undefined) return undefined;
  return {
    from,
    to,
    path: formatPath(path),
    accepts: describeAccepted(field),
    default: formatDefault(field),
    about: field.about,
  };
}

// Starter scenarios: the smallest example of each system.

export interface StarterScenario {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** Text of the smallest example. */
  readonly text: string;
}

function findSmallestExample({ id, examples }: System): string {
  const texts = examples.map(({ scenario }) => formatScenarioFile(scenario as object));
  return texts.toSorted((a, b) => a.length - b.length)[0] ?? `system: ${id}\n`;
}

let cachedStarters: { readonly of: unknown; readonly starts: readonly StarterScenario[] } | undefined;

export function listStarters(): readonly StarterScenario[] {
  const { all } = getRegistry();
  if (cachedStarters?.of === all) return cachedStarters.starts;
  const starts = all.map((system) => ({
    id: system.id,
    title: system.title,
    about: system.about,
    text: findSmallestExample(system),
  }));
  cachedStarters = { of: all, starts };
  return starts;
}
