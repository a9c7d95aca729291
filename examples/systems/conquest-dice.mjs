/**
 * Opposed sorted dice, as in conquest games: the attacker rolls up to three dice and the defender up to two, the highest are
 * compared, then the second highest; the lower one loses an army, and on a tie the attacker does.
 */
import { defineSystem, hands, integer, named, oneOf } from 'warpool/system';

/** @typedef {{ attacker: number, defender: number, over: boolean }} Armies that are left, and whether the attack is */

/**
 * Armies that the defender loses.
 * @param {readonly number[]} attack  faces in descending order
 * @param {readonly number[]} defence faces in descending order
 */
const lost = (attack, defence) => defence.filter((face, k) => (attack[k] ?? 0) > face).length;

/**
 * The law of the defender's losses by dice of the attacker and of the defender. It is made once: that walks through 1176
 * pairs of hands.
 */
const LOSSES = [1, 2, 3].map((attack) =>
  [1, 2].map((defence) =>
    named(
      "the defender's losses",
      hands(
        [
          [attack, 6],
          [defence, 6],
        ],
        lost,
      ),
    ),
  ),
);

/** @param {number} count */
const armies = (count) => `${count} ${count === 1 ? 'army' : 'armies'}`;

export default defineSystem({
  id: 'conquest-dice',
  title: 'Opposed sorted dice',
  about:
    'Up to three dice against two; the highest of each are compared, ties go to the defender, each pair costs an army.',
  fields: {
    attacker: integer(1, 1000, 'Armies that attack.'),
    defender: integer(1, 1000, 'Armies that defend.'),
    attackDice: integer(1, 3, 'Dice of the attacker at the most, one for each army.').default(3),
    defenceDice: integer(1, 2, 'Dice of the defender at the most, one for each army.').default(2),
    withdrawAt: integer(0, 1000, 'The attacker withdraws when it has so many armies or fewer.').default(0),
    dice: oneOf(
      ['law', 'faces'],
      'Whether losses are drawn at once, or dice by their faces: slower, told in replays.',
    ).default('law'),
  },
  check: ({ attacker, withdrawAt }, refuse) => {
    if (withdrawAt >= attacker) refuse(['withdrawAt'], `less than attacker, ${attacker}`, String(withdrawAt));
  },
  decisions: [
    {
      point: 'press',
      who: 'attacker',
      about: 'After every round: presses on, or withdraws.',
      policies: ['withdrawAt'],
      tell: { on: ['presses on', 'press on'], withdraw: ['withdraws', 'withdraw'] },
    },
  ],
  rules: {
    faces: ({ attack, defence }) => `The attacker rolls ${attack}, the defender ${defence}.`,
    losses: {
      source: 'highest against highest, ties to the defender',
      tell: ({ attack, defence, attackerLost, defenderLost }) =>
        `${attack} against ${defence} dice: the attacker loses ${attackerLost}, the defender ${defenderLost}.`,
    },
    withdraws: ({ left }) => `${armies(Number(left))} of the attacker ${left === 1 ? 'is' : 'are'} left.`,
  },
  examples: {
    assault: { attacker: 3, defender: 2, maxRounds: 1 },
    siege: { attacker: 8, defender: 6, withdrawAt: 2, dice: 'faces' },
  },
  battle: ({ attacker, defender, attackDice, defenceDice, withdrawAt, dice }) => ({
    outcomes: ['attacker', 'defender', 'withdrawn'],
    // A battle of one roll, `maxRounds: 1`, is no stalemate.
    outOfRounds: 'undecided',
    metrics: {
      'armies.attacker': { min: 0, max: attacker, of: (left) => left.attacker },
      'armies.defender': { min: 0, max: defender, of: (left) => left.defender },
    },
    slots: { attack: 1, defence: 1 },
    /** @returns {Armies} */
    start: () => ({ attacker, defender, over: false }),
    round: [
      (left, door) => {
        const attack = Math.min(attackDice, left.attacker);
        const defence = Math.min(defenceDice, left.defender);
        let defenderLost = 0;
        if (dice === 'faces') {
          // As many as 56 x 21 branches for the exact solver and the compiler; the law has three.
          const [mine, theirs] = [door.at('attack').roll(attack, 6), door.at('defence').roll(defence, 6)];
          door.rule('faces', () => ({ attack: mine.join(' '), defence: theirs.join(' ') }));
          defenderLost = lost(mine, theirs);
        } else {
          const law = LOSSES[attack - 1]?.[defence - 1];
          if (law !== undefined) defenderLost = door.at('attack').take(law);
        }
        const attackerLost = Math.min(attack, defence) - defenderLost;
        door.rule('losses', () => ({ attack, defence, attackerLost, defenderLost }));
        return { ...left, attacker: left.attacker - attackerLost, defender: left.defender - defenderLost };
      },
      (left, door) => {
        const policy = () => (left.attacker <= withdrawAt ? 'withdraw' : 'on');
        const choice = door.decide('press', 'attacker', ['on', 'withdraw'], policy);
        if (choice === 'withdraw') door.rule('withdraws', () => ({ left: left.attacker }));
        return { ...left, over: choice === 'withdraw' };
      },
    ],
    outcome(left) {
      if (left.defender === 0) return 'attacker';
      if (left.attacker === 0) return 'defender';
      return left.over ? 'withdrawn' : undefined;
    },
    // Cheaper than JSON: the compiler asks for the key of every state.
    key: (left) => (left.attacker * 1001 + left.defender) * 2 + Number(left.over),
  }),
  rollout: ({ attacker, defender }) => ({
    players: ['attacker'],
    worth: (outcome) => (outcome === 'attacker' ? 1 : outcome === 'defender' ? -1 : 0),
    actions: { press: ['on', 'withdraw'] },
    features: [
      { name: 'armies.attacker', unit: 'armies', high: attacker, of: (left) => left.attacker },
      { name: 'armies.defender', unit: 'armies', high: defender, of: (left) => left.defender },
    ],
  }),
});
