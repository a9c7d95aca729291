/** Who fights on the two sides: armies, units and structures as the file has them, and what of them counts. */

import type { Facts } from '../../core/index.ts';
import type { Side, State } from '../system.ts';
import {
  type Against,
  type StructureOverride,
  structureHpOf,
  type Tables,
  type UnitClass,
  type UnitKind,
  type UnitType,
  unitTypesOf,
} from './units.ts';

export const SIDES = ['attacker', 'defender'] as const;
export const ENEMY = { attacker: 'defender', defender: 'attacker' } as const;
export const PLAYERS: Readonly<Record<Side, string>> = { attacker: 'Attacker', defender: 'Defender' };

/** Cubes of the attacker's colour, of the defender's, and neutral ones. */
export type Cubes = readonly [attacker: number, defender: number, neutral: number];

interface Army {
  readonly units: Readonly<Record<string, number | undefined>>;
  readonly distance?: number | undefined;
  /** Where it stands if not on the target hex, with the structures. */
  readonly hex?: string | undefined;
  /** In the place of the converter's. */
  readonly conversionFactors?: number | undefined;
  /** Which bonus it counts: one of `BONUSES`, or the name of a type. */
  readonly bonus: string;
  readonly active: Readonly<Record<string, boolean | undefined>>;
  readonly extras: { readonly action: number; readonly experience: number };
  readonly modifiers: { readonly strength: number; readonly courage: number };
}

interface Structure {
  readonly type: string;
  readonly marks: number;
  /** In the place of its type's. */
  readonly hp?: number | undefined;
  /** Where it stands if not on the target hex. */
  readonly hex?: string | undefined;
}

interface Party {
  readonly armies: readonly Army[];
  readonly structures: readonly Structure[];
  readonly addDefense: boolean;
  readonly corpsBonus: 'sum' | 'none';
  readonly technologies: { readonly fabian: number; readonly siegeTower: boolean };
}

/** The part of a scenario that says who fights, and how strong they are. */
interface Muster extends Tables {
  readonly target: 'land' | 'water';
  readonly fortification: string;
  readonly garrisonBonus: number;
  readonly attacker: Party;
  readonly defender: Party;
}

/** All units of one type on one side, or in one of its armies where these are told apart. */
export interface Troop extends UnitType {
  readonly count: number;
  /** Number of the army, from 1; 1 where armies are not told apart. */
  readonly army: number;
  /** Where it stands if not on the target hex. */
  readonly hex: string | undefined;
}

/** Units of one type in an army. */
interface Unit extends UnitType {
  readonly count: number;
  readonly active: boolean;
}

export const isSiege = ({ fortification }: Muster): boolean => fortification !== 'none';

const sum = <T>(items: readonly T[], figure: (item: T) => number): number =>
  items.reduce((before, item) => before + figure(item), 0);

/** Makes what follows from a muster for each side once. */
function onceFor<T>(make: (muster: Muster, side: Side) => T): (muster: Muster, side: Side) => T {
  const made = { attacker: new WeakMap<Muster, T>(), defender: new WeakMap<Muster, T>() };
  return (muster, side) => {
    const found = made[side].get(muster) ?? make(muster, side);
    made[side].set(muster, found);
    return found;
  };
}

/** The unit types that the file names for a side, in the table's order. */
const typesOf = onceFor(namedTypes);

function namedTypes(muster: Muster, side: Side): UnitType[] {
  const named = new Set(muster[side].armies.flatMap(({ units }) => Object.keys(units)));
  return [...unitTypesOf(muster.unitTypes, muster.unitSet).values()].filter(({ name }) => named.has(name));
}

function countOf({ units }: Army, name: string): number {
  return Object.hasOwn(units, name) ? (units[name] ?? 0) : 0;
}

/** True if it can matter to which army of a side a unit belongs. */
export function isSplit({ armies }: Party): boolean {
  const differs = ({ hex, conversionFactors }: Army) => hex !== undefined || conversionFactors !== undefined;
  return armies.length > 1 && armies.some(differs);
}

