/** Edits single fields of a text and keeps all else: comments, order, spaces. */
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { InputError } from '../../../src/core/index.ts';
import { formatPath, isMapping, type Path, parseYaml, setField } from '../../../src/rules/index.ts';

/** Edit of one field: set, remove, or append to a list. */
export type TextEdit =
  | { readonly kind: 'set'; readonly path: Path; readonly value: unknown }
  | { readonly kind: 'remove'; readonly path: Path }
  | { readonly kind: 'append'; readonly path: Path; readonly value: unknown };

/** Converts an append to a set of the element after the last. */
function resolveAppend(scenario: unknown, edit: TextEdit): TextEdit {
  if (edit.kind !== 'append') return edit;
  const list = edit.path.reduce<unknown>(
    (value, step) => (value as Record<string, unknown> | undefined)?.[step],
    scenario,
  );
  return { kind: 'set', path: [...edit.path, Array.isArray(list) ? list.length : 0], value: edit.value };
}

/** Sets a field of a value; unlike `setField`, it can extend lists. */
function setInGrowingValue(value: unknown, path: Path, field: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return field;
  if (typeof step === 'number') {
    const list: readonly unknown[] = Array.isArray(value) ? value : [];
    return list.toSpliced(step, 1, setInGrowingValue(list[step], rest, field));
  }
  return setField(
    value,
    [step],
    setInGrowingValue((value as Record<string, unknown> | null | undefined)?.[step], rest, field),
    'form',
  );
}

function applyToValue(scenario: unknown, { kind, path, ...edit }: TextEdit): unknown {
  return kind === 'remove'
    ? removeField(scenario, path)
    : setInGrowingValue(scenario, path, 'value' in edit ? edit.value : undefined);
}

/** Detects JSON: names and texts in double quotes. */
function detectFormat(contents: unknown): TextFormat {
  const key = isMap(contents) && contents.flow === true ? contents.items[0]?.key : undefined;
  return { json: isScalar(key) && key.type === 'QUOTE_DOUBLE' };
}

function hasValue(text: string, expected: unknown): boolean {
  const tree = parseTree(text);
  return tree.errors.length === 0 && JSON.stringify(toPlainValue(tree.contents)) === JSON.stringify(expected);
}

const applySplice = (text: string, { from, to, insert }: Splice): string =>
  text.slice(0, from) + insert + text.slice(to);

/** Rewrites the text by the YAML library: keeps comments and order, but not spaces. */
function rewriteText(text: string, edit: TextEdit): string {
  const tree = parseTree(text);
  if (edit.kind === 'remove') tree.deleteIn(edit.path);
  else tree.setIn(edit.path, tree.createNode(edit.value));
  return tree.toString({ lineWidth: 0 });
}

/** Runs an edit; undefined unless the result has the expected value. */
function tryEdit(way: () => string, expected: unknown): string | undefined {
  try {
    const changed = way();
    return hasValue(changed, expected) ? changed : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Applies an edit to a text.
 * @throws InputError if the text cannot be parsed, or the field is part of an alias
 */
export function applyEdit(text: string, edit: TextEdit): string {
  const tree = parseTree(text);
  if (tree.errors.length > 0) throw new InputError('scenario', 'valid YAML', 'a syntax error');
  const scenario = toPlainValue(tree.contents) ?? {};
  const change = resolveAppend(scenario, edit);
  const expected = applyToValue(scenario, change);
  const ways = [
    () => applySplice(text, createSplice(text, tree, change, detectFormat(tree.contents))),
    () => rewriteText(text, change),
  ];
  for (const way of ways) {
    const changed = tryEdit(way, expected);
    if (changed !== undefined) return changed;
  }
  throw new InputError(formatPath(edit.path), 'a field with its own value', 'a value that other fields share');
}

// Smallest change of a text that sets or removes a field.

export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

type FieldChange =
  | { readonly kind: 'set'; readonly path: Path; readonly value: unknown }
  | { readonly kind: string; readonly path: Path };

/** Removes the field at a path from a value. */
function removeField(value: unknown, path: Path): unknown {
  const [step, ...rest] = path;
  if (Array.isArray(value)) {
    const at = Number(step);
    return rest.length === 0 ? value.toSpliced(at, 1) : value.with(at, removeField(value[at], rest));
  }
  if (!isMapping(value) || step === undefined || !Object.hasOwn(value, step)) return value;
  const entries = Object.entries(value).filter(([name]) => rest.length > 0 || name !== String(step));
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, name === String(step) ? removeField(inner, rest) : inner]),
  );
}

