/** The best mixtures of cards and air tokens, and what a scenario's own mixtures give away. */
import { BudgetError, InputError } from './errors.ts';
import { columnValues, equilibrium, rowValues } from './exact/matrix-game.ts';
import { scenarioHash } from './stats/digest.ts';
import { cardGame, type Strategy, strategiesOf } from './systems/strength-cards/game.ts';
import { strengthCards } from './systems/strength-cards/index.ts';
import { PAYOFFS, type Payoff } from './systems/strength-cards/payoff.ts';
import type { Scenario } from './systems/system.ts';

export { PAYOFFS, type Payoff } from './systems/strength-cards/payoff.ts';

/** As many strategies as a side can have: cards times sets of air tokens. */
const STRATEGIES_MAX = 256;

/** A card with a set of air tokens. */
export interface CardStrategy {
  /** The name of the card; `none` if none is played. */
  readonly card: string;
  /** The names of the air tokens that are played. */
  readonly tokens: readonly string[];
  /** Probability in the equilibrium. */
  readonly equilibrium: number;
  /** Probability by the scenario's weights. */
  readonly policy: number;
  /** What it is worth to its side against the enemy's equilibrium, and against the enemy's policy. */
  readonly againstEquilibrium: number;
  readonly againstPolicy: number;
}

export interface CardSide {
  readonly strategies: readonly CardStrategy[];
  /** What the side's policy can lose, below the value of the game, to an enemy who knows it; 0 for a perfect one. */
  readonly exploitability: number;
  /** The index of the best strategy against the enemy's policy. */
  readonly bestAnswer: number;
}

export interface CardsSolution {
  readonly scenario: Scenario;
  readonly scenarioHash: string;
  readonly payoff: Payoff;
  readonly attacker: CardSide;
  readonly defender: CardSide;
  /** matrix[a][d]: what the attacker expects of his strategy a against d. */
  readonly matrix: readonly (readonly number[])[];
  /** What the attacker can expect if both play well. */
  readonly value: number;
  /** What he can expect if both play by their policies. */
  readonly given: number;
  /** By how much best answers beat the equilibrium, both sides together; at most 1e-9 of the spread of payoffs. */
  readonly gap: number;
  readonly elapsedSeconds: number;
}

function sideOf(
  strategies: readonly Strategy[],
  mixture: readonly number[],
  againstEquilibrium: readonly number[],
  againstPolicy: readonly number[],
  exploitability: number,
): CardSide {
  return {
    strategies: strategies.map(({ cardName: card, tokens, policy }, s) => ({
      card,
      tokens,
      equilibrium: mixture[s] ?? 0,
      policy,
      againstEquilibrium: againstEquilibrium[s] ?? 0,
      againstPolicy: againstPolicy[s] ?? 0,
    })),
    exploitability: Math.max(0, exploitability),
    bestAnswer: againstPolicy.indexOf(Math.max(...againstPolicy)),
  };
}

const negated = (values: readonly number[]): number[] => values.map((value) => -value);

/**
 * Solves the game of cards and air tokens of a scenario with both hands known: zero-sum, simultaneous, its payoffs
 * exact expectations over the dice.
 * @param scenario of the system strength-cards
 * @param payoff   what the attacker wants: to win (1 or 0), hit points left less the defender's, or the area (1 or 0)
 * @throws InputError if the scenario is of another system, or there is no such payoff
 * @throws BudgetError if a side has more than 256 strategies; the message names how many
 */
export function solveCards(scenario: Scenario, payoff: Payoff = 'win'): CardsSolution {
  const began = performance.now();
  const { id, schema } = strengthCards;
  if (scenario.system !== id) throw new InputError('system', id, `"${scenario.system}"`);
  if (!PAYOFFS.includes(payoff))
    throw new InputError('payoff', `one of ${PAYOFFS.join(', ')}`, `"${payoff as string}"`);
  const complete = schema.parse(scenario);
  for (const side of ['attacker', 'defender'] as const) {
    const count = strategiesOf(complete, side);
    if (count <= STRATEGIES_MAX) continue;
    throw new BudgetError(
      `the ${side} has ${count.toLocaleString('en')} choices of a card and air tokens; ` +
        `the game is solved for at most ${String(STRATEGIES_MAX)}`,
    );
  }
  const { attacker, defender, matrix } = cardGame(complete, payoff);
  const { rows, columns, value, gap } = equilibrium(matrix);
  const policies = { attacker: attacker.map(({ policy }) => policy), defender: defender.map(({ policy }) => policy) };
  const toAttacker = rowValues(matrix, policies.defender);
  const toDefender = negated(columnValues(matrix, policies.attacker));
  return {
    scenario,
    scenarioHash: scenarioHash(scenario),
    payoff,
    attacker: sideOf(attacker, rows, rowValues(matrix, columns), toAttacker, value + Math.max(...toDefender)),
    defender: sideOf(
      defender,
      columns,
      negated(columnValues(matrix, rows)),
      toDefender,
      Math.max(...toAttacker) - value,
    ),
    matrix,
    value,
    given: toAttacker.reduce((sum, worth, a) => sum + worth * (policies.attacker[a] ?? 0), 0),
    gap,
    elapsedSeconds: (performance.now() - began) / 1000,
  };
}