/** The units of a side by type, in the table's order; of one type by army, if armies are told apart. */
export function troopsOf(muster: Muster, side: Side): Troop[] {
  const { armies } = muster[side];
  const hex = armies.length === 1 ? armies[0]?.hex : undefined;
  return typesOf(muster, side).flatMap((type): Troop[] => {
    const all = { ...type, count: sum(armies, (army) => countOf(army, type.name)), army: 1, hex };
    if (!isSplit(muster[side])) return [all];
    return armies.flatMap((army, index) => {
      const own = { count: countOf(army, type.name), army: index + 1, hex: army.hex };
      return Object.hasOwn(army.units, type.name) ? [{ ...type, ...own }] : [];
    });
  });
}

/** How far an army is from its target: the defender's armies are as near as the nearest attackers come. */
function distanceOf(muster: Muster, { distance }: Army, side: Side): number {
  if (distance !== undefined) return distance;
  return side === 'attacker' ? 1 : Math.min(...muster.attacker.armies.map((army) => army.distance ?? 1));
}

/** True if a shore lies between the melee units of a side and the enemy, which they do not reach then. */
export function isAcrossShore(muster: Muster, side: Side): boolean {
  if (side === 'attacker') return muster.target === 'water';
  const classes = classesOf(muster, 'attacker', muster.attacker.armies);
  return muster.target === 'land' && classes.every((each) => each === 'vessel');
}

function isActive(muster: Muster, side: Side, army: Army, { name, kind, range }: UnitType): boolean {
  if (kind === 'none') return false;
  const said = Object.hasOwn(army.active, name) ? army.active[name] : undefined;
  if (said !== undefined) return said;
  if (kind === 'melee' && isAcrossShore(muster, side)) return false;
  const [least = 1, most = 0] = range;
  const distance = distanceOf(muster, army, side);
  return least <= distance && distance <= most;
}

function unitsOf(muster: Muster, side: Side, army: Army): Unit[] {
  return typesOf(muster, side)
    .map((type) => ({ ...type, count: countOf(army, type.name), active: isActive(muster, side, army, type) }))
    .filter(({ count }) => count > 0);
}

/** Classes of the units in some armies of a side. */
function classesOf(muster: Muster, side: Side, armies: readonly Army[]): UnitClass[] {
  const present = typesOf(muster, side).filter(({ name }) => armies.some((army) => countOf(army, name) > 0));
  return [...new Set(present.map((type) => type.class))];
}

/** What a bonus can count against on a side: all of it, or only armies that do not stand on the target hex. */
function presentOn(muster: Muster, side: Side, where: 'anywhere' | 'elsewhere'): readonly Against[] {
  const isThere = ({ hex }: { hex?: string | undefined }): boolean => where === 'anywhere' || hex !== undefined;
  const armies = muster[side].armies.filter(isThere);
  const isBuilt = muster[side].structures.some(isThere);
  return [...classesOf(muster, side, armies), ...(isBuilt ? (['structures'] as const) : [])];
}

// The strength bonus of an army: which ones it can count, and which its player counts.

/** Policies other than the name of a type. */
export const BONUSES = ['active-first', 'greatest', 'none'] as const;

/** The option to count none. */
const NO_BONUS = 'none';

interface Bonus {
  readonly amount: number;
  readonly against: Against;
  readonly unit: Unit;
}

/** Kinds of units whose bonuses a garrison ignores. */
const SHIELDED: readonly UnitKind[] = ['melee', 'ranged'];

/** True if armies of a side give their bonuses. */
const givesBonus = ({ armies, corpsBonus }: Muster[Side]): boolean => armies.length < 2 || corpsBonus === 'sum';

/** The bonuses that an army of such units can count, the greatest first; of equals those of active units, then by the table. */
function bonusesOf(muster: Muster, side: Side, units: readonly Unit[]): Bonus[] {
  if (!givesBonus(muster[side])) return [];
  const present = presentOn(muster, ENEMY[side], 'anywhere');
  const outside = presentOn(muster, ENEMY[side], 'elsewhere');
  const isWalled = side === 'attacker' && isSiege(muster);
  const bonuses = units.flatMap((unit) => {
    const counted = isWalled && SHIELDED.includes(unit.kind) ? outside : present;
    return counted.map((against): Bonus => ({ amount: unit.bonus[against] ?? 0, against, unit }));
  });
  const order = (a: Bonus, b: Bonus) => b.amount - a.amount || Number(b.unit.active) - Number(a.unit.active);
  return bonuses.filter(({ amount }) => amount > 0).sort(order);
}

