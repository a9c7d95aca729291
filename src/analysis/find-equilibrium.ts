/** The best mixtures of cards, and of air tokens when the cards are seen; what a scenario's own mixtures give away. */

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

/** As many sets of air tokens as a side can have. */
const SETS_MAX = 256;

/** One card of a side. */
export interface CardChoice {
  /** The name of the card; `none` if none is played. */
  readonly card: string;
  /** Probability in the equilibrium. */
  readonly equilibrium: number;
  /** Probability by the policy: the scenario's weights, or what was given. */
  readonly policy: number;
  /**
   * What the card is worth to its side against the enemy's equilibrium, and against the enemy's policy; in both cases
   * with the best tokens when the cards are seen.
   */
  readonly againstEquilibrium: number;
  readonly againstPolicy: number;
}

/** What a side can play, and what its policy gives away. */
export interface CardSide {
  readonly cards: readonly CardChoice[];
  /** The air tokens that can be played together, by name; the first set is empty, the only one where there are none. */
  readonly sets: readonly (readonly string[])[];
  /** What the side's policy can lose, below the value of the game, to an enemy who knows it; 0 for a perfect one. */
  readonly exploitability: number;
  /** The part of it that is lost by the cards: what it would be if tokens were then played by the equilibrium. */
  readonly exploitabilityOfCards: number;
  /** The index of the best card against the enemy's policy. */
  readonly bestResponse: number;
}

/** A side's tokens when two cards are seen. Lists go by `sets` of the side. */
export interface TokenSide {
  /** Probability of each set in the equilibrium, and by the policy. */
  readonly equilibrium: readonly number[];
  readonly policy: readonly number[];
  /** What each set is worth to the side against the enemy's equilibrium, and against the enemy's policy. */
  readonly againstEquilibrium: readonly number[];
  readonly againstPolicy: readonly number[];
  /** What the side's policy can lose here, below the value of the pair. */
  readonly exploitability: number;
  /** The index of the best set against the enemy's policy. */
  readonly bestResponse: number;
}

/** The game of air tokens when two cards are seen. */
export interface TokenGame {
  /** What the attacker can expect if both play their tokens well, and if both play them by their policies. */
  readonly value: number;
  readonly policyValue: number;
  readonly attacker: TokenSide;
  readonly defender: TokenSide;
  /** matrix[s][t]: what the attacker expects of its set s against t. */
  readonly matrix: readonly (readonly number[])[];
}

/** What a side plays, beside the scenario: its weights go for what is left out. */
export interface CardPolicy {
  /** Probabilities of its cards, in the order of `cards` of the side. */
  readonly cards?: readonly number[];
  /** tokens[own][enemy]: probabilities of its sets, in the order of `sets`, when these two cards are seen. */
  readonly tokens?: readonly (readonly (readonly number[])[])[];
}

/** Policies to judge. */
export type CardPolicies = Readonly<Partial<Record<Side, CardPolicy>>>;

const checkPolicies = createOptionsCheck<CardPolicies>('policies', { attacker: true, defender: true });

/** What was found. */
export interface EquilibriumData {
  readonly scenario: Scenario;
  readonly scenarioHash: string;
  readonly payoff: Payoff;
  /** What the attacker can expect if both play well. */
  readonly value: number;
  /** What it can expect if both play by their policies. */
  readonly policyValue: number;
  readonly attacker: CardSide;
  readonly defender: CardSide;
  /** matrix[a][d]: what the attacker expects of card a against d if both then play their tokens well. */
  readonly matrix: readonly (readonly number[])[];
  /** pairs[a][d]: the game of air tokens when these cards are seen. */
  readonly pairs: readonly (readonly TokenGame[])[];
  /** By how much best answers in both steps beat the equilibrium, both sides together: 0 but for rounding. */
  readonly error: number;
  readonly elapsedSeconds: number;
}

