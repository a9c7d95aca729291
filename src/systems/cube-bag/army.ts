/** What the two sides bring to a battle before anything is drawn: cubes, courage, and what is in it to be lost. */
import type { Facts } from '../../chance/door.ts';
import {
  type Against,
  type StructureType,
  type UnitOverride,
  type UnitSet,
  type UnitType,
  unitTypesOf,
} from './units.ts';

export const SIDES = ['attacker', 'defender'] as const;
export type Side = (typeof SIDES)[number];
export const ENEMY = { attacker: 'defender', defender: 'attacker' } as const;
export const PLAYERS: Readonly<Record<Side, string>> = { attacker: 'Attacker', defender: 'Defender' };

/** Cubes of the attacker's colour, of the defender's, and neutral ones. */
export type Cubes = readonly [attacker: number, defender: number, neutral: number];

export interface Army {
  readonly units: Readonly<Record<string, number | undefined>>;
  readonly distance?: number | undefined;
  readonly active: Readonly<Record<string, boolean | undefined>>;
  readonly extras: { readonly action: number; readonly experience: number };
  readonly modifiers: { readonly strength: number; readonly courage: number };
}

export interface Structure {
  readonly type: StructureType;
  readonly marks: number;
}

interface Party {
  readonly armies: readonly Army[];
  readonly addDefense: boolean;
  readonly technologies: { readonly fabian: number; readonly siegeTower: boolean };
}

/** The part of a scenario that says who fights, and how strong they are. */
export interface Muster {
  readonly target: 'land' | 'water';
  readonly fortification: string;
  readonly garrisonBonus: number;
  readonly unitSet: UnitSet;
  readonly unitTypes: Readonly<Record<string, UnitOverride>>;
  readonly attacker: Party;
  readonly defender: Party & { readonly structures: readonly Structure[] };
}

/** All units of one type on one side. */
export interface Troop extends UnitType {
  /** Units in all armies of the side. */
  readonly count: number;
}

/** A rule that applied while the bag was filled. */
export interface Told {
  readonly rule: string;
  readonly facts: Facts;
}

/** What a side puts into the bag, before anything is discarded. */
export interface Host {
  /** Every type that the file names for the side, in the table's order. */
  readonly troops: readonly Troop[];
  readonly own: number;
  readonly neutral: number;
  /** Never below 0. */
  readonly courage: number;
  readonly story: readonly Told[];
}

interface Unit extends UnitType {
  readonly count: number;
  readonly active: boolean;
}

interface Bonus {
  readonly amount: number;
  readonly against: Against;
  readonly unit: Unit;
}

export const isSiege = ({ fortification }: Muster): boolean => fortification !== 'none';

const sum = <T>(items: readonly T[], figure: (item: T) => number): number =>
  items.reduce((before, item) => before + figure(item), 0);

/** Troops of musters that were looked at before. */
const known = { attacker: new WeakMap<Muster, Troop[]>(), defender: new WeakMap<Muster, Troop[]>() };

/** The units of a side by type, in the table's order. */
function troopsOf(muster: Muster, side: Side): readonly Troop[] {
  const troops = known[side].get(muster) ?? musteredTroops(muster, side);
  known[side].set(muster, troops);
  return troops;
}

function musteredTroops(muster: Muster, side: Side): Troop[] {
  const { armies } = muster[side];
  const named = new Set(armies.flatMap(({ units }) => Object.keys(units)));
  const types = [...unitTypesOf(muster.unitTypes, muster.unitSet).values()].filter(({ name }) => named.has(name));
  return types.map((type) => ({ ...type, count: sum(armies, ({ units }) => countOf(units, type.name)) }));
}

function countOf(units: Readonly<Record<string, number | undefined>>, name: string): number {
  return Object.hasOwn(units, name) ? (units[name] ?? 0) : 0;
}

/** How far an army is from its target: the defender's armies are as near as the nearest attackers come. */
function distanceOf(muster: Muster, { distance }: Army, side: Side): number {
  if (distance !== undefined) return distance;
  return side === 'attacker' ? 1 : Math.min(...muster.attacker.armies.map((army) => army.distance ?? 1));
}

function isActive(muster: Muster, side: Side, army: Army, { name, kind, range }: UnitType): boolean {
  if (kind === 'none') return false;
  const said = Object.hasOwn(army.active, name) ? army.active[name] : undefined;
  if (said !== undefined) return said;
  if (side === 'attacker' && muster.target === 'water' && kind === 'melee') return false;
  const [least = 1, most = 0] = range;
  const distance = distanceOf(muster, army, side);
  return least <= distance && distance <= most;
}

