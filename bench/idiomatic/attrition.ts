import { uniformInt } from 'pure-rand/distribution/uniformInt';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import type { IdiomaticBattle } from './battle.ts';

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
