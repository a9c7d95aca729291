/** Rounds of measurements, each in a fresh process. */
import type { Ratios } from './sample.ts';

/**
 * Measures on, round by round, those that are undecided.
 * @param measure one round of those that are left
 * @returns the ratio of each round, by name
 */
export async function measureRounds<T extends { readonly name: string }>(
  all: readonly T[],
  measure: (left: readonly T[], round: number) => Promise<Ratios>,
  undecided: (name: string, rounds: readonly number[]) => boolean,
): Promise<Map<string, number[]>> {
  const rounds = new Map<string, number[]>(all.map(({ name }) => [name, []]));
  let left = all;
  for (let round = 0; left.length > 0; round++) {
    for (const [name, ratio] of Object.entries(await measure(left, round))) rounds.get(name)?.push(ratio);
    left = left.filter(({ name }) => undecided(name, rounds.get(name) ?? []));
  }
  return rounds;
}
