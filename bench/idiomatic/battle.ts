/**
 * The yardstick: the same rules as one would write them in an afternoon, plain loops over objects and
 * pure-rand for the dice. Not tuned and not to be tuned. Each is checked against the exact law before it
 * is measured.
 */
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

/** How a battle ended: its outcome, and some of its metrics where the outcome alone tells too little. */
export interface Ending {
  readonly outcome: string;
  readonly metrics: Readonly<Record<string, number>>;
}

/** Plays one battle and returns how it ended, or the name of its outcome. */
export type IdiomaticBattle = (rng: RandomGenerator) => Ending | string;

export function generator(seed: number): RandomGenerator {
  return xoroshiro128plus(seed);
}
