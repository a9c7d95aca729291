/**
 * Conditions on how a battle ended: `winner=defender && rounds>12`.
 *
 * A comparison has a name on its left, `outcome` (or `winner`) or a metric, and a value on its right. Outcomes
 * are compared by = and !=, metrics also by < <= > >=. Comparisons are combined by && || ! and parentheses.
 * Names with blanks or other signs stand in quotes: `"hp.Red Guard" >= 3`.
 */

import { foundNumeral, InputError, optionsOf, parseCount, readAmount } from '../core/index.ts';
import { checkStart, type Progress } from '../engines/index.ts';
import { type BattleResult, type Metric, opened, type Scenario } from '../rules/index.ts';
import { type Asked, checkTexts, count, type Settings } from '../rules/setting.ts';
import { PLACE, stretchOf } from './asked.ts';
import { lookAt, openPlay } from './look.ts';
import { MANY } from './questions.ts';
import { type Ending, endingOf } from './replay.ts';

/** True of the battles that are looked for. */
export type BattleCondition = (battle: BattleResult) => boolean;

/** What a condition can speak of. */
export interface Vocabulary {
  readonly outcomes: readonly string[];
  readonly metrics: readonly Metric[];
}

/** Characters of a condition. */
const LENGTH_MAX = 2000;

const OUTCOME = ['outcome', 'winner'];

const COMPARE: ReadonlyMap<string, (a: number, b: number) => boolean> = new Map([
  ['=', (a, b) => a === b],
  ['==', (a, b) => a === b],
  ['!=', (a, b) => a !== b],
  ['<', (a, b) => a < b],
  ['<=', (a, b) => a <= b],
  ['>', (a, b) => a > b],
  ['>=', (a, b) => a >= b],
]);

interface Token {
  readonly kind: 'sign' | 'word' | 'end';
  readonly text: string;
  /** Column of its first character, from 1. */
  readonly at: number;
}

const TOKEN =
  /\s*(?:(?<sign>\|\||&&|[<>!=]=|[=<>!()])|"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<word>[^\s|&=<>!()"']+))/y;

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const from = TOKEN.lastIndex;
    const groups = TOKEN.exec(text)?.groups;
    const at = from + 1 + (text.slice(from).length - text.slice(from).trimStart().length);
    if (groups === undefined)
      throw new InputError(`where:${String(at)}`, 'a name, a value or a sign', `"${text.slice(at - 1, at)}"`);
    const { sign, double, single, word } = groups;
    tokens.push({ kind: sign === undefined ? 'word' : 'sign', text: sign ?? double ?? single ?? word ?? '', at });
  }
  return [...tokens, { kind: 'end', text: '', at: end + 1 }];
}

class Reader {
  readonly #tokens: readonly Token[];
  readonly #vocabulary: Vocabulary;
  #next = 0;

  constructor(text: string, vocabulary: Vocabulary) {
    this.#tokens = tokensOf(text);
    this.#vocabulary = vocabulary;
  }

  read(): BattleCondition {
    const condition = this.#any();
    if (this.#token.kind !== 'end') this.#refuse('&&, || or the end');
    return condition;
  }

  get #token(): Token {
    return this.#tokens[this.#next] ?? { kind: 'end', text: '', at: 0 };
  }

