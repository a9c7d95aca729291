/** The best mixtures of cards, and of air tokens when the cards are seen; what a scenario's own mixtures give away. */

import { asJson, headOf, scenarioHash } from '../answers/index.ts';
import {
  BudgetError,
  grouped,
  InputError,
  optionsOf,
  PAYOFF_BUDGET,
  PAYOFF_BUDGET_MAX,
  parseCount,
} from '../core/index.ts';
import { offload, WATCH, type WatchOptions } from '../engines/index.ts';
import {
  type Arsenal,
  type CardGames,
  opened,
  PAYOFFS,
  type Payoff,
  type Scenario,
  type Side,
} from '../rules/index.ts';
import { type Games, type TwoStep, type TwoStepPlan, type TwoStepPlayer, twoStep } from './matrix-game.ts';

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
  readonly bestAnswer: number;
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
  readonly bestAnswer: number;
}

/** The game of air tokens when two cards are seen. */
export interface TokenGame {
  /** What the attacker can expect if both play their tokens well, and if both play them by their policies. */
  readonly value: number;
  readonly given: number;
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

const checkPolicies = optionsOf<CardPolicies>('policies', { attacker: true, defender: true });

/** What was found. */
export interface SolvedCards {
  readonly scenario: Scenario;
  readonly scenarioHash: string;
  readonly payoff: Payoff;
  /** What the attacker can expect if both play well. */
  readonly value: number;
  /** What it can expect if both play by their policies. */
  readonly given: number;
  readonly attacker: CardSide;
  readonly defender: CardSide;
  /** matrix[a][d]: what the attacker expects of card a against d if both then play their tokens well. */
  readonly matrix: readonly (readonly number[])[];
  /** pairs[a][d]: the game of air tokens when these cards are seen. */
  readonly pairs: readonly (readonly TokenGame[])[];
  /** By how much best answers in both steps beat the equilibrium, both sides together: 0 but for rounding. */
  readonly gap: number;
  readonly elapsedSeconds: number;
}

/** A solution as JSON: what `warpool solve-cards --json` prints. */
export function cardsJson({ scenario, scenarioHash: hash, ...found }: SolvedCards) {
  return { ...headOf(scenario, hash), ...found };
}

/** What `warpool solve-cards --json` prints. */
export type CardsJson = ReturnType<typeof cardsJson>;

/** Equilibrium of secret cards and air tokens. */
export interface CardsSolution extends SolvedCards {
  /** For `JSON.stringify`: the scenario by its name and hash. See docs/reference/json.md. */
  toJSON(): CardsJson;
}

function checkSize(games: CardGames, scenario: Scenario, budget: number): void {
  const [attacker, defender] = [games.sizeOf(scenario, 'attacker'), games.sizeOf(scenario, 'defender')];
  for (const [side, { sets }] of Object.entries({ attacker, defender })) {
    if (sets <= SETS_MAX) continue;
    throw new BudgetError(
      `the ${side} has ${grouped(sets)} sets of air tokens; the game is solved for at most ${grouped(SETS_MAX)}`,
    );
  }
  const cells = attacker.cards * defender.cards * attacker.sets * defender.sets;
  if (cells <= budget) return;
  throw new BudgetError(
    `${grouped(attacker.cards)} x ${grouped(defender.cards)} pairs of cards with ` +
      `${grouped(attacker.sets)} x ${grouped(defender.sets)} pairs of sets of air tokens each have ` +
      `${grouped(cells)} payoffs; the game is solved for at most ${grouped(budget)}`,
    { suggested: cells <= PAYOFF_BUDGET_MAX ? cells : undefined },
  );
}

const indexOfMost = (values: readonly number[]): number => values.indexOf(Math.max(...values));

function sideOf({ cards, sets }: Arsenal, player: TwoStepPlayer): CardSide {
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
    bestAnswer: indexOfMost(againstPolicy.firsts),
  };
}

/** @param value of the pair to the side */
function tokenSideOf(player: TwoStepPlayer, own: number, enemy: number, value: number): TokenSide {
  const { policy, equilibrium, againstEquilibrium, againstPolicy, answers } = player;
  const worths = againstPolicy.seconds[own]?.[enemy] ?? [];
  return {
    equilibrium: equilibrium.second(own, enemy),
    policy: policy.second(own, enemy),
    againstEquilibrium: againstEquilibrium.seconds[own]?.[enemy] ?? [],
    againstPolicy: worths,
    exploitability: Math.max(0, value + Math.max(...(answers.seconds[enemy]?.[own] ?? []))),
    bestAnswer: indexOfMost(worths),
  };
}

