/** Who fights on the two sides: armies, units and structures as the file has them, and what of them counts. */
import { type Against, type Tables, type UnitClass, type UnitType, unitTypesOf } from './units.ts';

export const SIDES = ['attacker', 'defender'] as const;
export type Side = (typeof SIDES)[number];
export const ENEMY = { attacker: 'defender', defender: 'attacker' } as const;
export const PLAYERS: Readonly<Record<Side, string>> = { attacker: 'Attacker', defender: 'Defender' };

/** Cubes of the attacker's colour, of the defender's, and neutral ones. */
export type Cubes = readonly [attacker: number, defender: number, neutral: number];

export interface Army {
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

export interface Structure {
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
export interface Muster extends Tables {
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
export interface Unit extends UnitType {
  readonly count: number;
  readonly active: boolean;
}

export const isSiege = ({ fortification }: Muster): boolean => fortification !== 'none';

export const sum = <T>(items: readonly T[], figure: (item: T) => number): number =>
  items.reduce((before, item) => before + figure(item), 0);

/** Types of musters that were looked at before. */
const known = { attacker: new WeakMap<Muster, UnitType[]>(), defender: new WeakMap<Muster, UnitType[]>() };

/** The unit types that the file names for a side, in the table's order. */
function typesOf(muster: Muster, side: Side): readonly UnitType[] {
  const types = known[side].get(muster) ?? namedTypes(muster, side);
  known[side].set(muster, types);
  return types;
}

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

/** True if all units of a side are vessels. */
function isAfloat(muster: Muster, side: Side): boolean {
  return classesOf(muster, side, muster[side].armies).every((each) => each === 'vessel');
}

/** How far an army is from its target: the defender's armies are as near as the nearest attackers come. */
function distanceOf(muster: Muster, { distance }: Army, side: Side): number {
  if (distance !== undefined) return distance;
  return side === 'attacker' ? 1 : Math.min(...muster.attacker.armies.map((army) => army.distance ?? 1));
}

/** True if a shore lies between the melee units of a side and the enemy, which they do not reach then. */
export function isAcrossShore(muster: Muster, side: Side): boolean {
  if (side === 'attacker') return muster.target === 'water';
  return muster.target === 'land' && isAfloat(muster, 'attacker');
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

export function unitsOf(muster: Muster, side: Side, army: Army): Unit[] {
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
export function presentOn(muster: Muster, side: Side, where: 'anywhere' | 'elsewhere'): readonly Against[] {
  const isThere = ({ hex }: { hex?: string | undefined }): boolean => where === 'anywhere' || hex !== undefined;
  const armies = muster[side].armies.filter(isThere);
  const isBuilt = muster[side].structures.some(isThere);
  return [...classesOf(muster, side, armies), ...(isBuilt ? (['structures'] as const) : [])];
}
