/** Keyed permutations of 0..n-1 without a table. */
import type { Stream } from '../../core/chance/stream.ts';
import { drawAt } from './keys.ts';

/** Rounds of the Feistel network. Four are indistinguishable from chance to a few looks (M. Luby, C. Rackoff 1988). */
const ROUNDS = 8;

/** Halves have at least so many bits: permutations of fewer than 2^12 things are parts of a larger one. */
const HALF_MIN = 6;

/**
 * A permutation of 0..size-1 by a Feistel network over the next power of four, walked along its cycle until it comes
 * back into range (J. Black, P. Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002). A place costs at most
 * four walks of eight words on average, and no memory. Below 2^12 a walk can be long, but all places together take
 * 2^12 of them.
 *
 * The network is ours: pure-rand draws the next number of a generator, and a shuffle with it would need a table of all
 * places. Its round functions are drawn at the place `round * 2^16 + half` of a stream.
 * @param size 1..2^32
 */
export function permutation(size: number, stream: Stream): (place: number) => number {
  const bits = Math.max(HALF_MIN, Math.ceil(Math.log2(size) / 2));
  const half = 2 ** bits;
  const shuffled = (value: number): number => {
    let [left, right] = [Math.floor(value / half), value % half];
    for (let round = 0; round < ROUNDS; round++) {
      const drawn = drawAt(stream, round * 2 ** 16 + right, half);
      [left, right] = [right, (left ^ drawn) >>> 0];
    }
    return left * half + right;
  };
  return (place) => {
    let value = shuffled(place);
    while (value >= size) value = shuffled(value);
    return value;
  };
}
