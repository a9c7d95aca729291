/**
 * Opposed sorted dice, as in conquest games: the attacker rolls up to three dice and the defender up to two, in a capital three.
 * The highest are compared, then the second highest; the lower one loses an army, and on a tie the attacker does.
 */
import { constant, defineSystem, flag, integer, named, oneOf, sortedDice, z } from 'warpool/system';

/**
 * Armies that are left: of the attacker, in the territory at this place of the chain, behind it. Rounds, where a rule counts them.
 * @typedef {{ attacker: number, defender: number, behind: number, place: number, rounds: number, over: boolean }} Armies
 */

/** Armies that the defender loses, of faces in descending order. @param {readonly number[]} attack @param {readonly number[]} defence */
const lost = (attack, defence) => defence.filter((face, k) => (attack[k] ?? 0) > face).length;

/** Territories that fell. @param {Armies} left */
const fallen = (left) => left.place + Number(left.defender === 0);
/** @param {number} count */
const armies = (count) => `${count} ${count === 1 ? 'army' : 'armies'}`;

/** The greatest garrison. @param {number} first @param {readonly { armies: number }[]} beyond */
const most = (first, beyond) => Math.max(first, ...beyond.map((each) => each.armies));

/** @param {number} dice @param {number} sides @returns {[number, number]} */
const handful = (dice, sides) => [dice, sides];

/**
 * Laws of the defender's losses by dice of both sides. They are made once for a scenario: that walks through 7 000 pairs of hands.
 * @param {number} mine sides of the dice of the attacker @param {number} theirs of the defender
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
      // A battle of one roll, `maxRounds: 1`, is no stalemate.
      atRoundLimit: 'undecided',
      metrics: {
        'armies.attacker': { min: 0, max: attacker, of: (left) => left.attacker },
        'armies.defender': { min: 0, max: defender + behind, of: (left) => left.defender + left.behind },
        ...(behind > 0 && { territories: { min: 0, max: chain.length, of: fallen } }),
      },
      streams: { attack: 1, defence: 1 },
      /** @returns {Armies} */
      start: () => ({ attacker, defender, behind, place: 0, rounds: 0, over: false }),
      round: [
        (left, chance) => {
          const attack = Math.min(attackDice, left.attacker);
          const defence = Math.min(chain[left.place]?.defenceDice ?? 0, left.defender);
          let defenderLost = 0;
          if (scenario.dice === 'faces') {
            // As many as 56 x 56 branches for the exact solver and the compiler; the law has four at the most.
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
      // Cheaper than JSON: the compiler asks for the key of every state.
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
