/** How a side takes damage: symbols of its card, levels of fortification, hit points of its units. */
import type { Door } from '../../core/chance/door.ts';
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

/** Damage that a side takes. */
export interface Blow {
  readonly force: Force;
  readonly damage: number;
  /** How much of it is taken at each place of the order of absorbers. */
  readonly places: readonly number[];
  /** How much of it each absorber takes in all. */
  readonly shares: Readonly<Record<Absorber, number>>;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** @param symbols hit point symbols of the side's card */
export function blowOf(force: Force, damage: number, symbols: number): Blow {
  const room = { symbols, fortification: force.levels, units: force.health };
  const shares = { symbols: 0, fortification: 0, units: 0 };
  let left = damage;
  const places = force.absorb.map(({ by, most }) => {
    const taken = Math.min(left, most, room[by] - shares[by]);
    left -= taken;
    shares[by] += taken;
    return taken;
  });
  return { force, damage, places, shares };
}

/** True if it matters to which unit the next of `points` points of damage goes. */
export function leavesChoice(hp: readonly number[], points: number): boolean {
  return points > 0 && points < sum(hp) && hp.filter((left) => left > 0).length > 1;
}

/**
 * Hit points after damage, each point on a unit that the owner names.
 * @param hp     before it
 * @param points that the units have to take, no more than they have hit points
 * @param count  how many of these they take at once
 */
export function wound(
  force: Force,
  hp: readonly number[],
  points: number,
  count: number,
  door: Door,
): readonly number[] {
  if (count === 0) return hp;
  // When all must fall there is nothing to decide.
  if (points === sum(hp)) return hp.map(() => 0);
  const left = [...hp];
  const { names } = force;
  const policy = (): string => names[nextLoss(force.losses, force.order, left)] ?? '';
  let living = hp.includes(0) ? names.filter((_, u) => hp[u] !== 0) : names;
  for (let taken = 0; taken < count; taken++) {
    const name = living.length === 1 ? living[0] : door.decide('losses', force.side, living, policy);
    const index = names.indexOf(name ?? '');
    left[index] = (left[index] ?? 0) - 1;
    if (left[index] === 0) living = living.filter((other) => other !== name);
  }
  return left;
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

/** The first place of the units: what all their places take they take there. */
const unitsAt = ({ absorb }: Force): number => absorb.findIndex(({ by }) => by === 'units');

/** Tells what is taken at places from..to-1, but by units. */
function tellPlaces({ force, places }: Blow, from: number, to: number, door: Door): void {
  for (const [p, { by }] of force.absorb.entries()) {
    const taken = places[p] ?? 0;
    if (p < from || p >= to || by === 'units' || taken === 0) continue;
    door.rule(`absorb.${by}`, () => ({ side: NAMES[force.side], taken }));
  }
}

/** What absorbs damage before the units do. */
export function parry(blow: Blow, door: Door): void {
  tellPlaces(blow, 0, unitsAt(blow.force), door);
}

/** Hit points have been taken; then what comes after the units. */
export function outlast(blow: Blow, hp: readonly number[], door: Door): Toll {
  const { force, damage, shares } = blow;
  if (shares.units > 0) tellWounds(force, shares.units, hp, door);
  tellPlaces(blow, unitsAt(force) + 1, force.absorb.length, door);
  const absorbed = shares.symbols + shares.fortification + shares.units;
  const left = damage - absorbed;
  if (left > 0) door.rule('excess', () => ({ side: NAMES[force.side], left }));
  return { hp, levels: shares.fortification, absorbed };
}

/** A side takes damage, in its order of what absorbs it. */
export function takeDamage(blow: Blow, door: Door): Toll {
  const { force, shares } = blow;
  parry(blow, door);
  return outlast(blow, wound(force, force.hp, shares.units, shares.units, door), door);
}
