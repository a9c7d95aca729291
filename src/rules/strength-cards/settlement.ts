/** What follows from strengths and dice: losses, retreat, advance. No chance is left in it. */
import type { Door } from '../../core/chance/door.ts';
import type { Metric } from '../system.ts';
import { ENEMY, type Force, type Forces, NAMES } from './forces.ts';
import { METRICS } from './layout.ts';
import { type Blow, blowOf, type Toll, takeDamage } from './losses.ts';
import type { Side, StrengthCards } from './schema.ts';

/** What is settled: each side's dice and symbols, and the difference of the totals. */
export interface Clash {
  /** Attacker's total minus the defender's, in half points. */
  readonly margin: number;
  /** Damage rolled by the side. */
  readonly damage: Readonly<Record<Side, number>>;
  /** Hit point symbols of the side's card. */
  readonly symbols: Readonly<Record<Side, number>>;
}

/** Who wins. */
export function winnerOf(margin: number, initiative: Side): Side {
  if (margin === 0) return initiative;
  return margin > 0 ? 'attacker' : 'defender';
}

/** Bounds of what is measured. */
export function metricsOf({ portFleets }: StrengthCards['defender'], forces: Forces): Metric[] {
  const { attacker, defender } = forces;
  const symbols = (force: Force): number => Math.max(...force.cards.map((card) => card.symbols));
  const absorbed = (force: Force): number =>
    Math.min(mostDamage(forces[ENEMY[force.side]]), force.health + symbols(force) + force.levels);
  return METRICS.bounded({
    margin: { min: leastMargin(attacker, defender), max: -leastMargin(defender, attacker), unit: 0.5 },
    damage: [mostDamage(attacker), mostDamage(defender)],
    absorbed: [absorbed(attacker), absorbed(defender)],
    lost: [attacker.units.length, defender.units.length],
    eliminated: Math.max(mostEliminated(attacker), mostEliminated(defender)),
    hp: [attacker.health, defender.health],
    captured: 1,
    fortification: defender.levels,
    portFleetsLost: portFleets,
  });
}

/** The most units that a beaten side can lose in its retreat. */
const mostEliminated = ({ units, retreats }: Force): number => (retreats ? 0 : units.length);

function most(values: readonly number[]): number {
  return Math.max(...values);
}

/** The most that a lot can show. */
function mostOf(lot: Force['lot']): number {
  return lot.reduce((sum, die) => sum + most(die), 0);
}

/** The most damage that a side can roll. */
export function mostDamage({ lot, cards, tokens }: Force): number {
  const card = most(cards.map(({ dice }) => mostOf(dice)));
  return mostOf(lot) + card + tokens.reduce((sum, { dice }) => sum + mostOf(dice), 0);
}

/** The least that `own` can have over `enemy`, in half points. */
function leastMargin(own: Force, enemy: Force): number {
  const gain = ({ strength, enemyStrength }: Force['cards'][number]): number => strength - enemyStrength;
  const ownCard = Math.min(...own.cards.map(gain));
  const enemyCard = most(enemy.cards.map(gain));
  const ownAir = own.tokens.reduce((sum, { strength }) => sum + Math.min(0, strength), 0);
  const enemyAir = enemy.tokens.reduce((sum, { strength }) => sum + Math.max(0, strength), 0);
  return own.strength + ownCard + ownAir - enemy.strength - enemyCard - enemyAir;
}

/** What both sides are left with. */
export type Tolls = Readonly<Record<Side, Toll>>;

const alive = (hp: readonly number[]): number => hp.filter((left) => left > 0).length;
const left = (hp: readonly number[]): number => hp.reduce((sum, each) => sum + each, 0);

/** The loser goes; returns how many of its units are eliminated because they have nowhere to go. */
function retreat({ side, retreats }: Force, survivors: number, door: Door): number {
  const facts = () => ({ side: NAMES[side], units: survivors });
  if (survivors === 0) {
    door.rule('retreat.nobody', facts);
    return 0;
  }
  door.rule(retreats ? `retreat.${side}` : 'retreat.eliminated', facts);
  return retreats ? 0 : survivors;
}

/** True if the winning attacker takes the area. */
function advance(scenario: StrengthCards, tolls: Tolls, door: Door): boolean {
  if (alive(tolls.attacker.hp) === 0) {
    door.rule('advance.nobody');
    return false;
  }
  door.rule('advance');
  const { fortification, portFleets } = scenario.defender;
  if (fortification > tolls.defender.levels) {
    door.rule('advance.fortification', () => ({ levels: fortification - tolls.defender.levels }));
  }
  if (portFleets > 0) door.rule('advance.fleets', () => ({ fleets: portFleets }));
  return true;
}

export interface Settled {
  readonly winner: Side;
  /** In the order of `metricsOf`. */
  readonly metrics: readonly number[];
  readonly tolls: Tolls;
}

/** The damage that a side takes. */
export function blowTo(side: Side, forces: Forces, { damage, symbols }: Clash): Blow {
  return blowOf(forces[side], damage[ENEMY[side]], symbols[side]);
}

/** The defender takes its damage, then the attacker; then what follows. */
export function settle(scenario: StrengthCards, forces: Forces, clash: Clash, door: Door): Settled {
  const defender = takeDamage(blowTo('defender', forces, clash), door);
  const attacker = takeDamage(blowTo('attacker', forces, clash), door);
  return conclude(scenario, forces, clash, { attacker, defender }, door);
}

/** Both have taken their damage: the loser retreats, a winning attacker advances. */
export function conclude(
  scenario: StrengthCards,
  forces: Forces,
  { margin, damage }: Clash,
  tolls: Tolls,
  door: Door,
): Settled {
  const winner = winnerOf(margin, scenario.initiative);
  const { attacker, defender } = tolls;
  const { fortification, portFleets } = scenario.defender;
  const loser = ENEMY[winner];
  const eliminated = retreat(forces[loser], alive(tolls[loser].hp), door);
  const remaining = (side: Side): number => (side === loser && eliminated > 0 ? 0 : left(tolls[side].hp));
  if (winner === 'defender') door.rule('hold');
  const captured = winner === 'attacker' && advance(scenario, tolls, door);
  return {
    winner,
    metrics: METRICS.values({
      margin,
      damage: [damage.attacker, damage.defender],
      absorbed: [attacker.absorbed, defender.absorbed],
      lost: [attacker.hp.length - alive(attacker.hp), defender.hp.length - alive(defender.hp)],
      eliminated,
      hp: [remaining('attacker'), remaining('defender')],
      captured: Number(captured),
      fortification: captured ? 0 : fortification - defender.levels,
      portFleetsLost: captured ? portFleets : 0,
    }),
    tolls,
  };
}
