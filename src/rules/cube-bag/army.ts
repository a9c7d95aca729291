/** Units and structures of both sides, and their effects. */

import type { EventData } from '../../core/index.ts';
import type { Side, State } from '../system.ts';
import {
  type Against,
  type BagUnitClass,
  type BagUnitType,
  createUnitTypes,
  type ObjectTables,
  type UnitKind,
} from './units.ts';

export const SIDES = ['attacker', 'defender'] as const;
export const ENEMY = { attacker: 'defender', defender: 'attacker' } as const;
export const PLAYERS: Readonly<Record<Side, string>> = { attacker: 'Attacker', defender: 'Defender' };

/** Cubes of the attacker's color, of the defender's, and neutral ones. */
export type Cubes = readonly [attacker: number, defender: number, neutral: number];

interface BagArmy {
  readonly units: Readonly<Record<string, number | undefined>>;
  readonly distance?: number | undefined;
  /** Hex of the army if it is not the target hex, which also has the structures. */
  readonly hex?: string | undefined;
  /** Overrides the values of the converter. */
  readonly conversionFactors?: number | undefined;
  /** Counted bonus: one of `BONUSES`, or the name of a type. */
  readonly bonus: string;
  readonly active: Readonly<Record<string, boolean | undefined>>;
  readonly extras: { readonly action: number; readonly experience: number };
  readonly modifiers: { readonly strength: number; readonly courage: number };
}

export interface StructureEntry {
  readonly type: string;
  readonly marks: number;
  /** Overrides the value of its type. */
  readonly hp?: number | undefined;
  /** Hex of the structure if it is not the target hex. */
  readonly hex?: string | undefined;
}

interface Party {
  readonly armies: readonly BagArmy[];
  readonly structures: readonly StructureEntry[];
  readonly addDefense: boolean;
  readonly corpsBonus: 'sum' | 'none';
  readonly technologies: { readonly fabian: number; readonly siegeTower: boolean };
}

/** Fields of a scenario that describe the units and their strength. */
interface BagSetup extends ObjectTables {
  readonly target: 'land' | 'water';
  readonly fortification: string;
  readonly garrisonBonus: number;
  readonly attacker: Party;
  readonly defender: Party;
}

/** All units of one type on one side, or in one of its armies if armies are distinguished. */
export interface BagTroop extends BagUnitType {
  readonly count: number;
  /** Number of the army, from 1; 1 if armies are not distinguished. */
  readonly army: number;
  /** Hex of the army if it is not the target hex. */
  readonly hex: string | undefined;
}

/** Units of one type in an army. */
interface ArmyUnit extends BagUnitType {
  readonly count: number;
  readonly active: boolean;
}

export const isSiege = ({ fortification }: BagSetup): boolean => fortification !== 'none';

const sum = <T>(items: readonly T[], figure: (item: T) => number): number =>
  items.reduce((before, item) => before + figure(item), 0);

/** Caches a function of a setup for each side. */
function memoizeBySide<T>(make: (muster: BagSetup, side: Side) => T): (muster: BagSetup, side: Side) => T {
  const made = { attacker: new WeakMap<BagSetup, T>(), defender: new WeakMap<BagSetup, T>() };
  return (muster, side) => {
    const found = made[side].get(muster) ?? make(muster, side);
    made[side].set(muster, found);
    return found;
  };
}

/** The unit types that the file names for a side, in the table's order. */
const listNamedTypes = memoizeBySide(findNamedTypes);

function findNamedTypes(muster: BagSetup, side: Side): BagUnitType[] {
  const named = new Set(muster[side].armies.flatMap(({ units }) => Object.keys(units)));
  return [...createUnitTypes(muster.unitTypes, muster.unitSet).values()].filter(({ name }) => named.has(name));
}

function getUnitCount({ units }: BagArmy, name: string): number {
  return Object.hasOwn(units, name) ? (units[name] ?? 0) : 0;
}

