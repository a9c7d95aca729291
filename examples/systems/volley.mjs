/**
 * Two units exchange volleys. Every model attacks. Each attack needs a roll to hit and a roll to wound, and the enemy
 * can save a wound with a third roll. A unit tests its morale and may break if it loses at least `testAt` percent of
 * its models in a round.
 */
import { count, d, defineSystem, integer, oneOf, times, z } from 'warpool/system';

/**
 * @typedef {'attacker' | 'defender'} Side
 * @typedef {{ models: number, lost: number, broken: boolean }} Standing state of a unit
 *
 * `models`: models at the start of the round; `lost`: models lost in it; `broken`: true after a failed morale test.
 *
 * `pending`: number of dice of the next roll: hits that roll to wound, or wounds that roll to save.
 * @typedef {Record<Side, Standing> & { pending: number }} State
 * @typedef {import('warpool/system').Phase<State>} Phase
 * @typedef {import('warpool/system').RoundContext} RoundContext
 */

const unit = z
  .strictObject({
    models: integer(1, 40, 'Models, which one unsaved wound kills.'),
    attacks: integer(1, 4, 'Attacks of each model in a round.').default(1),
    hit: integer(2, 6, 'A die of so much or more hits.').default(4),
    wound: integer(2, 6, 'A die of so much or more wounds.').default(4),
    save: integer(2, 7, 'A die of so much or more saves a wound; 7: nothing does.').default(5),
    leadership: integer(2, 12, 'A morale test holds with 2d6 of so much or less; 12: always.').default(7),
  })
  .meta({ description: 'A unit.' });

/** @param {Standing} standing @param {boolean} broken @returns {Standing} at the end of a round */
const settled = ({ models, lost }, broken) => ({ models: models - lost, lost: 0, broken });

/** Returns true if a unit has models left and is not broken. @param {Standing} standing */
const fights = ({ models, lost, broken }) => models > lost && !broken;

export default defineSystem({
  id: 'volley',
  title: 'Hit, wound, save, morale',
  about:
    'Every attack hits, wounds and is saved by a d6 each; heavy losses in a round make a unit test 2d6 against its leadership.',
  fields: {
    attacker: unit,
    defender: unit,
    order: oneOf(['alternate', 'simultaneous'], 'Whether the dead of the first volley still answer it.').default(
      'alternate',
    ),
    testAt: integer(
      1,
      100,
      'Losses in a round that call for a test, in percent of the models at its beginning.',
    ).default(25),
  },
  rules: {
    hits: ({ side, dice, target, found }) => `The ${side} attacks with ${dice} dice: ${found} hit on ${target}+.`,
    wounds: ({ side, dice, target, found }) => `Of ${dice} hits of the ${side} ${found} wound on ${target}+.`,
    saves: ({ side, dice, target, found }) => `Of ${dice} wounds the ${side} saves ${found} on ${target}+.`,
    falls: ({ side, lost, models }) => `The ${side} loses ${lost} of ${models} models.`,
    morale: ({ side, roll, leadership, verdict }) =>
      `The ${side} rolls ${roll} against leadership ${leadership} and ${verdict}.`,
  },
  examples: {
    even: { attacker: { models: 5 }, defender: { models: 5 } },
    guns: {
      attacker: { models: 8, attacks: 2 },
      defender: { models: 6, save: 3, leadership: 9 },
      order: 'simultaneous',
    },
  },
  battle: ({ attacker, defender, order, testAt }) => {
    const units = { attacker, defender };

    /** Creates the phases of a volley: hits, wounds, saves. @param {Side} side @param {Side} enemy */
    const volley = (side, enemy) => {
      const { attacks, hit, wound } = units[side];
      const { save } = units[enemy];
      /**
       * Samples the number of dice that show `target` or more. For ten dice, the distribution of this number has 11
       * values; a roll of their faces has 3003 results.
       * @param {RoundContext} chance @param {string} rule @param {number} dice @param {number} target
       */
      const rolled = (chance, rule, dice, target) => {
        const found = chance.at(`${side}.${rule}`).sample(count(dice, d(6), (face) => face >= target));
        chance.rule(rule, () => ({ side: rule === 'saves' ? enemy : side, dice, target, found }));
        return found;
      };
      return /** @type {Phase[]} */ ([
        (state, chance) => {
          const { models, lost } = state[side];
          const dice = (order === 'alternate' ? models - lost : models) * attacks;
          return dice === 0 ? state : { ...state, pending: rolled(chance, 'hits', dice, hit) };
        },
        (state, chance) =>
          state.pending === 0 ? state : { ...state, pending: rolled(chance, 'wounds', state.pending, wound) },
        (state, chance) => {
          if (state.pending === 0) return state;
          const unsaved = save === 7 ? state.pending : state.pending - rolled(chance, 'saves', state.pending, save);
          const { models } = state[enemy];
          const lost = Math.min(models, unsaved);
          if (lost > 0) chance.rule('falls', () => ({ side: enemy, lost, models }));
          return { ...state, pending: 0, [enemy]: { ...state[enemy], lost } };
        },
      ]);
    };

    /** Creates the last phase of a side: removes lost models and tests morale. @param {Side} side @returns {Phase} */
    const rally = (side) => (state, chance) => {
      const { models, lost } = state[side];
      if (lost === 0 || lost === models || lost * 100 < testAt * models)
        return { ...state, [side]: settled(state[side], false) };
      const { leadership } = units[side];
      const roll = chance.at(`${side}.morale`).sample(times(2, d(6)));
      const broken = roll > leadership;
      chance.rule('morale', () => ({ side, roll, leadership, verdict: broken ? 'breaks' : 'holds' }));
      return { ...state, [side]: settled(state[side], broken) };
    };

    /** Lists the streams of a side. @param {Side} side */
    const slots = (side) =>
      Object.fromEntries(['hits', 'wounds', 'saves', 'morale'].map((name) => [`${side}.${name}`, 1]));
    return {
      outcomes: ['attacker', 'defender', 'mutual'],
      metrics: {
        'models.attacker': { min: 0, max: attacker.models, of: (state) => state.attacker.models },
        'models.defender': { min: 0, max: defender.models, of: (state) => state.defender.models },
        'broken.attacker': { min: 0, max: 1, of: (state) => Number(state.attacker.broken) },
        'broken.defender': { min: 0, max: 1, of: (state) => Number(state.defender.broken) },
      },
      streams: { ...slots('attacker'), ...slots('defender') },
      /** @returns {State} */
      start: () => ({
        attacker: { models: attacker.models, lost: 0, broken: false },
        defender: { models: defender.models, lost: 0, broken: false },
        pending: 0,
      }),
      // Each roll is a phase of its own, so that the exact solver merges states with the same number of pending dice.
      round: [
        ...volley('attacker', 'defender'),
        ...volley('defender', 'attacker'),
        rally('attacker'),
        rally('defender'),
      ],
      outcome(state, phase) {
        if (phase !== 0) return undefined;
        const [mine, theirs] = [fights(state.attacker), fights(state.defender)];
        if (mine && theirs) return undefined;
        return mine ? 'attacker' : theirs ? 'defender' : 'mutual';
      },
    };
  },
});
