/** The strength bonus of an army: which ones it can count, and which its player counts. */
import { type Army, ENEMY, isSiege, type Muster, presentOn, type Side, type Unit, unitsOf } from './army.ts';
import type { Against, Kind } from './units.ts';

/** Policies other than the name of a type. */
export const BONUSES = ['active-first', 'greatest', 'none'] as const;

/** The option to count none. */
const NO_BONUS = 'none';

export interface Bonus {
  readonly amount: number;
  readonly against: Against;
  readonly unit: Unit;
}

/** Kinds of units whose bonuses a garrison ignores. */
const SHIELDED: readonly Kind[] = ['melee', 'ranged'];

/** True if armies of a side give their bonuses. */
export const givesBonus = ({ armies, corpsBonus }: Muster[Side]): boolean => armies.length < 2 || corpsBonus === 'sum';

/** The bonuses that an army can count, the greatest first; of equals those of active units, then by the table. */
export function bonusesOf(muster: Muster, side: Side, army: Army): Bonus[] {
  if (!givesBonus(muster[side])) return [];
  const present = presentOn(muster, ENEMY[side], 'anywhere');
  const outside = presentOn(muster, ENEMY[side], 'elsewhere');
  const isWalled = side === 'attacker' && isSiege(muster);
  const bonuses = unitsOf(muster, side, army).flatMap((unit) => {
    const counted = isWalled && SHIELDED.includes(unit.kind) ? outside : present;
    return counted.map((against): Bonus => ({ amount: unit.bonus[against] ?? 0, against, unit }));
  });
  const order = (a: Bonus, b: Bonus) => b.amount - a.amount || Number(b.unit.active) - Number(a.unit.active);
  return bonuses.filter(({ amount }) => amount > 0).sort(order);
}

/** The bonus that a policy counts, of those that an army can. */
export function pickBonus(policy: string, bonuses: readonly Bonus[]): Bonus | undefined {
  if (policy === NO_BONUS) return undefined;
  if (policy === 'greatest') return bonuses[0];
  if (policy === 'active-first') return bonuses.find(({ unit }) => unit.active) ?? bonuses[0];
  return bonuses.find(({ unit }) => unit.name === policy);
}

/** What a bonus is called among the options of a decision: two of one amount and colour are the same. */
export function optionOf(bonus: Bonus | undefined): string {
  if (bonus === undefined) return NO_BONUS;
  return `${String(bonus.amount)}${bonus.unit.active ? '' : '-neutral'}`;
}

/** Bonuses of which no two are the same option. */
export function distinct(bonuses: readonly Bonus[]): Bonus[] {
  const names = bonuses.map(optionOf);
  return bonuses.filter((_, index) => names.indexOf(names[index] ?? '') === index);
}
