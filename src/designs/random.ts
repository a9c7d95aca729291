/** Points drawn at random, each coordinate by itself. */
import type { Design } from './design.ts';
import { checkSize, wordsByDimension } from './keys.ts';

/**
 * Coordinate d of point k is word k of the stream of dimension d, over 2^32. In one dimension no two points are equal,
 * which makes designs of more than 2^24 points a little too even (docs/randomness.md, Limits).
 * @param dimensions 1..65536
 * @param points     1..2^32
 * @throws InputError if one of them is out of range
 */
export function randomDesign(dimensions: number, points: number, seed: bigint): Design {
  checkSize(dimensions, points);
  const words = wordsByDimension('random', seed, dimensions);
  return { dimensions, points, point: (k) => Float64Array.from(words, (word) => word(k) / 2 ** 32) };
}
