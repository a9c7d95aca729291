/** What the two sides bring to a battle, with all that a scenario fixes: values, dice and orders. */
import { POOL_CHUNK } from '../../core/chance/laws.ts';
import { type AirStrength, type UnitClass, type UnitOverride, type UnitType, unitTypesOf } from './units.ts';

export type Side = 'attacker' | 'defender';
export type Mode = 'ground' | 'fleet';
export type Site = 'open' | 'settlement' | 'great-wall';

/** The class that fights in each phase of a round. Phase 0 comes in the first round only. */
export const PHASES: Readonly<Record<Mode, readonly UnitClass[]>> = {
  ground: ['air', 'artillery', 'cavalry', 'infantry'],
  fleet: ['air', 'fleet'],
};

/** All units of one type on one side. */
export interface Troop extends UnitType {
  /** Its place among the troops of its side, which is the table's order. */
  readonly index: number;
  /** Units at the start. */
  readonly count: number;
  /** A die hits when it shows this or less; 1 or more, the site and the bonus included. */
  readonly value: number;
  /** Six times the hits to be expected of one unit's dice. */
  readonly weight: number;
}

/** Troops of one phase that roll their dice as one pool. */
export interface PoolPlan {
  readonly value: number;
  readonly troops: readonly Troop[];
}

export interface Army {
  readonly side: Side;
  /** Every type that the file names for this side, in the table's order. */
  readonly troops: readonly Troop[];
  /** By phase, the troops whose class fights in it. */
  readonly byPhase: readonly (readonly Troop[])[];
  /** All troops but aircraft. */
  readonly ground: readonly Troop[];
  /** By phase, one pool for each value, in the order in which the table first has it. */
  readonly pools: readonly (readonly PoolPlan[])[];
}

/** The part of a scenario that says who fights. */
export interface Muster {
  readonly mode: Mode;
  readonly site?: Site;
  readonly airStrength: AirStrength;
  readonly unitTypes: Readonly<Record<string, UnitOverride>>;
  readonly attacker: { readonly units: Readonly<Record<string, number | undefined>> };
  readonly defender: { readonly units: Readonly<Record<string, number | undefined>> };
}

const BASE_VALUE = { artillery: 1, cavalry: 2, infantry: 3, fleet: 2 };

/** By how much the site lowers the values of attackers: of artillery, of all others. */
const SITE_PENALTY = { open: [0, 0], settlement: [0, 1], 'great-wall': [1, 2] } as const;

/** The combat value of a type: 1 or more. */
function combatValue(type: UnitType, side: Side, site: Site): number {
  const base = type.class === 'air' ? 1 + type.era : BASE_VALUE[type.class];
  const penalty = side === 'attacker' ? SITE_PENALTY[site][type.class === 'artillery' ? 0 : 1] : 0;
  return Math.max(1, base + type.bonus - penalty);
}

function poolsOf(troops: readonly Troop[]): PoolPlan[] {
  const rolling = troops.filter(({ count, dice }) => count > 0 && dice > 0);
  const values = [...new Set(rolling.map(({ value }) => value))];
  return values.map((value) => ({ value, troops: rolling.filter((troop) => troop.value === value) }));
}

/** Armies by scenario: schema, model and encoding ask for them one after the other. */
const known = new WeakMap<Muster, Partial<Record<Side, Army>>>();

/** What a side of a scenario brings; a scenario never changes. */
export function armyOf(muster: Muster, side: Side): Army {
  const sides = known.get(muster) ?? {};
  known.set(muster, sides);
  const army = sides[side] ?? musteredArmy(muster, side);
  sides[side] = army;
  return army;
}

function musteredArmy(muster: Muster, side: Side): Army {
  const counts = new Map(Object.entries(muster[side].units));
  const named = [...unitTypesOf(muster.unitTypes, muster.airStrength).values()].filter(({ name }) => counts.has(name));
  const troops = named.map((type, index): Troop => {
    const value = combatValue(type, side, muster.site ?? 'open');
    return { ...type, index, count: counts.get(type.name) ?? 0, value, weight: type.dice * Math.min(6, value) };
  });
  const byPhase = PHASES[muster.mode].map((phase) => troops.filter((troop) => troop.class === phase));
  return {
    side,
    troops,
    byPhase,
    ground: troops.filter((troop) => troop.class !== 'air'),
    pools: byPhase.map(poolsOf),
  };
}

/** Whether the attacker has nothing but aircraft, which fight in the first round alone. */
export function isRaid(muster: Muster): boolean {
  return armyOf(muster, 'attacker').ground.every(({ count }) => count === 0);
}

/** Words of the stream that one roll of an army's pools of a phase takes when all its units live. */
export function wordsNeeded(pools: readonly PoolPlan[]): number {
  const dice = pools.map((pool) => pool.troops.reduce((sum, troop) => sum + troop.count * troop.dice, 0));
  return dice.reduce((words, each) => words + Math.ceil(each / POOL_CHUNK), 0);
}

/** Whether a unit of some troops lives. */
export function livesIn(troops: readonly Troop[], counts: readonly number[]): boolean {
  for (const { index } of troops) if ((counts[index] ?? 0) > 0) return true;
  return false;
}

/** Living units among some troops. */
export function unitsIn(troops: readonly Troop[], counts: readonly number[]): number {
  let units = 0;
  for (const { index } of troops) units += counts[index] ?? 0;
  return units;
}

/** The sum of a figure over the living units of some troops. */
export function total(troops: readonly Troop[], counts: readonly number[], figure: (troop: Troop) => number): number {
  let sum = 0;
  for (const troop of troops) sum += (counts[troop.index] ?? 0) * figure(troop);
  return sum;
}
