/**
 * Finds equilibrium mixtures of cards, and of air tokens after the cards are revealed, and the exploitability of the
 * policies of a scenario.
 */

import {
  BudgetError,
  createOptionsCheck,
  formatGrouped,
  InputError,
  PAYOFF_BUDGET,
  PAYOFF_BUDGET_MAX,
  parseCount,
} from '../core/index.ts';
import { offload, PROGRESS_OPTIONS, type ProgressOptions } from '../engines/index.ts';
import {
  type Arsenal,
  type CardGameProvider,
  getBoundScenario,
  PAYOFFS,
  type Payoff,
  type Scenario,
  type Side,
} from '../rules/index.ts';
import { createResultHeader, hashScenario, withToJson } from '../stats/index.ts';
import {
  type MatrixGames,
  solveTwoStageGame,
  type TwoStagePlayer,
  type TwoStageSolution,
  type TwoStageStrategy,
} from './matrix-game.ts';

/** Maximum number of sets of air tokens of a side. */
const SETS_MAX = 256;

/** One card of a side. */
export interface CardChoice {
  /** Name of the card; `none` for no card. */
  readonly card: string;
  /** Probability in the equilibrium. */
  readonly equilibrium: number;
  /** Probability by the policy: from the weights of the scenario, or as given. */
  readonly policy: number;
  /**
   * Expected payoff of the card for its side against the equilibrium and against the policy of the enemy; in both cases
   * with optimal tokens after the cards are revealed.
   */
  readonly againstEquilibrium: number;
  readonly againstPolicy: number;
}

/** Choices of a side, and the exploitability of its policy. */
export interface CardSide {
  /** Cards of the hand, and `none` if it can be chosen. */
  readonly cards: readonly CardChoice[];
  /** Sets of air tokens that can be used together, by name; the first one is empty. */
  readonly sets: readonly (readonly string[])[];
  /** Maximum loss of the policy, below the value of the game, to an enemy who knows it; 0 for an optimal one. */
  readonly exploitability: number;
  /** Part of the exploitability that is caused by the cards: with tokens of the equilibrium. */
  readonly exploitabilityOfCards: number;
  /** Index of the best card against the policy of the enemy. */
  readonly bestResponse: number;
}

/** Tokens of a side for two revealed cards. Lists are in the order of `sets` of the side. */
export interface TokenSide {
  /** Probability of each set in the equilibrium. */
  readonly equilibrium: readonly number[];
  /** Probability of each set by the policy. */
  readonly policy: readonly number[];
  /** Expected payoff of each set for the side against the equilibrium and against the policy of the enemy. */
  readonly againstEquilibrium: readonly number[];
  readonly againstPolicy: readonly number[];
  /** Maximum loss of the policy for this pair, below its value. */
  readonly exploitability: number;
  /** Index of the best set against the policy of the enemy. */
  readonly bestResponse: number;
}

/** Game of air tokens for two revealed cards. */
export interface TokenGame {
  /** Expected payoff of the attacker if both sides are optimal, and if both follow their policies. */
  readonly value: number;
  readonly policyValue: number;
  readonly attacker: TokenSide;
  readonly defender: TokenSide;
  /** matrix[s][t]: expected payoff of the attacker for its set s against set t. */
  readonly matrix: readonly (readonly number[])[];
}

/** Policy of a side; default: the weights of the scenario. */
export interface CardPolicy {
  /** Probabilities of its cards, in the order of `cards` of the side. */
  readonly cards?: readonly number[];
  /** tokens[own][enemy]: probabilities of the sets, in the order of `sets`, for these two cards. */
  readonly tokens?: readonly (readonly (readonly number[])[])[];
}

/** Policies to evaluate. */
export type CardPolicies = Readonly<Partial<Record<Side, CardPolicy>>>;

const checkPolicies = createOptionsCheck<CardPolicies>('policies', { attacker: true, defender: true });

/** Solution of the game. */
export interface EquilibriumData {
  readonly scenario: Scenario;
  readonly scenarioHash: string;
  readonly payoff: Payoff;
  /** Expected payoff of the attacker if both sides are optimal. */
  readonly value: number;
  /** Expected payoff of the attacker if both sides follow their policies. */
  readonly policyValue: number;
  readonly attacker: CardSide;
  readonly defender: CardSide;
  /** matrix[a][d]: expected payoff of the attacker for card a against card d, with optimal tokens. */
  readonly matrix: readonly (readonly number[])[];
  /** pairs[a][d]: game of air tokens for these cards. */
  readonly pairs: readonly (readonly TokenGame[])[];
  /** Sum of the gains of best responses over the equilibrium: 0 up to rounding. */
  readonly error: number;
  readonly elapsedSeconds: number;
}

/** Converts a solution to JSON, the output of `warpool equilibrium --json`. */
export function toEquilibriumJson({ scenario, scenarioHash: hash, ...found }: EquilibriumData) {
  return { ...createResultHeader(scenario, hash), ...found };
}

