/** Changes single fields in a text and leaves all else of it as it is: comments, order, blanks. */
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
import { InputError } from '../../src/core/index.ts';
import { isMapping, type Path, parsedDocument, pathOf, withField } from '../../src/rules/index.ts';

/** A change of one field: another value, none, or one more in a list. */
export type Edit =
  | { readonly kind: 'set'; readonly path: Path; readonly value: unknown }
  | { readonly kind: 'remove'; readonly path: Path }
  | { readonly kind: 'append'; readonly path: Path; readonly value: unknown };

/** An edit that appends is one that sets what is behind the last. */
function whole(scenario: unknown, edit: Edit): Edit {
  if (edit.kind !== 'append') return edit;
  const list = edit.path.reduce<unknown>(
    (value, step) => (value as Record<string, unknown> | undefined)?.[step],
    scenario,
  );
  return { kind: 'set', path: [...edit.path, Array.isArray(list) ? list.length : 0], value: edit.value };
}

/** What a value is once a field of it is set; unlike in other changes a list may grow. */
function grown(value: unknown, path: Path, field: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return field;
  if (typeof step === 'number') {
    const list: readonly unknown[] = Array.isArray(value) ? value : [];
    return list.toSpliced(step, 1, grown(list[step], rest, field));
  }
  return withField(
    value,
    [step],
    grown((value as Record<string, unknown> | null | undefined)?.[step], rest, field),
    'form',
  );
}

function expectedOf(scenario: unknown, { kind, path, ...edit }: Edit): unknown {
  return kind === 'remove' ? without(scenario, path) : grown(scenario, path, 'value' in edit ? edit.value : undefined);
}

/** True of a text whose names and texts are in quotes. */
function styleOf(contents: unknown): Style {
  const key = isMap(contents) && contents.flow === true ? contents.items[0]?.key : undefined;
  return { json: isScalar(key) && key.type === 'QUOTE_DOUBLE' };
}

function holds(text: string, expected: unknown): boolean {
  const tree = treeOf(text);
  return tree.errors.length === 0 && JSON.stringify(plainOf(tree.contents)) === JSON.stringify(expected);
}

const apply = (text: string, { from, to, insert }: Splice): string => text.slice(0, from) + insert + text.slice(to);

/** The text as the library writes it again: comments and order are kept, blanks are not. */
function rewritten(text: string, edit: Edit): string {
  const tree = treeOf(text);
  if (edit.kind === 'remove') tree.deleteIn(edit.path);
  else tree.setIn(edit.path, tree.createNode(edit.value));
  return tree.toString({ lineWidth: 0 });
}

/** What a way of changing the text has made, if it says what it should. */
function attempt(way: () => string, expected: unknown): string | undefined {
  try {
    const changed = way();
    return holds(changed, expected) ? changed : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The text with one field changed.
 * @throws InputError if the text cannot be read, or the field cannot be changed by itself: it is part of an alias
 */
export function edited(text: string, edit: Edit): string {
  const tree = treeOf(text);
  if (tree.errors.length > 0) throw new InputError('scenario', 'valid YAML', 'a text that cannot be read');
  const scenario = plainOf(tree.contents) ?? {};
  const change = whole(scenario, edit);
  const expected = expectedOf(scenario, change);
  const ways = [
    () => apply(text, spliceFor(text, tree, change, styleOf(tree.contents))),
    () => rewritten(text, change),
  ];
  for (const way of ways) {
    const changed = attempt(way, expected);
    if (changed !== undefined) return changed;
  }
  throw new InputError(pathOf(edit.path), 'a field that can be changed by itself', 'one that other fields share');
}

// The least change of a text that sets or removes a field.

export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

type Change =
  | { readonly kind: 'set'; readonly path: Path; readonly value: unknown }
  | { readonly kind: string; readonly path: Path };

/** A value without the field at a path. */
function without(value: unknown, path: Path): unknown {
  const [step, ...rest] = path;
  if (Array.isArray(value)) {
    const at = Number(step);
    return rest.length === 0 ? value.toSpliced(at, 1) : value.with(at, without(value[at], rest));
  }
  if (!isMapping(value) || step === undefined || !Object.hasOwn(value, step)) return value;
  const entries = Object.entries(value).filter(([name]) => rest.length > 0 || name !== String(step));
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, name === String(step) ? without(inner, rest) : inner]),
  );
}

