/** JSON of `matchup`. */
import { z } from 'zod';
import * as part from './common.ts';

const { about, count, flag: truth, number, share, text } = part;

const bounded = (description: string) =>
  about(
    z.strictObject({
      value: number('Value.'),
      lower: number('Lower end of the interval.'),
      upper: number('Upper end of the interval.'),
    }),
    description,
  );

const ranking = about(
  z.array(
    z.strictObject({
      army: text('Name of the army.'),
      rating: bounded('Mean payoff against all armies of the field.'),
      rank: count('Rank of the estimates; 1 is the best one.'),
      bestRank: count('Least rank that the intervals allow.'),
      worstRank: count('Greatest rank that the intervals allow.'),
    }),
  ),
  'Armies by their mean payoff, the best one first.',
);

const role = {
  ranking,
  dominated: about(
    z.array(
      z.strictObject({
        army: text('Dominated army.'),
        by: text('Army that is never worse.'),
        isStrict: truth('True if that army is always better.'),
        isCertain: truth('True if it holds for all payoffs in the intervals.'),
      }),
    ),
    'Armies that another one dominates.',
  ),
  mixDominated: about(
    z.array(
      z.strictObject({
        army: text('Dominated army.'),
        mix: about(z.array(z.tuple([z.string(), z.number()])), 'Armies of the mix with their weights.'),
        margin: number('Least advantage of the mix.'),
        isCertain: truth('True if it holds for all payoffs in the intervals.'),
      }),
    ),
    'Armies that a mix of others dominates.',
  ),
};

const elimination = about(
  z.array(
    z.strictObject({
      player: about(z.enum(['attacker', 'defender', 'both']), 'Player whose armies are eliminated.'),
      armies: about(z.array(z.string()), 'Eliminated armies.'),
    }),
  ),
  'Rounds of the iterated elimination of dominated armies.',
);

const mixture = about(
  z.array(
    z.strictObject({
      army: text('Name of the army.'),
      weight: share('Probability in the equilibrium.'),
      range: about(z.tuple([z.number(), z.number()]), 'Least and greatest probability in all equilibria.').optional(),
      weightBound: share('Upper bound of the probability for all payoffs in the intervals.'),
      payoff: bounded('Payoff against the mix of the other player.'),
    }),
  ),
  'Armies with their probabilities in the equilibrium.',
);

const partShare = (description: string) =>
  about(z.strictObject({ value: z.number(), lower: z.number(), upper: z.number() }), description);

const alphaRankSettings = {
  population: count('Size of the populations.'),
  alpha: number('Strength of selection; absent for the limit.').optional(),
  isCertain: truth('True if the intervals allow no other shares.').optional(),
};

const rankedArmies = about(
  z.array(
    z.strictObject({
      army: text('Name of the army.'),
      share: share('Share of time at the army.'),
      isPossible: truth('False if the share is 0 for all payoffs in the intervals.').optional(),
    }),
  ),
  'Armies with their shares of time.',
);

const symmetric = z.strictObject({
  ...role,
  elimination,
  cycles: z.strictObject({
    count: count('Cycles of three armies that can be distinguished from noise.'),
    estimated: count('Cycles of the estimates.'),
    possible: count('Maximum number of cycles that the intervals allow.'),
    strongest: about(
      z.array(
        z.strictObject({
          armies: about(z.tuple([z.string(), z.string(), z.string()]), 'Each army beats the next one.'),
          margins: about(z.tuple([z.number(), z.number(), z.number()]), 'Payoffs of these matchups.'),
          strength: number('Least margin.'),
          lower: number('Lower end of its interval.'),
          upper: number('Upper end of its interval.'),
        }),
      ),
      'Strongest cycles.',
    ),
  }),
  decomposition: z.strictObject({
    transitive: partShare('Share of the squared payoffs that a ranking explains.'),
    cyclic: partShare('The other share.'),
  }),
  equilibrium: z.strictObject({ isUnique: truth('True if there is no other equilibrium.'), armies: mixture }),
  alphaRank: z.strictObject({ ...alphaRankSettings, armies: rankedArmies }),
  order: about(z.array(z.string()), 'Armies in cyclic order: each one tends to beat those that follow it.'),
});

