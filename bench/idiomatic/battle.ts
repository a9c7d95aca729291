/**
 * Yardstick: the same rules, written in the ordinary way with plain loops over objects and pure-rand for the dice, and
 * never tuned. Each one is checked against the exact distribution before it is measured.
 */
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

/** Result of a battle: its outcome, and some metrics if the outcome is not sufficient for a check. */
export interface Ending {
  readonly outcome: string;
  readonly metrics: Readonly<Record<string, number>>;
}

/** Simulates one battle and returns its result, or only the name of its outcome. */
export type IdiomaticBattle = (rng: RandomGenerator) => Ending | string;

export function generator(seed: number): RandomGenerator {
  return xoroshiro128plus(seed);
}
