import { uniformInt } from 'pure-rand/distribution/uniformInt';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import type { IdiomaticBattle } from './battle.ts';

type Die = readonly number[];

interface Card {
  readonly name: string;
  readonly weight: number;
  readonly strength: number;
  readonly enemyStrength: number;
  readonly symbols: number;
  readonly dice: readonly Die[];
}

interface Unit {
  readonly name: string;
  hp: number;
}

const die1: Die = [0, 0, 0, 0, 0, 1];
const die2: Die = [0, 0, 0, 0, 1, 1];
const die3: Die = [0, 0, 0, 1, 1, 1];
const die4: Die = [0, 0, 1, 1, 1, 1];
const die6: Die = [0, 1, 1, 1, 2, 2];

const ATTACKER: { strength: number; dice: readonly Die[]; hand: readonly Card[] } = {
  strength: 10,
  dice: [die6, die4],
  hand: [
    { name: 'encirclement', weight: 2, strength: 2, enemyStrength: -1, symbols: 0, dice: [die1] },
    { name: 'assault', weight: 1, strength: 3, enemyStrength: 0, symbols: 0, dice: [die4] },
  ],
};

const DEFENDER: typeof ATTACKER = {
  strength: 11,
  dice: [die3, die2],
  hand: [
    { name: 'counterattack', weight: 1, strength: 3, enemyStrength: 0, symbols: 1, dice: [] },
    { name: 'dig-in', weight: 1, strength: 2, enemyStrength: 0, symbols: 2, dice: [] },
    { name: 'field-hospital', weight: 1, strength: 0, enemyStrength: 0, symbols: 3, dice: [] },
  ],
};

function pick(rng: RandomGenerator, hand: readonly Card[]): Card {
  const total = hand.reduce((sum, { weight }) => sum + weight, 0);
  let left = uniformInt(rng, 1, total);
  for (const each of hand) {
    left -= each.weight;
    if (left <= 0) return each;
  }
  throw new Error('no card was picked');
}

function roll(rng: RandomGenerator, dice: readonly Die[]): number {
  let sum = 0;
  for (const die of dice) sum += die[uniformInt(rng, 0, 5)] ?? 0;
  return sum;
}

const health = (units: readonly Unit[]): number => units.reduce((sum, { hp }) => sum + hp, 0);

/**
 * Symbols of the card first, then units: the one with most hit points left if losses are spread, otherwise in order.
 */
function suffer(units: readonly Unit[], damage: number, symbols: number, spread: boolean): void {
  for (let left = damage - symbols; left > 0; left--) {
    const living = units.filter(({ hp }) => hp > 0);
    const [first] = spread ? living.sort((a, b) => b.hp - a.hp) : living;
    if (first === undefined) return;
    first.hp--;
  }
}

/** The shipped pocket in the snow, scenarios/strength-cards-pocket.yaml. */
export const strengthCards: IdiomaticBattle = (rng) => {
  const attackers: Unit[] = [
    { name: 'armour', hp: 2 },
    { name: 'infantry', hp: 3 },
  ];
  const defenders: Unit[] = [
    { name: 'infantry', hp: 2 },
    { name: 'exhausted infantry', hp: 2 },
    { name: 'garrison', hp: 3 },
  ];
  const forth = pick(rng, ATTACKER.hand);
  const back = pick(rng, DEFENDER.hand);
  const groundAttack = uniformInt(rng, 1, 4) <= 3;
  const fighter = uniformInt(rng, 1, 2) === 1;
  const attack = ATTACKER.strength + forth.strength + back.enemyStrength + (groundAttack ? 2 : 0);
  const defence = DEFENDER.strength + back.strength + forth.enemyStrength + (fighter ? 1 : 0);
  const dealt = roll(rng, [...ATTACKER.dice, ...forth.dice, ...(groundAttack ? [die3] : [])]);
  const taken = roll(rng, [...DEFENDER.dice, ...back.dice, ...(fighter ? [die1] : [])]);
  suffer(defenders, dealt, back.symbols, true);
  suffer(attackers, taken, forth.symbols, false);
  const won = attack > defence;
  const eliminated = won ? defenders.filter(({ hp }) => hp > 0).length : 0;
  return {
    outcome: won ? 'attacker' : 'defender',
    metrics: {
      'damage.attacker': dealt,
      'damage.defender': taken,
      'hp.attacker': health(attackers),
      'hp.defender': won ? 0 : health(defenders),
      eliminated,
    },
  };
};