const weighted = (values: readonly number[], shares: readonly number[]): number =>
  values.reduce((sum, value, v) => sum + value * (shares[v] ?? 0), 0);

function pairsOf(games: Games, { rows, columns, matrix }: TwoStep): TokenGame[][] {
  return games.map((row, a) =>
    row.map((game, d) => {
      const value = matrix[a]?.[d] ?? 0;
      const attacker = tokenSideOf(rows, a, d, value);
      const defender = tokenSideOf(columns, d, a, 0 - value);
      return {
        value,
        given: weighted(attacker.againstPolicy, attacker.policy),
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
function planOf(side: Side, own: Arsenal, enemy: Arsenal, given: CardPolicy = {}): TwoStepPlan {
  const place = `policies.${side}`;
  optionsOf<CardPolicy>(place, { cards: true, tokens: true })(given);
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
function cardsOf(scenario: Scenario): CardGames {
  const { system, registry } = opened(scenario);
  if (system.cards !== undefined) return system.cards;
  const able = registry.all.filter(({ cards }) => cards !== undefined).map(({ id }) => id);
  throw new InputError('system', able.join(' or '), `"${system.id}"`);
}

/** Options of `solveCardsSync`. */
export interface SolveCardsSyncOptions {
  /** The attacker's aim: victory (1 or 0; default), hit points left less the defender's, or the area (1 or 0). */
  readonly payoff?: Payoff | undefined;
  /** Policies of the sides, instead of the scenario's weights; the result says what they give away. */
  readonly policies?: CardPolicies | undefined;
  /** Payoffs that may be computed, 1..2^25; 2^20 by default. */
  readonly budget?: number | undefined;
}

/** Options of `solveCards`. */
export interface SolveCardsOptions extends SolveCardsSyncOptions, WatchOptions {}

const OPTIONS = { payoff: true, policies: true, budget: true } as const;
const checkSyncOptions = optionsOf<SolveCardsSyncOptions>('solveCardsSync', OPTIONS);
const checkOptions = optionsOf<SolveCardsOptions>('solveCards', { ...OPTIONS, ...WATCH });

/** Options with their defaults, and the cards that they are for. @throws InputError, BudgetError */
function readOptions(scenario: Scenario, options: SolveCardsSyncOptions) {
  const { payoff = 'win', policies = {}, budget = PAYOFF_BUDGET } = options;
  checkPolicies(policies);
  const cards = cardsOf(scenario);
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
export async function solveCards(scenario: Scenario, options: SolveCardsOptions = {}): Promise<CardsSolution> {
  checkOptions(options);
  const { signal, onProgress, ...asked } = options;
  readOptions(scenario, asked);
  const watch = { signal, onProgress };
  const solved = await offload(
    'solveCards',
    scenario,
    asked,
    watch,
    (): SolvedCards => solveCardsSync(scenario, asked),
  );
  return cardsSolution({ ...solved, scenario });
}

const cardsSolution = (solved: SolvedCards): CardsSolution => asJson(solved, () => cardsJson(solved));

/**
 * Solves as `solveCards` does, in the calling thread: it blocks the event loop until the result is there.
 * @throws InputError, BudgetError as `solveCards` does
 */
export function solveCardsSync(scenario: Scenario, options: SolveCardsSyncOptions = {}): CardsSolution {
  const began = performance.now();
  checkSyncOptions(options);
  const { cards, payoff, policies } = readOptions(scenario, options);
  const { attacker, defender, games } = cards.game(scenario, payoff);
  const solved = twoStep(
    games,
    planOf('attacker', attacker, defender, policies.attacker),
    planOf('defender', defender, attacker, policies.defender),
  );
  const { rows, columns, matrix, value, gap } = solved;
  const pairs = pairsOf(games, solved);
  const given = pairs.map((row) =>
    weighted(
      row.map((pair) => pair.given),
      columns.policy.first,
    ),
  );
  const solution: SolvedCards = {
    scenario,
    scenarioHash: scenarioHash(scenario),
    payoff,
    value,
    given: weighted(given, rows.policy.first),
    attacker: sideOf(attacker, rows),
    defender: sideOf(defender, columns),
    ...{ matrix, pairs, gap },
    elapsedSeconds: (performance.now() - began) / 1000,
  };
  return cardsSolution(solution);
}
