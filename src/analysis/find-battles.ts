/**
 * Finds battles by conditions on their results: `winner=defender && rounds>12`.
 *
 * A comparison has a name on its left, `outcome` (or `winner`) or a metric, and a value on its right. Outcomes are
 * compared by = and !=, metrics also by < <= > >=. Comparisons are combined by && || ! and parentheses. Names with
 * blanks or other signs need quotes: `"hp.Red Guard" >= 3`.
 */

import { createOptionsCheck, describeNumeral, findAmount, InputError, parseCount } from '../core/index.ts';
import { checkStart, PROGRESS_OPTIONS, type Progress } from '../engines/index.ts';
import { type BattleEnd, getBoundScenario, type Metric, type Scenario } from '../rules/index.ts';
import { checkTexts, count, type OptionSpecs, type RequestedOptions } from '../rules/option-spec.ts';
import { openBattleFunction, visitBattles } from './battle-function.ts';
import { ConditionReader, type ConditionToken, type Term } from './condition.ts';
import { type BattleResult, createBattleResult } from './replay.ts';
import { RUN_POSITION, resolveBattleSpan } from './run-options.ts';
import { BATTLE_COUNT } from './shared-options.ts';

/** Returns true for matching battles. */
export type BattleCondition = (battle: BattleEnd) => boolean;

/** Names that a condition can use. */
export interface ConditionNames {
  readonly outcomes: readonly string[];
  readonly metrics: readonly Metric[];
}

/** Maximum number of characters of a condition. */
const LENGTH_MAX = 2000;

const OUTCOME = ['outcome', 'winner'];

const COMPARISONS: ReadonlyMap<string, (a: number, b: number) => boolean> = new Map([
  ['=', (a, b) => a === b],
  ['==', (a, b) => a === b],
  ['!=', (a, b) => a !== b],
  ['<', (a, b) => a < b],
  ['<=', (a, b) => a <= b],
  ['>', (a, b) => a > b],
  ['>=', (a, b) => a >= b],
]);

const BATTLE_CONDITION_TOKEN =
  /(?<sign>\|\||&&|[<>!=]=|[=<>!()])|"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<word>[^\s|&=<>!()"']+)/y;

class BattleConditionParser extends ConditionReader<BattleEnd> {
  readonly #vocabulary: ConditionNames;

  constructor(text: string, vocabulary: ConditionNames) {
    super(text.trimEnd(), BATTLE_CONDITION_TOKEN, 'where');
    this.#vocabulary = vocabulary;
  }

  protected override part(): Term<BattleEnd> {
    return this.grouped(() => this.part()) ?? this.#parseComparison();
  }

  #parseComparison(): BattleCondition {
    const { metrics } = this.#vocabulary;
    const name = this.#parseWord(`outcome or a metric (${metrics.map((metric) => metric.name).join(', ')})`);
    if (OUTCOME.includes(name.text)) return this.#parseOutcome();
    const m = metrics.findIndex((metric) => metric.name === name.text);
    if (m < 0) this.reject(`outcome or one of the metrics ${metrics.map((metric) => metric.name).join(', ')}`, name);
    return this.#parseMetric(m, metrics[m]?.unit ?? 1);
  }

  #parseOutcome(): BattleCondition {
    const { outcomes } = this.#vocabulary;
    const sign = this.sign('!=', '=', '==') ?? this.reject('= or !=');
    const value = this.#parseWord(`one of ${outcomes.join(', ')}`);
    const index = outcomes.indexOf(value.text);
    if (index < 0) this.reject(`one of ${outcomes.join(', ')}`, value);
    return ({ outcome }) => (outcome === index) === (sign !== '!=');
  }

  #parseMetric(m: number, unit: number): BattleCondition {
    const signs = [...COMPARISONS.keys()];
    const compare = COMPARISONS.get(this.sign(...signs) ?? '') ?? this.reject(`one of ${signs.join(' ')}`);
    const value = this.#parseWord('a number');
    const bound = findAmount(value.text)?.value;
    if (bound === undefined) throw this.error('a number', describeNumeral(value.text), value.at);
    return ({ metrics }) => compare((metrics[m] ?? 0) * unit, bound);
  }

  #parseWord(expected: string): ConditionToken {
    return ['sign', 'end'].includes(this.token.kind) ? this.reject(expected) : this.skip();
  }
}

/**
 * Parses a condition.
 * @throws InputError with the column, the expected and the found token
 */
export function parseBattleCondition(text: string, vocabulary: ConditionNames): BattleCondition {
  // The parser recurses at each parenthesis; conditions of sweeps have the same limit.
  if (text.length > LENGTH_MAX)
    throw new InputError('where', `a condition of at most ${String(LENGTH_MAX)} characters`, String(text.length));
  return new BattleConditionParser(text, vocabulary).read('&&, || or the end');
}

// Finds battles of a run by their results.

/** Options of `findBattles`. */
export const FIND = {
  /** Number of battles to find; default 5. */
  limit: { ...count(1, 1_000_000, 'number of battles to find'), default: 5 },
  /** Number of battles to search; default 1 000 000. */
  battles: BATTLE_COUNT,
  ...RUN_POSITION,
} as const satisfies OptionSpecs;

/** Options of `findBattles`, with the condition. */
export interface FindOptions extends RequestedOptions<typeof FIND> {
  /** Condition such as `winner=defender && rounds>12`; battles must match all conditions of a list. */
  readonly where: string | readonly string[];
  /** Stops the search; the matches so far are returned. */
  readonly signal?: AbortSignal;
  /** Called about ten times a second with the number of searched battles. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

const checkOptions = createOptionsCheck<FindOptions>('findBattles', {
  where: {
    required: true,
    check: (given: string | readonly string[], place: string) => checkTexts([given].flat(), place),
  },
  ...FIND,
  ...PROGRESS_OPTIONS,
});

/** A matching battle. */
export interface BattleMatch extends BattleResult {
  /** Index of the battle, for `replay`. */
  readonly battle: number;
}

/** Result of `findBattles`. */
export interface FindResult {
  /** Matches in ascending order of their indices. */
  readonly matches: readonly BattleMatch[];
  /** Number of searched battles, from the first on. */
  readonly examined: number;
  /** False if the signal stopped the search. */
  readonly complete: boolean;
}

/**
 * Searches battles in order until enough of them match the condition.
 * @throws InputError if the condition is invalid or an option is out of range
 * @throws RunError if the kernel is not built
 */
export async function findBattles(scenario: Scenario, options: FindOptions): Promise<FindResult> {
  checkOptions(options);
  const { seed, from: first, battles } = resolveBattleSpan(options);
  checkStart(options.signal);
  const limit = parseCount(options.limit ?? FIND.limit.default, 'limit', 1);
  const model = getBoundScenario(scenario).model;
  const conditions = [options.where].flat().map((where) => parseBattleCondition(where, model));
  const play = await openBattleFunction(scenario, battles, options.signal);
  const found: BattleMatch[] = [];
  const matchesBattle = (battle: number): boolean => {
    const result = play(seed, battle);
    if (conditions.every((meets) => meets(result))) found.push({ battle, ...createBattleResult(model, result) });
    return found.length < limit;
  };
  const examined = await visitBattles(first, battles, options.signal, matchesBattle, options.onProgress);
  return { matches: found, examined, complete: examined === battles || found.length === limit };
}