/** The bonus that a policy counts, of those that an army can. */
function pickBonus(policy: string, bonuses: readonly Bonus[]): Bonus | undefined {
  if (policy === NO_BONUS) return undefined;
  if (policy === 'greatest') return bonuses[0];
  if (policy === 'active-first') return bonuses.find(({ unit }) => unit.active) ?? bonuses[0];
  return bonuses.find(({ unit }) => unit.name === policy);
}

/** What a bonus is called among the options of a decision: two of one amount and colour are the same. */
function optionOf(bonus: Bonus | undefined): string {
  if (bonus === undefined) return NO_BONUS;
  return `${String(bonus.amount)}${bonus.unit.active ? '' : '-neutral'}`;
}

/** Bonuses of which no two are the same option. */
function distinct(bonuses: readonly Bonus[]): Bonus[] {
  const names = bonuses.map(optionOf);
  return bonuses.filter((_, index) => names.indexOf(names[index] ?? '') === index);
}

// What the two sides put into the bag before anything is drawn, and their courage.

/** A rule that applied while the bag was filled. */
export interface ToldDraw {
  readonly rule: string;
  readonly facts: Facts;
}

/** Cubes that an army gives more with a bonus. */
interface BonusCubes {
  readonly own: number;
  readonly neutral: number;
}

/** A bonus that an army can count, or none. */
export interface BonusOption extends BonusCubes {
  readonly name: string;
  readonly story: readonly ToldDraw[];
}

/** The choice of an army's bonus. */
export interface BonusChoice {
  readonly side: Side;
  /** Number of the army, from 1. */
  readonly army: number;
  /** The greatest bonus first, none last. */
  readonly options: readonly BonusOption[];
  /** What the policy of the scenario counts. */
  readonly policy: BonusOption;
}

/** What a side puts into the bag, before a bonus is counted and anything is discarded. */
export interface Host {
  readonly own: number;
  readonly neutral: number;
  /** Never below 0. */
  readonly courage: number;
  readonly story: readonly ToldDraw[];
  /** Those of the armies that can count a bonus. */
  readonly choices: readonly BonusChoice[];
}

type Share = Omit<Host, 'choices'>;

/** What one army gives to the cubes and to the courage of its side, if it counts a bonus, or none. */
function shareOf(muster: Muster, side: Side, army: Army, units: readonly Unit[], bonus?: Bonus): Share {
  const active = units.filter((unit) => unit.active);
  const extras = army.extras.action + army.extras.experience;
  const cubes = (mine: boolean): number => {
    const strength = sum(units, (unit) => (unit.active === mine ? unit.count * unit.strength : 0));
    const modifier = mine === active.length > 0 ? army.modifiers.strength : 0;
    const more = bonus?.unit.active === mine ? bonus.amount : 0;
    return Math.max(0, strength + more + (mine ? extras : 0) + modifier);
  };
  const brave = muster[ENEMY[side]].structures.length > 0 && active.some((unit) => unit.courageVsStructures);
  return {
    own: cubes(true),
    neutral: cubes(false),
    courage: sum(active, ({ count }) => count) + army.modifiers.courage + Number(brave),
    story: storyOf(side, army, brave),
  };
}

type Candidate = readonly [applies: boolean, rule: string, facts: Facts];

/** Those rules that apply to a side. */
function applied(side: Side, candidates: readonly Candidate[]): ToldDraw[] {
  const told = candidates.filter(([applies]) => applies);
  return told.map(([, rule, facts]) => ({ rule, facts: { side: PLAYERS[side], ...facts } }));
}

