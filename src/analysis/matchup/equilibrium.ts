/** Equilibrium mixes of a payoff matrix, and what its intervals say about them. */

import {
  computeRowValues,
  findRowRange,
  GAP_TOLERANCE,
  isUniqueSolution,
  type MatrixGame,
  type MatrixSolution,
  solveMatrixGame,
} from '../../core/index.ts';
import { ACCEPTED_GAP, solveByDoubleOracle } from './double-oracle.ts';
import { type BoundedPayoff, isExact, type PayoffMatrix, swapRoles, toMatrixGame } from './payoff-matrix.ts';

/** Army in an equilibrium. */
export interface EquilibriumArmy {
  readonly army: string;
  /** Probability in the equilibrium of the point estimates. */
  readonly weight: number;
  /** Least and greatest probability over all equilibria of the point estimates; absent if they were not computed. */
  readonly range?: readonly [least: number, greatest: number];
  /** Upper bound of the probability in all equilibria of all matrices that the intervals allow. */
  readonly weightBound: number;
  /** Payoff of the army's player against the mix of the other one. */
  readonly payoff: BoundedPayoff;
}

/** Equilibrium of two players. */
export interface MatchupEquilibrium {
  /** Value for the attacker: of the point estimates, and the range over all matrices that the intervals allow. */
  readonly value: BoundedPayoff;
  /** True if no other equilibrium exists. */
  readonly isUnique: boolean;
  readonly attackers: readonly EquilibriumArmy[];
  readonly defenders: readonly EquilibriumArmy[];
}

/** Equilibrium of a symmetric game, whose value is 0. */
export interface SymmetricEquilibrium {
  readonly isUnique: boolean;
  readonly armies: readonly EquilibriumArmy[];
}

/** More cells are solved by the double oracle method, which uses a part of them. */
const DIRECT_CELLS_MAX = 2 ** 10;

/** Maximum number of cells of the linear programs for ranges: best responses times opponents. */
const RANGE_CELLS_MAX = 2 ** 12;

const getAt = (values: ArrayLike<number>, index: number): number => values[index] ?? 0;

function solveGame(game: MatrixGame): MatrixSolution {
  const { rows, columns, payoffs } = game;
  if (rows * columns <= DIRECT_CELLS_MAX) return solveMatrixGame(game, ACCEPTED_GAP);
  const found = solveByDoubleOracle([rows, columns], (row, column) => getAt(payoffs, row * columns + column));
  const { lower, upper } = found;
  return {
    rows: found.rows,
    columns: found.columns,
    value: lower + (upper - lower) / 2,
    gap: Math.max(0, upper - lower),
  };
}

/** Computes the range of each row's probability; only best responses can have one. */
function findRanges(
  game: MatrixGame,
  { rows, columns, value }: MatrixSolution,
): (readonly [number, number])[] | undefined {
  const payoffs = computeRowValues(game, columns);
  const best = [...rows.keys()].filter((row) => getAt(payoffs, row) >= value - GAP_TOLERANCE);
  if (best.length * game.columns > RANGE_CELLS_MAX) return undefined;
  const part: MatrixGame = {
    rows: best.length,
    columns: game.columns,
    payoffs: Float64Array.from(
      best.flatMap((row) => [...game.payoffs.subarray(row * game.columns, (row + 1) * game.columns)]),
    ),
  };
  const ranges = Array.from(rows, (): readonly [number, number] => [0, 0]);
  for (const [index, row] of best.entries()) {
    const range = findRowRange(part, value, (each) => each === index);
    if (range === undefined) return undefined;
    // The mixture may be optimal only up to the tolerance of the solver.
    const weight = getAt(rows, row);
    ranges[row] = [Math.min(range[0], weight), Math.max(range[1], weight)];
  }
  return ranges;
}

/**
 * Bounds the weight of strategies of a player in all equilibria of all matrices of the box. For the fixed mixture y of the other
 * player, with payoffs p of the own strategies and the value v, an optimal mixture x has x p >= v. So x(i) (v - p(i)) is at most
 * (1 - x(i)) e, with e = max p - v.
 * @param most upper ends of the payoffs against y
 * @param value lower end of the value
 */
function boundWeights(most: Float64Array, value: number): number[] {
  const excess = Math.max(0, most.reduce((largest, payoff) => Math.max(largest, payoff), value) - value);
  return Array.from(most, (payoff) => {
    const loss = value - payoff;
    return loss <= GAP_TOLERANCE ? 1 : excess / (excess + loss);
  });
}

/**
 * Describes the mixture of the row player.
 * @param least lower end of the value over all matrices that the intervals allow
 */
function describeMixture(
  matrix: PayoffMatrix,
  solution: MatrixSolution,
  isUnique: boolean,
  least: number,
): EquilibriumArmy[] {
  const evaluate = (payoffs: Float64Array): Float64Array =>
    computeRowValues(toMatrixGame(matrix, payoffs), solution.columns);
  const [expected, low, high] = [evaluate(matrix.values), evaluate(matrix.lower), evaluate(matrix.upper)];
  const bounds = boundWeights(high, least);
  const ranges = isUnique ? undefined : findRanges(toMatrixGame(matrix, matrix.values), solution);
  return matrix.rows.map((army, row) => {
    const weight = getAt(solution.rows, row);
    const range = isUnique ? ([weight, weight] as const) : ranges?.[row];
    return {
      army,
      weight,
      ...(range !== undefined && { range }),
      weightBound: Math.max(weight, getAt(bounds, row)),
      payoff: { value: getAt(expected, row), lower: getAt(low, row), upper: getAt(high, row) },
    };
  });
}

/** Finds an equilibrium in which attacker and defender choose their armies simultaneously. */
export function findMatchupEquilibrium(matrix: PayoffMatrix): MatchupEquilibrium {
  const game = toMatrixGame(matrix, matrix.values);
  const solution = solveGame(game);
  const isUnique = isUniqueSolution(game, solution);
  // The value is monotone in each payoff.
  const [lower, upper] = isExact(matrix)
    ? [solution.value, solution.value]
    : [matrix.lower, matrix.upper].map((payoffs) => solveGame(toMatrixGame(matrix, payoffs)).value);
  const value = { value: solution.value, lower: lower ?? Number.NaN, upper: upper ?? Number.NaN };
  const swapped = { ...solution, rows: solution.columns, columns: solution.rows, value: 0 - solution.value };
  return {
    value,
    isUnique,
    attackers: describeMixture(matrix, solution, isUnique, value.lower),
    defenders: describeMixture(swapRoles(matrix), swapped, isUnique, 0 - value.upper),
  };
}

/** Finds an equilibrium of a symmetric game, in which both players use the same mixture. Its value is 0. */
export function findSymmetricEquilibrium(matrix: PayoffMatrix): SymmetricEquilibrium {
  const game = toMatrixGame(matrix, matrix.values);
  const { rows, gap } = solveGame(game);
  const solution = { rows, columns: rows, value: 0, gap };
  const isUnique = isUniqueSolution(game, solution);
  return { isUnique, armies: describeMixture(matrix, solution, isUnique, 0) };
}