/** JSON output of `warpool equilibrium --json`. */
export type EquilibriumJson = ReturnType<typeof toEquilibriumJson>;

/** Equilibrium of secret cards and air tokens. */
export interface Equilibrium extends EquilibriumData {
  /** Converts the result for `JSON.stringify`: the scenario by name and hash. See docs/reference/json.md. */
  toJSON(): EquilibriumJson;
}

function checkSize(games: CardGameProvider, scenario: Scenario, budget: number): void {
  const [attacker, defender] = [games.sizeOf(scenario, 'attacker'), games.sizeOf(scenario, 'defender')];
  for (const [side, { sets }] of Object.entries({ attacker, defender })) {
    if (sets <= SETS_MAX) continue;
    throw new BudgetError(
      `the ${side} has ${formatGrouped(sets)} sets of air tokens; the game is solved for at most ${formatGrouped(SETS_MAX)}`,
    );
  }
  const cells = attacker.cards * defender.cards * attacker.sets * defender.sets;
  if (cells <= budget) return;
  throw new BudgetError(
    `${formatGrouped(attacker.cards)} x ${formatGrouped(defender.cards)} pairs of cards with ` +
      `${formatGrouped(attacker.sets)} x ${formatGrouped(defender.sets)} pairs of sets of air tokens each have ` +
      `${formatGrouped(cells)} payoffs; the game is solved for at most ${formatGrouped(budget)}`,
    { suggested: cells <= PAYOFF_BUDGET_MAX ? cells : undefined },
  );
}

const findMaxIndex = (values: readonly number[]): number => values.indexOf(Math.max(...values));

function createCardSide({ cards, sets }: Arsenal, player: TwoStagePlayer): CardSide {
  const { policy, equilibrium, value, againstEquilibrium, againstPolicy, answers, answersToFirst } = player;
  return {
    cards: cards.map((card, c) => ({
      card,
      equilibrium: equilibrium.first[c] ?? 0,
      policy: policy.first[c] ?? 0,
      againstEquilibrium: againstEquilibrium.firsts[c] ?? 0,
      againstPolicy: againstPolicy.firsts[c] ?? 0,
    })),
    sets,
    exploitability: Math.max(0, value + answers.best),
    exploitabilityOfCards: Math.max(0, value + answersToFirst.best),
    bestResponse: findMaxIndex(againstPolicy.firsts),
  };
}

/** @param value of the pair to the side */
function createTokenSide(player: TwoStagePlayer, own: number, enemy: number, value: number): TokenSide {
  const { policy, equilibrium, againstEquilibrium, againstPolicy, answers } = player;
  const worths = againstPolicy.seconds[own]?.[enemy] ?? [];
  return {
    equilibrium: equilibrium.second(own, enemy),
    policy: policy.second(own, enemy),
    againstEquilibrium: againstEquilibrium.seconds[own]?.[enemy] ?? [],
    againstPolicy: worths,
    exploitability: Math.max(0, value + Math.max(...(answers.seconds[enemy]?.[own] ?? []))),
    bestResponse: findMaxIndex(worths),
  };
}

const computeWeightedSum = (values: readonly number[], shares: readonly number[]): number =>
  values.reduce((sum, value, v) => sum + value * (shares[v] ?? 0), 0);

function createTokenGames(games: MatrixGames, { rows, columns, matrix }: TwoStageSolution): TokenGame[][] {
  return games.map((row, a) =>
    row.map((game, d) => {
      const value = matrix[a]?.[d] ?? 0;
      const attacker = createTokenSide(rows, a, d, value);
      const defender = createTokenSide(columns, d, a, 0 - value);
      return {
        value,
        policyValue: computeWeightedSum(attacker.againstPolicy, attacker.policy),
        attacker,
        defender,
        matrix: game,
      };
    }),
  );
}

/** Checks the probabilities of a mixture. */
function checkMixture(mixture: readonly number[] | undefined, count: number, place: string): readonly number[] {
  const sum = mixture?.reduce((total, p) => total + p, 0) ?? 0;
  const fits = mixture?.length === count && mixture.every((p) => p >= 0) && Math.abs(sum - 1) < 1e-9;
  if (mixture !== undefined && fits) return mixture;
  const found = mixture === undefined ? 'none' : `[${mixture.join(', ')}]`;
  throw new InputError(place, count === 1 ? '[1]' : `${String(count)} probabilities whose sum is 1`, found);
}

/** Creates the strategy of a side; the default weights use the same tokens for all cards. */
function createStrategy(side: Side, own: Arsenal, enemy: Arsenal, given: CardPolicy = {}): TwoStageStrategy {
  const place = `policies.${side}`;
  createOptionsCheck<CardPolicy>(place, { cards: true, tokens: true })(given);
  const first = checkMixture(given.cards ?? own.cardWeights, own.cards.length, `${place}.cards`);
  const { tokens } = given;
  if (tokens === undefined) return { first, second: () => own.setWeights };
  const second = own.cards.map((_, a) =>
    enemy.cards.map((_card, d) =>
      checkMixture(tokens[a]?.[d], own.sets.length, `${place}.tokens[${String(a)}][${String(d)}]`),
    ),
  );
  return { first, second: (a, d) => second[a]?.[d] ?? [] };
}