/** Returns true if the armies of the units of a side can make a difference. */
export function isSplit({ armies }: Party): boolean {
  const differs = ({ hex, conversionFactors }: BagArmy) => hex !== undefined || conversionFactors !== undefined;
  return armies.length > 1 && armies.some(differs);
}

/** Lists the units of a side by type, in the order of the table; within a type by army, if armies are distinguished. */
export function listTroops(muster: BagSetup, side: Side): BagTroop[] {
  const { armies } = muster[side];
  const hex = armies.length === 1 ? armies[0]?.hex : undefined;
  return listNamedTypes(muster, side).flatMap((type): BagTroop[] => {
    const all = { ...type, count: sum(armies, (army) => getUnitCount(army, type.name)), army: 1, hex };
    if (!isSplit(muster[side])) return [all];
    return armies.flatMap((army, index) => {
      const own = { count: getUnitCount(army, type.name), army: index + 1, hex: army.hex };
      return Object.hasOwn(army.units, type.name) ? [{ ...type, ...own }] : [];
    });
  });
}

/** Returns the distance of an army from its target: defenders are as close as the closest attackers. */
function computeDistance(muster: BagSetup, { distance }: BagArmy, side: Side): number {
  if (distance !== undefined) return distance;
  return side === 'attacker' ? 1 : Math.min(...muster.attacker.armies.map((army) => army.distance ?? 1));
}

/** Returns true if the melee units of a side cannot reach the enemy across a shore. */
export function isAcrossShore(muster: BagSetup, side: Side): boolean {
  if (side === 'attacker') return muster.target === 'water';
  const classes = listClasses(muster, 'attacker', muster.attacker.armies);
  return muster.target === 'land' && classes.every((each) => each === 'vessel');
}

function isActive(muster: BagSetup, side: Side, army: BagArmy, { name, kind, range }: BagUnitType): boolean {
  if (kind === 'none') return false;
  const said = Object.hasOwn(army.active, name) ? army.active[name] : undefined;
  if (said !== undefined) return said;
  if (kind === 'melee' && isAcrossShore(muster, side)) return false;
  const [least = 1, most = 0] = range;
  const distance = computeDistance(muster, army, side);
  return least <= distance && distance <= most;
}

function listUnits(muster: BagSetup, side: Side, army: BagArmy): ArmyUnit[] {
  return listNamedTypes(muster, side)
    .filter(({ name }) => getUnitCount(army, name) > 0)
    .map((type) => ({ ...type, count: getUnitCount(army, type.name), active: isActive(muster, side, army, type) }));
}

/** Classes of the units in some armies of a side. */
function listClasses(muster: BagSetup, side: Side, armies: readonly BagArmy[]): BagUnitClass[] {
  const present = listNamedTypes(muster, side).filter(({ name }) =>
    armies.some((army) => getUnitCount(army, name) > 0),
  );
  return [...new Set(present.map((type) => type.class))];
}

/** Lists the possible targets of bonuses on a side: everywhere, or only armies that are not on the target hex. */
function listBonusTargets(muster: BagSetup, side: Side, where: 'anywhere' | 'elsewhere'): readonly Against[] {
  const isThere = ({ hex }: { hex?: string | undefined }): boolean => where === 'anywhere' || hex !== undefined;
  const armies = muster[side].armies.filter(isThere);
  const isBuilt = muster[side].structures.some(isThere);
  return [...listClasses(muster, side, armies), ...(isBuilt ? (['structures'] as const) : [])];
}

// Strength bonus of an army: the possible ones, and the choice of its player.

/** Policies other than the name of a type. */
export const BONUSES = ['active-first', 'greatest', 'none'] as const;

/** The option of no bonus. */
const NO_BONUS = 'none';

interface ArmyBonus {
  readonly amount: number;
  readonly against: Against;
  readonly unit: ArmyUnit;
}

/** Kinds of units whose bonuses do not count against a garrison. */
const SHIELDED: readonly UnitKind[] = ['melee', 'ranged'];

/** Returns true if armies of a side have strength bonuses. */
const hasBonuses = ({ armies, corpsBonus }: BagSetup[Side]): boolean => armies.length < 2 || corpsBonus === 'sum';

