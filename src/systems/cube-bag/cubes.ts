/** What the two sides put into the bag before anything is drawn, and their courage. */
import type { Facts } from '../../chance/door.ts';
import {
  type Army,
  ENEMY,
  isSiege,
  type Muster,
  PLAYERS,
  presentOn,
  type Side,
  sum,
  type Unit,
  unitsOf,
} from './army.ts';
import type { Against, Kind } from './units.ts';

/** A rule that applied while the bag was filled. */
export interface Told {
  readonly rule: string;
  readonly facts: Facts;
}

/** What a side puts into the bag, before anything is discarded. */
export interface Host {
  readonly own: number;
  readonly neutral: number;
  /** Never below 0. */
  readonly courage: number;
  readonly story: readonly Told[];
}

interface Bonus {
  readonly amount: number;
  readonly against: Against;
  readonly unit: Unit;
}

/** Kinds of units whose bonuses a garrison ignores. */
const SHIELDED: readonly Kind[] = ['melee', 'ranged'];

/** The greatest single bonus of an army; of equals that of an active unit, then the first in the table. */
function bonusOf(muster: Muster, side: Side, units: readonly Unit[]): Bonus | undefined {
  const present = presentOn(muster, ENEMY[side], 'anywhere');
  const outside = presentOn(muster, ENEMY[side], 'elsewhere');
  const isWalled = side === 'attacker' && isSiege(muster);
  const bonuses = units.flatMap((unit) => {
    const counted = isWalled && SHIELDED.includes(unit.kind) ? outside : present;
    return counted.map((against): Bonus => ({ amount: unit.bonus[against] ?? 0, against, unit }));
  });
  const order = (a: Bonus, b: Bonus) => b.amount - a.amount || Number(b.unit.active) - Number(a.unit.active);
  return bonuses.filter(({ amount }) => amount > 0).sort(order)[0];
}

interface Share {
  readonly own: number;
  readonly neutral: number;
  readonly courage: number;
  readonly story: readonly Told[];
}

/** True if armies of a side give their bonuses. */
const givesBonus = ({ armies, corpsBonus }: Muster[Side]): boolean => armies.length < 2 || corpsBonus === 'sum';

/** What one army gives to the cubes and to the courage of its side. */
function shareOf(muster: Muster, side: Side, army: Army): Share {
  const units = unitsOf(muster, side, army);
  const active = units.filter((unit) => unit.active);
  const bonus = givesBonus(muster[side]) ? bonusOf(muster, side, units) : undefined;
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
    story: storyOf(side, army, bonus, brave),
  };
}

type Candidate = readonly [applies: boolean, rule: string, facts: Facts];

/** Those rules that apply to a side. */
function applied(side: Side, candidates: readonly Candidate[]): Told[] {
  const told = candidates.filter(([applies]) => applies);
  return told.map(([, rule, facts]) => ({ rule, facts: { side: PLAYERS[side], ...facts } }));
}

/** What is told of an army. */
function storyOf(side: Side, { hex = '', modifiers, extras }: Army, bonus: Bonus | undefined, brave: boolean): Told[] {
  const { amount = 0, against = '', unit } = bonus ?? {};
  const added = extras.action + extras.experience;
  return applied(side, [
    [hex !== '', 'elsewhere', { hex }],
    [amount > 0, unit?.active === true ? 'bonus' : 'bonus.inactive', { amount, against, type: unit?.name ?? '' }],
    [modifiers.strength !== 0, 'modifier', { amount: modifiers.strength }],
    [added > 0, 'extras', { amount: added }],
    [brave, 'courage.structures', {}],
  ]);
}

export function hostOf(muster: Muster, side: Side): Host {
  const { armies, addDefense, technologies } = muster[side];
  const shares = armies.map((army) => shareOf(muster, side, army));
  const garrison = side === 'defender' && isSiege(muster) ? muster.garrisonBonus : 0;
  const inactive = sum(shares, (share) => share.neutral);
  const own = sum(shares, (share) => share.own) + garrison;
  const neutral = addDefense ? inactive : 0;
  const courage = Math.max(0, sum(shares, (share) => share.courage) + Number(technologies.siegeTower));
  const story = applied(side, [
    [!givesBonus(muster[side]), 'bonus.corps', {}],
    [garrison > 0, 'siege.garrison', { amount: garrison }],
    [!addDefense && inactive > 0, 'defense.left-out', { amount: inactive }],
    [technologies.siegeTower, 'courage.tower', {}],
    [true, 'cubes', { own, neutral, courage }],
  ]);
  return { own, neutral, courage, story: [...shares.flatMap((share) => share.story), ...story] };
}

/** Cubes that both sides discard from what they prepared. */
export function discarded({ attacker, defender }: Muster, hosts: Readonly<Record<Side, Host>>): number {
  const wanted = attacker.technologies.fabian + defender.technologies.fabian;
  return Math.min(wanted, hosts.attacker.own, hosts.defender.own);
}