/** Returns the offset of the end of a line, before the line break. */
function findLineEnd(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  return at === -1 ? text.length : at;
}

const findLineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;

const getColumn = (text: string, offset: number): number => offset - findLineStart(text, offset);

type Collection = YAMLMap | YAMLSeq;
type YamlItem = unknown;

const isCollection = (node: unknown): node is Collection => isMap(node) || isSeq(node);

function toPair(item: YamlItem): Pair | undefined {
  return typeof item === 'object' && item !== null && 'key' in item ? (item as Pair) : undefined;
}

function getItemStart(item: YamlItem): number {
  const pair = toPair(item);
  if (pair !== undefined) return getNodeStart(pair.key);
  return getNodeStart(item);
}

/** Returns the end of an item; for a field without a value, the end of its colon. */
function getItemEnd(text: string, item: YamlItem): number {
  const pair = toPair(item);
  const value = pair === undefined ? item : pair.value;
  if (isNode(value) && getNodeEnd(value) > getNodeStart(value))
    return isCollection(value) && !value.flow ? getBlockEnd(text, value) : getNodeEnd(value);
  const from = pair === undefined ? getNodeStart(item) : getNodeEnd(pair.key);
  const colon = /^[^\S\n]*:/.exec(text.slice(from, from + 40))?.[0].length ?? 0;
  return from + colon;
}

/** Returns the end of the last value of a block, without blank lines and comments below it. */
function getBlockEnd(text: string, node: Collection): number {
  const last = node.items.at(-1);
  return last === undefined ? getNodeEnd(node) : getItemEnd(text, last);
}

/** Returns the offset of the dash of a list item. */
function findDash(text: string, item: YamlItem): number {
  const start = getNodeStart(item);
  const head = text.slice(0, start);
  return head.search(/-[^\S\n]*(?:[&!]\S*[^\S\n]*)*(?:\n\s*)?$/);
}

function formatField(step: string | number, value: unknown, style: TextFormat): string {
  const text = formatFlow(value, style);
  return typeof step === 'number' ? text : `${formatText(step, style)}: ${text}`;
}

/** Adds an item in braces or brackets. */
function addToFlow(text: string, node: Collection, item: string): Splice {
  const last = node.items.at(-1);
  if (last === undefined) {
    const [from, to] = [getNodeStart(node), getNodeEnd(node)];
    return { from, to, insert: isMap(node) ? `{ ${item} }` : `[${item}]` };
  }
  const at = getItemEnd(text, last);
  const start = getItemStart(last);
  const apart = findLineStart(text, start) > getNodeStart(node);
  return { from: at, to: at, insert: apart ? `,\n${' '.repeat(getColumn(text, start))}${item}` : `, ${item}` };
}

/** Adds a line to a block. */
function addToBlock(text: string, node: Collection, item: string): Splice {
  const [first] = node.items;
  const at = findLineEnd(text, getBlockEnd(text, node));
  const start = isSeq(node) ? findDash(text, first) : getItemStart(first);
  const insert = `\n${' '.repeat(getColumn(text, start))}${isSeq(node) ? '- ' : ''}${item}`;
  return { from: at, to: at, insert };
}

/** Replaces a value. */
function replaceNode(text: string, node: unknown, pair: Pair | undefined, value: string): Splice {
  if (isNode(node) && getNodeEnd(node) > getNodeStart(node)) {
    const block = isCollection(node) && node.flow !== true;
    if (!block || pair === undefined) return { from: getNodeStart(node), to: getItemEnd(text, node), insert: value };
  }
  const at = pair === undefined ? getNodeStart(node) : getItemEnd(text, { key: pair.key, value: null });
  const to = isNode(node) && getNodeEnd(node) > getNodeStart(node) ? getItemEnd(text, node) : at;
  return { from: at, to, insert: ` ${value}` };
}

function findPair(tree: Tree, path: Path): Pair | undefined {
  const parent = findNode(tree, path.slice(0, -1));
  return isMap(parent) ? parent.items.findLast((pair) => getFieldName(pair) === path.at(-1)) : undefined;
}