/** Returns the card game of the system of a scenario. @throws InputError that lists the systems with card games */
function getCardGame(scenario: Scenario): CardGameProvider {
  const { system, registry } = getBoundScenario(scenario);
  if (system.cards !== undefined) return system.cards;
  const able = registry.all.filter(({ cards }) => cards !== undefined).map(({ id }) => id);
  throw new InputError('system', able.join(' or '), `"${system.id}"`);
}

/** Options of `findEquilibriumSync`. */
export interface EquilibriumSyncOptions {
  /** Payoff of the attacker: victory (1 or 0; default), difference of remaining hit points, or the area (1 or 0). */
  readonly payoff?: Payoff | undefined;
  /** Policies of the sides; default: the weights of the scenario. The result has their exploitability. */
  readonly policies?: CardPolicies | undefined;
  /** Maximum number of computed payoffs, 1..2^25; default 2^20. */
  readonly budget?: number | undefined;
}

/** Options of `findEquilibrium`. */
export interface EquilibriumOptions extends EquilibriumSyncOptions, ProgressOptions {}

const OPTIONS = { payoff: true, policies: true, budget: true } as const;
const checkSyncOptions = createOptionsCheck<EquilibriumSyncOptions>('findEquilibriumSync', OPTIONS);
const checkOptions = createOptionsCheck<EquilibriumOptions>('findEquilibrium', { ...OPTIONS, ...PROGRESS_OPTIONS });

/** Reads options with their defaults, and the card game of the scenario. @throws InputError, BudgetError */
function readOptions(scenario: Scenario, options: EquilibriumSyncOptions) {
  const { payoff = 'win', policies = {}, budget = PAYOFF_BUDGET } = options;
  checkPolicies(policies);
  const cards = getCardGame(scenario);
  if (!PAYOFFS.includes(payoff))
    throw new InputError('payoff', `one of ${PAYOFFS.join(', ')}`, `"${payoff as string}"`);
  checkSize(cards, scenario, parseCount(budget, 'budget', 1, PAYOFF_BUDGET_MAX));
  return { cards, payoff, policies };
}

/**
 * Solves the game of cards and air tokens of a scenario with both hands known: zero-sum, with simultaneous choices of a
 * card each, then of tokens after the cards are revealed; payoffs are exact expectations over the dice. Computes in a
 * worker thread.
 * @param scenario of a system with secret cards
 * @throws InputError if its system has no secret cards, an option is invalid, or a policy has invalid probabilities
 * @throws BudgetError if a side has more than 256 sets of tokens, or the number of payoffs exceeds the budget
 * @throws AbortError if the signal comes first
 */
export async function findEquilibrium(scenario: Scenario, options: EquilibriumOptions = {}): Promise<Equilibrium> {
  checkOptions(options);
  const { signal, onProgress, ...requested } = options;
  readOptions(scenario, requested);
  const watch = { signal, onProgress };
  const solved = await offload(
    'findEquilibrium',
    scenario,
    requested,
    watch,
    (): EquilibriumData => findEquilibriumSync(scenario, requested),
  );
  return createEquilibrium({ ...solved, scenario });
}

const createEquilibrium = (solved: EquilibriumData): Equilibrium => withToJson(solved, () => toEquilibriumJson(solved));

/**
 * Solves like `findEquilibrium` in the calling thread, which blocks the event loop.
 * @throws InputError, BudgetError as `findEquilibrium` does
 */
export function findEquilibriumSync(scenario: Scenario, options: EquilibriumSyncOptions = {}): Equilibrium {
  const began = performance.now();
  checkSyncOptions(options);
  const { cards, payoff, policies } = readOptions(scenario, options);
  const { attacker, defender, games } = cards.game(scenario, payoff);
  const solved = solveTwoStageGame(
    games,
    createStrategy('attacker', attacker, defender, policies.attacker),
    createStrategy('defender', defender, attacker, policies.defender),
  );
  const { rows, columns, matrix, value, gap } = solved;
  const pairs = createTokenGames(games, solved);
  const given = pairs.map((row) =>
    computeWeightedSum(
      row.map((pair) => pair.policyValue),
      columns.policy.first,
    ),
  );
  const solution: EquilibriumData = {
    scenario,
    scenarioHash: hashScenario(scenario),
    payoff,
    value,
    policyValue: computeWeightedSum(given, rows.policy.first),
    attacker: createCardSide(attacker, rows),
    defender: createCardSide(defender, columns),
    ...{ matrix, pairs, error: gap },
    elapsedSeconds: (performance.now() - began) / 1000,
  };
  return createEquilibrium(solution);
}