/** What is told of an army, whichever bonus it counts. */
function storyOf(side: Side, { hex = '', modifiers, extras }: Army, brave: boolean): ToldDraw[] {
  const added = extras.action + extras.experience;
  return applied(side, [
    [hex !== '', 'elsewhere', { hex }],
    [modifiers.strength !== 0, 'modifier', { amount: modifiers.strength }],
    [added > 0, 'extras', { amount: added }],
    [brave, 'courage.structures', {}],
  ]);
}

/** What is told of a bonus. */
function bonusStory(side: Side, bonus: Bonus | undefined, addDefense: boolean): ToldDraw[] {
  if (bonus === undefined) return applied(side, [[true, 'bonus.none', {}]]);
  const { amount, against, unit } = bonus;
  const rule = unit.active ? 'bonus' : addDefense ? 'bonus.inactive' : 'bonus.left-out';
  return applied(side, [[true, rule, { amount, against, type: unit.name }]]);
}

/** The choice of an army's bonus; undefined if there is none to count. */
function choiceOf(muster: Muster, side: Side, army: Army, number: number, units: Unit[]): BonusChoice | undefined {
  const bonuses = bonusesOf(muster, side, units);
  if (bonuses.length === 0) return undefined;
  const { addDefense } = muster[side];
  const least = shareOf(muster, side, army, units);
  const option = (bonus: Bonus | undefined): BonusOption => {
    const { own, neutral } = shareOf(muster, side, army, units, bonus);
    const more = { own: own - least.own, neutral: addDefense ? neutral - least.neutral : 0 };
    return { name: optionOf(bonus), ...more, story: bonusStory(side, bonus, addDefense) };
  };
  return {
    ...{ side, army: number },
    options: [...distinct(bonuses), undefined].map(option),
    policy: option(pickBonus(army.bonus, bonuses)),
  };
}

/** The check of a scenario asks for it, and then its plan. */
export const hostOf = onceFor(makeHost);

function makeHost(muster: Muster, side: Side): Host {
  const { armies, addDefense, technologies } = muster[side];
  const units = armies.map((army) => unitsOf(muster, side, army));
  const shares = armies.map((army, a) => shareOf(muster, side, army, units[a] ?? []));
  const garrison = side === 'defender' && isSiege(muster) ? muster.garrisonBonus : 0;
  const inactive = sum(shares, (share) => share.neutral);
  const courage = Math.max(0, sum(shares, (share) => share.courage) + Number(technologies.siegeTower));
  const story = applied(side, [
    [!givesBonus(muster[side]), 'bonus.corps', {}],
    [garrison > 0, 'siege.garrison', { amount: garrison }],
    [!addDefense && inactive > 0, 'defense.left-out', { amount: inactive }],
    [technologies.siegeTower, 'courage.tower', {}],
  ]);
  const choices = armies.map((army, a) => choiceOf(muster, side, army, a + 1, units[a] ?? []));
  return {
    own: sum(shares, (share) => share.own) + garrison,
    neutral: addDefense ? inactive : 0,
    courage,
    story: [...shares.flatMap((share) => share.story), ...story],
    choices: choices.filter((choice) => choice !== undefined),
  };
}

/** What both sides put into the bag before bonuses. */
export function preparedBy({ attacker, defender }: Readonly<Record<Side, Host>>): Cubes {
  return [attacker.own, defender.own, attacker.neutral + defender.neutral];
}

/** Cubes with those of a bonus. */
export function withBonus(cubes: Cubes, side: Side, { own, neutral }: BonusCubes): Cubes {
  return together(cubes, side === 'attacker' ? [own, 0, neutral] : [0, own, neutral]);
}

/** Cubes of each colour that both sides discard from what they have prepared. */
export function discarded({ attacker, defender }: Muster, [first, second]: Cubes): number {
  return Math.min(attacker.technologies.fabian + defender.technologies.fabian, first, second);
}

// The structures of a side: their hit points, and those that fall in a fixed order.

/** A structure with the hit points that it has. */
export type Building = Structure & { readonly hp: number };

