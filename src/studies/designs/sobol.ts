/** Sobol sequences, each point evaluated directly from its index, scrambled or plain. */
import type { Stream } from '../../core/chance/stream.ts';
import type { Design } from './design.ts';
import { JOE_KUO } from './direction-numbers.ts';
import { checkSize, drawAt, streamsByDimension } from './keys.ts';

/** Bits of an index and of a coordinate. */
const BITS = 32;

const POLYNOMIALS = JOE_KUO.trim().split(/\s+/);

/** The most dimensions that a Sobol design can have. */
export const SOBOL_DIMENSIONS: number = POLYNOMIALS.length + 1;

/** The radical inverse in base 2: bit i of an index becomes bit 31 - i. */
const INVERSE = Uint32Array.from({ length: BITS }, (_, i) => 2 ** (BITS - 1 - i));

/**
 * The direction numbers v_1..v_32 of a dimension as 32-bit fractions: those given, then the recurrence of P. Bratley and
 * B. L. Fox (ACM Transactions on Mathematical Software 14, 1988, algorithm 659):
 * v_i = a_1 v_(i-1) ^ ... ^ a_(s-1) v_(i-s+1) ^ v_(i-s) ^ (v_(i-s) >> s).
 * @param dimension 0..255
 */
function directions(dimension: number): Uint32Array {
  const [coefficients, initial] = (POLYNOMIALS[dimension - 1] ?? '').split(':');
  if (initial === undefined) return INVERSE;
  const given = initial.split(',').map(Number);
  const [a, degree] = [Number(coefficients), given.length];
  const v = new Uint32Array(BITS);
  const before = (i: number): number => v[i] ?? 0;
  for (let i = 0; i < BITS; i++) {
    const m = given[i];
    let value = m === undefined ? before(i - degree) ^ (before(i - degree) >>> degree) : m * 2 ** (BITS - 1 - i);
    for (let k = 1; m === undefined && k < degree; k++) {
      if (((a >>> (degree - 1 - k)) & 1) === 1) value ^= before(i - k);
    }
    v[i] = value;
  }
  return v;
}

/** A coordinate as a 32-bit fraction: the sum in base 2 without carry of the directions of the index's bits. */
function coordinate(v: Uint32Array, index: number): number {
  let sum = 0;
  for (let rest = index >>> 0, i = 0; rest !== 0; rest >>>= 1, i++) if ((rest & 1) === 1) sum ^= v[i] ?? 0;
  return sum >>> 0;
}

/**
 * Owen's nested uniform scrambling (A. B. Owen 1995): the bits of a coordinate are the way down a binary tree, and each
 * of its 2^32 - 1 nodes, numbered as in a heap, says by its own word whether the bit below it is flipped. Every point is
 * uniform by itself, and every elementary interval keeps its share of points.
 */
function scrambled(fraction: number, stream: Stream): number {
  let flips = drawAt(stream, 1, 2);
  for (let level = 1; level < BITS; level++) {
    const node = (1 << level) | (fraction >>> (BITS - level));
    flips = (flips << 1) | drawAt(stream, node, 2);
  }
  return (fraction ^ flips) >>> 0;
}

/** The points of the Sobol sequence as published, in the order of their indices, not in Gray code order. */
export function plainSobol(dimensions: number, points: number): Design {
  checkSize(dimensions, points, SOBOL_DIMENSIONS);
  const tables = Array.from({ length: dimensions }, (_, d) => directions(d));
  return { dimensions, points, point: (k) => Float64Array.from(tables, (v) => coordinate(v, k) / 2 ** BITS) };
}

/**
 * The Sobol sequence (I. M. Sobol 1967) with the direction numbers of S. Joe and F. Y. Kuo (2008), scrambled by Owen's
 * method. Best used with a power of two of points, whose elementary intervals then hold equally many; a longer design of
 * the same seed begins with the same points. A coordinate costs some 32 words.
 * @param dimensions 1..256
 * @param points     1..2^32
 * @throws InputError if one of them is out of range
 */
export function sobolDesign(dimensions: number, points: number, seed: bigint): Design {
  const plain = plainSobol(dimensions, points);
  const scrambles = streamsByDimension('scramble', seed, dimensions);
  const point = (k: number): Float64Array => {
    const at = plain.point(k);
    for (const [d, stream] of scrambles.entries()) at[d] = scrambled((at[d] ?? 0) * 2 ** BITS, stream) / 2 ** BITS;
    return at;
  };
  return { dimensions, points, point };
}
