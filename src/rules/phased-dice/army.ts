/** The unit table as data, and its changes by a scenario. */

import { POOL_CHUNK } from '../../core/index.ts';
import type { Side, State, TableValues } from '../system.ts';

export const CLASSES = ['artillery', 'cavalry', 'infantry', 'air', 'fleet'] as const;
type PhasedUnitClass = (typeof CLASSES)[number];

/** Classes that the enemy can name for losses, in the order that breaks ties. */
export const GROUND_CLASSES = ['artillery', 'cavalry', 'infantry'] as const;
export type GroundClass = (typeof GROUND_CLASSES)[number];

/** An entry of the table. The era is the default number of dice and of hits. */
export interface UnitTableEntry {
  readonly name: string;
  readonly class: PhasedUnitClass;
  /** 1 ancient, 2 medieval, 3 gunpowder, 4 modern; of an aircraft, its strength: 1 less than its value. */
  readonly era: number;
  readonly bonus: number;
  /** The source does not print this unit: its figures are placeholders. */
  readonly placeholder?: true;
}

/** A unit type in a battle. */
interface PhasedUnitType {
  readonly name: string;
  readonly class: PhasedUnitClass;
  readonly era: number;
  /** Dice that one unit rolls. */
  readonly dice: number;
  /** Hits that destroy one unit; fewer have no effect. */
  readonly hits: number;
  /** Added to the class's combat value. */
  readonly bonus: number;
}

/** Fields of a type in a scenario; omitted ones are those of the table. */
interface PhasedUnitOverride {
  readonly class?: PhasedUnitClass | undefined;
  readonly era?: number | undefined;
  readonly dice?: number | undefined;
  readonly hits?: number | undefined;
  readonly bonus?: number | undefined;
}

/** Meaning of the figures 2 to 5 that the source prints after the strength of aircraft: values or strengths. */
type AirStrength = 'tier' | 'literal';

/** Seed 001, names and figures in its example, its tables of pictures lost. The order breaks ties. */
export const unitTable: readonly UnitTableEntry[] = [
  { name: 'catapult', class: 'artillery', era: 1, bonus: 0 },
  { name: 'trebuchet', class: 'artillery', era: 2, bonus: 0 },
  { name: 'cannon', class: 'artillery', era: 3, bonus: 1 },
  { name: 'howitzer', class: 'artillery', era: 4, bonus: 1, placeholder: true },
  { name: 'chariot', class: 'cavalry', era: 1, bonus: 0, placeholder: true },
  { name: 'knight', class: 'cavalry', era: 2, bonus: 0 },
  { name: 'dragoon', class: 'cavalry', era: 3, bonus: 0 },
  { name: 'tank', class: 'cavalry', era: 4, bonus: 0, placeholder: true },
  { name: 'spearman', class: 'infantry', era: 1, bonus: 0 },
  { name: 'pikeman', class: 'infantry', era: 2, bonus: 0, placeholder: true },
  { name: 'rifleman', class: 'infantry', era: 3, bonus: 0 },
  { name: 'mechanized-infantry', class: 'infantry', era: 4, bonus: 2 },
  { name: 'biplane', class: 'air', era: 1, bonus: 0 },
  { name: 'monoplane', class: 'air', era: 2, bonus: 0 },
  { name: 'jet', class: 'air', era: 3, bonus: 0 },
  { name: 'stealth', class: 'air', era: 4, bonus: 0 },
  { name: 'galley', class: 'fleet', era: 1, bonus: 0, placeholder: true },
  { name: 'caravel', class: 'fleet', era: 2, bonus: 0, placeholder: true },
  { name: 'frigate', class: 'fleet', era: 3, bonus: 0, placeholder: true },
  { name: 'battleship', class: 'fleet', era: 4, bonus: 0, placeholder: true },
];

/** Returns true if the table has a type of that name. */
export function isPrinted(name: string): boolean {
  return unitTable.some((entry) => entry.name === name);
}

/** Creates a type from an entry and the fields of a scenario; undefined without class or era. */
function completeUnitType(
  name: string,
  entry: UnitTableEntry | undefined,
  override: PhasedUnitOverride,
): PhasedUnitType | undefined {
  const unitClass = override.class ?? entry?.class;
  const era = override.era ?? entry?.era;
  if (unitClass === undefined || era === undefined) return undefined;
  return {
    name,
    class: unitClass,
    era,
    dice: override.dice ?? era,
    hits: override.hits ?? era,
    bonus: override.bonus ?? entry?.bonus ?? 0,
  };
}

/** Returns the table with the strengths of aircraft by the option `airStrength`. */
function getUnitTable(air: AirStrength): readonly UnitTableEntry[] {
  if (air === 'tier') return unitTable;
  return unitTable.map((entry) => (entry.class === 'air' ? { ...entry, era: entry.era + 1 } : entry));
}

