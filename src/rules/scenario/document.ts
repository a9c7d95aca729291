/** A text in YAML or JSON as a value, with the place of everything in it. */
import {
  type Alias,
  isAlias,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type ParsedNode,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { InputError } from '../../core/errors.ts';
import type { Registry } from '../registry.ts';
import { type Path, type Problem, quoted, throwIfAny } from './problem.ts';
import { DEPTH_LIMIT, type Said, syntaxErrors, TOO_DEEP } from './syntax.ts';
import { parsedDocument, TOO_MANY, VALUES_LIMIT } from './tokens.ts';

/** Where something stands in a text. */
export interface Spot {
  /** Offset of the value. */
  readonly offset: number;
  /** Offset of the name of the field. */
  readonly name: number;
  /** How the text writes a scalar. */
  readonly text?: string | undefined;
  /** What is within a mapping or a list, by name or index. */
  readonly inside: ReadonlyMap<string | number, Spot>;
}

export interface DocumentSource {
  readonly value: unknown;
  readonly spot: Spot | undefined;
  /** What is wrong with it, whatever it is meant to be; the value is whole all the same. */
  readonly problems: readonly Problem[];
  /** What to call the place of an offset: file, line and column. */
  readonly place: (offset: number) => string;
  /** Systems that scenarios can name; the shipped ones unless given. */
  readonly registry?: Registry;
}

interface Placed {
  readonly value: unknown;
  readonly spot: Spot;
  /** Of how many values it is made. */
  readonly size: number;
}

const NOTHING: ReadonlyMap<string | number, Spot> = new Map();
const CORE = 'tag:yaml.org,2002:';
const CORE_TAGS = new Set(['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map((tag) => CORE + tag));

const offsetOf = (node: ParsedNode): number => node.range[0];

/** The name of a field, if the key can be one. */
function nameOf(key: unknown): string | undefined {
  if (!isScalar(key)) return undefined;
  const { value } = key;
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}

class Reader {
  readonly problems: Problem[] = [];
  readonly #place: (offset: number) => string;
  /** What was anchored so far. */
  readonly #anchors = new Map<string, Placed>();
  #values = 0;

  constructor(place: (offset: number) => string) {
    this.#place = place;
  }

  /** The value of a node and all within it. `name` is the offset of the field's name. */
  read(node: ParsedNode | null, path: Path, name: number): Placed {
    this.#count(1, node === null ? name : offsetOf(node));
    if (node === null) return { value: null, spot: { offset: name, name, text: '', inside: NOTHING }, size: 1 };
    if (isAlias(node)) return this.#alias(node, path, name);
    if (node.tag !== undefined && !CORE_TAGS.has(node.tag)) {
      const tag = quoted(node.tag.replace(CORE, '!!'));
      this.#complain(path, 'value', offsetOf(node), 'a value without a tag', `the tag ${tag}`);
    }
    const { anchor } = node;
    if (anchor !== undefined) this.#anchors.delete(anchor);
    const placed = this.#content(node, path, name);
    if (anchor !== undefined) this.#anchors.set(anchor, placed);
    return placed;
  }

  #content(node: Exclude<ParsedNode, Alias.Parsed>, path: Path, name: number): Placed {
    const offset = offsetOf(node);
    if (isScalar(node)) {
      return { value: node.value, spot: { offset, name, text: node.source, inside: NOTHING }, size: 1 };
    }
    if (path.length >= DEPTH_LIMIT) this.#refuse(offset, TOO_DEEP);
    const before = this.#values;
    const [value, inside] = isMap(node) ? this.#mapping(node, path) : this.#list(node, path);
    return { value, spot: { offset, name, inside }, size: 1 + this.#values - before };
  }

  #mapping({ items }: YAMLMap.Parsed, path: Path): [unknown, Map<string, Spot>] {
    const fields = new Map<string, unknown>();
    const inside = new Map<string, Spot>();
    for (const { key, value } of items) {
      const offset = offsetOf(key);
      const name = nameOf(key);
      if (name === undefined) {
        this.#complain(path, 'name', offset, 'the name of a field', 'another kind of key');
        continue;
      }
      const earlier = inside.get(name);
      if (earlier !== undefined) {
        const first = this.#place(earlier.name);
        this.#complain([...path, name], 'name', offset, 'each field once', `it again (first at ${first})`);
      }
      const placed = this.read(value, [...path, name], offset);
      fields.set(name, placed.value);
      inside.set(name, placed.spot);
    }
    return [Object.fromEntries(fields), inside];
  }

  #list({ items }: YAMLSeq.Parsed, path: Path): [unknown, Map<number, Spot>] {
    const inside = new Map<number, Spot>();
    const values = items.map((item, i) => {
      const { value, spot } = this.read(isNode(item) ? item : null, [...path, i], 0);
      inside.set(i, spot);
      return value;
    });
    return [values, inside];
  }

  #alias(node: Alias.Parsed, path: Path, name: number): Placed {
    const offset = offsetOf(node);
    const target = this.#anchors.get(node.source);
    if (target === undefined) {
      this.#complain(path, 'value', offset, 'an alias of an anchor before it', quoted(`*${node.source}`));
      return { value: null, spot: { offset, name, inside: NOTHING }, size: 1 };
    }
    this.#count(target.size, offset);
    return { ...target, spot: { ...target.spot, offset, name } };
  }

  #count(values: number, offset: number): void {
    this.#values += values;
    if (this.#values > VALUES_LIMIT) this.#refuse(offset, TOO_MANY);
  }

  #complain(path: Path, of: Problem['of'], offset: number, expected: string, found: string): void {
    this.problems.push({ path, of, offset, tell: () => ({ expected, found }) });
  }

  #refuse(offset: number, [expected, found]: readonly [string, string]): never {
    throw new InputError(this.#place(offset), expected, found);
  }
}

/** True of a text that has nothing but comments and markers. */
function isEmpty(contents: ParsedNode | null): contents is null {
  return contents === null || (isScalar(contents) && contents.value === null && contents.source === '');
}

/**
 * Reads a text.
 *
 * @param text  in YAML 1.2 or JSON
 * @param place what the text is called, usually its file
 * @param what  what it should hold, for an empty one
 * @throws InputError or InputErrors if the text is not one document of YAML, or one made to exhaust
 */
export function readDocument(text: string, place: string, what = 'a scenario'): DocumentSource {
  const counter = new LineCounter();
  const at = (offset: number): string => {
    const { line, col } = counter.linePos(offset);
    return `${place}:${String(line)}:${String(col)}`;
  };
  const refuse = (offset: number, [expected, found]: Said): never => {
    throw new InputError(at(offset), expected, found);
  };
  // The library compares every key with every other; we look them up.
  const document = parsedDocument(text, counter, { uniqueKeys: false, logLevel: 'error' }, refuse);
  throwIfAny(syntaxErrors(document, text, counter), at);
  if (isEmpty(document.contents)) throw new InputError(place, what, 'an empty file');
  const reader = new Reader(at);
  const { value, spot } = reader.read(document.contents, [], 0);
  return { value, spot, problems: reader.problems, place: at };
}
