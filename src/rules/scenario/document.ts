/** Parses YAML or JSON with the locations of all values, and reports syntax errors in the format of warpool. */

import {
  type Alias,
  Composer,
  CST,
  type Document,
  type DocumentOptions,
  isAlias,
  isMap,
  isNode,
  isScalar,
  Lexer,
  LineCounter,
  type ParsedNode,
  type ParseOptions,
  Parser,
  type SchemaOptions,
  type YAMLError,
  type YAMLMap,
  YAMLParseError,
  type YAMLSeq,
} from 'yaml';
import { InputError, quote } from '../../core/index.ts';
import type { DocumentSource, SourceLocation } from './document-source.ts';
import { type DocumentProblem, type Path, throwIfAny } from './problem.ts';

/** Maximum nesting of a file. */
export const DEPTH_LIMIT = 64;

type ProblemMessage = readonly [expected: string, found: string];

export const TOO_DEEP: ProblemMessage = [`at most ${String(DEPTH_LIMIT)} levels of nesting`, 'more'];

/** Codes with messages of warpool; others have the message of the library. */
const WORDS: Readonly<Record<string, ProblemMessage>> = {
  TAB_AS_INDENT: ['spaces for indentation', 'a tab'],
  MULTIPLE_DOCS: ['one document', 'a second one'],
  RESOURCE_EXHAUSTION: TOO_DEEP,
};

/** Returns the text from an offset to the end of the line. */
function readRestOfLine(text: string, offset: number): string {
  const line = text.slice(offset).split(/\r?\n/, 1)[0]?.trim() ?? '';
  if (line !== '') return quote(line);
  return offset >= text.trimEnd().length ? 'the end of the file' : 'the end of the line';
}

function createSyntaxProblem({ code, message, pos: [offset] }: YAMLError, text: string): DocumentProblem {
  const describe = () => {
    const [expected, found] = WORDS[code] ?? ['', ''];
    if (expected !== '') return { expected, found };
    const reason = `${message.slice(0, 1).toLowerCase()}${message.slice(1, 100)}`;
    return { expected: 'valid YAML', found: `${readRestOfLine(text, offset)} (${reason})` };
  };
  return { path: [], target: 'value', offset, describe, code: 'invalid-syntax' };
}

/** Creates one syntax error per line: the first, because the others are its consequences. */
function createSyntaxProblems({ errors }: Document, text: string, counter: LineCounter): DocumentProblem[] {
  const byLine = new Map<number, DocumentProblem>();
  for (const error of errors) {
    const { line } = counter.linePos(error.pos[0]);
    if (!byLine.has(line)) byLine.set(line, createSyntaxProblem(error, text));
  }
  return [...byLine.values()];
}

// Reads a text token by token, and stops as soon as it cannot be valid. The parser has no limits: a megabyte of commas
// caused a million errors, in seconds and a gigabyte.

/** Maximum number of values in a file, counting those of an alias at each use, which prevents alias bombs. */
const VALUES_LIMIT = 100_000;

const TOO_MANY: ProblemMessage = [`at most ${String(VALUES_LIMIT)} values`, 'more'];

/** Maximum number of errors. */
const ERRORS_MAX = 500;

/** Maximum number of directives (`%YAML 1.2`) of a file. */
const DIRECTIVES_MAX = 100;

const TOO_MANY_DIRECTIVES: ProblemMessage = [`at most ${String(DIRECTIVES_MAX)} directives`, 'more'];

/** Tokens that each value has at most once, or, for scalars, twice: its name and itself. */
const MOST: Readonly<Record<string, number>> = {
  comma: VALUES_LIMIT,
  'seq-item-ind': VALUES_LIMIT,
  'map-value-ind': VALUES_LIMIT,
  'explicit-key-ind': VALUES_LIMIT,
  'flow-seq-start': VALUES_LIMIT,
  'flow-map-start': VALUES_LIMIT,
  anchor: VALUES_LIMIT,
  alias: VALUES_LIMIT,
  tag: VALUES_LIMIT,
  scalar: 2 * VALUES_LIMIT,
  'single-quoted-scalar': 2 * VALUES_LIMIT,
  'double-quoted-scalar': 2 * VALUES_LIMIT,
};

const OPENING = new Set(['flow-seq-start', 'flow-map-start']);
const CLOSING = new Set(['flow-seq-end', 'flow-map-end']);

/** Tokens without a value between two commas. */
const BLANK = new Set(['space', 'newline', 'comment']);

/** Tokens without text that announce the kind of the next ones. */
const SILENT = new Set(['doc-mode', 'flow-error-end', 'scalar']);