/** Wraps a value in the groups and lists of a path. */
function nestValue(path: Path, value: unknown): unknown {
  return path.reduceRight<unknown>((inner, step) => (typeof step === 'number' ? [inner] : { [step]: inner }), value);
}

const isEmptyNode = (node: unknown): boolean =>
  node === null || node === undefined || (isScalar(node) && node.value === null);

function createSetSplice(text: string, tree: Tree, path: Path, value: unknown, style: TextFormat): Splice {
  for (let depth = 0; depth < path.length; depth++) {
    const here = path.slice(0, depth);
    const node = findNode(tree, here);
    const step = path[depth] ?? '';
    const inner = nestValue(path.slice(depth + 1), value);
    if (isEmptyNode(node)) return createFirstFieldSplice(text, tree, here, nestValue(path.slice(depth), value), style);
    if (!isCollection(node)) throw new TypeError('the parent of a field is a scalar');
    const there = isMap(node)
      ? node.items.some((pair) => getFieldName(pair) === step)
      : Number(step) < node.items.length;
    if (there) continue;
    const item = formatField(step, inner, style);
    return node.flow === true || node.items.length === 0 ? addToFlow(text, node, item) : addToBlock(text, node, item);
  }
  return replaceNode(text, findNode(tree, path), findPair(tree, path), formatFlow(value, style));
}

/** Adds the first field to an empty value. */
function createFirstFieldSplice(text: string, tree: Tree, path: Path, value: unknown, style: TextFormat): Splice {
  if (path.length > 0) return replaceNode(text, findNode(tree, path), findPair(tree, path), formatFlow(value, style));
  const lines = Object.entries(value as object).map(([name, field]) => `${formatField(name, field, style)}\n`);
  const gap = text === '' || text.endsWith('\n') ? '' : '\n';
  return { from: text.length, to: text.length, insert: gap + lines.join('') };
}

function removeFromFlow(text: string, node: Collection, at: number): Splice {
  const [before, item, after] = [node.items[at - 1], node.items[at], node.items[at + 1]];
  if (after !== undefined) return { from: getItemStart(item), to: getItemStart(after), insert: '' };
  if (before !== undefined) return { from: getItemEnd(text, before), to: getItemEnd(text, item), insert: '' };
  return { from: getNodeStart(node), to: getNodeEnd(node), insert: isMap(node) ? '{}' : '[]' };
}

function removeFromBlock(text: string, node: Collection, at: number, pair: Pair | undefined): Splice {
  const item = node.items[at];
  if (node.items.length === 1) return replaceNode(text, node, pair, isMap(node) ? '{}' : '[]');
  const begin = (each: YamlItem): number => (isSeq(node) ? findDash(text, each) : getItemStart(each));
  const from = begin(item);
  const line = findLineStart(text, from);
  // The first field of a list element follows its dash.
  if (text.slice(line, from).trim() !== '') return { from, to: begin(node.items[at + 1]), insert: '' };
  return { from: line, to: Math.min(text.length, findLineEnd(text, getItemEnd(text, item)) + 1), insert: '' };
}

function createRemoveSplice(text: string, tree: Tree, path: Path): Splice {
  const parent = findNode(tree, path.slice(0, -1));
  const step = path.at(-1);
  if (!isCollection(parent)) throw new TypeError('the parent of a field is missing');
  const at = isMap(parent) ? parent.items.findIndex((pair) => getFieldName(pair) === step) : Number(step);
  if (at < 0) return { from: 0, to: 0, insert: '' };
  if (parent.flow === true) return removeFromFlow(text, parent, at);
  return removeFromBlock(text, parent, at, findPair(tree, path.slice(0, -1)));
}

function createSplice(text: string, tree: Tree, change: FieldChange, style: TextFormat): Splice {
  if ('value' in change) return createSetSplice(text, tree, change.path, change.value, style);
  return createRemoveSplice(text, tree, change.path);
}

// YAML text as a tree with positions, parsed as far as possible.

export type Tree = Document.Parsed;