/** A solution as JSON: what `warpool equilibrium --json` prints. */
export function toEquilibriumJson({ scenario, scenarioHash: hash, ...found }: EquilibriumData) {
  return { ...createResultHeader(scenario, hash), ...found };
}

/** What `warpool equilibrium --json` prints. */
export type EquilibriumJson = ReturnType<typeof toEquilibriumJson>;

/** Equilibrium of secret cards and air tokens. */
export interface Equilibrium extends EquilibriumData {
  /** For `JSON.stringify`: the scenario by its name and hash. See docs/reference/json.md. */
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

/** Refuses what is no mixture of so many choices. */
function checkMixture(mixture: readonly number[] | undefined, count: number, place: string): readonly number[] {
  const sum = mixture?.reduce((total, p) => total + p, 0) ?? 0;
  const fits = mixture?.length === count && mixture.every((p) => p >= 0) && Math.abs(sum - 1) < 1e-9;
  if (mixture !== undefined && fits) return mixture;
  const found = mixture === undefined ? 'none' : `[${mixture.join(', ')}]`;
  throw new InputError(place, count === 1 ? '[1]' : `${String(count)} probabilities whose sum is 1`, found);
}

/** What a side is said to play; its weights, which play the same tokens whatever the cards, where nothing is said. */
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

/** What the system of a scenario has of secret cards. @throws InputError that names the systems that have them */
function getCardGame(scenario: Scenario): CardGameProvider {
  const { system, registry } = getBoundScenario(scenario);
  if (system.cards !== undefined) return system.cards;
  const able = registry.all.filter(({ cards }) => cards !== undefined).map(({ id }) => id);
  throw new InputError('system', able.join(' or '), `"${system.id}"`);
}

/** Options of `findEquilibriumSync`. */
export interface EquilibriumSyncOptions {
  /** The attacker's aim: victory (1 or 0; default), hit points left less the defender's, or the area (1 or 0). */
  readonly payoff?: Payoff | undefined;
  /** Policies of the sides, instead of the scenario's weights; the result says what they give away. */
  readonly policies?: CardPolicies | undefined;
  /** Payoffs that may be computed, 1..2^25; 2^20 by default. */
  readonly budget?: number | undefined;
}

/** Options of `findEquilibrium`. */
export interface EquilibriumOptions extends EquilibriumSyncOptions, ProgressOptions {}

const OPTIONS = { payoff: true, policies: true, budget: true } as const;
const checkSyncOptions = createOptionsCheck<EquilibriumSyncOptions>('findEquilibriumSync', OPTIONS);
const checkOptions = createOptionsCheck<EquilibriumOptions>('findEquilibrium', { ...OPTIONS, ...PROGRESS_OPTIONS });

/** Options with their defaults, and the cards that they are for. @throws InputError, BudgetError */
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
 * Solves the game of cards and air tokens of a scenario with both hands known: zero-sum, a card each at once, then
 * tokens at once when both cards are seen; payoffs are exact expectations over the dice. It computes in a thread of the
 * process.
 * @param scenario of a system with secret cards
 * @throws InputError if its system has no secret cards, an option is wrong, or a policy has no probabilities
 * @throws BudgetError if a side has more than 256 sets of tokens, or there are more payoffs than the budget has; the
 *                     message names how many
 * @throws AbortError if the signal comes first
 */
export async function findEquilibrium(scenario: Scenario, options: EquilibriumOptions = {}): Promise<Equilibrium> {
  checkOptions(options);
  const { signal, onProgress, ...asked } = options;
  readOptions(scenario, asked);
  const watch = { signal, onProgress };
  const solved = await offload(
    'findEquilibrium',
    scenario,
    asked,
    watch,
    (): EquilibriumData => findEquilibriumSync(scenario, asked),
  );
  return createEquilibrium({ ...solved, scenario });
}

const createEquilibrium = (solved: EquilibriumData): Equilibrium => withToJson(solved, () => toEquilibriumJson(solved));

/**
 * Solves as `findEquilibrium` does, in the calling thread: it blocks the event loop until the result is there.
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