/** Offset of the end of a line, before the line break. */
function lineEnd(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  return at === -1 ? text.length : at;
}

const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;

const columnOf = (text: string, offset: number): number => offset - lineStart(text, offset);

type Collection = YAMLMap | YAMLSeq;
type Item = unknown;

const isCollection = (node: unknown): node is Collection => isMap(node) || isSeq(node);

function pairOf(item: Item): Pair | undefined {
  return typeof item === 'object' && item !== null && 'key' in item ? (item as Pair) : undefined;
}

function itemStart(item: Item): number {
  const pair = pairOf(item);
  if (pair !== undefined) return startOf(pair.key);
  return startOf(item);
}

/** Where an item ends; of a field without a value behind its colon. */
function itemEnd(text: string, item: Item): number {
  const pair = pairOf(item);
  const value = pair === undefined ? item : pair.value;
  if (isNode(value) && endOf(value) > startOf(value))
    return isCollection(value) && !value.flow ? blockEnd(text, value) : endOf(value);
  const from = pair === undefined ? startOf(item) : endOf(pair.key);
  const colon = /^[^\S\n]*:/.exec(text.slice(from, from + 40))?.[0].length ?? 0;
  return from + colon;
}

/** Where the last value of a block ends, without blank lines and comments below it. */
function blockEnd(text: string, node: Collection): number {
  const last = node.items.at(-1);
  return last === undefined ? endOf(node) : itemEnd(text, last);
}

/** The dash of an item of a block list. */
function dashBefore(text: string, item: Item): number {
  const start = startOf(item);
  const head = text.slice(0, start);
  return head.search(/-[^\S\n]*(?:[&!]\S*[^\S\n]*)*(?:\n\s*)?$/);
}

function written(step: string | number, value: unknown, style: Style): string {
  const text = flowOf(value, style);
  return typeof step === 'number' ? text : `${textOf(step, style)}: ${text}`;
}

/** One more item in braces or brackets. */
function flowAdded(text: string, node: Collection, item: string): Splice {
  const last = node.items.at(-1);
  if (last === undefined) {
    const [from, to] = [startOf(node), endOf(node)];
    return { from, to, insert: isMap(node) ? `{ ${item} }` : `[${item}]` };
  }
  const at = itemEnd(text, last);
  const start = itemStart(last);
  const apart = lineStart(text, start) > startOf(node);
  return { from: at, to: at, insert: apart ? `,\n${' '.repeat(columnOf(text, start))}${item}` : `, ${item}` };
}

/** One more line in a block. */
function blockAdded(text: string, node: Collection, item: string): Splice {
  const [first] = node.items;
  const at = lineEnd(text, blockEnd(text, node));
  const start = isSeq(node) ? dashBefore(text, first) : itemStart(first);
  const insert = `\n${' '.repeat(columnOf(text, start))}${isSeq(node) ? '- ' : ''}${item}`;
  return { from: at, to: at, insert };
}

/** A value in the place of another. */
function replaced(text: string, node: unknown, pair: Pair | undefined, value: string): Splice {
  if (isNode(node) && endOf(node) > startOf(node)) {
    const block = isCollection(node) && node.flow !== true;
    if (!block || pair === undefined) return { from: startOf(node), to: itemEnd(text, node), insert: value };
  }
  const at = pair === undefined ? startOf(node) : itemEnd(text, { key: pair.key, value: null });
  const to = isNode(node) && endOf(node) > startOf(node) ? itemEnd(text, node) : at;
  return { from: at, to, insert: ` ${value}` };
}