/**
 * Creates all unit types of a scenario by name, in the order that breaks ties: those of the table, then added ones in
 * the order of the file. Added types without class or era are omitted.
 */
export function createUnitTypes(
  overrides: Readonly<Record<string, PhasedUnitOverride>>,
  air: AirStrength,
): ReadonlyMap<string, PhasedUnitType> {
  const given = new Map(Object.entries(overrides));
  const entries = new Map<string, UnitTableEntry | undefined>(getUnitTable(air).map((entry) => [entry.name, entry]));
  for (const name of given.keys()) if (!entries.has(name)) entries.set(name, undefined);
  const types = new Map<string, PhasedUnitType>();
  for (const [name, entry] of entries) {
    const type = completeUnitType(name, entry, given.get(name) ?? {});
    if (type !== undefined) types.set(name, type);
  }
  return types;
}

// Constants of both sides in a scenario: values, dice and orders.

export type BattleMode = 'ground' | 'fleet';
export type Site = 'open' | 'settlement' | 'great-wall';

/** Class that fights in each phase of a round. Phase 0 only exists in the first round. */
export const PHASES: Readonly<Record<BattleMode, readonly PhasedUnitClass[]>> = {
  ground: ['air', 'artillery', 'cavalry', 'infantry'],
  fleet: ['air', 'fleet'],
};

/** All units of one type on one side. */
export interface PhasedTroop extends PhasedUnitType {
  /** Index among the troops of its side, in the order of the table. */
  readonly index: number;
  /** Units at the start. */
  readonly count: number;
  /** A die hits with this or less; 1 or more, including the site and the bonus. */
  readonly value: number;
  /** Six times the expected hits of the dice of one unit. */
  readonly weight: number;
}

/** Troops of one phase that roll their dice as one pool. */
export interface PoolPlan {
  readonly value: number;
  readonly troops: readonly PhasedTroop[];
}

export interface PhasedArmy {
  readonly side: Side;
  /** Types in the file for this side, in the order of the table. */
  readonly troops: readonly PhasedTroop[];
  /** By phase, the troops whose class fights in it. */
  readonly byPhase: readonly (readonly PhasedTroop[])[];
  /** All troops except aircraft. */
  readonly ground: readonly PhasedTroop[];
  /** By phase, one pool for each value, in the order of the table. */
  readonly pools: readonly (readonly PoolPlan[])[];
}

/** Fields of a scenario that describe the units. */
export interface PhasedSetup {
  readonly mode: BattleMode;
  readonly site?: Site;
  readonly airStrength: AirStrength;
  readonly unitTypes: Readonly<Record<string, PhasedUnitOverride>>;
  readonly attacker: { readonly units: Readonly<Record<string, number | undefined>> };
  readonly defender: { readonly units: Readonly<Record<string, number | undefined>> };
}

const BASE_VALUE = { artillery: 1, cavalry: 2, infantry: 3, fleet: 2 };

/** Penalty of the site on the values of attackers: of artillery, of all others. */
const SITE_PENALTY = { open: [0, 0], settlement: [0, 1], 'great-wall': [1, 2] } as const;

/** Computes the combat value of a type, at least 1. */
function computeCombatValue(type: PhasedUnitType, side: Side, site: Site): number {
  const base = type.class === 'air' ? 1 + type.era : BASE_VALUE[type.class];
  const penalty = side === 'attacker' ? SITE_PENALTY[site][type.class === 'artillery' ? 0 : 1] : 0;
  return Math.max(1, base + type.bonus - penalty);
}

function createPools(troops: readonly PhasedTroop[]): PoolPlan[] {
  const rolling = troops.filter(({ count, dice }) => count > 0 && dice > 0);
  const values = [...new Set(rolling.map(({ value }) => value))];
  return values.map((value) => ({ value, troops: rolling.filter((troop) => troop.value === value) }));
}

/** Cache of armies by scenario, for schema, model and encoding. */
const armies = new WeakMap<PhasedSetup, Partial<Record<Side, PhasedArmy>>>();

/** Returns the army of a side of a scenario, which must not change. */
export function getArmy(muster: PhasedSetup, side: Side): PhasedArmy {
  const sides = armies.get(muster) ?? {};
  armies.set(muster, sides);
  const army = sides[side] ?? createArmy(muster, side);
  sides[side] = army;
  return army;
}