/**
 * Lists the possible bonuses of an army with these units, the greatest first; ties by active units, then by the table.
 */
function listBonuses(muster: BagSetup, side: Side, units: readonly ArmyUnit[]): ArmyBonus[] {
  if (!hasBonuses(muster[side])) return [];
  const present = listBonusTargets(muster, ENEMY[side], 'anywhere');
  const outside = listBonusTargets(muster, ENEMY[side], 'elsewhere');
  const isWalled = side === 'attacker' && isSiege(muster);
  const bonuses = units.flatMap((unit) => {
    const counted = isWalled && SHIELDED.includes(unit.kind) ? outside : present;
    return counted.map((against): ArmyBonus => ({ amount: unit.bonus[against] ?? 0, against, unit }));
  });
  const order = (a: ArmyBonus, b: ArmyBonus) => b.amount - a.amount || Number(b.unit.active) - Number(a.unit.active);
  return bonuses.filter(({ amount }) => amount > 0).sort(order);
}

/** Picks the bonus of a policy among the possible ones. */
function pickBonus(policy: string, bonuses: readonly ArmyBonus[]): ArmyBonus | undefined {
  if (policy === NO_BONUS) return undefined;
  if (policy === 'greatest') return bonuses[0];
  if (policy === 'active-first') return bonuses.find(({ unit }) => unit.active) ?? bonuses[0];
  return bonuses.find(({ unit }) => unit.name === policy);
}

/** Returns the option of a bonus in decisions: bonuses of the same amount and color are equal. */
function getBonusOption(bonus: ArmyBonus | undefined): string {
  if (bonus === undefined) return NO_BONUS;
  return `${String(bonus.amount)}${bonus.unit.active ? '' : '-neutral'}`;
}

/** Removes bonuses with the same option. */
function removeDuplicates(bonuses: readonly ArmyBonus[]): ArmyBonus[] {
  const names = bonuses.map(getBonusOption);
  return bonuses.filter((_, index) => names.indexOf(names[index] ?? '') === index);
}

// Cubes that both sides put into the bag before the draw, and their courage.

/** A rule that applied while the bag was filled. */
export interface AppliedRule {
  readonly rule: string;
  readonly facts: EventData;
}

/** Additional cubes of an army by a bonus. */
interface BonusCubes {
  readonly own: number;
  readonly neutral: number;
}

/** A possible bonus of an army, or none. */
export interface BonusOption extends BonusCubes {
  readonly name: string;
  readonly rules: readonly AppliedRule[];
}

/** The choice of an army's bonus. */
export interface BonusChoice {
  readonly side: Side;
  /** Number of the army, from 1. */
  readonly army: number;
  /** The greatest bonus first, none last. */
  readonly options: readonly BonusOption[];
  /** Bonus by the policy of the scenario. */
  readonly policy: BonusOption;
}

/** Cubes of a side before bonuses and discards. */
export interface PreparedCubes {
  readonly own: number;
  readonly neutral: number;
  /** Never below 0. */
  readonly courage: number;
  readonly rules: readonly AppliedRule[];
  /** Armies with a choice of bonuses. */
  readonly choices: readonly BonusChoice[];
}

type ArmyCubes = Omit<PreparedCubes, 'choices'>;

/** Computes the cubes and the courage that one army adds to its side, with a bonus or without. */
function computeArmyCubes(
  muster: BagSetup,
  side: Side,
  army: BagArmy,
  units: readonly ArmyUnit[],
  bonus?: ArmyBonus,
): ArmyCubes {
  const active = units.filter((unit) => unit.active);
  const extras = army.extras.action + army.extras.experience;
  const formatCubes = (mine: boolean): number => {
    const strength = sum(units, (unit) => (unit.active === mine ? unit.count * unit.strength : 0));
    const modifier = mine === active.length > 0 ? army.modifiers.strength : 0;
    const more = bonus?.unit.active === mine ? bonus.amount : 0;
    return Math.max(0, strength + more + (mine ? extras : 0) + modifier);
  };
  const brave = muster[ENEMY[side]].structures.length > 0 && active.some((unit) => unit.courageVsStructures);
  return {
    own: formatCubes(true),
    neutral: formatCubes(false),
    courage: sum(active, ({ count }) => count) + army.modifiers.courage + Number(brave),
    rules: listArmyRules(side, army, brave),
  };
}