/** Structures in the order of the file; `hp` is 0 for a type that is unknown. */
export function buildingsOf(
  structureTypes: Readonly<Record<string, StructureOverride>>,
  structures: readonly Structure[],
): Building[] {
  const types = structureHpOf(structureTypes);
  return structures.map((structure) => ({ ...structure, hp: structure.hp ?? types.get(structure.type) ?? 0 }));
}

/** Structures of one type, on one hex and of the same hit points: of them those with more marks fall first. */
export type BuildingLot = readonly Building[];

/** The lots of a side, by type in the order given. */
export function lotsOf(buildings: readonly Building[], types: Iterable<string>): BuildingLot[] {
  const byType = [...types].flatMap((name) => buildings.filter(({ type }) => type === name));
  const lots = new Map<string, BuildingLot>();
  for (const building of byType) {
    const { type, hex = '', hp } = building;
    const key = `${type} ${String(hp)} ${hex}`;
    lots.set(key, [...(lots.get(key) ?? []), building]);
  }
  return [...lots.values()];
}

/** The hex of a structure, behind its name; nothing for the target hex. */
export const whereOf = (hex: string | undefined): string => (hex === undefined ? '' : ` on ${hex}`);

/** What is told of structures on other hexes, and of hit points that are not those of the table. */
export function buildingStory(side: Side, lots: readonly BuildingLot[]): ToldDraw[] {
  const printed = structureHpOf({});
  const player = PLAYERS[side];
  return lots.flatMap((lot): ToldDraw[] => {
    const [{ type: name, hex, hp } = { type: '', hex: undefined, hp: 0 }] = lot;
    const placed = { rule: 'structures.hex', facts: { side: player, count: lot.length, name, hex: hex ?? '' } };
    const own = { rule: 'structures.hp', facts: { side: player, name, hp, where: whereOf(hex) } };
    return [...(hex === undefined ? [] : [placed]), ...(hp === printed.get(name) ? [] : [own])];
  });
}

// The stages of a battle, and what a battle has come to between two draws.

export const OUTCOMES = ['attacker', 'defender', 'mutual', 'none'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface Stage {
  readonly act: 'conversion' | 'draw' | 'extraDraw' | 'redraw' | 'losses' | 'recovery';
  readonly side: Side;
}

export const STAGES: readonly Stage[] = [
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

/** Before the first stage: armies count their bonuses, and the bag is filled. */
export const READY = -1;

/** After the last stage. */
export const OVER: number = STAGES.length;

/** What one side has in a battle. */
export interface Force {
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
export interface PlacedDamage {
  readonly side: Side;
  /** What is left of it. */
  readonly damage: number;
}

export interface BagState extends State {
  /** Index of the stage that is due, `READY` or `OVER`. */
  readonly stage: number;
  /** Tries made in it; before the first one bonuses chosen; where cubes are drawn one by one 1 once the side draws. */
  readonly tries: number;
  readonly bag: Cubes;
  readonly drawn: Cubes;
  readonly attacker: Force;
  readonly defender: Force;
  /** Marks on structures that stand, of both sides. */
  readonly marks: number;
  /** Number of the army that is to count a bonus, or from which a unit is to be converted; 0 if it can be any, or none is. */
  readonly army: number;
  /** What the next turn begins with, if that is not a draw: a bonus to count, a unit to convert, or an object to remove. */
  readonly pending: 'bonus' | 'conversion' | PlacedDamage | undefined;
}

/** A battle with another force of a side. A name that is computed in a literal would cost ten times as much. */
export function withForce(state: BagState, side: Side, force: Force): BagState {
  return side === 'attacker' ? { ...state, attacker: force } : { ...state, defender: force };
}

/** Colours by index. */
export const COLOUR = { attacker: 0, defender: 1 } as const;
export const NEUTRAL = 2;

export const size = (cubes: readonly number[]): number => cubes.reduce((sum, each) => sum + each, 0);

/** Cubes of two lots together; `sign` -1 takes the second away. */
export function together(a: Cubes, b: readonly number[], sign: 1 | -1 = 1): Cubes {
  return [a[0] + sign * (b[0] ?? 0), a[1] + sign * (b[1] ?? 0), a[2] + sign * (b[2] ?? 0)];
}
