/** The rows that first-order and total indices are estimated from. */
import type { Design } from './design.ts';
import { sobolDesign } from './sobol.ts';

/** Rows of one base point: A, B, and for each dimension A with that one coordinate from B. */
export const rowsOf = (dimensions: number): number => dimensions + 2;

/**
 * The scheme of A. Saltelli et al. (Computer Physics Communications 181, 2010) over a scrambled Sobol sequence: a base
 * point in twice the dimensions is cut into a point of A and a point of B, and row 2 + i has A's point with coordinate i
 * from B's. Rows of base point j are j * (dimensions + 2) and the following.
 * @param dimensions 1..128
 * @param base       base points, best a power of two; the design has (dimensions + 2) times as many
 * @throws InputError if one of them is out of range
 */
export function saltelliDesign(dimensions: number, base: number, seed: bigint): Design {
  const wide = sobolDesign(2 * dimensions, base, seed);
  const rows = rowsOf(dimensions);
  const point = (k: number): Float64Array => {
    const row = k % rows;
    const whole = wide.point(Math.floor(k / rows));
    if (row === 1) return whole.slice(dimensions);
    const mixed = whole.slice(0, dimensions);
    if (row > 1) mixed[row - 2] = whole[dimensions + row - 2] ?? 0;
    return mixed;
  };
  return { dimensions, points: base * rows, point };
}
