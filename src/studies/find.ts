/**
 * Conditions on how a battle ended: `winner=defender && rounds>12`.
 *
 * A comparison has a name on its left, `outcome` (or `winner`) or a metric, and a value on its right. Outcomes
 * are compared by = and !=, metrics also by < <= > >=. Comparisons are combined by && || ! and parentheses.
 * Names with blanks or other signs stand in quotes: `"hp.Red Guard" >= 3`.
 */

import { foundNumeral, InputError, optionsOf, parseCount, readAmount } from '../core/index.ts';
import { checkStart, type Progress, WATCH } from '../engines/index.ts';
import { type BattleResult, type Metric, opened, type Scenario } from '../rules/index.ts';
import { type Asked, checkTexts, count, type Settings } from '../rules/setting.ts';
import { PLACE, stretchOf } from './asked.ts';
import { ConditionReader, type ConditionToken, type Term } from './condition.ts';
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

const TOKEN = /(?<sign>\|\||&&|[<>!=]=|[=<>!()])|"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<word>[^\s|&=<>!()"']+)/y;

class Reader extends ConditionReader<BattleResult> {
  readonly #vocabulary: Vocabulary;

  constructor(text: string, vocabulary: Vocabulary) {
    super(text.trimEnd(), TOKEN, 'where');
    this.#vocabulary = vocabulary;
  }

  protected override part(): Term<BattleResult> {
    return this.grouped(() => this.part()) ?? this.#comparison();
  }

  #comparison(): BattleCondition {
    const { metrics } = this.#vocabulary;
    const name = this.#word(`outcome or a metric (${metrics.map((metric) => metric.name).join(', ')})`);
    if (OUTCOME.includes(name.text)) return this.#outcome();
    const m = metrics.findIndex((metric) => metric.name === name.text);
    if (m < 0) this.refuse(`outcome or one of the metrics ${metrics.map((metric) => metric.name).join(', ')}`, name);
    return this.#metric(m, metrics[m]?.unit ?? 1);
  }

  #outcome(): BattleCondition {
    const { outcomes } = this.#vocabulary;
    const sign = this.sign('!=', '=', '==') ?? this.refuse('= or !=');
    const value = this.#word(`one of ${outcomes.join(', ')}`);
    const index = outcomes.indexOf(value.text);
    if (index < 0) this.refuse(`one of ${outcomes.join(', ')}`, value);
    return ({ outcome }) => (outcome === index) === (sign !== '!=');
  }

  #metric(m: number, unit: number): BattleCondition {
    const signs = [...COMPARE.keys()];
    const compare = COMPARE.get(this.sign(...signs) ?? '') ?? this.refuse(`one of ${signs.join(' ')}`);
    const value = this.#word('a number');
    const bound = readAmount(value.text)?.value;
    if (bound === undefined) throw this.error('a number', foundNumeral(value.text), value.at);
    return ({ metrics }) => compare((metrics[m] ?? 0) * unit, bound);
  }

  #word(expected: string): ConditionToken {
    return ['sign', 'end'].includes(this.token.kind) ? this.refuse(expected) : this.skip();
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
  return new Reader(text, vocabulary).read('&&, || or the end');
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
  ...WATCH,
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
