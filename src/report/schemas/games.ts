/** JSON of `best-response` and `equilibrium`. */
import { z } from 'zod';
import * as part from './common.ts';

const { about, byName, count, elapsedSeconds, head, number, share, text } = part;

const rewards = byName(
  z.strictObject({ outcomes: byName(z.number()).optional(), metrics: byName(z.number()).optional() }),
);

export const bestResponse = z.strictObject({
  ...head,
  agent: text('Name of the player.'),
  opponents: about(z.array(z.string()), 'Players that follow the policies of the scenario.'),
  reward: about(z.union([z.string(), rewards]), 'Reward of the player.'),
  decisions: about(z.array(z.string()), 'Decision points that are optimized.'),
  value: number('Expected reward of the best response to the policies of the opponents.'),
  policyValue: number('Expected reward of the policy of the scenario.'),
  error: number('Error bound of both values, without rounding errors.'),
  corrections: about(
    z.array(
      z.strictObject({
        decision: text('Name of the decision point.'),
        observation: about(byName(z.number()), 'Observation of the player, by feature.'),
        policy: about(byName(z.number()), 'Probabilities of the actions under the policy of the scenario.'),
        bestAction: text('Best action.'),
        visits: number('Expected number of visits per battle under the policies.'),
        loss: number('Loss of expected reward per visit.'),
      }),
    ),
    'States in which the policy is not optimal, the largest share of the difference first.',
  ),
  decisionStates: count('Number of positions in which the player decides.'),
  positions: count('Number of all positions.'),
  beliefs: count('Number of positions that consist of states which the player cannot distinguish.'),
  steps: count('Number of transitions before equal positions are merged.'),
  rounds: count('Number of rounds of backward induction.'),
  warning: text('Information that the best response uses although no feature shows it to the player.').optional(),
  outcomes: byName(
    z.strictObject({
      bestResponse: share('Probability under the best response.'),
      policy: share('Probability under the policy of the scenario.'),
    }),
  ),
  elapsedSeconds,
});

const list = z.array(z.number());
const matrix = z.array(list);

const cards = z.strictObject({
  cards: z.array(
    z.strictObject({
      card: text('Name of the card; "none" for no card.'),
      equilibrium: share('Probability in the equilibrium.'),
      policy: share('Probability under the policy.'),
      againstEquilibrium: number('Expected payoff against the equilibrium strategy of the enemy.'),
      againstPolicy: number('Expected payoff against the policy of the enemy.'),
    }),
  ),
  sets: about(z.array(z.array(z.string())), 'Sets of air tokens that can be used together.'),
  exploitability: number('Exploitability: loss of the policy against a best response.'),
  exploitabilityOfCards: number('Part of the exploitability that is due to the choice of cards.'),
  bestResponse: count('Index of the best card against the policy of the enemy.'),
});

const tokens = z.strictObject({
  equilibrium: list,
  policy: list,
  againstEquilibrium: list,
  againstPolicy: list,
  exploitability: z.number(),
  bestResponse: z.int(),
});

export const equilibrium = z.strictObject({
  ...head,
  payoff: text('Payoff of the attacker.'),
  value: number('Value of the game: expected payoff of the attacker in the equilibrium.'),
  policyValue: number('Expected payoff of the attacker if both sides follow their policies.'),
  attacker: cards,
  defender: cards,
  matrix: about(matrix, 'matrix[a][d]: expected payoff of the attacker with card a against card d.'),
  pairs: about(
    z.array(
      z.array(
        z.strictObject({ value: z.number(), policyValue: z.number(), attacker: tokens, defender: tokens, matrix }),
      ),
    ),
    'pairs[a][d]: game of the air tokens after cards a and d are revealed. Lists have the order of the sets of a side.',
  ),
  error: number('Error bound of the value and of the mixed strategies.'),
  elapsedSeconds,
});