function pairAt(tree: Tree, path: Path): Pair | undefined {
  const parent = nodeAt(tree, path.slice(0, -1));
  return isMap(parent) ? parent.items.findLast((pair) => nameOf(pair) === path.at(-1)) : undefined;
}

/** The value with which the first step that is missing begins to be. */
function nested(path: Path, value: unknown): unknown {
  return path.reduceRight<unknown>((inner, step) => (typeof step === 'number' ? [inner] : { [step]: inner }), value);
}

const isNothing = (node: unknown): boolean =>
  node === null || node === undefined || (isScalar(node) && node.value === null);

function setSplice(text: string, tree: Tree, path: Path, value: unknown, style: Style): Splice {
  for (let depth = 0; depth < path.length; depth++) {
    const here = path.slice(0, depth);
    const node = nodeAt(tree, here);
    const step = path[depth] ?? '';
    const inner = nested(path.slice(depth + 1), value);
    if (isNothing(node)) return rootless(text, tree, here, nested(path.slice(depth), value), style);
    if (!isCollection(node)) throw new TypeError('a field within a text');
    const there = isMap(node) ? node.items.some((pair) => nameOf(pair) === step) : Number(step) < node.items.length;
    if (there) continue;
    const item = written(step, inner, style);
    return node.flow === true || node.items.length === 0 ? flowAdded(text, node, item) : blockAdded(text, node, item);
  }
  return replaced(text, nodeAt(tree, path), pairAt(tree, path), flowOf(value, style));
}

/** A first field where nothing is yet. */
function rootless(text: string, tree: Tree, path: Path, value: unknown, style: Style): Splice {
  if (path.length > 0) return replaced(text, nodeAt(tree, path), pairAt(tree, path), flowOf(value, style));
  const lines = Object.entries(value as object).map(([name, field]) => `${written(name, field, style)}\n`);
  const gap = text === '' || text.endsWith('\n') ? '' : '\n';
  return { from: text.length, to: text.length, insert: gap + lines.join('') };
}

function flowRemoved(text: string, node: Collection, at: number): Splice {
  const [before, item, after] = [node.items[at - 1], node.items[at], node.items[at + 1]];
  if (after !== undefined) return { from: itemStart(item), to: itemStart(after), insert: '' };
  if (before !== undefined) return { from: itemEnd(text, before), to: itemEnd(text, item), insert: '' };
  return { from: startOf(node), to: endOf(node), insert: isMap(node) ? '{}' : '[]' };
}

function blockRemoved(text: string, node: Collection, at: number, pair: Pair | undefined): Splice {
  const item = node.items[at];
  if (node.items.length === 1) return replaced(text, node, pair, isMap(node) ? '{}' : '[]');
  const begin = (each: Item): number => (isSeq(node) ? dashBefore(text, each) : itemStart(each));
  const from = begin(item);
  const line = lineStart(text, from);
  // The first field of an element of a list stands behind its dash.
  if (text.slice(line, from).trim() !== '') return { from, to: begin(node.items[at + 1]), insert: '' };
  return { from: line, to: Math.min(text.length, lineEnd(text, itemEnd(text, item)) + 1), insert: '' };
}

function removeSplice(text: string, tree: Tree, path: Path): Splice {
  const parent = nodeAt(tree, path.slice(0, -1));
  const step = path.at(-1);
  if (!isCollection(parent)) throw new TypeError('a field of nothing');
  const at = isMap(parent) ? parent.items.findIndex((pair) => nameOf(pair) === step) : Number(step);
  if (at < 0) return { from: 0, to: 0, insert: '' };
  if (parent.flow === true) return flowRemoved(text, parent, at);
  return blockRemoved(text, parent, at, pairAt(tree, path.slice(0, -1)));
}

function spliceFor(text: string, tree: Tree, change: Change, style: Style): Splice {
  if ('value' in change) return setSplice(text, tree, change.path, change.value, style);
  return removeSplice(text, tree, change.path);
}

// A text in YAML as a tree with places, read as far as it can be read.

export type Tree = Document.Parsed;

