/**
 * Goofspiel with points. In each round a prize is revealed, both players bid a card simultaneously, and the higher
 * card wins the prize. A tie discards the prize. By default, red has the hand {1, 3, 5} and blue {2, 3, 4}, and the
 * prizes 1, 2 and 3 come in random order. The value of this game is 38/33: the points of red minus the points of blue
 * with optimal play.
 */
import { defineSystem, integer, oneOf, z } from 'warpool/system';

/**
 * @typedef {object} State
 * @property {number[][]} hands  cards of red and blue
 * @property {number[]} prizes   prizes that are not revealed yet
 * @property {number} prize      prize of this round; 0 between rounds
 * @property {number[]} bids     bids of this round, hidden until both players have bid
 * @property {number[]} points   points of red and blue
 * @typedef {import('warpool/system').Phase<State>} Phase
 */

const SIDES = /** @type {const} */ (['red', 'blue']);
const CARDS = Array.from({ length: 9 }, (_, k) => k + 1);

/** @param {string} about @param {number[]} fallback */
const cards = (about, fallback) =>
  z
    .array(integer(1, 9, 'A card.'))
    .min(1)
    .max(5)
    .refine((all) => new Set(all).size === all.length, { error: 'different cards' })
    .default(fallback)
    .meta({ description: about });

/** @type {Phase} */
const reveal = (state, chance) => {
  const drawn = chance.pick(state.prizes.map(() => 1));
  const prize = state.prizes[drawn] ?? 0;
  chance.rule('prize', () => ({ prize }));
  return { ...state, prize, prizes: state.prizes.toSpliced(drawn, 1) };
};

/** @type {Phase} */
const award = ({ hands, prizes, prize, bids, points }, chance) => {
  const [red = 0, blue = 0] = bids;
  chance.rule('bids', () => ({ red, blue }));
  return {
    hands: hands.map((hand, side) => hand.filter((card) => card !== bids[side])),
    points: points.map((sum, side) => sum + (Math.sign(red - blue) === (side === 0 ? 1 : -1) ? prize : 0)),
    ...{ prizes, prize: 0, bids: [] },
  };
};

export default defineSystem({
  id: 'goofspiel',
  title: 'Goofspiel',
  about: 'Each round both bid a card in secret for a prize that is revealed at random; the higher card takes it.',
  fields: {
    red: cards('Hand of red.', [1, 3, 5]),
    blue: cards('Hand of blue.', [2, 3, 4]),
    prizes: cards('Prizes, in random order.', [1, 2, 3]),
    policy: oneOf(['match', 'lowest'], 'match: the card nearest to the prize. lowest: the lowest card.').default(
      'match',
    ),
  },
  check({ red, blue, prizes }, reject) {
    if (red.length !== prizes.length) reject(['red'], `${String(prizes.length)} cards, as many as prizes`);
    if (blue.length !== prizes.length) reject(['blue'], `${String(prizes.length)} cards, as many as prizes`);
  },
  decisions: [
    {
      ...{ point: 'bid', who: 'both', about: 'A card of the hand. Nobody knows what the other bids.' },
      ...{ policies: ['match', 'lowest'] },
      describe: Object.fromEntries(
        CARDS.map((card) => [String(card), [`bids ${String(card)}`, `bid ${String(card)}`]]),
      ),
    },
  ],
  rules: {
    prize: ({ prize }) => `The prize is ${prize}.`,
    bids: ({ red, blue }) => `Red bids ${red}, blue ${blue}.`,
  },
  examples: { three: {}, lowest: { policy: 'lowest' } },
  battle({ red, blue, prizes, policy }) {
    const total = prizes.reduce((sum, prize) => sum + prize, 0);
    /** @param {0 | 1} side @returns {Phase} */
    const bid = (side) => (state, chance) => {
      const hand = state.hands[side] ?? [];
      const distance = (/** @type {number} */ card) => (policy === 'match' ? Math.abs(card - state.prize) : card);
      const choose = () => hand.reduce((best, card) => (distance(card) < distance(best) ? card : best));
      return { ...state, bids: [...state.bids, chance.decide('bid', SIDES[side], hand, choose)] };
    };
    return {
      outcomes: ['red', 'blue', 'mutual'],
      metrics: {
        'points.red': { min: 0, max: total, of: ({ points }) => points[0] ?? 0 },
        'points.blue': { min: 0, max: total, of: ({ points }) => points[1] ?? 0 },
      },
      /** @returns {State} */
      start: () => ({ hands: [red, blue], prizes, prize: 0, bids: [], points: [0, 0] }),
      round: [reveal, bid(0), bid(1), award],
      outcome({ prizes: left, prize, points: [mine = 0, theirs = 0] }) {
        if (left.length > 0 || prize !== 0) return undefined;
        return mine > theirs ? 'red' : mine < theirs ? 'blue' : 'mutual';
      },
    };
  },
  // The features omit `bids`, because the second player must not observe the bid of the first player.
  environment: ({ prizes }) => ({
    players: SIDES,
    actions: { bid: CARDS },
    features: [
      { name: 'prize', high: 9, of: ({ prize }) => prize },
      ...CARDS.map((card) => ({
        ...{ name: `prizes.${String(card)}`, high: 1 },
        of: (/** @type {State} */ state) => Number(state.prizes.includes(card)),
      })),
      ...SIDES.flatMap((name, side) => [
        ...CARDS.map((card) => ({
          ...{ name: `${name}.${String(card)}`, high: 1 },
          of: (/** @type {State} */ { hands }) => Number(hands[side]?.includes(card)),
        })),
        {
          ...{ name: `points.${name}`, high: prizes.reduce((sum, prize) => sum + prize, 0) },
          of: (/** @type {State} */ { points }) => points[side] ?? 0,
        },
      ]),
    ],
    rewards: {
      points: (player) => ({
        'points.red': player === 'red' ? 1 : -1,
        'points.blue': player === 'red' ? -1 : 1,
      }),
    },
  }),
});