function unitsOf(muster: Muster, side: Side, army: Army): Unit[] {
  return troopsOf(muster, side)
    .map((type) => ({ ...type, count: countOf(army.units, type.name), active: isActive(muster, side, army, type) }))
    .filter(({ count }) => count > 0);
}

/** What a bonus can count against on a side. */
function presentOn(muster: Muster, side: Side): ReadonlySet<Against> {
  const classes = troopsOf(muster, side).filter(({ count }) => count > 0);
  const structures = side === 'defender' && muster.defender.structures.length > 0;
  return new Set<Against>([...classes.map((troop) => troop.class), ...(structures ? (['structures'] as const) : [])]);
}

/** The greatest single bonus of an army; of equals that of an active unit, then the first in the table. */
function bonusOf(units: readonly Unit[], present: ReadonlySet<Against>, siege: boolean): Bonus | undefined {
  const usable = siege ? units.filter(({ kind }) => kind === 'projectile') : units;
  const bonuses = usable.flatMap((unit) =>
    [...present].map((against): Bonus => ({ amount: unit.bonus[against] ?? 0, against, unit })),
  );
  const order = (a: Bonus, b: Bonus) => b.amount - a.amount || Number(b.unit.active) - Number(a.unit.active);
  return bonuses.filter(({ amount }) => amount > 0).sort(order)[0];
}

interface Share {
  readonly own: number;
  readonly neutral: number;
  readonly courage: number;
  readonly story: readonly Told[];
}

/** What one army gives to the cubes and to the courage of its side. */
function shareOf(muster: Muster, side: Side, army: Army): Share {
  const units = unitsOf(muster, side, army);
  const active = units.filter((unit) => unit.active);
  const present = presentOn(muster, ENEMY[side]);
  const bonus = bonusOf(units, present, side === 'attacker' && isSiege(muster));
  const extras = army.extras.action + army.extras.experience;
  const cubes = (mine: boolean): number => {
    const strength = sum(units, (unit) => (unit.active === mine ? unit.count * unit.strength : 0));
    const modifier = mine === active.length > 0 ? army.modifiers.strength : 0;
    const more = bonus?.unit.active === mine ? bonus.amount : 0;
    return Math.max(0, strength + more + (mine ? extras : 0) + modifier);
  };
  const brave = present.has('structures') && active.some((unit) => unit.courageVsStructures);
  const player = PLAYERS[side];
  const story: Told[] = [];
  if (bonus !== undefined) {
    const { amount, against, unit } = bonus;
    story.push({
      rule: unit.active ? 'bonus' : 'bonus.inactive',
      facts: { side: player, amount, against, type: unit.name },
    });
  }
  if (army.modifiers.strength !== 0)
    story.push({ rule: 'modifier', facts: { side: player, amount: army.modifiers.strength } });
  if (extras > 0) story.push({ rule: 'extras', facts: { side: player, amount: extras } });
  if (brave) story.push({ rule: 'courage.structures', facts: { side: player } });
  return {
    own: cubes(true),
    neutral: cubes(false),
    courage: sum(active, ({ count }) => count) + army.modifiers.courage + Number(brave),
    story,
  };
}

export function hostOf(muster: Muster, side: Side): Host {
  const { armies, addDefense, technologies } = muster[side];
  const shares = armies.map((army) => shareOf(muster, side, army));
  const player = PLAYERS[side];
  const garrison = side === 'defender' && isSiege(muster) ? muster.garrisonBonus : 0;
  const inactive = sum(shares, (share) => share.neutral);
  const own = sum(shares, (share) => share.own) + garrison;
  const neutral = addDefense ? inactive : 0;
  const courage = Math.max(0, sum(shares, (share) => share.courage) + Number(technologies.siegeTower));
  const story = shares.flatMap((share) => share.story);
  if (garrison > 0) story.push({ rule: 'siege.garrison', facts: { side: player, amount: garrison } });
  if (!addDefense && inactive > 0) story.push({ rule: 'defense.left-out', facts: { side: player, amount: inactive } });
  if (technologies.siegeTower) story.push({ rule: 'courage.tower', facts: { side: player } });
  story.push({ rule: 'cubes', facts: { side: player, own, neutral, courage } });
  return { troops: troopsOf(muster, side), own, neutral, courage, story };
}

/** Cubes that both sides discard from what they prepared. */
export function discarded({ attacker, defender }: Muster, hosts: Readonly<Record<Side, Host>>): number {
  const wanted = attacker.technologies.fabian + defender.technologies.fabian;
  return Math.min(wanted, hosts.attacker.own, hosts.defender.own);
}