/** @throws InputError if the text is made to exhaust */
export function treeOf(text: string): Tree {
  return parsedDocument(text, new LineCounter(), { uniqueKeys: false, logLevel: 'error' }, (_, [expected, found]) => {
    throw new InputError('scenario', expected, found);
  });
}

/** The name of a field, as scenarios have it. */
function nameOf({ key }: Pair): string | undefined {
  return isScalar(key) ? String(key.value) : undefined;
}

export function startOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? -1) : -1;
}

/** Where the value ends, without the comment behind it. */
export function endOf(node: unknown): number {
  return isNode(node) ? (node.range?.[1] ?? -1) : -1;
}

/** The value of a node; what stands for something else, as aliases do, is left out. */
export function plainOf(node: unknown): unknown {
  if (isMap(node)) {
    const entries = node.items.flatMap((pair): [string, unknown][] => {
      const name = nameOf(pair);
      return name === undefined ? [] : [[name, plainOf(pair.value)]];
    });
    return Object.fromEntries(entries);
  }
  if (isSeq(node)) return node.items.map(plainOf);
  if (isScalar(node)) return node.value;
  return isAlias(node) ? undefined : null;
}

/** What is within a node, by name or index. */
export function childrenOf(node: unknown): { step: string | number; key: Node | undefined; value: unknown }[] {
  if (isSeq(node)) return node.items.map((value, step) => ({ step, key: undefined, value }));
  if (!isMap(node)) return [];
  return node.items.flatMap((pair) => {
    const step = nameOf(pair);
    return step === undefined || !isNode(pair.key) ? [] : [{ step, key: pair.key, value: pair.value }];
  });
}

/** The node at a path; undefined if there is none. Of fields that stand twice it is the last. */
export function nodeAt(tree: Tree, path: Path): unknown {
  let node: unknown = tree.contents;
  for (const step of path) node = childrenOf(node).findLast((each) => each.step === step)?.value;
  return isPair(node) ? undefined : node;
}

// Values as a file would have them.

export interface Style {
  /** As JSON has it: names and texts in quotes. */
  readonly json: boolean;
}

const YAML: Style = { json: false };

const PLAIN = /^[\p{L}\p{N}_](?:[\p{L}\p{N}_ .+/()-]*[\p{L}\p{N}_.+/()-])?$/u;

/** True of a text that YAML reads as itself, in flow collections too. */
function plain(text: string): boolean {
  return PLAIN.test(text) && plainOf(treeOf(text).contents) === text;
}

export function textOf(text: string, { json }: Style): string {
  return !json && plain(text) ? text : JSON.stringify(text);
}

/** In one line: `{ name: Red, hp: 30 }`. */
export function flowOf(value: unknown, style: Style): string {
  const inner = (each: unknown): string => flowOf(each, style);
  if (Array.isArray(value)) return `[${value.map(inner).join(', ')}]`;
  if (isMapping(value)) {
    const fields = Object.entries(value).map(([name, field]) => `${textOf(name, style)}: ${inner(field)}`);
    return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
  }
  return typeof value === 'string' ? textOf(value, style) : JSON.stringify(value ?? null);
}

/** Characters of a line that is still easy to read. */
const WIDTH = 100;

function linesOf(name: string, value: unknown, margin: string): string[] {
  const line = `${margin}${textOf(name, YAML)}: ${flowOf(value, YAML)}`;
  if (line.length <= WIDTH || typeof value !== 'object' || value === null) return [line];
  const head = `${margin}${textOf(name, YAML)}:`;
  const deeper = `${margin}  `;
  if (Array.isArray(value)) return [head, ...value.map((item) => `${deeper}- ${flowOf(item, YAML)}`)];
  return [head, ...Object.entries(value).flatMap(([inner, field]) => linesOf(inner, field, deeper))];
}

/** A scenario as a file: a line for each field, groups that are short in one line. */
export function fileOf(scenario: object): string {
  const lines = Object.entries(scenario).flatMap(([name, field]) => linesOf(name, field, ''));
  return `${lines.join('\n')}\n`;
}
