/** The best mixtures of cards, and of air tokens when the cards are seen; what a scenario's own mixtures give away. */
import { BudgetError, InputError } from './errors.ts';
import { type Games, type Plan, type Player, type TwoStep, twoStep } from './exact/two-step.ts';
import { scenarioHash } from './stats/digest.ts';
import { type Arsenal, cardGame, sizeOf, type TokenSet } from './systems/strength-cards/game.ts';
import { strengthCards } from './systems/strength-cards/index.ts';
import { PAYOFFS, type Payoff } from './systems/strength-cards/payoff.ts';
import type { StrengthCards } from './systems/strength-cards/schema.ts';
import type { Scenario } from './systems/system.ts';

export type { TokenSet } from './systems/strength-cards/game.ts';
export { PAYOFFS, type Payoff } from './systems/strength-cards/payoff.ts';

/** As many sets of air tokens as a side can have. */
const SETS_MAX = 256;

/** Payoffs of all pairs of cards and sets of tokens. */
const CELLS_MAX = 2 ** 20;

export interface CardChoice {
  /** The name of the card; `none` if none is played. */
  readonly card: string;
  /** Probability in the equilibrium. */
  readonly equilibrium: number;
  /** Probability by the scenario's weights. */
  readonly policy: number;
  /**
   * What the card is worth to its side against the enemy's equilibrium, and against the enemy's policy; in both cases
   * with the best tokens when the cards are seen.
   */
  readonly againstEquilibrium: number;
  readonly againstPolicy: number;
}

export interface CardSide {
  readonly cards: readonly CardChoice[];
  /** The sets of air tokens that can be played; of one set, the empty one, where there are no tokens. */
  readonly sets: readonly TokenSet[];
  /** What the side's policy can lose, below the value of the game, to an enemy who knows it; 0 for a perfect one. */
  readonly exploitability: number;
  /** The part of it that is lost by the cards: what it would be if tokens were then played by the equilibrium. */
  readonly exploitabilityOfCards: number;
  /** The index of the best card against the enemy's policy. */
  readonly bestAnswer: number;
}

/** A side's tokens when two cards are seen. Lists go by `sets` of the side. */
export interface TokenSide {
  /** Probability of each set in the equilibrium. */
  readonly equilibrium: readonly number[];
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

export interface CardsSolution {
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

function checkSize(scenario: StrengthCards): void {
  const number = (value: number): string => value.toLocaleString('en');
  const [attacker, defender] = [sizeOf(scenario, 'attacker'), sizeOf(scenario, 'defender')];
  for (const [side, { sets }] of Object.entries({ attacker, defender })) {
    if (sets <= SETS_MAX) continue;
    throw new BudgetError(
      `the ${side} has ${number(sets)} sets of air tokens; the game is solved for at most ${number(SETS_MAX)}`,
    );
  }
  const cells = attacker.cards * defender.cards * attacker.sets * defender.sets;
  if (cells <= CELLS_MAX) return;
  throw new BudgetError(
    `${number(attacker.cards)} x ${number(defender.cards)} pairs of cards with ` +
      `${number(attacker.sets)} x ${number(defender.sets)} pairs of sets of air tokens each have ` +
      `${number(cells)} payoffs; the game is solved for at most ${number(CELLS_MAX)}`,
  );
}

const indexOfMost = (values: readonly number[]): number => values.indexOf(Math.max(...values));

function sideOf({ cards, sets }: Arsenal, player: Player): CardSide {
  const { equilibrium, value, againstEquilibrium, againstPolicy, answers, answersToFirst } = player;
  return {
    cards: cards.map(({ name, policy }, c) => ({
      card: name,
      equilibrium: equilibrium.first[c] ?? 0,
      policy,
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
function tokenSideOf(player: Player, own: number, enemy: number, value: number): TokenSide {
  const { equilibrium, againstEquilibrium, againstPolicy, answers } = player;
  const worths = againstPolicy.seconds[own]?.[enemy] ?? [];
  return {
    equilibrium: equilibrium.second(own, enemy),
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
        given: weighted(attacker.againstPolicy, rows.policy.second(a, d)),
        attacker,
        defender,
        matrix: game,
      };
    }),
  );
}

/** Weights: the same tokens whatever the cards. */
function policyOf({ cards, sets }: Arsenal): Plan {
  const tokens = sets.map(({ policy }) => policy);
  return { first: cards.map(({ policy }) => policy), second: () => tokens };
}

/**
 * Solves the game of cards and air tokens of a scenario with both hands known: zero-sum, a card each at once, then
 * tokens at once when both cards are seen; payoffs are exact expectations over the dice.
 * @param scenario of the system strength-cards
 * @param payoff   what the attacker wants: to win (1 or 0), hit points left less the defender's, or the area (1 or 0)
 * @throws InputError if the scenario is of another system, or there is no such payoff
 * @throws BudgetError if a side has more than 256 sets of tokens, or there are more than 1 048 576 payoffs; the message
 *                     names how many
 */
export function solveCards(scenario: Scenario, payoff: Payoff = 'win'): CardsSolution {
  const began = performance.now();
  const { id, schema } = strengthCards;
  if (scenario.system !== id) throw new InputError('system', id, `"${scenario.system}"`);
  if (!PAYOFFS.includes(payoff))
    throw new InputError('payoff', `one of ${PAYOFFS.join(', ')}`, `"${payoff as string}"`);
  const complete = schema.parse(scenario);
  checkSize(complete);
  const { attacker, defender, games } = cardGame(complete, payoff);
  const solved = twoStep(games, policyOf(attacker), policyOf(defender));
  const { rows, columns, matrix, value, gap } = solved;
  const pairs = pairsOf(games, solved);
  const given = pairs.map((row) =>
    weighted(
      row.map((pair) => pair.given),
      columns.policy.first,
    ),
  );
  return {
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
}
