/**
 * A duel in which both sides choose strike, guard or feint simultaneously in each round. A strike hits a side that
 * feints, a guard hits a side that strikes, and a feint hits a side that guards. If both sides strike, both are hit.
 * Two guards or two feints have no effect.
 */
import { defineSystem, die, integer, named, oneOf, z } from 'warpool/system';

/**
 * @typedef {'strike' | 'guard' | 'feint'} Choice
 * @typedef {object} State
 * @property {number[]} lives  lives of red and blue
 * @property {(Choice | 'mix' | null)[]} chosen choices of this round, hidden until both sides have chosen
 * @property {(Choice | null)[]} last   choices of the previous round
 * @typedef {import('warpool/system').Phase<State>} Phase
 */

const SIDES = /** @type {const} */ (['red', 'blue']);

/** @type {readonly Choice[]} */
const CHOICES = ['strike', 'guard', 'feint'];

/** Choices that each choice hits. @type {Record<Choice, readonly Choice[]>} */
const WOUNDS = { strike: ['strike', 'feint'], guard: ['strike'], feint: ['guard'] };

/** Counter of each choice: hits the choice and is not hit by it. @type {Record<Choice, Choice>} */
const ANSWER = { strike: 'guard', guard: 'feint', feint: 'strike' };

/** Distribution of the lives that a hit removes: one of six equally likely faces. */
const HIT = named('hit', die([0, 1, 1, 1, 1, 2]));

const weight = integer(0, 100, 'How often, in proportion to the other two.').default(1);

/** @param {Choice} choice */
const opening = (choice) =>
  z
    .strictObject({
      lives: integer(1, 10, 'Lives at the beginning.').default(3),
      policy: oneOf(
        ['mix', 'answer', 'cycle'],
        'mix: by the weights. answer: what beats the last choice. cycle: in turn.',
      ).default('mix'),
      opening: oneOf(['strike', 'guard', 'feint'], 'The first choice of answer and cycle.').default(choice),
      strike: weight,
      guard: weight,
      feint: weight,
    })
    .refine(({ strike, guard, feint }) => strike + guard + feint > 0, { error: 'a weight above 0' })
    .meta({ description: 'A duellist.' });

export default defineSystem({
  id: 'feint',
  title: 'Duel of secret choices',
  about: 'Each round both choose strike, guard or feint in secret; which wounds which is fixed, how badly is a die.',
  fields: { red: opening('strike'), blue: opening('guard') },
  decisions: [
    {
      point: 'choice',
      who: 'both',
      about: 'Strike, guard, feint, or mix: leave it to the weights. Nobody knows what the other chooses.',
      policies: ['mix', 'answer', 'cycle'],
      describe: {
        strike: ['strikes', 'strike'],
        guard: ['guards', 'guard'],
        feint: ['feints', 'feint'],
        mix: ['leaves it to chance', 'leave it to chance'],
      },
    },
  ],
  rules: {
    reveal: ({ red, blue }) => `Red chose ${red}, blue ${blue}.`,
    hit: ({ side, points, left }) => `${side} is hit for ${points} and has ${left} left.`,
    nothing: () => 'Nobody is hit.',
  },
  examples: {
    even: { red: { lives: 2 }, blue: { lives: 2 } },
    reader: { red: { policy: 'cycle' }, blue: { policy: 'answer' } },
  },
  battle: ({ red, blue }) => {
    const duellists = [red, blue];

    /** Returns the choice of a policy. @param {number} side @param {State} state @returns {Choice | 'mix'} */
    const chooses = (side, { last }) => {
      const { policy, opening } = duellists[side] ?? red;
      if (policy === 'mix') return 'mix';
      const seen = last[policy === 'answer' ? 1 - side : side];
      return seen == null ? opening : ANSWER[seen];
    };

    /** @param {number} side @returns {Phase} */
    const choice = (side) => (state, chance) => {
      const options = [...CHOICES, /** @type {const} */ ('mix')];
      const made = chance.decide('choice', SIDES[side] ?? 'red', options, () => chooses(side, state));
      return { ...state, chosen: state.chosen.with(side, made) };
    };

    /** Samples the choices of sides that chose `mix`, after both decisions: no side observes them. @type {Phase} */
    const reveal = (state, chance) => ({
      ...state,
      chosen: duellists.map(({ strike, guard, feint }, side) => {
        const made = state.chosen[side] ?? 'mix';
        return made === 'mix' ? (CHOICES[chance.at('mix', side).pick([strike, guard, feint])] ?? 'strike') : made;
      }),
    });

    const clash = /** @type {Phase} */ (
      ({ lives, chosen }, chance) => {
        const [mine, theirs] = /** @type {[Choice, Choice]} */ (chosen);
        chance.rule('reveal', () => ({ red: mine, blue: theirs }));
        const hit = [WOUNDS[theirs].includes(mine), WOUNDS[mine].includes(theirs)];
        const after = lives.map((left, side) => {
          if (hit[side] !== true) return left;
          const points = chance.at('hit', side).sample(HIT);
          const rest = Math.max(0, left - points);
          chance.rule('hit', () => ({ side: side === 0 ? 'Red' : 'Blue', points, left: rest }));
          return rest;
        });
        if (!hit.includes(true)) chance.rule('nothing');
        return { lives: after, chosen: [null, null], last: [mine, theirs] };
      }
    );

    return {
      outcomes: ['red', 'blue', 'mutual'],
      metrics: {
        'lives.red': { min: 0, max: red.lives, of: ({ lives }) => lives[0] ?? 0 },
        'lives.blue': { min: 0, max: blue.lives, of: ({ lives }) => lives[1] ?? 0 },
      },
      streams: { mix: 2, hit: 2 },
      /** @returns {State} */
      start: () => ({ lives: [red.lives, blue.lives], chosen: [null, null], last: [null, null] }),
      round: [choice(0), choice(1), reveal, clash],
      outcome({ lives: [mine, theirs] }) {
        if (mine !== 0 && theirs !== 0) return undefined;
        return mine !== 0 ? 'red' : theirs !== 0 ? 'blue' : 'mutual';
      },
      // Only `answer` and `cycle` depend on `last`. If both policies are `mix`, the key omits it to merge states.
      key: ({ lives, chosen, last }) =>
        JSON.stringify([lives, chosen, red.policy === 'mix' && blue.policy === 'mix' ? 0 : last]),
    };
  },
  // The features omit `chosen`, because the second side must not observe the choice of the first side.
  environment: ({ red, blue }) => ({
    players: SIDES,
    actions: { choice: [...CHOICES, 'mix'] },
    features: [red, blue].flatMap(({ lives }, side) => [
      { name: `lives.${SIDES[side]}`, unit: 'lives', high: lives, of: (state) => state.lives[side] ?? 0 },
      { name: `last.${SIDES[side]}`, high: 3, of: ({ last }) => 1 + CHOICES.indexOf(last[side] ?? 'none') },
    ]),
  }),
});