function createArmy(muster: PhasedSetup, side: Side): PhasedArmy {
  const counts = new Map(Object.entries(muster[side].units));
  const named = [...createUnitTypes(muster.unitTypes, muster.airStrength).values()].filter(({ name }) =>
    counts.has(name),
  );
  const troops = named.map((type, index): PhasedTroop => {
    const value = computeCombatValue(type, side, muster.site ?? 'open');
    return { ...type, index, count: counts.get(type.name) ?? 0, value, weight: type.dice * Math.min(6, value) };
  });
  const byPhase = PHASES[muster.mode].map((phase) => troops.filter((troop) => troop.class === phase));
  return {
    side,
    troops,
    byPhase,
    ground: troops.filter((troop) => troop.class !== 'air'),
    pools: byPhase.map(createPools),
  };
}

/** Values of the units in a scenario that are those of their types by default. */
export const tableValues: TableValues<PhasedSetup> = {
  values(muster) {
    const troops = [...getArmy(muster, 'attacker').troops, ...getArmy(muster, 'defender').troops];
    return troops
      .filter(({ count }) => count > 0)
      .flatMap((type) =>
        (['dice', 'hits', 'bonus'] as const).map(
          (figure) => [`unitTypes.${type.name}.${figure}`, type[figure]] as const,
        ),
      );
  },
  others: 'unit types that no side has; class and era',
};

/** Returns true if the attacker has only aircraft, which fight only in the first round. */
export function isRaid(muster: PhasedSetup): boolean {
  return getArmy(muster, 'attacker').ground.every(({ count }) => count === 0);
}

/** Counts the random words of one roll of the pools of a phase with all units. */
export function countWords(pools: readonly PoolPlan[]): number {
  const dice = pools.map((pool) => pool.troops.reduce((sum, troop) => sum + troop.count * troop.dice, 0));
  return dice.reduce((words, each) => words + Math.ceil(each / POOL_CHUNK), 0);
}

/** Returns true if a unit of some troops is alive. */
export function hasUnits(troops: readonly PhasedTroop[], counts: readonly number[]): boolean {
  for (const { index } of troops) if ((counts[index] ?? 0) > 0) return true;
  return false;
}

/** Counts the living units of some troops. */
export function countUnits(troops: readonly PhasedTroop[], counts: readonly number[]): number {
  let units = 0;
  for (const { index } of troops) units += counts[index] ?? 0;
  return units;
}

/** Sums a figure over the living units of some troops. */
export function sumFigures(
  troops: readonly PhasedTroop[],
  counts: readonly number[],
  figure: (troop: PhasedTroop) => number,
): number {
  let sum = 0;
  for (const troop of troops) sum += (counts[troop.index] ?? 0) * figure(troop);
  return sum;
}

// State of a battle between two steps, and between the decisions of a step.

/** State of one side in a battle. */
export interface PhasedForce {
  /** Living units by troop. */
  readonly counts: readonly number[];
  /** Hits that no unit could take yet. */
  readonly reserve: number;
}

export type SideHits = Readonly<Record<Side, number>>;

/** A decision within a step. */
export interface PhasedDecision {
  readonly point: 'target' | 'losses' | 'retreat';
  /** The deciding side. */
  readonly side: Side;
  /**
   * Hits that each side still has to place in this phase, including its reserve. For a side without hits, 0 until its
   * losses are decided.
   */
  readonly hits: SideHits;
  /** Classes that were named in this phase, by the side that named them. */
  readonly named: Readonly<Record<Side, GroundClass | undefined>>;
  /** The first units have taken all possible hits: now all ground units are hit. */
  readonly further: boolean;
  /** Units that the side has lost in this phase, by troop: reported when its hits are placed. */
  readonly fallen: readonly number[];
}

export interface CombatState extends State {
  /** The next phase, or `REST` between two rounds. */
  readonly phase: number;
  /** Hits of the attacker in this phase before the roll of the defender; null before the roll of the attacker. */
  readonly dealt: number | null;
  readonly attacker: PhasedForce;
  readonly defender: PhasedForce;
  /** True if the attacker has retreated. */
  readonly withdrawn: boolean;
  /** Present only between two turns of one step. */
  readonly pending?: PhasedDecision;
}

export const SIDES = ['attacker', 'defender'] as const;
export const ENEMY = { attacker: 'defender', defender: 'attacker' } as const;

/** Phase between two rounds. */
export const REST = -1;

/** No named class. */
export const NOBODY: PhasedDecision['named'] = { attacker: undefined, defender: undefined };

/** The decisions of a phase, in their order. */
export const STAGES = [
  { point: 'target', side: 'attacker' },
  { point: 'target', side: 'defender' },
  { point: 'losses', side: 'attacker' },
  { point: 'losses', side: 'defender' },
] as const;

/** The decision at the end of a round. */
export const RETREAT: PhasedDecision = {
  point: 'retreat',
  side: 'attacker',
  hits: { attacker: 0, defender: 0 },
  named: NOBODY,
  further: false,
  fallen: [],
};
