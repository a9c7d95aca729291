/** A duel in which all is well: both sides roll a die, and who rolls less loses a life; ties cost morale. */
import { d, defineSystem, integer } from 'warpool/system';

/**
 * @typedef {import('warpool/system').RoundDoor} RoundDoor
 * @typedef {{ lives: number; morale: number }} Side
 * @typedef {{ red: Side; blue: Side }} Duel
 */

export const RULES = {
  blow: (/** @type {any} */ facts) => `Red rolls ${facts.red}, blue ${facts.blue}.`,
  stance: (/** @type {any} */ facts) => `Red is ${facts.stance}.`,
};

export const DECISIONS = [{ point: 'stance', who: 'red', about: 'how red fights', policies: ['bold'] }];

/** @param {Side} side @param {number} lost @param {boolean} tie */
export const hurt = ({ lives, morale }, lost, tie) => ({
  lives: lives - lost,
  morale: Math.max(0, morale - (tie ? 1 : 0)),
});

/** @param {Duel} state @param {RoundDoor} chance @returns {Duel} */
export function round(state, chance) {
  const stance = chance.decide('stance', 'red', ['bold', 'careful'], () => (state.red.lives > 1 ? 'bold' : 'careful'));
  chance.rule('stance', () => ({ stance }));
  const red = chance.at('red').sample(d(6)) + (state.red.morale > 0 ? 1 : 0);
  const blue = chance.at('blue').sample(d(6)) + (state.blue.morale > 0 ? 1 : 0);
  chance.rule('blow', () => ({ red, blue }));
  const tie = red === blue;
  return { red: hurt(state.red, red < blue ? 1 : 0, tie), blue: hurt(state.blue, blue < red ? 1 : 0, tie) };
}

/** @param {Duel} state */
export const outcome = ({ red, blue }) => (red.lives <= 0 ? 'blue' : blue.lives <= 0 ? 'red' : undefined);

/**
 * The duel, or one with something else in it.
 * @param {string} id
 * @param {(scenario: any) => Record<string, any>} [battle] what is else in the battle
 * @param {Record<string, any>} [more] what is else in the system
 * @returns {import('warpool/system').System<any>}
 */
export function duel(id, battle = () => ({}), more = {}) {
  return defineSystem({
    ...{ id, title: 'Duel', about: 'Both sides roll a die; who rolls less loses a life, ties cost morale.' },
    fields: {
      lives: integer(1, 4, 'Lives of each side.').default(3),
      morale: integer(0, 3, 'Ties that a side takes without losing heart.').default(1),
    },
    rules: RULES,
    decisions: DECISIONS,
    examples: { small: { lives: 2 }, brave: { lives: 3, morale: 3 } },
    battle: (/** @type {any} */ scenario) => ({
      outcomes: ['red', 'blue'],
      metrics: {
        'left.red': { min: 0, max: scenario.lives, of: (/** @type {Duel} */ { red }) => red.lives },
        'left.blue': { min: 0, max: scenario.lives, of: (/** @type {Duel} */ { blue }) => blue.lives },
      },
      streams: { red: 1, blue: 1 },
      start: () => ({
        red: { lives: scenario.lives, morale: scenario.morale },
        blue: { lives: scenario.lives, morale: scenario.morale },
      }),
      round,
      outcome,
      ...battle(scenario),
    }),
    ...more,
  });
}

export const good = duel('good-duel');