/** Parses a text. @throws InputError if the text would exhaust memory or the stack */
export function parseTree(text: string): Tree {
  return parseYaml(text, new LineCounter(), { uniqueKeys: false, logLevel: 'error' }, (_, [expected, found]) => {
    throw new InputError('scenario', expected, found);
  });
}

/** Returns the name of a field. */
function getFieldName({ key }: Pair): string | undefined {
  return isScalar(key) ? String(key.value) : undefined;
}

export function getNodeStart(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? -1) : -1;
}

/** Returns the end of a value, without the comment after it. */
export function getNodeEnd(node: unknown): number {
  return isNode(node) ? (node.range?.[1] ?? -1) : -1;
}

/** Converts a node to a plain value; aliases are omitted. */
export function toPlainValue(node: unknown): unknown {
  if (isMap(node)) {
    const entries = node.items.flatMap((pair): [string, unknown][] => {
      const name = getFieldName(pair);
      return name === undefined ? [] : [[name, toPlainValue(pair.value)]];
    });
    return Object.fromEntries(entries);
  }
  if (isSeq(node)) return node.items.map(toPlainValue);
  if (isScalar(node)) return node.value;
  return isAlias(node) ? undefined : null;
}

/** Lists the children of a node, by name or index. */
export function listChildren(node: unknown): { step: string | number; key: Node | undefined; value: unknown }[] {
  if (isSeq(node)) return node.items.map((value, step) => ({ step, key: undefined, value }));
  if (!isMap(node)) return [];
  return node.items.flatMap((pair) => {
    const step = getFieldName(pair);
    return step === undefined || !isNode(pair.key) ? [] : [{ step, key: pair.key, value: pair.value }];
  });
}

/** Finds the node at a path; undefined if there is none. Of duplicate fields, the last one counts. */
export function findNode(tree: Tree, path: Path): unknown {
  let node: unknown = tree.contents;
  for (const step of path) node = listChildren(node).findLast((each) => each.step === step)?.value;
  return isPair(node) ? undefined : node;
}

// Values in the syntax of a file.

export interface TextFormat {
  /** True for JSON: names and texts in quotes. */
  readonly json: boolean;
}

const YAML_FORMAT: TextFormat = { json: false };

const PLAIN_TEXT_PATTERN = /^[\p{L}\p{N}_](?:[\p{L}\p{N}_ .+/()-]*[\p{L}\p{N}_.+/()-])?$/u;

/** Returns whether YAML parses an unquoted text as itself, in flow collections, too. */
function isPlainText(text: string): boolean {
  return PLAIN_TEXT_PATTERN.test(text) && toPlainValue(parseTree(text).contents) === text;
}

export function formatText(text: string, { json }: TextFormat): string {
  return !json && isPlainText(text) ? text : JSON.stringify(text);
}

/** Formats a value in one line: `{ name: Red, hp: 30 }`. */
export function formatFlow(value: unknown, style: TextFormat): string {
  const formatInner = (each: unknown): string => formatFlow(each, style);
  if (Array.isArray(value)) return `[${value.map(formatInner).join(', ')}]`;
  if (isMapping(value)) {
    const fields = Object.entries(value).map(([name, field]) => `${formatText(name, style)}: ${formatInner(field)}`);
    return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
  }
  return typeof value === 'string' ? formatText(value, style) : JSON.stringify(value ?? null);
}

/** Maximum width of a readable line in characters. */
const MAX_LINE_WIDTH = 100;

function formatLines(name: string, value: unknown, margin: string): string[] {
  const line = `${margin}${formatText(name, YAML_FORMAT)}: ${formatFlow(value, YAML_FORMAT)}`;
  if (line.length <= MAX_LINE_WIDTH || typeof value !== 'object' || value === null) return [line];
  const head = `${margin}${formatText(name, YAML_FORMAT)}:`;
  const deeper = `${margin}  `;
  if (Array.isArray(value)) return [head, ...value.map((item) => `${deeper}- ${formatFlow(item, YAML_FORMAT)}`)];
  return [head, ...Object.entries(value).flatMap(([inner, field]) => formatLines(inner, field, deeper))];
}

/** Formats a scenario as a file: one line per field, short groups in one line. */
export function formatScenarioFile(scenario: object): string {
  const lines = Object.entries(scenario).flatMap(([name, field]) => formatLines(name, field, ''));
  return `${lines.join('\n')}\n`;
}
