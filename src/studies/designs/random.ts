/** Points drawn at random, each coordinate by itself. */
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import type { Design } from './design.ts';
import { checkSize, streamFor } from './keys.ts';

/**
 * A point has a stream of its own, as a battle has, and takes its coordinates from it one after the other: multiples of
 * 2^-53. A design with more points or dimensions has the same coordinates in the same places.
 * @param dimensions 1..65536
 * @param points     1..2^32
 * @throws InputError if one of them is out of range
 */
export function randomDesign(dimensions: number, points: number, seed: bigint): Design {
  checkSize(dimensions, points);
  const point = (k: number): Float64Array => {
    const stream = streamFor('random', seed, k);
    return Float64Array.from({ length: dimensions }, () => uniformFloat64(stream));
  };
  return { dimensions, points, point };
}
