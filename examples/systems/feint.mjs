/**
 * A duel in which both choose in secret, each round: strike, guard or feint. A strike hits who feints, a guard throws back a
 * strike, and a feint passes a guard. Two strikes both hit; otherwise nothing happens.
 */
import { defineSystem, die, integer, named, oneOf, z } from 'warpool/system';

/**
 * @typedef {'strike' | 'guard' | 'feint'} Choice
 * @typedef {object} State
 * @property {number[]} lives  of red and blue
 * @property {(Choice | 'mix' | null)[]} chosen in this round; secret until both have
 * @property {(Choice | null)[]} last   what both chose in the round before
 * @typedef {import('warpool/system').Phase<State>} Phase
 */

const SIDES = /** @type {const} */ (['red', 'blue']);

/** @type {readonly Choice[]} */
const CHOICES = ['strike', 'guard', 'feint'];

/** What each choice wounds. @type {Record<Choice, readonly Choice[]>} */
const WOUNDS = { strike: ['strike', 'feint'], guard: ['strike'], feint: ['guard'] };

/** What wounds a choice and is not wounded by it. @type {Record<Choice, Choice>} */
const ANSWER = { strike: 'guard', guard: 'feint', feint: 'strike' };

/** Lives that a hit costs, by the face of a die. */
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

    /** What a policy chooses. @param {number} side @param {State} state @returns {Choice | 'mix'} */
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

    /** What was left to chance is drawn when both have decided: nobody can have seen it before. @type {Phase} */
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
      // What both chose last matters to policies that look at it alone: with two that mix there are fewer states.
      key: ({ lives, chosen, last }) =>
        JSON.stringify([lives, chosen, red.policy === 'mix' && blue.policy === 'mix' ? 0 : last]),
    };
  },
  // `chosen` is not among the features: the second to decide must not see what the first chose.
  environment: ({ red, blue }) => ({
    players: SIDES,
    actions: { choice: [...CHOICES, 'mix'] },
    features: [red, blue].flatMap(({ lives }, side) => [
      { name: `lives.${SIDES[side]}`, unit: 'lives', high: lives, of: (state) => state.lives[side] ?? 0 },
      { name: `last.${SIDES[side]}`, high: 3, of: ({ last }) => 1 + CHOICES.indexOf(last[side] ?? 'none') },
    ]),
  }),
});
