/**
 * Opposed sorted dice, as in conquest games: the attacker rolls up to three dice and the defender up to two, or up to
 * three in a capital. The highest dice of both sides are compared, then the second highest, and so on. In each pair,
 * the side with the lower die loses an army. On a tie, the attacker loses an army.
 */
import { constant, defineSystem, flag, integer, named, oneOf, sortedDice, z } from 'warpool/system';

/**
 * State of an attack on a chain of territories.
 * - `attacker`: attacking armies, without armies that stay in fallen territories;
 * - `defender`: armies in the attacked territory;
 * - `behind`: armies in all later territories;
 * - `place`: index of the attacked territory in the chain, from 0;
 * - `rounds`: number of finished rounds, counted up to `withdrawAfter`; always 0 if `withdrawAfter` is 0;
 * - `over`: true if the attacker has withdrawn.
 * @typedef {{ attacker: number, defender: number, behind: number, place: number, rounds: number,
 *   over: boolean }} Armies
 */

/**
 * Computes the number of armies that the defender loses in a roll.
 * @param {readonly number[]} attack faces of the attacker's dice, in descending order
 * @param {readonly number[]} defence faces of the defender's dice, in descending order
 */
const lost = (attack, defence) => defence.filter((face, k) => (attack[k] ?? 0) > face).length;

/** Computes the number of fallen territories. @param {Armies} left */
const fallen = (left) => left.place + Number(left.defender === 0);
/** Formats a number of armies, such as `1 army` or `2 armies`. @param {number} count */
const armies = (count) => `${count} ${count === 1 ? 'army' : 'armies'}`;

/**
 * Returns the number of armies in the largest garrison.
 * @param {number} first armies in the first territory
 * @param {readonly { armies: number }[]} beyond later territories
 */
const most = (first, beyond) => Math.max(first, ...beyond.map((each) => each.armies));

/** Creates a set of dice for `sortedDice`. @param {number} dice @param {number} sides @returns {[number, number]} */
const handful = (dice, sides) => [dice, sides];

/**
 * Computes the distributions of the defender's losses in a roll. The first index is the number of the attacker's dice
 * minus 1, the second index the number of the defender's dice minus 1. They are computed once per scenario, because
 * with six-sided dice this enumerates about 7 000 pairs of sorted rolls.
 * @param {number} mine sides of the attacker's dice
 * @param {number} theirs sides of the defender's dice
 */
const laws = (mine, theirs) =>
  [1, 2, 3].map((a) =>
    [1, 2, 3].map((d) => named("the defender's losses", sortedDice([handful(a, mine), handful(d, theirs)], lost))),
  );

const defenceDice = integer(1, 3, 'Dice of the defender at the most, one for each army; 3: a capital.').default(2);
const territory = z.strictObject({ armies: integer(1, 1000, 'Armies that defend.'), defenceDice });
const BEYOND = 'Territories that are attacked after the first; an army stays behind in each that is taken.';

