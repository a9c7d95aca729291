/** Ranking by the mean payoff against the field, and the advantage of attacking. */

import { type BoundedPayoff, type PayoffMatrix, TIE } from './payoff-matrix.ts';

/** Army in a ranking. */
export interface RankedArmy {
  readonly army: string;
  /** Mean payoff against all armies of the field. */
  readonly rating: BoundedPayoff;
  /** 1 for the best one; equal for equal ratings. */
  readonly rank: number;
  /** Least and greatest rank that the intervals of the ratings allow. */
  readonly bestRank: number;
  readonly worstRank: number;
}

/** Advantage of attacking, from battles in both orders. */
export interface SideBias {
  /** Mean payoff of the attacker over all pairs. */
  readonly mean: BoundedPayoff;
  readonly armies: readonly ArmySideBias[];
}

/** Advantage of an army as attacker. */
export interface ArmySideBias {
  readonly army: string;
  /** Payoff of the attacker against the same army. */
  readonly mirror: BoundedPayoff;
  /** Mean over the field of (payoff as attacker - loss as defender) / 2: above 0 if the army is better when it attacks. */
  readonly advantage: BoundedPayoff;
}

/** Computes a bounded mean of cells. */
function averageCells({ values, lower, upper }: PayoffMatrix, cells: readonly number[]): BoundedPayoff {
  const average = (numbers: Float64Array): number =>
    cells.reduce((sum, cell) => sum + (numbers[cell] ?? 0), 0) / cells.length;
  return { value: average(values), lower: average(lower), upper: average(upper) };
}

const listCells = (count: number, getCell: (at: number) => number): number[] =>
  Array.from({ length: count }, (_, at) => getCell(at));

/** Computes the mean payoff of each row army. */
export function computeRatings(matrix: PayoffMatrix): BoundedPayoff[] {
  const width = matrix.columns.length;
  return matrix.rows.map((_, row) =>
    averageCells(
      matrix,
      listCells(width, (column) => row * width + column),
    ),
  );
}

/** Ranks the row armies, the best one first; armies with equal ratings are in the order of the roster. */
export function rankArmies(matrix: PayoffMatrix): readonly RankedArmy[] {
  const ratings = computeRatings(matrix);
  const count = (isIn: (rating: BoundedPayoff) => boolean): number => ratings.filter(isIn).length;
  const ranked = ratings.map(
    (rating, row): RankedArmy => ({
      army: matrix.rows[row] ?? '',
      rating,
      rank: 1 + count(({ value }) => value > rating.value + TIE),
      bestRank: 1 + count(({ lower }) => lower > rating.upper + TIE),
      worstRank: ratings.length - count(({ upper }) => upper < rating.lower - TIE),
    }),
  );
  return ranked.toSorted((a, b) => a.rank - b.rank);
}

/** Computes the advantage of attacking. @param matrix payoffs of a roster against itself */
export function computeSideBias(matrix: PayoffMatrix): SideBias {
  const size = matrix.rows.length;
  return {
    mean: averageCells(matrix, [...matrix.values.keys()]),
    armies: matrix.rows.map((army, a) => ({
      army,
      mirror: averageCells(matrix, [a * size + a]),
      advantage: averageCells(matrix, [
        ...listCells(size, (other) => a * size + other),
        ...listCells(size, (other) => other * size + a),
      ]),
    })),
  };
}
