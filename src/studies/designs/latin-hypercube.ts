/** Latin hypercubes: in each dimension every one of n equal strata holds one of n points. */
import type { Stream } from '../../core/chance/stream.ts';
import type { Design } from './design.ts';
import { checkSize, drawAt, streamsByDimension } from './keys.ts';
import { permutation } from './permutation.ts';

/** Places within a stratum: so few that no sum with a stratum below 2^32 is rounded. */
const PLACES = 2 ** 20;

/** Where in its stratum a point lies, 0 < x < 1. The floats of pure-rand have more bits and would be rounded up to 1. */
const within = (stream: Stream, k: number): number => (drawAt(stream, k, PLACES) + 0.5) / PLACES;

/**
 * The sample of M. D. McKay, R. J. Beckman and W. J. Conover (Technometrics 21, 1979): a random order of the strata in
 * each dimension, a random place within the stratum. No table is kept; a coordinate costs some ten words.
 * @param dimensions 1..65536
 * @param points     1..2^32
 * @throws InputError if one of them is out of range
 */
export function latinHypercube(dimensions: number, points: number, seed: bigint): Design {
  checkSize(dimensions, points);
  const strata = streamsByDimension('strata', seed, dimensions).map((stream) => permutation(points, stream));
  const jitter = streamsByDimension('jitter', seed, dimensions);
  const point = (k: number): Float64Array =>
    Float64Array.from(jitter, (stream, d) => ((strata[d]?.(k) ?? 0) + within(stream, k)) / points);
  return { dimensions, points, point };
}
