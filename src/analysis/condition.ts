/** Parses conditions: comparisons combined by && || ! and parentheses, evaluated from left to right. */
import { InputError } from '../core/index.ts';

/** Evaluates a part of a condition for a battle or a cell. */
export type Term<L> = (analysis: L) => unknown;

export interface ConditionToken {
  /** Name of its group in the pattern. */
  readonly kind: string;
  readonly text: string;
  /** Column of its first character, from 1. */
  readonly at: number;
}

/** @param pattern sticky; its groups are the kinds of tokens */
function tokenize(text: string, pattern: RegExp, place: string): ConditionToken[] {
  const tokens: ConditionToken[] = [];
  let from = 0;
  for (;;) {
    while (/\s/.test(text[from] ?? '')) from++;
    const at = from + 1;
    if (from >= text.length) return [...tokens, { kind: 'end', text: '', at }];
    pattern.lastIndex = from;
    const groups = Object.entries(pattern.exec(text)?.groups ?? {});
    const [kind, found] = groups.find(([, part]) => (part as string | undefined) !== undefined) ?? [];
    if (kind === undefined || found === undefined)
      throw new InputError(`${place}:${String(at)}`, 'a name, a value or a sign', `"${text.slice(from, at)}"`);
    tokens.push({ kind, text: found, at });
    from = pattern.lastIndex;
  }
}

/** Reader of the tokens of a text, from left to right. */
export abstract class TokenReader {
  readonly #tokens: readonly ConditionToken[];
  readonly #place: string;
  #next = 0;

  /**
   * @param pattern sticky; the group `sign` has the signs
   * @param place name of the text in messages; they add the column
   */
  constructor(text: string, pattern: RegExp, place: string) {
    this.#tokens = tokenize(text, pattern, place);
    this.#place = place;
  }

  /** The next token. */
  protected get token(): ConditionToken {
    return this.#tokens[this.#next] ?? { kind: 'end', text: '', at: 0 };
  }

  /** Advances to the next token. */
  protected skip(): ConditionToken {
    const { token } = this;
    this.#next++;
    return token;
  }

  /** Consumes the next sign if it is one of these. */
  protected sign(...signs: readonly string[]): string | undefined {
    const { kind, text } = this.token;
    return kind === 'sign' && signs.includes(text) ? this.skip().text : undefined;
  }

  protected reject(expected: string, { kind, text, at }: ConditionToken = this.token): never {
    throw this.error(expected, kind === 'end' ? 'the end' : `"${text}"`, at);
  }

  protected error(expected: string, found: string, at: number): InputError {
    return new InputError(`${this.#place}:${String(at)}`, expected, found);
  }
}

/** Parser of conditions; subclasses parse the comparisons. */
export abstract class ConditionReader<L> extends TokenReader {
  /** @param after description of the tokens that can follow a part */
  read(after: string): (analysis: L) => boolean {
    const term = this.any();
    if (this.token.kind !== 'end') this.reject(after);
    return (analysis) => term(analysis) === true;
  }

  /** Parses an operand of && and ||. */
  protected abstract part(): Term<L>;

  protected any(): Term<L> {
    return this.#joinTerms('||', () => this.#joinTerms('&&', () => this.part(), 'every'), 'some');
  }

  /** Parses a negation or a group in parentheses. */
  protected grouped(one: () => Term<L>): Term<L> | undefined {
    if (this.sign('!') !== undefined) {
      const negated = one();
      return (analysis) => negated(analysis) !== true;
    }
    if (this.sign('(') === undefined) return undefined;
    const inner = this.any();
    if (this.sign(')') === undefined) this.reject(')');
    return inner;
  }

  #joinTerms(sign: string, part: () => Term<L>, how: 'some' | 'every'): Term<L> {
    const parts = [part()];
    while (this.sign(sign) !== undefined) parts.push(part());
    const [only] = parts;
    return parts.length === 1 && only ? only : (analysis) => parts[how]((each) => each(analysis) === true);
  }
}
