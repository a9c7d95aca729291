/** Change of the payoffs of a roster, such as by the removal of a unit type. */

import { InputError } from '../../core/index.ts';
import { findMatchupEquilibrium } from './equilibrium.ts';
import {
  type BoundedPayoff,
  checkPayoffMatrix,
  isSameRoster,
  type PayoffMatrix,
  swapRoles,
  symmetrize,
} from './payoff-matrix.ts';
import { computeRatings } from './ranking.ts';

/** Change of the rating of an army: the rating after the change minus the rating before. */
export interface RatingChange {
  readonly army: string;
  readonly change: BoundedPayoff;
}

/** Changes of the armies that both matrices have. */
export interface MatchupComparison {
  readonly attackers: readonly RatingChange[];
  readonly defenders: readonly RatingChange[];
  /** Of a roster against itself: each army attacks in half of the battles. */
  readonly symmetric?: readonly RatingChange[];
  /** Change of the value for the attacker. */
  readonly value: BoundedPayoff;
}

/** Selects cells by the names of their armies. */
function selectArmies(matrix: PayoffMatrix, rows: readonly string[], columns: readonly string[]): PayoffMatrix {
  const cells = rows.flatMap((row) =>
    columns.map((column) => matrix.rows.indexOf(row) * matrix.columns.length + matrix.columns.indexOf(column)),
  );
  const pick = (values: Float64Array): Float64Array => Float64Array.from(cells, (cell) => values[cell] ?? 0);
  return { rows, columns, values: pick(matrix.values), lower: pick(matrix.lower), upper: pick(matrix.upper) };
}

/** Subtracts matrices of the same armies, with the range of the differences. */
function subtractPayoffs(after: PayoffMatrix, before: PayoffMatrix): PayoffMatrix {
  const subtract = (a: Float64Array, b: Float64Array): Float64Array => a.map((value, cell) => value - (b[cell] ?? 0));
  return {
    rows: after.rows,
    columns: after.columns,
    values: subtract(after.values, before.values),
    lower: subtract(after.lower, before.upper),
    upper: subtract(after.upper, before.lower),
  };
}

function listChanges(difference: PayoffMatrix): RatingChange[] {
  const changes = computeRatings(difference);
  return difference.rows.flatMap((army, row) => {
    const change = changes[row];
    return change === undefined ? [] : [{ army, change }];
  });
}

/**
 * Compares the payoffs of the armies that two matrices have in common. If both matrices have simultaneous intervals of 95 %, all
 * changes together are in theirs with a probability of at least 90 %; exact cells have exact changes.
 * @throws InputError for an invalid matrix, or if the matrices have no army in common
 */
export function compareMatchups(before: PayoffMatrix, after: PayoffMatrix): MatchupComparison {
  checkPayoffMatrix(before);
  checkPayoffMatrix(after);
  const rows = after.rows.filter((army) => before.rows.includes(army));
  const columns = after.columns.filter((army) => before.columns.includes(army));
  if (rows.length === 0 || columns.length === 0)
    throw new InputError('matrices', 'attackers and defenders in common', 'none');
  const [old, current] = [selectArmies(before, rows, columns), selectArmies(after, rows, columns)];
  const difference = subtractPayoffs(current, old);
  const [from, to] = [findMatchupEquilibrium(old).value, findMatchupEquilibrium(current).value];
  return {
    attackers: listChanges(difference),
    defenders: listChanges(swapRoles(difference)),
    ...(isSameRoster(difference) && { symmetric: listChanges(symmetrize(difference)) }),
    value: { value: to.value - from.value, lower: to.lower - from.upper, upper: to.upper - from.lower },
  };
}
