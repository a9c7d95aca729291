/** JSON of `best-response` and `equilibrium`. */
import { z } from 'zod';
import * as part from './common.ts';

const { about, byName, count, elapsedSeconds, head, number, share, text } = part;

const rewards = byName(
  z.strictObject({
    outcomes: byName(z.number()).optional(),
    metrics: byName(z.number()).optional(),
    steps: number('Reward of each action of an agent.').optional(),
  }),
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

const probabilities = byName(z.number());

const losses = about(
  z.array(
    z.strictObject({
      player: text('Player who decides.'),
      decision: text('Name of the decision point.'),
      observation: about(byName(z.number()), 'Observation of the player, by feature.'),
      policy: about(probabilities, 'Probabilities of the actions under the policy of the scenario.'),
      equilibrium: about(probabilities, 'Probabilities of the actions in the equilibrium.'),
      visits: number('Expected number of visits per battle under the policy and the best response to it.'),
      loss: number('Loss of expected reward per visit, with the equilibrium afterwards.'),
    }),
  ),
  'States in which the policy loses; visits times losses sum to the exploitability.',
);

export const equilibrium = z.strictObject({
  ...head,
  reward: about(z.union([z.string(), rewards]), 'Reward of the first player; the second has its negative.'),
  decisions: about(z.array(z.string()), 'Decision points of the game.'),
  value: number('Value of the game: expected reward of the first player in the equilibrium.'),
  interval: about(
    z.tuple([z.number(), z.number()]),
    'Interval of the value, from the best responses to both policies of the equilibrium.',
  ),
  policyValue: number('Expected reward of the first player under the policies of the scenario.').optional(),
  error: number('Error bound of the values of the policies of the scenario, without rounding errors.'),
  players: byName(
    z.strictObject({
      value: number('Expected reward of the player in the equilibrium.'),
      guaranteed: number('Expected reward of its policy against the best response to it.').optional(),
      exploitability: number('Difference of both.').optional(),
      losses,
    }),
  ),
  nashConv: number('Sum of the exploitabilities of all policies.').optional(),
  strategies: about(
    z.array(
      z.strictObject({
        player: text('Player who decides.'),
        decision: text('Name of the decision point.'),
        observation: about(byName(z.number()), 'Observation of the player, by feature.'),
        equilibrium: about(probabilities, 'Probabilities of the actions in the equilibrium.'),
        policy: about(probabilities, 'Probabilities of the actions under the policy of the scenario.'),
        visits: number('Expected number of visits per battle in the equilibrium.'),
        roundsLeft: count('Remaining rounds, if the probabilities depend on them.').optional(),
        isUnique: about(z.boolean(), 'True if no equilibrium has other probabilities here.'),
        ranges: about(
          byName(z.tuple([z.number(), z.number()])),
          'Least and greatest probability of actions in all equilibria, at the first decisions of a battle.',
        ).optional(),
      }),
    ),
    'Decisions that the equilibrium reaches, the most visited first.',
  ),
  decisionStates: count('Number of positions with a decision.'),
  positions: count('Number of all positions.'),
  steps: count('Number of transitions and of edges.'),
  rounds: count('Number of rounds of backward induction, or of passes if the round limit does not matter.'),
  outcomes: byName(share('Probability in the equilibrium.')),
  elapsedSeconds,
});

export const exploitability = equilibrium.omit({ strategies: true, outcomes: true });

const playerValues = byName(z.number());

const task = z.strictObject({
  name: text('Name of the task, with its version.'),
  about: text('Description of the task.'),
  module: text('Module of the system; absent for shipped systems.').optional(),
  scenario: about(byName(z.unknown()), 'Fields of the scenario, without defaults.'),
  players: about(z.array(z.string()), 'Players who decide.'),
  reward: text('Reward of the players.'),
  scenarioHash: part.hash,
  systemHash: part.own.systemHash,
  positions: count('Number of all positions.'),
  decisionStates: count('Number of positions with a decision.'),
  steps: count('Number of transitions.'),
  value: number('Expected reward of the first player if all players decide optimally.'),
  interval: about(z.tuple([z.number(), z.number()]), 'Interval of the value.'),
  baselines: about(
    z.strictObject({
      uniform: playerValues,
      scenario: playerValues,
      'q-learning': playerValues,
      ppo: playerValues.optional(),
    }),
    'Values of policies by player, against the best response if two players decide.',
  ),
  seconds: number('Duration of a grade in seconds when the values were computed.'),
});

const gradeOfPolicy = z.strictObject({
  ...head,
  task: text('Name of the task.'),
  player: text('Player of the policy.'),
  reward: text('Reward of the player.'),
  value: number('Expected reward of the policy, against the best response if two players decide.'),
  optimum: number('Expected reward of an optimal policy.'),
  interval: about(z.tuple([z.number(), z.number()]), 'Interval of the optimum.'),
  exploitability: number('Optimum minus value.'),
  error: number('Error bound of the value, without rounding errors.'),
  losses,
  positions: count('Number of all positions.'),
  decisionStates: count('Number of positions with a decision.'),
  steps: count('Number of transitions.'),
  elapsedSeconds,
});

export const grade = z.union([z.array(task), task, gradeOfPolicy]);
