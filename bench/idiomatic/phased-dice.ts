import { uniformInt } from 'pure-rand/distribution/uniformInt';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import type { IdiomaticBattle } from './battle.ts';

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
  // No side has aircraft, so remaining hits fit no unit before the next hit.
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
