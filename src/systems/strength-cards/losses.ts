/** How a side takes damage: symbols of its card, levels of fortification, hit points of its units. */
import type { Door } from '../../chance/door.ts';
import { type Force, NAMES } from './forces.ts';
import { nextLoss } from './policies.ts';
import type { Absorber } from './schema.ts';

/** What a side is left with. */
export interface Toll {
  /** Hit points by unit. */
  readonly hp: readonly number[];
  /** Levels of fortification that were used up. */
  readonly levels: number;
  /** Damage taken, less what found nothing to take it. */
  readonly absorbed: number;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Hit points after so many points of damage, no more than there are, each on a unit that the owner names. */
function wound(force: Force, damage: number, door: Door): number[] {
  const hp = force.units.map((unit) => unit.hp);
  const names = force.units.map(({ name }) => name);
  const policy = (): string => names[nextLoss(force.losses, force.order, hp)] ?? '';
  // When all must fall there is nothing to decide.
  if (damage === sum(hp)) return hp.map(() => 0);
  let living = names;
  for (let left = damage; left > 0; left--) {
    const name = living.length === 1 ? living[0] : door.decide('losses', force.side, living, policy);
    const index = names.indexOf(name ?? '');
    hp[index] = (hp[index] ?? 0) - 1;
    if (hp[index] === 0) living = living.filter((other) => other !== name);
  }
  return hp;
}

function tellWounds(force: Force, damage: number, hp: readonly number[], door: Door): void {
  const side = NAMES[force.side];
  const hit = (): string[] =>
    force.units.flatMap(({ name, hp: before }, u) => {
      const left = hp[u] ?? 0;
      return left < before ? [`${name} ${String(before)} -> ${String(left)}`] : [];
    });
  door.rule('absorb.units', () => ({ side, damage, units: hit().join(', ') }));
  if (!hp.includes(0)) return;
  const lost = (): string[] => force.units.filter((_, u) => hp[u] === 0).map(({ name }) => name);
  door.rule('lost', () => ({ side, units: lost().join(', ') }));
}

/**
 * A side takes damage, in the scenario's order of what absorbs it.
 * @param symbols hit point symbols of its card
 */
export function takeDamage(
  force: Force,
  damage: number,
  symbols: number,
  order: readonly Absorber[],
  door: Door,
): Toll {
  const side = NAMES[force.side];
  let hp = force.units.map((unit) => unit.hp);
  const room: Readonly<Record<Absorber, number>> = { symbols, fortification: force.levels, units: sum(hp) };
  let left = damage;
  let levels = 0;
  for (const absorber of order) {
    const taken = Math.min(left, room[absorber]);
    if (taken === 0) continue;
    left -= taken;
    if (absorber === 'units') {
      hp = wound(force, taken, door);
      tellWounds(force, taken, hp, door);
    } else door.rule(`absorb.${absorber}`, () => ({ side, taken }));
    if (absorber === 'fortification') levels = taken;
  }
  if (left > 0) door.rule('excess', () => ({ side, left }));
  return { hp, levels, absorbed: damage - left };
}
