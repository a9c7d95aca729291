/**
 * A duel with hidden hands. In each round each side receives three cards and plays one of them. Knight beats archer,
 * archer beats pike, and pike beats knight; the loser loses a life. In fog (probability 1/3) no card beats another.
 */
import { defineSystem, integer } from 'warpool/system';

/** @typedef {{ lives: number[], hands: number[][], played: string[] }} State hands: number of cards of each kind */
/** @typedef {import('warpool/system').Phase<State>} Phase */

const SIDES = /** @type {const} */ (['red', 'blue']);
const KINDS = ['knight', 'archer', 'pike'];
const DECK = [3, 4, 5];
const TOLD = Object.fromEntries(KINDS.map((kind) => /** @type {const} */ ([kind, [`plays ${kind}`, `play ${kind}`]])));
const GROUNDS = ['field', 'hill', 'fog'];
const SHUFFLED = { hands: [DECK.map(() => 0), DECK.map(() => 0)], played: ['', ''] };

/** @type {Phase} */
const deal = (state, chance) => {
  const red = chance.at('red').draw(DECK, 3, KINDS);
  const left = DECK.map((count, kind) => count - (red[kind] ?? 0));
  const blue = chance.at('blue').draw(left, 3, KINDS);
  chance.rule('dealt');
  return { ...state, hands: [red, blue] };
};

/** Creates the phase of a card. The policy plays the kind held most. @param {0 | 1} side @returns {Phase} */
const play = (side) => (state, chance) => {
  const hand = state.hands[side] ?? [];
  const held = KINDS.filter((_, kind) => hand[kind] !== 0);
  const card = chance.decide('card', SIDES[side], held, () => KINDS[hand.indexOf(Math.max(...hand))] ?? '');
  return { ...state, played: state.played.with(side, card) };
};

/** @type {Phase} */
const clash = ({ lives, played }, chance) => {
  const [red = 0, blue = 0] = played.map((kind) => KINDS.indexOf(kind));
  const isFog = GROUNDS[chance.at('ground').pick([1, 1, 1], GROUNDS)] === 'fog';
  const loser = isFog || red === blue ? 'nobody' : (blue + 1) % 3 === red ? 'red' : 'blue';
  chance.rule('clash', () => ({ loser }));
  return { ...SHUFFLED, lives: lives.map((left, side) => left - Number(SIDES[side] === loser)) };
};

/**
 * Creates the feature of the number of cards of one kind in one hand. A player observes only its own hand; at the end
 * of a round (player === undefined) both hands are visible.
 * @param {number} n 0..2: kinds of red, 3..5: kinds of blue
 */
const card = (n) => ({
  ...{ name: `${SIDES[n < 3 ? 0 : 1]}.${KINDS[n % 3] ?? ''}`, unit: 'cards', high: 3 },
  /** @param {State} state @param {string | undefined} player */
  of({ hands }, player) {
    const side = n < 3 ? 0 : 1;
    return player === undefined || player === SIDES[side] ? (hands[side]?.[n % 3] ?? 0) : 0;
  },
});

export default defineSystem({
  id: 'hand',
  title: 'Duel of hidden hands',
  about: 'Each round both are dealt three cards and play one in secret; the beaten one loses a life, but not in fog.',
  fields: { red: integer(1, 5, 'Lives of red.').default(2), blue: integer(1, 5, 'Lives of blue.').default(2) },
  decisions: [
    { point: 'card', who: 'both', about: 'Which card to play.', policies: ['the kind held most'], describe: TOLD },
  ],
  rules: {
    dealt: () => 'Three cards for red, three for blue.',
    clash: ({ loser }) => `The loser of a life: ${loser}.`,
  },
  examples: { even: {}, short: { red: 1, blue: 1 } },
  battle: ({ red, blue }) => ({
    outcomes: ['red', 'blue'],
    streams: { red: KINDS.length - 1, blue: KINDS.length - 1, ground: 1 },
    start: () => ({ lives: [red, blue], ...SHUFFLED }),
    round: [deal, play(0), play(1), clash],
    outcome: ({ lives }) => (lives[0] === 0 ? 'blue' : lives[1] === 0 ? 'red' : undefined),
  }),
  environment: ({ red, blue }) => ({
    players: SIDES,
    actions: { card: KINDS },
    features: [
      { name: 'lives.red', high: red, of: ({ lives }) => lives[0] ?? 0 },
      { name: 'lives.blue', high: blue, of: ({ lives }) => lives[1] ?? 0 },
      ...[0, 1, 2, 3, 4, 5].map(card),
    ],
  }),
});
