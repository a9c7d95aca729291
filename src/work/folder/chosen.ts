/** Which cells are played again. */
import { randomBytes } from 'node:crypto';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { streamFor } from '../../studies/designs/design.ts';

/** Some places among those of a store. */
export interface Chosen {
  has(place: number): boolean;
}

/**
 * A seed of which nobody knows anything beforehand, from the system's own source: who altered a cell must not know which
 * ones will be played again.
 */
export function freshSeed(): bigint {
  return randomBytes(8).readBigUInt64BE();
}

/** So many of the places 0..total-1, all sets of that size equally likely: R. W. Floyd's sampling without replacement. */
export function choosePlaces(total: number, wanted: number, seed: bigint): Chosen {
  if (wanted >= total) return { has: () => true };
  const stream = streamFor('verify', seed, 0);
  const chosen = new Set<number>();
  for (let top = total - wanted; top < total; top++) {
    const place = uniformInt(stream, 0, top);
    chosen.add(chosen.has(place) ? top : place);
  }
  return chosen;
}
