/** What the two sides put into the bag before anything is drawn, and their courage. */
import type { Facts } from '../../core/chance/door.ts';
import { type Army, type Cubes, ENEMY, isSiege, type Muster, PLAYERS, type Side, sum, unitsOf } from './army.ts';
import { type Bonus, bonusesOf, distinct, givesBonus, optionOf, pickBonus } from './bonus.ts';

/** A rule that applied while the bag was filled. */
export interface Told {
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
  readonly story: readonly Told[];
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
  readonly story: readonly Told[];
  /** Those of the armies that can count a bonus. */
  readonly choices: readonly BonusChoice[];
}

interface Share {
  readonly own: number;
  readonly neutral: number;
  readonly courage: number;
  readonly story: readonly Told[];
}

/** What one army gives to the cubes and to the courage of its side, if it counts a bonus, or none. */
function shareOf(muster: Muster, side: Side, army: Army, bonus?: Bonus): Share {
  const units = unitsOf(muster, side, army);
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
function applied(side: Side, candidates: readonly Candidate[]): Told[] {
  const told = candidates.filter(([applies]) => applies);
  return told.map(([, rule, facts]) => ({ rule, facts: { side: PLAYERS[side], ...facts } }));
}

/** What is told of an army, whichever bonus it counts. */
function storyOf(side: Side, { hex = '', modifiers, extras }: Army, brave: boolean): Told[] {
  const added = extras.action + extras.experience;
  return applied(side, [
    [hex !== '', 'elsewhere', { hex }],
    [modifiers.strength !== 0, 'modifier', { amount: modifiers.strength }],
    [added > 0, 'extras', { amount: added }],
    [brave, 'courage.structures', {}],
  ]);
}

/** What is told of a bonus. */
function bonusStory(side: Side, bonus: Bonus | undefined, addDefense: boolean): Told[] {
  if (bonus === undefined) return applied(side, [[true, 'bonus.none', {}]]);
  const { amount, against, unit } = bonus;
  const rule = unit.active ? 'bonus' : addDefense ? 'bonus.inactive' : 'bonus.left-out';
  return applied(side, [[true, rule, { amount, against, type: unit.name }]]);
}

/** The choice of an army's bonus; undefined if there is none to count. */
function choiceOf(muster: Muster, side: Side, army: Army, number: number): BonusChoice | undefined {
  const bonuses = bonusesOf(muster, side, army);
  if (bonuses.length === 0) return undefined;
  const { addDefense } = muster[side];
  const least = shareOf(muster, side, army);
  const option = (bonus: Bonus | undefined): BonusOption => {
    const { own, neutral } = shareOf(muster, side, army, bonus);
    const more = { own: own - least.own, neutral: addDefense ? neutral - least.neutral : 0 };
    return { name: optionOf(bonus), ...more, story: bonusStory(side, bonus, addDefense) };
  };
  return {
    ...{ side, army: number },
    options: [...distinct(bonuses), undefined].map(option),
    policy: option(pickBonus(army.bonus, bonuses)),
  };
}

export function hostOf(muster: Muster, side: Side): Host {
  const { armies, addDefense, technologies } = muster[side];
  const shares = armies.map((army) => shareOf(muster, side, army));
  const garrison = side === 'defender' && isSiege(muster) ? muster.garrisonBonus : 0;
  const inactive = sum(shares, (share) => share.neutral);
  const courage = Math.max(0, sum(shares, (share) => share.courage) + Number(technologies.siegeTower));
  const story = applied(side, [
    [!givesBonus(muster[side]), 'bonus.corps', {}],
    [garrison > 0, 'siege.garrison', { amount: garrison }],
    [!addDefense && inactive > 0, 'defense.left-out', { amount: inactive }],
    [technologies.siegeTower, 'courage.tower', {}],
  ]);
  const choices = armies.map((army, index) => choiceOf(muster, side, army, index + 1));
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
export function withBonus([attacker, defender, neutral]: Cubes, side: Side, bonus: BonusCubes): Cubes {
  const { own } = bonus;
  const isAttacker = side === 'attacker';
  return [attacker + (isAttacker ? own : 0), defender + (isAttacker ? 0 : own), neutral + bonus.neutral];
}

/** Cubes of each colour that both sides discard from what they have prepared. */
export function discarded({ attacker, defender }: Muster, [first, second]: Cubes): number {
  return Math.min(attacker.technologies.fabian + defender.technologies.fabian, first, second);
}