/** Counts tokens. */
class TokenCounter {
  readonly #reject: (offset: number, said: ProblemMessage) => never;
  readonly #seen = new Map<string, number>();
  #offset = 0;
  #depth = 0;
  #before = '';
  #isScalar = false;
  /** Commas without a preceding value. */
  empty = 0;

  constructor(reject: (offset: number, said: ProblemMessage) => never) {
    this.#reject = reject;
  }

  add(lexeme: string): void {
    const type = this.#isScalar ? 'text' : (CST.tokenType(lexeme) ?? 'error');
    this.#isScalar = type === 'scalar';
    this.#count(type);
    if (!SILENT.has(type)) this.#offset += lexeme.length;
  }

  #count(type: string): void {
    const seen = (this.#seen.get(type) ?? 0) + 1;
    this.#seen.set(type, seen);
    if (seen > (MOST[type] ?? Number.POSITIVE_INFINITY)) this.#reject(this.#offset, TOO_MANY);
    if (type === 'directive-line' && seen > DIRECTIVES_MAX) this.#reject(this.#offset, TOO_MANY_DIRECTIVES);
    if (OPENING.has(type) && ++this.#depth > DEPTH_LIMIT) this.#reject(this.#offset, TOO_DEEP);
    if (CLOSING.has(type) && this.#depth > 0) this.#depth--;
    if (type === 'comma' && (this.#before === 'comma' || OPENING.has(this.#before))) this.empty++;
    if (!BLANK.has(type)) this.#before = type;
  }
}

function* generateTokens(text: string, parser: Parser, counts: TokenCounter): Generator<CST.Token> {
  let errors = 0;
  for (const lexeme of new Lexer().lex(text)) {
    counts.add(lexeme);
    for (const token of parser.next(lexeme)) {
      if (token.type === 'error') errors++;
      yield token;
    }
    // The errors so far are reported; there is no value.
    if (errors + counts.empty > ERRORS_MAX) break;
  }
  yield* parser.end();
}

type ParsedYaml = Document.Parsed;

/**
 * Parses a text, as `parseDocument` of the library does, with problems in its `errors`.
 * @param reject throws at an offset, for texts that exhaust resources
 */
export function parseYaml(
  text: string,
  counter: LineCounter,
  options: ParseOptions & DocumentOptions & SchemaOptions,
  reject: (offset: number, said: ProblemMessage) => never,
): ParsedYaml {
  const tokens = generateTokens(text, new Parser(counter.addNewLine), new TokenCounter(reject));
  let first: ParsedYaml | undefined;
  // Start of the first line; the parser reports all others.
  counter.addNewLine(0);
  for (const document of new Composer(options).compose(tokens, true, text.length) as Iterable<ParsedYaml>) {
    if (first === undefined) first = document;
    else {
      const [from, to] = document.range;
      first.errors.push(new YAMLParseError([from, to], 'MULTIPLE_DOCS', 'a second document'));
      break;
    }
  }
  if (first === undefined) throw new TypeError('a file without a document');
  return first;
}

interface LocatedValue {
  readonly value: unknown;
  readonly spot: SourceLocation;
  /** Number of values that it contains. */
  readonly size: number;
}

const NOTHING: ReadonlyMap<string | number, SourceLocation> = new Map();
const CORE = 'tag:yaml.org,2002:';
const CORE_TAGS = new Set(['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map((tag) => CORE + tag));

const getOffset = (node: ParsedNode): number => node.range[0];

/** Returns the name of a field if the key is valid. */
function getKeyName(key: unknown): string | undefined {
  if (!isScalar(key)) return undefined;
  const { value } = key;
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}

class YamlReader {
  readonly problems: DocumentProblem[] = [];
  readonly #place: (offset: number) => string;
  /** Anchors so far. */
  readonly #anchors = new Map<string, LocatedValue>();
  #values = 0;

  constructor(place: (offset: number) => string) {
    this.#place = place;
  }

  /** Reads the value of a node with its children. `name` is the offset of the name of the field. */
  read(node: ParsedNode | null, path: Path, name: number): LocatedValue {
    this.#count(1, node === null ? name : getOffset(node));
    if (node === null) return { value: null, spot: { offset: name, name, text: '', inside: NOTHING }, size: 1 };
    if (isAlias(node)) return this.#readAlias(node, path, name);
    if (node.tag !== undefined && !CORE_TAGS.has(node.tag)) {
      const tag = quote(node.tag.replace(CORE, '!!'));
      this.#addProblem(path, 'value', getOffset(node), 'a value without a tag', `the tag ${tag}`);
    }
    const { anchor } = node;
    if (anchor !== undefined) this.#anchors.delete(anchor);
    const placed = this.#readContent(node, path, name);
    if (anchor !== undefined) this.#anchors.set(anchor, placed);
    return placed;
  }

  #readContent(node: Exclude<ParsedNode, Alias.Parsed>, path: Path, name: number): LocatedValue {
    const offset = getOffset(node);
    if (isScalar(node)) {
      return { value: node.value, spot: { offset, name, text: node.source, inside: NOTHING }, size: 1 };
    }
    if (path.length >= DEPTH_LIMIT) this.#reject(offset, TOO_DEEP);
    const before = this.#values;
    const [value, inside] = isMap(node) ? this.#readMapping(node, path) : this.#list(node, path);
    return { value, spot: { offset, name, inside }, size: 1 + this.#values - before };
  }

  #readMapping({ items }: YAMLMap.Parsed, path: Path): [unknown, Map<string, SourceLocation>] {
    const fields = new Map<string, unknown>();
    const inside = new Map<string, SourceLocation>();
    for (const { key, value } of items) {
      const offset = getOffset(key);
      const name = getKeyName(key);
      if (name === undefined) {
        this.#addProblem(path, 'name', offset, 'the name of a field', 'another kind of key');
        continue;
      }
      const earlier = inside.get(name);
      if (earlier !== undefined) {
        const first = this.#place(earlier.name);
        this.#addProblem([...path, name], 'name', offset, 'each field once', `a duplicate (first at ${first})`);
      }
      const placed = this.read(value, [...path, name], offset);
      fields.set(name, placed.value);
      inside.set(name, placed.spot);
    }
    return [Object.fromEntries(fields), inside];
  }

  #list({ items }: YAMLSeq.Parsed, path: Path): [unknown, Map<number, SourceLocation>] {
    const inside = new Map<number, SourceLocation>();
    const values = items.map((item, i) => {
      const { value, spot } = this.read(isNode(item) ? item : null, [...path, i], 0);
      inside.set(i, spot);
      return value;
    });
    return [values, inside];
  }

  #readAlias(node: Alias.Parsed, path: Path, name: number): LocatedValue {
    const offset = getOffset(node);
    const target = this.#anchors.get(node.source);
    if (target === undefined) {
      this.#addProblem(path, 'value', offset, 'an alias of an anchor before it', quote(`*${node.source}`));
      return { value: null, spot: { offset, name, inside: NOTHING }, size: 1 };
    }
    this.#count(target.size, offset);
    return { ...target, spot: { ...target.spot, offset, name } };
  }

  #count(values: number, offset: number): void {
    this.#values += values;
    if (this.#values > VALUES_LIMIT) this.#reject(offset, TOO_MANY);
  }

  #addProblem(path: Path, of: DocumentProblem['target'], offset: number, expected: string, found: string): void {
    this.problems.push({ path, target: of, offset, describe: () => ({ expected, found }) });
  }

  #reject(offset: number, [expected, found]: readonly [string, string]): never {
    throw new InputError(this.#place(offset), expected, found);
  }
}

/** Returns true for a text with only comments and markers. */
function isEmpty(contents: ParsedNode | null): contents is null {
  return contents === null || (isScalar(contents) && contents.value === null && contents.source === '');
}

/**
 * Reads a text.
 *
 * @param text in YAML 1.2 or JSON
 * @param place name of the text, usually its file
 * @param what expected content, for an empty text
 * @throws InputError if the text is not one YAML document, or exhausts resources
 */
export function readDocument(text: string, place: string, what = 'a scenario'): DocumentSource {
  const counter = new LineCounter();
  const formatLocation = (offset: number): string => {
    const { line, col } = counter.linePos(offset);
    return `${place}:${String(line)}:${String(col)}`;
  };
  const reject = (offset: number, [expected, found]: ProblemMessage): never => {
    throw new InputError(formatLocation(offset), expected, found);
  };
  // The library compares every key with every other; this module uses a lookup.
  const document = parseYaml(text, counter, { uniqueKeys: false, logLevel: 'error' }, reject);
  throwIfAny(createSyntaxProblems(document, text, counter), formatLocation);
  if (isEmpty(document.contents)) throw new InputError(place, what, 'an empty file', { file: place });
  const reader = new YamlReader(formatLocation);
  const { value, spot } = reader.read(document.contents, [], 0);
  return { value, spot, problems: reader.problems, place: formatLocation };
}
