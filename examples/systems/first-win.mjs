/**
 * Rock, paper, scissors until somebody wins a round, or until red does. Red can win one of two rounds with probability 5/9,
 * and the first decided round with 1/2. It is the game `rps2` of the tests of PRISM-games (Kwiatkowska, Norman, Parker,
 * Santos).
 */
import { defineSystem, oneOf } from 'warpool/system';

/** @typedef {{ chosen: number[], winner: number }} State chosen: in this round, secret; winner: 0, 1, or 2 for nobody */
/** @typedef {import('warpool/system').Phase<State>} Phase */

const SIDES = /** @type {const} */ (['red', 'blue']);
const CHOICES = ['rock', 'paper', 'scissors'];

/** @param {string} side */
const policy = (side) =>
  oneOf(['mix', 'rock', 'paper', 'scissors'], `The choice of ${side}; mix: each with probability 1/3.`).default('mix');

/** @type {Phase} */
const clash = ({ chosen: [red = 0, blue = 0] }, chance) => {
  chance.rule('clash', () => ({ red: CHOICES[red] ?? '', blue: CHOICES[blue] ?? '' }));
  return { chosen: [], winner: [2, 0, 1][(red + 3 - blue) % 3] ?? 2 };
};

export default defineSystem({
  id: 'first-win',
  title: 'Rock, paper, scissors',
  about: 'Each round both choose rock, paper or scissors in secret, until one of them wins a round.',
  fields: {
    red: policy('red'),
    blue: policy('blue'),
    until: oneOf(['either', 'red'], 'Who ends the game by winning a round.').default('either'),
  },
  decisions: [
    {
      ...{ point: 'choice', who: 'both', about: 'Rock, paper or scissors. Nobody knows what the other chooses.' },
      policies: ['mix', ...CHOICES],
      describe: Object.fromEntries(CHOICES.map((choice) => [choice, [`chooses ${choice}`, `choose ${choice}`]])),
    },
  ],
  rules: { clash: ({ red, blue }) => `Red chose ${red}, blue ${blue}.` },
  examples: { equal: {}, decided: { red: 'paper', blue: 'rock' } },
  battle(scenario) {
    /** @param {0 | 1} side @returns {Phase} */
    const choose = (side) => (state, chance) => {
      const wish = scenario[SIDES[side]];
      const mix = () => CHOICES[chance.at('mix', side).pick([1, 1, 1], CHOICES)] ?? 'rock';
      const choice = chance.decide('choice', SIDES[side], CHOICES, () => (wish === 'mix' ? mix() : wish));
      return { ...state, chosen: [...state.chosen, CHOICES.indexOf(choice)] };
    };
    return {
      outcomes: ['red', 'blue'],
      atRoundLimit: scenario.until === 'red' ? 'blue' : 'stalemate',
      streams: { mix: 2 },
      /** @returns {State} */
      start: () => ({ chosen: [], winner: 2 }),
      round: [choose(0), choose(1), clash],
      outcome: ({ winner }) => (scenario.until === 'red' && winner === 1 ? undefined : SIDES[winner]),
    };
  },
  // A choice is visible to its player, and at the end of a round (player === undefined) to all.
  environment: () => ({
    players: SIDES,
    actions: { choice: CHOICES },
    features: SIDES.map((name, side) => ({
      ...{ name: `chosen.${name}`, high: 3 },
      of: ({ chosen }, player) => (player === undefined || player === name ? 1 + (chosen[side] ?? -1) : 0),
    })),
  }),
});
