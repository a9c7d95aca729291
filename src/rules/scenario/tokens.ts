/**
 * Reads a text token by token and stops as soon as it is clear that it is none of ours. The parser takes whatever it is
 * given: a megabyte of commas made it a million errors, in seconds and a gigabyte.
 */
import {
  Composer,
  CST,
  type Document,
  type DocumentOptions,
  Lexer,
  type LineCounter,
  type ParseOptions,
  Parser,
  type SchemaOptions,
  YAMLParseError,
} from 'yaml';
import { DEPTH_LIMIT, type Said, TOO_DEEP } from './syntax.ts';

/** The most values that a file may hold, those of an alias counted at each use: no alias bombs. */
export const VALUES_LIMIT = 100_000;

export const TOO_MANY: Said = [`at most ${String(VALUES_LIMIT)} values`, 'more'];

/** Errors after which no more are looked for. */
const ERRORS_MAX = 500;

/** Directives (`%YAML 1.2`) that a file may begin with. */
const DIRECTIVES_MAX = 100;

const TOO_DIRECTED: Said = [`at most ${String(DIRECTIVES_MAX)} directives`, 'more'];

/** Tokens of which each value has one at most, or, of scalars, its name and itself. */
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

/** Between two commas these are nothing. */
const BLANK = new Set(['space', 'newline', 'comment']);

/** Tokens that stand for no text, but say of what kind the next ones are. */
const SILENT = new Set(['doc-mode', 'flow-error-end', 'scalar']);

/** Counts tokens as they come. */
class Counts {
  readonly #refuse: (offset: number, said: Said) => never;
  readonly #seen = new Map<string, number>();
  #offset = 0;
  #depth = 0;
  #before = '';
  #isScalar = false;
  /** Commas with nothing before them. */
  empty = 0;

  constructor(refuse: (offset: number, said: Said) => never) {
    this.#refuse = refuse;
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
    if (seen > (MOST[type] ?? Number.POSITIVE_INFINITY)) this.#refuse(this.#offset, TOO_MANY);
    if (type === 'directive-line' && seen > DIRECTIVES_MAX) this.#refuse(this.#offset, TOO_DIRECTED);
    if (OPENING.has(type) && ++this.#depth > DEPTH_LIMIT) this.#refuse(this.#offset, TOO_DEEP);
    if (CLOSING.has(type) && this.#depth > 0) this.#depth--;
    if (type === 'comma' && (this.#before === 'comma' || OPENING.has(this.#before))) this.empty++;
    if (!BLANK.has(type)) this.#before = type;
  }
}

function* tokensOf(text: string, parser: Parser, counts: Counts): Generator<CST.Token> {
  let errors = 0;
  for (const lexeme of new Lexer().lex(text)) {
    counts.add(lexeme);
    for (const token of parser.next(lexeme)) {
      if (token.type === 'error') errors++;
      yield token;
    }
    // What was read so far is told; there is no value in it.
    if (errors + counts.empty > ERRORS_MAX) break;
  }
  yield* parser.end();
}

type Parsed = Document.Parsed;

/**
 * The document in a text, as `parseDocument` of the library reads it, with what is wrong in its `errors`.
 * @param refuse throws at an offset, for what is made to exhaust
 */
export function parsedDocument(
  text: string,
  counter: LineCounter,
  options: ParseOptions & DocumentOptions & SchemaOptions,
  refuse: (offset: number, said: Said) => never,
): Parsed {
  const tokens = tokensOf(text, new Parser(counter.addNewLine), new Counts(refuse));
  let first: Parsed | undefined;
  // Where the first line begins; of all others the parser tells.
  counter.addNewLine(0);
  for (const document of new Composer(options).compose(tokens, true, text.length) as Iterable<Parsed>) {
    if (first === undefined) first = document;
    else {
      const [from, to] = document.range;
      first.errors.push(new YAMLParseError([from, to], 'MULTIPLE_DOCS', 'a second document'));
      break;
    }
  }
  if (first === undefined) throw new TypeError('a text without a document');
  return first;
}