type RuleCandidate = readonly [applies: boolean, rule: string, facts: EventData];

/** Selects the rules that apply to a side. */
function selectApplied(side: Side, candidates: readonly RuleCandidate[]): AppliedRule[] {
  const reported = candidates.filter(([applies]) => applies);
  return reported.map(([, rule, facts]) => ({ rule, facts: { side: PLAYERS[side], ...facts } }));
}

/** Lists the rules of an army for any bonus. */
function listArmyRules(side: Side, { hex = '', modifiers, extras }: BagArmy, brave: boolean): AppliedRule[] {
  const added = extras.action + extras.experience;
  return selectApplied(side, [
    [hex !== '', 'elsewhere', { hex }],
    [modifiers.strength !== 0, 'modifier', { amount: modifiers.strength }],
    [added > 0, 'extras', { amount: added }],
    [brave, 'courage.structures', {}],
  ]);
}

/** Lists the rules of a bonus. */
function listBonusRules(side: Side, bonus: ArmyBonus | undefined, addDefense: boolean): AppliedRule[] {
  if (bonus === undefined) return selectApplied(side, [[true, 'bonus.none', {}]]);
  const { amount, against, unit } = bonus;
  const rule = unit.active ? 'bonus' : addDefense ? 'bonus.inactive' : 'bonus.left-out';
  return selectApplied(side, [[true, rule, { amount, against, type: unit.name }]]);
}

/** Creates the choice of a bonus of an army; undefined if there is none. */
function createBonusChoice(
  muster: BagSetup,
  side: Side,
  army: BagArmy,
  number: number,
  units: ArmyUnit[],
): BonusChoice | undefined {
  const bonuses = listBonuses(muster, side, units);
  if (bonuses.length === 0) return undefined;
  const { addDefense } = muster[side];
  const least = computeArmyCubes(muster, side, army, units);
  const createOption = (bonus: ArmyBonus | undefined): BonusOption => {
    const { own, neutral } = computeArmyCubes(muster, side, army, units, bonus);
    const more = { own: own - least.own, neutral: addDefense ? neutral - least.neutral : 0 };
    return { name: getBonusOption(bonus), ...more, rules: listBonusRules(side, bonus, addDefense) };
  };
  return {
    ...{ side, army: number },
    options: [...removeDuplicates(bonuses), undefined].map(createOption),
    policy: createOption(pickBonus(army.bonus, bonuses)),
  };
}

/** Used by the check of a scenario, then by its plan. */
export const getPreparedCubes = memoizeBySide(prepareCubes);

function prepareCubes(muster: BagSetup, side: Side): PreparedCubes {
  const { armies, addDefense, technologies } = muster[side];
  const units = armies.map((army) => listUnits(muster, side, army));
  const shares = armies.map((army, a) => computeArmyCubes(muster, side, army, units[a] ?? []));
  const garrison = side === 'defender' && isSiege(muster) ? muster.garrisonBonus : 0;
  const inactive = sum(shares, (share) => share.neutral);
  const courage = Math.max(0, sum(shares, (share) => share.courage) + Number(technologies.siegeTower));
  const story = selectApplied(side, [
    [!hasBonuses(muster[side]), 'bonus.corps', {}],
    [garrison > 0, 'siege.garrison', { amount: garrison }],
    [!addDefense && inactive > 0, 'defense.left-out', { amount: inactive }],
    [technologies.siegeTower, 'courage.tower', {}],
  ]);
  const choices = armies.map((army, a) => createBonusChoice(muster, side, army, a + 1, units[a] ?? []));
  return {
    own: sum(shares, (share) => share.own) + garrison,
    neutral: addDefense ? inactive : 0,
    courage,
    rules: [...shares.flatMap((share) => share.rules), ...story],
    choices: choices.filter((choice) => choice !== undefined),
  };
}

