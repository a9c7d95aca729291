/**
 * Conditions on the cells of a sweep: `attacker.hp >= defender.hp && attacker.hp + defender.hp <= 60`.
 *
 * Numbers, words in quotes and names of axes or fields are joined by + - * /, compared by = != < <= > >=, combined by
 * && || ! and parentheses. A name may have - within; a difference has blanks around its sign. A field that the scenario
 * does not have is null.
 */
import { ConditionReader, type Term } from '../../analysis/index.ts';

/** Returns the value of a name in a cell. */
export type Lookup = (name: string) => unknown;

const TOKEN =
  /(?<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?)|(?<sign>\|\||&&|[<>!=]=|[=<>!()+*/-])|"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<name>[\p{L}_$](?:[\p{L}\p{N}_$.[\]]|-(?=[\p{L}]))*)/uy;

const CONSTANTS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** Returns two numbers, or undefined if either operand is not a number. */
function toNumbers(a: unknown, b: unknown): readonly [number, number] {
  return [typeof a === 'number' ? a : Number.NaN, typeof b === 'number' ? b : Number.NaN];
}

const EQUAL = (a: unknown, b: unknown): boolean => a === b;

const COMPARE: ReadonlyMap<string, (a: unknown, b: unknown) => boolean> = new Map([
  ['=', EQUAL],
  ['==', EQUAL],
  ['!=', (a, b) => a !== b],
  ['<', (a, b) => toNumbers(a, b)[0] < toNumbers(a, b)[1]],
  ['<=', (a, b) => toNumbers(a, b)[0] <= toNumbers(a, b)[1]],
  ['>', (a, b) => toNumbers(a, b)[0] > toNumbers(a, b)[1]],
  ['>=', (a, b) => toNumbers(a, b)[0] >= toNumbers(a, b)[1]],
]);

const COMPUTE: ReadonlyMap<string, (a: number, b: number) => number> = new Map([
  ['+', (a, b) => a + b],
  ['-', (a, b) => a - b],
  ['*', (a, b) => a * b],
  ['/', (a, b) => a / b],
]);

class ConditionParser extends ConditionReader<Lookup> {
  readonly #known: (name: string) => boolean;
  readonly #names: string;

  /** @param names description of known names */
  constructor(text: string, place: string, known: (name: string) => boolean, names: string) {
    super(text, TOKEN, place);
    this.#known = known;
    this.#names = names;
  }

  protected override part(): Term<Lookup> {
    const left = this.#parseSum();
    const compare = COMPARE.get(this.sign(...COMPARE.keys()) ?? '');
    if (compare === undefined) return left;
    const right = this.#parseSum();
    return (analysis) => compare(left(analysis), right(analysis));
  }

  /** Parses a text that is a number, not a condition. */
  readSum(): (analysis: Lookup) => number {
    const term = this.#parseSum();
    if (this.token.kind !== 'end') this.reject('+, -, *, / or the end');
    return (analysis) => toNumbers(term(analysis), 0)[0];
  }

  #parseSum(): Term<Lookup> {
    return this.#parseChain(['+', '-'], () => this.#parseChain(['*', '/'], () => this.#parseOne()));
  }

  /** Parses operands joined by operators of equal precedence, left-associative. */
  #parseChain(signs: readonly string[], part: () => Term<Lookup>): Term<Lookup> {
    let term = part();
    for (;;) {
      const compute = COMPUTE.get(this.sign(...signs) ?? '');
      if (compute === undefined) return term;
      const [left, right] = [term, part()];
      term = (analysis) => compute(...toNumbers(left(analysis), right(analysis)));
    }
  }

  #parseOne(): Term<Lookup> {
    if (this.sign('-') !== undefined) {
      const term = this.#parseOne();
      return (analysis) => -toNumbers(term(analysis), 0)[0];
    }
    return this.grouped(() => this.#parseOne()) ?? this.#parseValue();
  }

  #parseValue(): Term<Lookup> {
    if (['end', 'sign'].includes(this.token.kind)) this.reject('a name, a number or a word in quotes');
    const token = this.skip();
    const { kind, text } = token;
    if (kind === 'number') return () => Number(text);
    if (['double', 'single'].includes(kind)) return () => text;
    if (CONSTANTS.has(text)) return () => CONSTANTS.get(text);
    if (!this.#known(text)) this.reject(this.#names, token);
    return (analysis) => analysis(text);
  }
}

/**
 * Parses a condition.
 * @param place name of the condition in messages, which append the column
 * @param known true for a name that a cell can have
 * @returns true for cells that satisfy the condition
 * @throws InputError with the column, the expected and the found text
 */
export function parseCondition(
  text: string,
  place: string,
  known: (name: string) => boolean,
): (analysis: Lookup) => boolean {
  const names = 'the name of an axis or a field of the scenario';
  return new ConditionParser(text, place, known, names).read('a sign or the end');
}

/**
 * Parses a number that is computed from names, in the notation of conditions: `attacker - 0.5 * mutual`.
 * @param known names that it can have
 * @returns computes the number from the values of the names; NaN if one of them is no number
 * @throws InputError as `parseCondition` does
 */
export function parseSum(text: string, place: string, known: readonly string[]): (analysis: Lookup) => number {
  return new ConditionParser(text, place, (name) => known.includes(name), `one of ${known.join(', ')}`).readSum();
}