const analysis = z.strictObject({
  attackers: z.strictObject(role),
  defenders: z.strictObject(role),
  elimination,
  equilibrium: z.strictObject({
    value: bounded('Value of the game for the attacker.'),
    isUnique: truth('True if there is no other equilibrium.'),
    attackers: mixture,
    defenders: mixture,
  }),
  alphaRank: about(
    z.strictObject({ ...alphaRankSettings, attackers: rankedArmies, defenders: rankedArmies }),
    'Alpha-rank of two populations, attackers and defenders; absent for more than 1 600 pairs of armies.',
  ).optional(),
  sideBias: z
    .strictObject({
      mean: bounded('Mean payoff of the attacker over all pairs.'),
      armies: z.array(
        z.strictObject({
          army: text('Name of the army.'),
          mirror: bounded('Payoff of the attacker against the same army.'),
          advantage: bounded('Advantage of attacking over the field.'),
        }),
      ),
    })
    .optional(),
  symmetric: about(
    symmetric,
    'Game in which each army attacks in half of the battles; of one roster on both sides.',
  ).optional(),
  undecided: about(
    z.array(
      z.strictObject({
        row: count('Index of the attacker.'),
        column: count('Index of the defender.'),
        reasons: about(z.array(z.enum(['cycle', 'dominance', 'support'])), 'Results that the cell leaves open.'),
      }),
    ),
    'Cells whose intervals leave results open.',
  ),
});

const payoffs = (description: string) => about(z.array(z.array(z.number())), description);

/** Fields of all results of rosters. */
const rosterHead = {
  ...part.origin,
  ...part.rules,
  roster: text('Name of the roster, or its file.'),
  hash: text('SHA-256 of everything that affects the payoffs.'),
  payoff: text('Payoff of the attacker: difference, win, or a sum.'),
};

export const matchup = z.strictObject({
  ...rosterHead,
  folder: text('Folder of the results.').optional(),
  attackers: about(z.array(z.string()), 'Armies of the attacker, in the order of the rows.'),
  defenders: about(z.array(z.string()), 'Armies of the defender, in the order of the columns.'),
  terrains: about(
    z.array(z.strictObject({ name: text('Name of the terrain.'), weight: share('Share of its payoffs.') })),
    'Terrains; empty if there is only one.',
  ),
  solved: count('Number of matchups that were solved exactly, on single terrains.'),
  simulated: count('Number of matchups that were simulated.'),
  battles: count('Number of all battles.'),
  seed: text('Seed of the battles, in decimal.'),
  values: payoffs('Payoffs by attacker and defender.'),
  lower: payoffs('Lower ends of the simultaneous 95 % intervals; absent if all payoffs are exact.').optional(),
  upper: payoffs('Upper ends of the intervals.').optional(),
  analysis,
  without: z
    .strictObject({
      type: text('Unit type of the removed armies.'),
      value: bounded('Value of the game for the attacker without these armies.'),
      difference: bounded('Its difference from the value of the whole game.'),
      analysis,
    })
    .optional(),
});

const mix = about(
  z.array(z.strictObject({ army: text('Name of the army.'), weight: share('Probability of the army.') })),
  'Armies of the mix, the most frequent first.',
);

export const certification = z.strictObject({
  ...rosterHead,
  value: about(
    z.strictObject({ lower: number('Lower end.'), upper: number('Upper end.') }),
    'Bounds of the value of the game, proved by the two mixes.',
  ),
  cells: count('Number of computed matchups.'),
  allCells: count('Number of all matchups.'),
  isReached: truth('True if the bounds are within the tolerance.'),
  attackers: mix,
  defenders: mix,
});
