/**
 * Conditions on the cells of a sweep: `attacker.hp >= defender.hp && attacker.hp + defender.hp <= 60`.
 *
 * Numbers, words in quotes and names of axes or fields are joined by + - * /, compared by = != < <= > >=, combined by
 * && || ! and parentheses. A name may have - within; a difference has blanks around its sign. A field that the scenario
 * does not have is null.
 */
import { InputError } from '../../core/index.ts';

/** What a name stands for in a cell. */
export type Lookup = (name: string) => unknown;

type Term = (look: Lookup) => unknown;

interface Token {
  readonly kind: 'sign' | 'name' | 'number' | 'text' | 'end';
  readonly text: string;
  /** Column of its first character, from 1. */
  readonly at: number;
}

const TOKEN =
  /(?<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?)|(?<sign>\|\||&&|[<>!=]=|[=<>!()+*/-])|"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<name>[\p{L}_$](?:[\p{L}\p{N}_$.[\]]|-(?=[\p{L}]))*)/uy;

const CONSTANTS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

function tokenAt(text: string, from: number, place: string): [Token, number] {
  TOKEN.lastIndex = from;
  const groups = TOKEN.exec(text)?.groups;
  if (groups === undefined)
    throw new InputError(
      `${place}:${String(from + 1)}`,
      'a name, a value or a sign',
      `"${text.slice(from, from + 1)}"`,
    );
  const { number, sign, double, single, name } = groups;
  const kind = number ? 'number' : sign ? 'sign' : name ? 'name' : 'text';
  return [{ kind, text: number ?? sign ?? name ?? double ?? single ?? '', at: from + 1 }, TOKEN.lastIndex];
}

function tokensOf(text: string, place: string): Token[] {
  const tokens: Token[] = [];
  let from = 0;
  for (;;) {
    while (/\s/.test(text[from] ?? '')) from++;
    if (from >= text.length) return [...tokens, { kind: 'end', text: '', at: from + 1 }];
    const [token, next] = tokenAt(text, from, place);
    tokens.push(token);
    from = next;
  }
}

/** Two numbers, or nothing to be computed with. */
function numbers(a: unknown, b: unknown): readonly [number, number] {
  return [typeof a === 'number' ? a : Number.NaN, typeof b === 'number' ? b : Number.NaN];
}

const EQUAL = (a: unknown, b: unknown): boolean => a === b;

const COMPARE: ReadonlyMap<string, (a: unknown, b: unknown) => boolean> = new Map([
  ['=', EQUAL],
  ['==', EQUAL],
  ['!=', (a, b) => a !== b],
  ['<', (a, b) => numbers(a, b)[0] < numbers(a, b)[1]],
  ['<=', (a, b) => numbers(a, b)[0] <= numbers(a, b)[1]],
  ['>', (a, b) => numbers(a, b)[0] > numbers(a, b)[1]],
  ['>=', (a, b) => numbers(a, b)[0] >= numbers(a, b)[1]],
]);

const COMPUTE: ReadonlyMap<string, (a: number, b: number) => number> = new Map([
  ['+', (a, b) => a + b],
  ['-', (a, b) => a - b],
  ['*', (a, b) => a * b],
  ['/', (a, b) => a / b],
]);

class Reader {
  readonly #tokens: readonly Token[];
  readonly #place: string;
  readonly #known: (name: string) => boolean;
  #next = 0;

  constructor(text: string, place: string, known: (name: string) => boolean) {
    this.#tokens = tokensOf(text, place);
    this.#place = place;
    this.#known = known;
  }

  read(): Term {
    const term = this.#any();
    if (this.#token.kind !== 'end') this.#refuse('a sign or the end');
    return term;
  }

  get #token(): Token {
    return this.#tokens[this.#next] ?? { kind: 'end', text: '', at: 0 };
  }

  /** The sign that comes next, if it is one of these. */
  #sign(...signs: readonly string[]): string | undefined {
    const { kind, text } = this.#token;
    if (kind !== 'sign' || !signs.includes(text)) return undefined;
    this.#next++;
    return text;
  }

  #any(): Term {
    const options = [this.#all()];
    while (this.#sign('||') !== undefined) options.push(this.#all());
    const [only] = options;
    return options.length === 1 && only ? only : (look) => options.some((option) => option(look) === true);
  }

  #all(): Term {
    const parts = [this.#comparison()];
    while (this.#sign('&&') !== undefined) parts.push(this.#comparison());
    const [only] = parts;
    return parts.length === 1 && only ? only : (look) => parts.every((part) => part(look) === true);
  }

  #comparison(): Term {
    const left = this.#chain(['+', '-'], () => this.#chain(['*', '/'], () => this.#one()));
    const compare = COMPARE.get(this.#sign(...COMPARE.keys()) ?? '');
    if (compare === undefined) return left;
    const right = this.#chain(['+', '-'], () => this.#chain(['*', '/'], () => this.#one()));
    return (look) => compare(left(look), right(look));
  }

  /** Parts joined by signs of one rank, from the left. */
  #chain(signs: readonly string[], part: () => Term): Term {
    let term = part();
    for (;;) {
      const compute = COMPUTE.get(this.#sign(...signs) ?? '');
      if (compute === undefined) return term;
      const [left, right] = [term, part()];
      term = (look) => compute(...numbers(left(look), right(look)));
    }
  }

  #one(): Term {
    if (this.#sign('!') !== undefined) {
      const negated = this.#one();
      return (look) => negated(look) !== true;
    }
    if (this.#sign('-') !== undefined) {
      const term = this.#one();
      return (look) => -numbers(term(look), 0)[0];
    }
    if (this.#sign('(') === undefined) return this.#value();
    const inner = this.#any();
    if (this.#sign(')') === undefined) this.#refuse(')');
    return inner;
  }

  #value(): Term {
    const token = this.#token;
    const { kind, text } = token;
    if (kind === 'end' || kind === 'sign') this.#refuse('a name, a number or a word in quotes');
    this.#next++;
    if (kind === 'number') return () => Number(text);
    if (kind === 'text') return () => text;
    if (CONSTANTS.has(text)) return () => CONSTANTS.get(text);
    if (!this.#known(text)) this.#refuse('the name of an axis or a field of the scenario', token);
    return (look) => look(text);
  }

  #refuse(expected: string, { kind, text, at }: Token = this.#token): never {
    throw new InputError(`${this.#place}:${String(at)}`, expected, kind === 'end' ? 'the end' : `"${text}"`);
  }
}

/**
 * Reads a condition.
 * @param place what messages call it; they add the column
 * @param known true for a name that a cell can have
 * @returns true for cells that fulfil it
 * @throws InputError with the column, what was expected there and what was found
 */
export function parseCondition(
  text: string,
  place: string,
  known: (name: string) => boolean,
): (look: Lookup) => boolean {
  const term = new Reader(text, place, known).read();
  return (look) => term(look) === true;
}