  #takes(sign: string): boolean {
    const taken = this.#token.kind === 'sign' && this.#token.text === sign;
    if (taken) this.#next++;
    return taken;
  }

  #any(): BattleCondition {
    const options = [this.#all()];
    while (this.#takes('||')) options.push(this.#all());
    return (battle) => options.some((option) => option(battle));
  }

  #all(): BattleCondition {
    const parts = [this.#one()];
    while (this.#takes('&&')) parts.push(this.#one());
    return (battle) => parts.every((part) => part(battle));
  }

  #one(): BattleCondition {
    if (this.#takes('!')) {
      const negated = this.#one();
      return (battle) => !negated(battle);
    }
    if (!this.#takes('(')) return this.#comparison();
    const inner = this.#any();
    if (!this.#takes(')')) this.#refuse(')');
    return inner;
  }

  #comparison(): BattleCondition {
    const { metrics } = this.#vocabulary;
    const name = this.#word(`outcome or a metric (${metrics.map((metric) => metric.name).join(', ')})`);
    if (OUTCOME.includes(name.text)) return this.#outcome();
    const m = metrics.findIndex((metric) => metric.name === name.text);
    if (m < 0) this.#refuse(`outcome or one of the metrics ${metrics.map((metric) => metric.name).join(', ')}`, name);
    return this.#metric(m, metrics[m]?.unit ?? 1);
  }

  #outcome(): BattleCondition {
    const { outcomes } = this.#vocabulary;
    const wanted = this.#takes('!=') ? false : this.#takes('=') || this.#takes('==') || this.#refuse('= or !=');
    const value = this.#word(`one of ${outcomes.join(', ')}`);
    const index = outcomes.indexOf(value.text);
    if (index < 0) this.#refuse(`one of ${outcomes.join(', ')}`, value);
    return ({ outcome }) => (outcome === index) === wanted;
  }

  #metric(m: number, unit: number): BattleCondition {
    const sign = this.#token;
    const compare = COMPARE.get(sign.text);
    if (sign.kind !== 'sign' || compare === undefined) this.#refuse(`one of ${[...COMPARE.keys()].join(' ')}`);
    this.#next++;
    const value = this.#word('a number');
    const bound = readAmount(value.text)?.value;
    if (bound === undefined) throw new InputError(`where:${String(value.at)}`, 'a number', foundNumeral(value.text));
    return ({ metrics }) => compare((metrics[m] ?? 0) * unit, bound);
  }

  #word(expected: string): Token {
    const token = this.#token;
    if (token.kind !== 'word') this.#refuse(expected);
    this.#next++;
    return token;
  }

  #refuse(expected: string, token: Token = this.#token): never {
    const found = token.kind === 'end' ? 'the end' : `"${token.text}"`;
    throw new InputError(`where:${String(token.at)}`, expected, found);
  }
}

/**
 * Reads a condition.
 * @throws InputError with the column, what was expected there and what was found
 */
export function parseWhere(text: string, vocabulary: Vocabulary): BattleCondition {
  // A reader goes down a level with each parenthesis; a sweep's conditions have the same bound.
  if (text.length > LENGTH_MAX)
    throw new InputError('where', `a condition of at most ${String(LENGTH_MAX)} characters`, String(text.length));
  return new Reader(text, vocabulary).read();
}

// Finds battles of a run by how they ended.

/** What `find` is asked with. */
export const FIND = {
  /** How many battles to find; 5 unless said otherwise. */
  limit: { ...count(1, 1_000_000, 'how many battles to find'), default: 5 },
  /** How many to look at; 1 000 000 unless said otherwise. */
  battles: MANY,
  ...PLACE,
} as const satisfies Settings;

/** Which battles `find` looks for, and where. */
export interface FindOptions extends Asked<typeof FIND> {
  /** The condition, as `parseWhere` reads it: `winner=defender && rounds>12`; of several all must hold. */
  readonly where: string | readonly string[];
  /** Ends the search early; what was found is returned. */
  readonly signal?: AbortSignal;
  /** Called about ten times a second with the battles that were looked at. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

const checkOptions = optionsOf<FindOptions>('find', {
  where: {
    required: true,
    check: (given: string | readonly string[], place: string) => checkTexts([given].flat(), place),
  },
  ...FIND,
  signal: true,
  onProgress: true,
});

/** A battle that was found. */
export interface Found extends Ending {
  /** The battle's index, for `replay`. */
  readonly battle: number;
}

/** What `find` found. */
export interface Search {
  /** In ascending order of their indices. */
  readonly found: readonly Found[];
  /** Battles that were looked at, from the first on. */
  readonly looked: number;
  /** False if a signal ended the search. */
  readonly complete: boolean;
}

/**
 * Looks at battles in order until enough of them meet the condition.
 * @throws InputError if the condition cannot be read or an option is out of range
 * @throws RunError if the kernel is not built
 */
export async function find(scenario: Scenario, options: FindOptions): Promise<Search> {
  checkOptions(options);
  const { seed, from: first, battles } = stretchOf(options);
  checkStart(options.signal);
  const limit = parseCount(options.limit ?? FIND.limit.default, 'limit', 1);
  const model = opened(scenario).model;
  const conditions = [options.where].flat().map((where) => parseWhere(where, model));
  const play = await openPlay(scenario, battles, options.signal);
  const found: Found[] = [];
  const look = (battle: number): boolean => {
    const result = play(seed, battle);
    if (conditions.every((meets) => meets(result))) found.push({ battle, ...endingOf(model, result) });
    return found.length < limit;
  };
  const looked = await lookAt(first, battles, options.signal, look, options.onProgress);
  return { found, looked, complete: looked === battles || found.length === limit };
}
