/**
 * Rock, paper, scissors until a side wins a round, or until red wins a round (`until`). With optimal play, red wins at
 * least one of two rounds with probability 5/9, and the first round that is not a tie with probability 1/2. The system
 * models the game `rps2` of the tests of PRISM-games (Kwiatkowska, Norman, Parker, Santos).
 */
import { defineSystem, oneOf } from 'warpool/system';

/** @typedef {{ chosen: number[], winner: number }} State chosen: indices; winner: 0 red, 1 blue, 2 none */
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
  // A player observes only its own choice. At the end of a round (player === undefined) all choices are visible.
  environment: () => ({
    players: SIDES,
    actions: { choice: CHOICES },
    features: SIDES.map((name, side) => ({
      ...{ name: `chosen.${name}`, high: 3 },
      of: ({ chosen }, player) => (player === undefined || player === name ? 1 + (chosen[side] ?? -1) : 0),
    })),
  }),
});
