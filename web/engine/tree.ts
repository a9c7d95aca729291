/** A text in YAML as a tree with places, read as far as it can be read. */
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
} from 'yaml';
import { InputError } from '../../src/core/errors.ts';
import { parsedDocument } from '../../src/rules/scenario/document.ts';
import type { Path } from '../../src/rules/scenario/problem.ts';

export type Tree = Document.Parsed;

/** @throws InputError if the text is made to exhaust */
export function treeOf(text: string): Tree {
  return parsedDocument(text, new LineCounter(), { uniqueKeys: false, logLevel: 'error' }, (_, [expected, found]) => {
    throw new InputError('scenario', expected, found);
  });
}

/** The name of a field, as scenarios have it. */
export function nameOf({ key }: Pair): string | undefined {
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