export default defineSystem({
  id: 'conquest-dice',
  title: 'Opposed sorted dice',
  about:
    'Up to three dice against two; the highest of each are compared, ties go to the defender, each pair costs an army.',
  fields: {
    attacker: integer(1, 1000, 'Armies that attack.'),
    defender: integer(1, 1000, 'Armies that defend.'),
    attackDice: integer(1, 3, 'Dice of the attacker at the most, one for each army.').default(3),
    defenceDice,
    attackSides: integer(2, 12, 'Sides of the dice of the attacker.').default(6),
    defenceSides: integer(2, 12, 'Sides of the dice of the defender.').default(6),
    beyond: z.array(territory).max(20).default([]).meta({ description: BEYOND }),
    withdrawAt: integer(0, 1000, 'The attacker withdraws when it has so many armies or fewer.').default(0),
    withdrawOutnumbered: flag('The attacker withdraws when the territory has more armies.').default(false),
    withdrawAfter: integer(0, 1000, 'The attacker withdraws after so many rounds; 0: never.').default(0),
    dice: oneOf(['law', 'faces'], 'Losses drawn at once, or dice by their faces: slower, told in replays.').default(
      'law',
    ),
  },
  check: ({ attacker, withdrawAt }, reject) => {
    if (withdrawAt >= attacker) reject(['withdrawAt'], `less than attacker, ${attacker}`, String(withdrawAt));
  },
  decisions: [
    {
      ...{ point: 'press', who: 'attacker', about: 'After every round: presses on, or withdraws.' },
      policies: ['withdrawAt', 'withdrawOutnumbered', 'withdrawAfter'],
      describe: { on: ['presses on', 'press on'], withdraw: ['withdraws', 'withdraw'] },
    },
  ],
  rules: {
    faces: ({ attack, defence }) => `The attacker rolls ${attack}, the defender ${defence}.`,
    losses: {
      source: 'highest against highest, ties to the defender',
      describe: ({ attack, defence, attackerLost, defenderLost }) =>
        `${attack} against ${defence} dice: the attacker loses ${attackerLost}, the defender ${defenderLost}.`,
    },
    taken: ({ place, left }) => `Territory ${place} falls. One army stays there, ${armies(Number(left))} can go on.`,
    withdraws: ({ left }) => `${armies(Number(left))} of the attacker ${left === 1 ? 'is' : 'are'} left.`,
  },
  examples: {
    assault: { attacker: 3, defender: 2, maxRounds: 1 },
    siege: { attacker: 8, defender: 6, withdrawAt: 2, dice: 'faces' },
    chain: { attacker: 7, defender: 2, beyond: [{ armies: 1 }, { armies: 3, defenceDice: 3 }], withdrawAfter: 6 },
  },
  battle: (scenario) => {
    const { attacker, defender, attackDice, attackSides, defenceSides, beyond, withdrawAt, withdrawAfter } = scenario;
    const chain = [{ armies: defender, defenceDice: scenario.defenceDice }, ...beyond];
    const behind = beyond.reduce((sum, { armies: more }) => sum + more, 0);
    const losses = laws(attackSides, defenceSides);
    return {
      outcomes: ['attacker', 'defender', 'withdrawn'],
      // A battle of a single roll (`maxRounds: 1`) that has no winner is undecided, not a stalemate.
      atRoundLimit: 'undecided',
      metrics: {
        'armies.attacker': { min: 0, max: attacker, of: (left) => left.attacker },
        'armies.defender': { min: 0, max: defender + behind, of: (left) => left.defender + left.behind },
        ...(behind > 0 && { territories: { min: 0, max: chain.length, of: fallen } }),
      },
      streams: { attack: 1, defence: 1 },
      /** Returns the initial state. @returns {Armies} */
      start: () => ({ attacker, defender, behind, place: 0, rounds: 0, over: false }),
      round: [
        (left, chance) => {
          const attack = Math.min(attackDice, left.attacker);
          const defence = Math.min(chain[left.place]?.defenceDice ?? 0, left.defender);
          let defenderLost = 0;
          if (scenario.dice === 'faces') {
            // With six-sided dice, the exact solver and the compiler explore up to 56 x 56 branches of the two rolls.
            // The distribution of the losses has at most four values.
            const mine = chance.at('attack').roll(attack, attackSides);
            const theirs = chance.at('defence').roll(defence, defenceSides);
            chance.rule('faces', () => ({ attack: mine.join(' '), defence: theirs.join(' ') }));
            defenderLost = lost(mine, theirs);
          } else defenderLost = chance.at('attack').sample(losses[attack - 1]?.[defence - 1] ?? constant(0));
          const attackerLost = Math.min(attack, defence) - defenderLost;
          chance.rule('losses', () => ({ attack, defence, attackerLost, defenderLost }));
          const [mine, theirs] = [left.attacker - attackerLost, left.defender - defenderLost];
          const after = { ...left, attacker: mine, defender: theirs, rounds: Math.min(withdrawAfter, left.rounds + 1) };
          const { armies: next = 0 } = chain[left.place + 1] ?? {};
          if (theirs > 0 || next === 0) return after;
          chance.rule('taken', () => ({ place: left.place + 1, left: mine - 1 }));
          return { ...after, attacker: mine - 1, defender: next, behind: left.behind - next, place: left.place + 1 };
        },
        (left, chance) => {
          const isTime = withdrawAfter > 0 && left.rounds === withdrawAfter;
          const isWeak = left.attacker <= withdrawAt || (scenario.withdrawOutnumbered && left.attacker < left.defender);
          const policy = () => (isTime || isWeak ? 'withdraw' : 'on');
          const choice = chance.decide('press', 'attacker', ['on', 'withdraw'], policy);
          if (choice === 'withdraw') chance.rule('withdraws', () => ({ left: left.attacker }));
          return { ...left, over: choice === 'withdraw' };
        },
      ],
      outcome(left) {
        if (left.defender === 0) return 'attacker';
        return left.attacker === 0 ? 'defender' : left.over ? 'withdrawn' : undefined;
      },
      // A number is cheaper than the default key (JSON), and the compiler computes the key of every state.
      key: ({ attacker: a, defender: d, place, rounds, over }) =>
        (((place * 1001 + rounds) * 1001 + a) * 1001 + d) * 2 + Number(over),
    };
  },
  environment: ({ attacker, defender, beyond }) => ({
    players: ['attacker'],
    reward: (outcome) => (outcome === 'attacker' ? 1 : outcome === 'defender' ? -1 : 0),
    actions: { press: ['on', 'withdraw'] },
    features: [
      { name: 'armies.attacker', unit: 'armies', high: attacker, of: (left) => left.attacker },
      { name: 'armies.defender', unit: 'armies', high: most(defender, beyond), of: (left) => left.defender },
      ...beyond.slice(0, 1).map(() => ({ name: 'territories', high: beyond.length + 1, of: fallen })),
    ],
  }),
});
