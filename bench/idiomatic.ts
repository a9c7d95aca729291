/**
 * The yardstick: the same rules as one would write them in an afternoon, plain loops over objects and
 * pure-rand for the dice. Not tuned and not to be tuned. Each is checked against the exact law before it
 * is measured.
 */
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

/** Plays one battle and returns the name of its outcome. */
export type IdiomaticBattle = (rng: RandomGenerator) => string;

export function generator(seed: number): RandomGenerator {
  return xoroshiro128plus(seed);
}

function roll(rng: RandomGenerator, count: number, sides: number): number {
  let sum = 0;
  for (let die = 0; die < count; die++) sum += uniformInt(rng, 1, sides);
  return sum;
}

/** 30 hp against 25, 3d10, all modifiers +1. */
export const attrition: IdiomaticBattle = (rng) => {
  let attacker = 30;
  let defender = 25;
  while (attacker > 0 && defender > 0) {
    const forth = roll(rng, 3, 10) + 1 - (roll(rng, 3, 10) + 1);
    const back = roll(rng, 3, 10) + 1 - (roll(rng, 3, 10) + 1);
    defender -= Math.max(0, forth);
    attacker -= Math.max(0, back);
  }
  if (attacker > 0) return 'attacker';
  return defender > 0 ? 'defender' : 'mutual';
};

type UnitClass = 'artillery' | 'cavalry' | 'infantry';

interface Unit {
  readonly class: UnitClass;
  readonly era: number;
  readonly value: number;
}

interface Side {
  units: Unit[];
  reserve: number;
  readonly target: readonly UnitClass[];
}

const PHASES: readonly UnitClass[] = ['artillery', 'cavalry', 'infantry'];

function army(counts: readonly (readonly [UnitClass, number, number, number])[]): Unit[] {
  return counts.flatMap(([unitClass, era, value, count]) =>
    Array.from({ length: count }, () => ({ class: unitClass, era, value })),
  );
}

function hits(rng: RandomGenerator, side: Side, phase: UnitClass): number {
  let total = 0;
  for (const unit of side.units.filter((each) => each.class === phase)) {
    for (let die = 0; die < unit.era; die++) if (uniformInt(rng, 1, 6) <= unit.value) total++;
  }
  return total;
}

function remove(side: Side, fits: (unit: Unit) => boolean): boolean {
  const candidates = side.units.filter((unit) => fits(unit) && unit.era <= side.reserve);
  if (candidates.length === 0) return false;
  const chosen = candidates.reduce((least, unit) => (unit.era < least.era ? unit : least));
  side.units.splice(side.units.indexOf(chosen), 1);
  side.reserve -= chosen.era;
  return true;
}

function allocate(side: Side, taken: number, target: readonly UnitClass[]): void {
  if (taken === 0) return;
  side.reserve += taken;
  const named = target.find((each) => side.units.some((unit) => unit.class === each));
  while (remove(side, (unit) => unit.class === named));
  while (remove(side, () => true));
}

/** The shipped ground attack on a settlement, scenarios/phased-dice-ground.yaml. */
export const phasedDice: IdiomaticBattle = (rng) => {
  const attacker: Side = {
    units: army([
      ['artillery', 3, 2, 3],
      ['cavalry', 2, 1, 2],
      ['cavalry', 3, 1, 1],
      ['infantry', 3, 2, 3],
    ]),
    reserve: 0,
    target: ['infantry', 'artillery', 'cavalry'],
  };
  const defender: Side = {
    units: army([
      ['artillery', 2, 1, 2],
      ['artillery', 3, 2, 1],
      ['cavalry', 3, 2, 2],
      ['infantry', 3, 3, 4],
    ]),
    reserve: 0,
    target: ['cavalry', 'infantry', 'artillery'],
  };
  for (;;) {
    for (const phase of PHASES) {
      const dealt = hits(rng, attacker, phase);
      const taken = hits(rng, defender, phase);
      allocate(defender, dealt, attacker.target);
      allocate(attacker, taken, defender.target);
      if (attacker.units.length === 0) return defender.units.length === 0 ? 'mutual' : 'defender';
      if (defender.units.length === 0) return 'attacker';
    }
  }
};
