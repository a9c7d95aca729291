/** Where in a scenario a cursor stands, in a text that may be half written. */
import { isMap, isScalar } from 'yaml';
import type { Path } from '../../src/rules/scenario/problem.ts';
import { childrenOf, endOf, plainOf, startOf, type Tree, treeOf } from './tree.ts';

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
export function cursorAt(text: string, offset: number): Cursor | undefined {
  const word = wordAt(text, offset);
  if (word === undefined) return undefined;
  const mark = word.alone ? `${MARK}: ` : MARK;
  const tree = readable(text.slice(0, word.from) + mark + text.slice(word.to));
  if (tree === undefined) return undefined;
  const found = isMap(tree.contents) || isMark(tree.contents) ? find(tree.contents, word.from, [], false) : undefined;
  return found && { ...found, word, scenario: unmarked(plainOf(tree.contents)) };
}
