/** Latin hypercubes: in each dimension every one of n equal strata holds one of n points. */
import type { Design } from './design.ts';
import { checkSize, type Words, wordsByDimension } from './keys.ts';
import { permutation } from './permutation.ts';

/** Where in its stratum a point lies, 0 < x < 1, in so few bits that no sum with a stratum below 2^32 is rounded. */
const within = (words: Words, k: number): number => ((words(k) >>> 12) + 0.5) / 2 ** 20;

/**
 * The sample of M. D. McKay, R. J. Beckman and W. J. Conover (Technometrics 21, 1979): a random order of the strata in
 * each dimension, a random place within the stratum. No table is kept; a coordinate costs some ten words.
 * @param dimensions 1..65536
 * @param points     1..2^32
 * @throws InputError if one of them is out of range
 */
export function latinHypercube(dimensions: number, points: number, seed: bigint): Design {
  checkSize(dimensions, points);
  const strata = wordsByDimension('strata', seed, dimensions).map((words) => permutation(points, words));
  const jitter = wordsByDimension('jitter', seed, dimensions);
  const point = (k: number): Float64Array =>
    Float64Array.from(jitter, (words, d) => ((strata[d]?.(k) ?? 0) + within(words, k)) / points);
  return { dimensions, points, point };
}
