/** A system that is not of this project, as its user writes it in one file and a part beside it. */
import { z } from 'zod';
import { DAMAGE } from './blow.js';

const side = z
  .strictObject({ hp: z.int().min(1).max(50).default(3).meta({ description: 'Hit points.' }) })
  .prefault({});

const schema = z.strictObject({
  system: z.literal('my-duel'),
  name: z.string().optional(),
  attacker: side,
  defender: side,
  maxRounds: z.int().min(1).max(1000).default(100),
});

function model({ attacker, defender, maxRounds }) {
  const blow = (hp, place, to, chance) => {
    chance.seek(place);
    const damage = chance.faces([[DAMAGE]]);
    chance.rule('blow', () => ({ to, damage }));
    return Math.max(0, hp - damage);
  };
  return {
    outcomes: ['attacker', 'defender', 'stalemate'],
    metrics: [
      { name: 'rounds', min: 0, max: maxRounds },
      { name: 'left.attacker', min: 0, max: attacker.hp },
      { name: 'left.defender', min: 0, max: defender.hp },
    ],
    maxRounds,
    roundsMetric: 0,
    roundWords: 2,
    start: () => ({ round: 0, attacker: attacker.hp, defender: defender.hp, struck: false }),
    step(state, chance) {
      if (state.struck)
        return { ...state, attacker: blow(state.attacker, 2 * state.round + 1, 'attacker', chance), struck: false };
      const round = state.round + 1;
      chance.rule('round', () => ({ round }));
      return { ...state, round, defender: blow(state.defender, 2 * round, 'defender', chance), struck: true };
    },
    resting: ({ struck }) => !struck,
    outcome: (state) => (state.defender === 0 ? 'attacker' : state.attacker === 0 ? 'defender' : undefined),
    measure: (state) => [state.round, state.attacker, state.defender],
    key: (state) => `${state.attacker},${state.defender},${state.struck}`,
  };
}

export const myDuel = {
  id: 'my-duel',
  title: 'Duel of a user',
  about: 'Two fighters strike in turn; each blow hurts on four or more.',
  schema,
  decisions: [],
  counts: { left: 'bruises' },
  rules: {
    round: { source: 'my own, 1', describe: (facts) => `Round ${facts.round}.` },
    blow: { source: 'my own, 2', describe: (facts) => `The ${facts.to} takes ${facts.damage}.` },
  },
  examples: [{ name: 'a duel', scenario: { system: 'my-duel' } }],
  model,
};
