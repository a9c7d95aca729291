/** Mistakes that are easily made in a system of one's own. */
import { d, weighted } from 'warpool/system';
import { duel, hurt, outcome, round } from './duel.js';

/** @typedef {import('./duel.js').Duel} Duel @typedef {import('warpool/system').RoundDoor} RoundDoor */

/** Two rolls, read with a bonus of morale. @param {Duel} state @param {number} red @param {number} blue @returns {Duel} */
function fight(state, red, blue) {
  const tie = red === blue;
  return { red: hurt(state.red, red < blue ? 1 : 0, tie), blue: hurt(state.blue, blue < red ? 1 : 0, tie) };
}

export const forgetful = duel('forgetful-key', ({ lives, morale }) => ({
  start: () => ({ red: { lives, morale }, blue: { lives, morale: 0 } }),
  key: (/** @type {Duel} */ { red, blue }) => `${red.lives} ${blue.lives}`,
}));

export const random = duel('own-random', () => ({
  round: (/** @type {Duel} */ state, /** @type {RoundDoor} */ chance) =>
    fight(state, 1 + Math.floor(6 * Math.random()), chance.at('blue').sample(d(6))),
}));

export const mutating = duel('changed-state', () => ({
  round(/** @type {Duel} */ state, /** @type {RoundDoor} */ chance) {
    const [red, blue] = [chance.at('red').sample(d(6)), chance.at('blue').sample(d(6))];
    if (red < blue) state.red.lives--;
    if (blue < red) state.blue.lives--;
    return { ...state };
  },
}));

export const shared = duel('shared-word', () => ({
  round: (/** @type {Duel} */ state, /** @type {RoundDoor} */ chance) =>
    fight(state, chance.at('red').sample(d(6)), chance.at('red').sample(d(8))),
}));

export const unbounded = duel('metric-out-of-bounds', ({ lives }) => ({
  metrics: { lost: { min: 0, max: lives - 1, of: (/** @type {Duel} */ { red }) => lives - red.lives } },
}));

export const undeclared = duel('unknown-outcome', () => ({
  outcome: (/** @type {Duel} */ state) => (state.blue.lives === 0 ? 'victory' : outcome(state)),
}));

export const forbidden = duel('forbidden-policy', () => ({
  round(/** @type {Duel} */ state, /** @type {RoundDoor} */ chance) {
    const options = state.red.lives > 1 ? ['bold', 'careful'] : ['careful'];
    chance.decide('stance', 'red', options, () => 'bold');
    return fight(state, chance.at('red').sample(d(6)), chance.at('blue').sample(d(6)));
  },
}));

export const untold = duel('unlisted-rule', () => ({
  round(/** @type {Duel} */ state, /** @type {RoundDoor} */ chance) {
    chance.rule('charge');
    return round(state, chance);
  },
}));

export const wordless = duel('missing-fact', () => ({
  round(/** @type {Duel} */ state, /** @type {RoundDoor} */ chance) {
    chance.rule('blow', () => ({ red: 6 }));
    return round(state, chance);
  },
}));

export const endless = duel('endless', () => ({ metrics: {}, outcome: () => undefined }), {
  examples: { small: { lives: 2, maxRounds: 20 } },
});

export const failing = duel('failing-phase', () => ({
  round(/** @type {any} */ state, /** @type {RoundDoor} */ chance) {
    const order = state.red.lives === state.blue.lives ? undefined : { first: 'red' };
    if (state.red.morale === 0 && state.red.lives === 1) return state.banner.lost;
    chance.rule('stance', () => ({ stance: order?.first ?? 'calm' }));
    return round(state, chance);
  },
}));

export const negative = duel('negative-weight', () => ({
  round: (/** @type {Duel} */ state, /** @type {RoundDoor} */ chance) =>
    fight(
      state,
      chance.at('red').sample(weighted([1, 2, 3].map((value) => [value, 3 - value - state.blue.lives]))),
      chance.at('blue').sample(d(6)),
    ),
}));

export const timed = duel('timed-law', () => ({
  round: (/** @type {Duel} */ state, /** @type {RoundDoor} */ chance) =>
    fight(state, chance.at('red').sample(d(6 + (Date.now() % 2))), chance.at('blue').sample(d(6))),
}));

let battles = 0;

export const remembering = duel('kept-between-battles', () => ({
  start: (/** @type {RoundDoor} */ chance) => {
    battles++;
    const sides = { red: { lives: 2, morale: battles % 2 }, blue: { lives: 2, morale: 0 } };
    return chance.at('red').sample(d(2)) === 1 ? sides : { ...sides };
  },
}));

export const lossy = duel('map-in-state', ({ lives }) => ({
  metrics: {},
  start: () => ({
    lives: new Map([
      ['red', lives],
      ['blue', lives],
    ]),
  }),
  round(/** @type {{ lives: Map<string, number> }} */ state, /** @type {RoundDoor} */ chance) {
    const loser = chance.at('red').sample(d(2)) === 1 ? 'red' : 'blue';
    return { lives: new Map([...state.lives, [loser, (state.lives.get(loser) ?? 0) - 1]]) };
  },
  outcome: (/** @type {{ lives: Map<string, number> }} */ { lives: left }) =>
    left.get('red') === 0 ? 'blue' : left.get('blue') === 0 ? 'red' : undefined,
}));

export const scriptless = duel('later-decision', () => ({
  round(/** @type {Duel} */ state, /** @type {RoundDoor} */ chance) {
    const red = chance.at('red').sample(d(6));
    chance.decide('stance', 'red', ['bold', 'careful'], () => (red > 3 ? 'bold' : 'careful'));
    return fight(state, red, chance.at('blue').sample(d(6)));
  },
}));

/** No mistake, but clumsy: rounds are counted anyhow. */
export const counting = duel('counted-rounds', ({ lives, morale }) => ({
  start: () => ({ red: { lives, morale }, blue: { lives, morale }, on: { turn: 1 } }),
  round: (/** @type {any} */ state, /** @type {RoundDoor} */ chance) => ({
    ...round(state, chance),
    on: { turn: state.on.turn + 1 },
  }),
}));
