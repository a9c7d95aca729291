/** Payoffs of all pairs of two rosters, with simultaneous intervals. */

import { describeFound, InputError, type MatrixGame, quote } from '../../core/index.ts';
import { checkTexts } from '../../rules/option-spec.ts';

/** Payoffs of row armies (attackers) against column armies (defenders). */
export interface PayoffMatrix {
  /** Names of armies. */
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** Payoff of the row army, row by row: P(attacker wins) - P(defender wins) by default. */
  readonly values: Float64Array;
  /**
   * Simultaneous 95 % intervals: all cells together are in them with a probability of at least 95 %. Equal to the value of
   * an exact cell.
   */
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

/** Ends of the interval of a payoff; equal if the payoff is exact. */
export type PayoffInterval = readonly [lower: number, upper: number];

/** Payoffs that differ by less are equal. */
export const TIE = 1e-12;

/** Maximum number of armies of a roster. */
export const ARMIES_MAX = 2000;

/** Returns true if attackers and defenders are the same roster in the same order. */
export function isSameRoster({ rows, columns }: PayoffMatrix): boolean {
  return rows.length === columns.length && rows.every((name, a) => name === columns[a]);
}

function checkNames(names: readonly string[], place: string): void {
  checkTexts(names, place);
  if (names.length < 1 || names.length > ARMIES_MAX)
    throw new InputError(place, `1..${String(ARMIES_MAX)} armies`, String(names.length));
  const seen = new Set<string>();
  for (const name of names)
    if (seen.size === seen.add(name).size) throw new InputError(place, 'different names', `${quote(name)} twice`);
}

/**
 * Checks the sizes and numbers of a payoff matrix.
 * @throws InputError for a number that is not finite, or outside its interval
 */
export function checkPayoffMatrix(matrix: PayoffMatrix): void {
  if (typeof (matrix as unknown) !== 'object' || (matrix as unknown) === null)
    throw new InputError('matrix', 'a payoff matrix', describeFound(matrix));
  const { rows, columns, values, lower, upper } = matrix;
  checkNames(rows, 'rows');
  checkNames(columns, 'columns');
  const size = rows.length * columns.length;
  for (const [name, cells] of Object.entries({ values, lower, upper })) {
    if (!((cells as unknown) instanceof Float64Array))
      throw new InputError(name, 'a Float64Array', describeFound(cells));
    if (cells.length !== size) throw new InputError(name, `${String(size)} numbers`, String(cells.length));
  }
  for (const [cell, value] of values.entries()) {
    const [low = Number.NaN, high = Number.NaN] = [lower[cell], upper[cell]];
    // The comparison is false for NaN.
    if (Number.isFinite(low) && Number.isFinite(high) && low <= value && value <= high) continue;
    const place = `${rows[Math.floor(cell / columns.length)] ?? ''} against ${columns[cell % columns.length] ?? ''}`;
    const found = `${describeFound(value)} in ${describeFound(low)} .. ${describeFound(high)}`;
    throw new InputError(place, 'a finite payoff within its interval', found);
  }
}

/** Payoff, or mean of payoffs, with its interval; the ends are equal if it is exact. */
export interface BoundedPayoff {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

const getAt = (values: ArrayLike<number>, index: number): number => values[index] ?? 0;

/** Computes values and ends of intervals from the same cells, and from those of the opposite end. */
function mapCells(matrix: PayoffMatrix, compute: (cells: Float64Array, opposite: Float64Array) => Float64Array) {
  const { values, lower, upper } = matrix;
  return { values: compute(values, values), lower: compute(lower, upper), upper: compute(upper, lower) };
}

/** Exchanges the roles: the defenders have the rows. */
export function swapRoles(matrix: PayoffMatrix): PayoffMatrix {
  const { rows, columns } = matrix;
  const negate = (_: Float64Array, opposite: Float64Array): Float64Array =>
    Float64Array.from(opposite, (_payoff, at) => {
      const [column, row] = [Math.floor(at / rows.length), at % rows.length];
      return 0 - getAt(opposite, row * columns.length + column);
    });
  return { rows: columns, columns: rows, ...mapCells(matrix, negate) };
}

/**
 * Creates the symmetric game of one roster: each army attacks in half of the battles. The payoff is (A - A^T) / 2; its
 * diagonal is exactly 0.
 */
export function symmetrize(matrix: PayoffMatrix): PayoffMatrix {
  const { rows, columns } = matrix;
  const size = rows.length;
  const halve = (cells: Float64Array, opposite: Float64Array): Float64Array =>
    Float64Array.from(cells, (payoff, at) => {
      const [row, column] = [Math.floor(at / size), at % size];
      return row === column ? 0 : (payoff - getAt(opposite, column * size + row)) / 2;
    });
  return { rows, columns, ...mapCells(matrix, halve) };
}

/** Returns the game of the values, or of the ends of the intervals. */
export function toMatrixGame({ rows, columns }: PayoffMatrix, payoffs: Float64Array): MatrixGame {
  return { rows: rows.length, columns: columns.length, payoffs };
}

/** Returns true if no cell has an interval. */
export function isExact({ lower, upper }: PayoffMatrix): boolean {
  return lower.every((low, cell) => low === upper[cell]);
}
