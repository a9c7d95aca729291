/** What `optimal` and `solve-cards` print as JSON. */
import { z } from 'zod';
import * as part from './parts.ts';

const { about, byName, count, elapsedSeconds, head, number, share, text } = part;

const rewards = byName(
  z.strictObject({ outcomes: byName(z.number()).optional(), metrics: byName(z.number()).optional() }),
);

export const optimal = z.strictObject({
  ...head,
  agent: text('The player.'),
  opponents: about(z.array(z.string()), 'Players who follow the policies of the scenario.'),
  reward: about(z.union([z.string(), rewards]), 'What it wants.'),
  points: about(z.array(z.string()), 'Decision points at which it plays best.'),
  value: number('What a battle is worth to it by the best response to the policies of its opponents.'),
  given: number('What it is worth by its own policy.'),
  error: number('By how much either can be wrong, but for rounding.'),
  corrections: about(
    z.array(
      z.strictObject({
        point: text('The decision point.'),
        sees: about(byName(z.number()), 'What the player sees, by feature.'),
        policy: about(byName(z.number()), 'Probabilities of the actions that its policy takes.'),
        best: text('The best action.'),
        visits: number('How often a battle comes here under the policies.'),
        loss: number('What is lost here each time.'),
      }),
    ),
    'States in which the policy is not the best, the greatest share of the difference first.',
  ),
  decisions: count('Positions in which the player decides.'),
  positions: count('Positions in all.'),
  beliefs: count('Positions of states that the player cannot tell apart.'),
  steps: count('Transitions before merging.'),
  rounds: count('Rounds that were counted back.'),
  warning: text('What best play uses although no feature shows it to the player.').optional(),
  outcomes: byName(z.strictObject({ best: share('By the best play.'), given: share('By its own policy.') })),
  elapsedSeconds,
});

const list = z.array(z.number());
const matrix = z.array(list);

const cards = z.strictObject({
  cards: z.array(
    z.strictObject({
      card: text('Its name; "none" if none is played.'),
      equilibrium: share('Probability in the equilibrium.'),
      policy: share('Probability by the policy.'),
      againstEquilibrium: number('What it is worth against the enemy’s equilibrium.'),
      againstPolicy: number('What it is worth against the enemy’s policy.'),
    }),
  ),
  sets: about(z.array(z.array(z.string())), 'Air tokens that can be played together.'),
  exploitability: number('What the policy can lose to an enemy who knows it.'),
  exploitabilityOfCards: number('The part of it that is lost by the cards.'),
  bestAnswer: count('The index of the best card against the enemy’s policy.'),
});

const tokens = z.strictObject({
  equilibrium: list,
  policy: list,
  againstEquilibrium: list,
  againstPolicy: list,
  exploitability: z.number(),
  bestAnswer: z.int(),
});

export const solveCards = z.strictObject({
  ...head,
  payoff: text('What the attacker wants.'),
  value: number('What it can expect if both play well.'),
  given: number('What it can expect if both play by their policies.'),
  attacker: cards,
  defender: cards,
  matrix: about(matrix, 'matrix[a][d]: what the attacker expects of card a against d.'),
  pairs: about(
    z.array(
      z.array(z.strictObject({ value: z.number(), given: z.number(), attacker: tokens, defender: tokens, matrix })),
    ),
    'pairs[a][d]: the game of air tokens when these cards are seen; lists go by the sets of a side.',
  ),
  gap: number('By how much value and mixtures can be wrong.'),
  elapsedSeconds,
});
