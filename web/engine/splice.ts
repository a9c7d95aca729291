/** The least change of a text that sets or removes a field. */
import { isMap, isNode, isScalar, isSeq, type Pair, type YAMLMap, type YAMLSeq } from 'yaml';
import { isMapping, type Path } from '../../src/rules/scenario/problem.ts';
import { endOf, nameOf, nodeAt, startOf, type Tree } from './tree.ts';
import { flowOf, type Style, textOf } from './written.ts';

export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

type Change =
  | { readonly kind: 'set'; readonly path: Path; readonly value: unknown }
  | { readonly kind: string; readonly path: Path };

/** A value without the field at a path. */
export function without(value: unknown, path: Path): unknown {
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

export function spliceFor(text: string, tree: Tree, change: Change, style: Style): Splice {
  if ('value' in change) return setSplice(text, tree, change.path, change.value, style);
  return removeSplice(text, tree, change.path);
}