/** Sums the cubes of both sides before bonuses. */
export function sumPreparedCubes({ attacker, defender }: Readonly<Record<Side, PreparedCubes>>): Cubes {
  return [attacker.own, defender.own, attacker.neutral + defender.neutral];
}

/** Adds the cubes of a bonus. */
export function addBonusCubes(cubes: Cubes, side: Side, { own, neutral }: BonusCubes): Cubes {
  return combineCubes(cubes, side === 'attacker' ? [own, 0, neutral] : [0, own, neutral]);
}

/** Counts the cubes of each color that both sides discard. */
export function countDiscarded({ attacker, defender }: BagSetup, [first, second]: Cubes): number {
  return Math.min(attacker.technologies.fabian + defender.technologies.fabian, first, second);
}

// Stages of a battle, and its state between two draws.

export const OUTCOMES = ['attacker', 'defender', 'mutual', 'none'] as const;
export type BagOutcome = (typeof OUTCOMES)[number];

export interface BagStage {
  readonly act: 'conversion' | 'draw' | 'extraDraw' | 'redraw' | 'losses' | 'recovery';
  readonly side: Side;
}

export const STAGES: readonly BagStage[] = [
  { act: 'conversion', side: 'defender' },
  { act: 'conversion', side: 'attacker' },
  { act: 'draw', side: 'attacker' },
  { act: 'extraDraw', side: 'defender' },
  { act: 'redraw', side: 'attacker' },
  { act: 'redraw', side: 'defender' },
  { act: 'losses', side: 'attacker' },
  { act: 'recovery', side: 'defender' },
  { act: 'recovery', side: 'attacker' },
];

/** Before the first stage: armies choose their bonuses, and the bag is filled. */
export const READY = -1;

/** After the last stage. */
export const OVER: number = STAGES.length;

/** State of one side in a battle. */
export interface BagForce {
  /** Units in the battle, by troop. */
  readonly units: readonly number[];
  /** Units and structures destroyed, by slot: troops, then types of structures. */
  readonly lost: readonly number[];
  /** Enemy units converted. */
  readonly conversions: number;
  readonly recoveries: number;
  /** Own cubes of successful checks. */
  readonly experience: number;
}

/** Damage that is being placed on the objects of a side. */
export interface PendingDamage {
  readonly side: Side;
  /** Remaining damage. */
  readonly damage: number;
}

export interface BagState extends State {
  /** Index of the due stage, `READY` or `OVER`. */
  readonly stage: number;
  /**
   * Number of tries in it; before the first one, of chosen bonuses; if cubes are drawn one by one, 1 once the side
   * draws.
   */
  readonly tries: number;
  readonly bag: Cubes;
  readonly drawn: Cubes;
  readonly attacker: BagForce;
  readonly defender: BagForce;
  /** Marks on remaining structures of both sides. */
  readonly marks: number;
  /** Number of the army that chooses a bonus, or from which a unit is converted; 0 for any or none. */
  readonly army: number;
  /** Start of the next turn if it is not a draw: a bonus to choose, a unit to convert, or an object to remove. */
  readonly pending: 'bonus' | 'conversion' | PendingDamage | undefined;
}

/** Returns a battle with another force of a side. A computed name in a literal would cost ten times as much. */
export function withForce(state: BagState, side: Side, force: BagForce): BagState {
  return side === 'attacker' ? { ...state, attacker: force } : { ...state, defender: force };
}

/** Colors by index. */
export const COLOUR = { attacker: 0, defender: 1 } as const;
export const NEUTRAL = 2;

export const countCubes = (cubes: readonly number[]): number => cubes.reduce((sum, each) => sum + each, 0);

/** Adds two sets of cubes; subtracts the second for `sign` -1. */
export function combineCubes(a: Cubes, b: readonly number[], sign: 1 | -1 = 1): Cubes {
  return [a[0] + sign * (b[0] ?? 0), a[1] + sign * (b[1] ?? 0), a[2] + sign * (b[2] ?? 0)];
}
