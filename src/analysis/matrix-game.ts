/**
 * Solves zero-sum games in normal form. Removes dominated strategies, solves the rest by linear programming, and checks
 * the solution by the best responses in the whole game. Source of the program: J. von Neumann, G. Dantzig; see V.
 * Chvatal, Linear Programming, chapter 15.
 */

import { type OptimizationDirection, solve } from 'yalps';
import { RunError } from '../core/index.ts';

/** matrix[row][column] is the payoff of the row player and the cost of the column player; not empty. */
export type Matrix = readonly (readonly number[])[];

/** Probabilities of strategies. */
type MixedStrategy = readonly number[];

export interface MatrixEquilibrium {
  readonly rows: MixedStrategy;
  readonly columns: MixedStrategy;
  readonly value: number;
  /** Sum of the gains of best responses over the value: 0 up to rounding. */
  readonly gap: number;
}

/** A solution with a greater gap, relative to the spread of the payoffs, is rejected. */
const TOLERANCE = 1e-9;

/** Tolerances of the solver, tried in turn until the solution is accurate enough. */
const PRECISIONS = [1e-14, 1e-12, 1e-10];

const MAX_PIVOTS = 1_000_000;

function transpose(matrix: Matrix): number[][] {
  return (matrix[0] ?? []).map((_, column) => matrix.map((row) => row[column] ?? 0));
}

/** Computes the expected payoff of each row against a mixture of columns. */
export function computeRowValues(matrix: Matrix, columns: MixedStrategy): number[] {
  return matrix.map((row) => row.reduce((sum, payoff, column) => sum + payoff * (columns[column] ?? 0), 0));
}

/** Computes the expected cost of each column against a mixture of rows. */
export function computeColumnValues(matrix: Matrix, rows: MixedStrategy): number[] {
  return computeRowValues(transpose(matrix), rows);
}

/** Finds rows, by index, that are not dominated by another; the first one of equal rows stays. */
function findUndominatedRows(matrix: Matrix, sign: 1 | -1): number[] {
  const kept: number[] = [];
  const dominates = (better: number, worse: number): boolean =>
    (matrix[worse] ?? []).every((payoff, column) => sign * ((matrix[better]?.[column] ?? 0) - payoff) >= 0);
  for (const row of matrix.keys()) {
    if (kept.some((other) => dominates(other, row))) continue;
    const left = kept.filter((other) => !dominates(row, other));
    kept.splice(0, kept.length, ...left, row);
  }
  return kept;
}

interface Submatrix {
  readonly rows: readonly number[];
  readonly columns: readonly number[];
}

const extractSubmatrix = (matrix: Matrix, { rows, columns }: Submatrix): number[][] =>
  rows.map((row) => columns.map((column) => matrix[row]?.[column] ?? 0));

/** Removes dominated strategies; an equilibrium of the rest is one of the whole game. */
function removeDominated(matrix: Matrix): Submatrix {
  let part: Submatrix = { rows: [...matrix.keys()], columns: [...(matrix[0] ?? []).keys()] };
  for (;;) {
    const { rows, columns } = part;
    const keptRows = findUndominatedRows(extractSubmatrix(matrix, part), 1).map((row) => rows[row] ?? 0);
    const narrower = transpose(extractSubmatrix(matrix, { rows: keptRows, columns }));
    const keptColumns = findUndominatedRows(narrower, -1).map((column) => columns[column] ?? 0);
    part = { rows: keptRows, columns: keptColumns };
    if (keptRows.length === rows.length && keptColumns.length === columns.length) return part;
  }
}

/** Finds weights x >= 0 with the greatest (least) sum such that no row (each row) of matrix x is above (below) 1. */
function solveLinearProgram(
  matrix: Matrix,
  direction: OptimizationDirection,
  precision: number,
): MixedStrategy | undefined {
  const bound = direction === 'maximize' ? { max: 1 } : { min: 1 };
  const { status, variables } = solve(
    {
      direction,
      objective: 'sum',
      constraints: matrix.map((_, row): [string, typeof bound] => [`r${String(row)}`, bound]),
      variables: (matrix[0] ?? []).map((_, column): [number, [string, number][]] => [
        column,
        [['sum', 1], ...matrix.map((row, r): [string, number] => [`r${String(r)}`, row[column] ?? 0])],
      ]),
    },
    { precision, maxPivots: MAX_PIVOTS },
  );
  if (status !== 'optimal') return undefined;
  const weights = new Array<number>(matrix[0]?.length ?? 0).fill(0);
  for (const [column, weight] of variables) weights[column] = Math.max(0, weight);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

function expandStrategy(part: readonly number[], mixture: MixedStrategy, length: number): number[] {
  const whole = new Array<number>(length).fill(0);
  for (const [index, strategy] of part.entries()) whole[strategy] = mixture[index] ?? 0;
  return whole;
}

/** Evaluates mixtures by the best responses to them. */
function evaluateStrategies(matrix: Matrix, rows: MixedStrategy, columns: MixedStrategy): MatrixEquilibrium {
  const upper = Math.max(...computeRowValues(matrix, columns));
  const lower = Math.min(...computeColumnValues(matrix, rows));
  return { rows, columns, value: (upper + lower) / 2, gap: Math.max(0, upper - lower) };
}

/**
 * Finds one equilibrium.
 * @throws RunError if the solver finds none with an error of at most 1e-9 of the spread of the payoffs
 */
export function findMatrixEquilibrium(matrix: Matrix): MatrixEquilibrium {
  const part = removeDominated(matrix);
  const payoffs = matrix.flat();
  const [least, most] = [Math.min(...payoffs), Math.max(...payoffs)];
  const scale = most > least ? most - least : 1;
  // Payoffs of 1 to 2: the programs need positive ones.
  const lifted = extractSubmatrix(matrix, part).map((row) => row.map((payoff) => 1 + (payoff - least) / scale));
  for (const precision of PRECISIONS) {
    const columns = solveLinearProgram(lifted, 'maximize', precision);
    const rows = solveLinearProgram(transpose(lifted), 'minimize', precision);
    if (rows === undefined || columns === undefined) continue;
    const [ofRows, ofColumns] = [matrix.length, matrix[0]?.length ?? 0];
    const found = evaluateStrategies(
      matrix,
      expandStrategy(part.rows, rows, ofRows),
      expandStrategy(part.columns, columns, ofColumns),
    );
    if (found.gap <= TOLERANCE * scale) return found;
  }
  throw new RunError(`no equilibrium found of a game of ${String(part.rows.length)} x ${String(part.columns.length)}`);
}

// Zero-sum games of two stages: both players choose simultaneously, see both choices, and choose simultaneously again.
// Every pair of first choices leads to a matrix game, and the values of these games are the matrix of the first stage.
// Source: M. Osborne, A. Rubinstein, A Course in Game Theory, 1994, 6.3.2 (simultaneous moves).

/** games[row][column]: the game to which a pair of first choices leads; its rows and columns are second choices. */
export type MatrixGames = readonly (readonly Matrix[])[];

/** Strategy of a player in both stages. */
export interface TwoStageStrategy {
  /** Probabilities of first choices. */
  readonly first: MixedStrategy;
  /** Returns the probabilities of second choices by both first choices, the own one first. */
  readonly second: (own: number, other: number) => MixedStrategy;
}

/** Expected payoffs of the choices of a player against a strategy of the enemy. */
export interface TwoStageValues {
  /** By the first choices, the own one first, then by the own second choice. */
  readonly seconds: readonly (readonly (readonly number[])[])[];
  /** By the own first choice, with optimal second choices. */
  readonly firsts: readonly number[];
  /** The greatest of `firsts`. */
  readonly best: number;
}

export interface TwoStagePlayer {
  readonly policy: TwoStageStrategy;
  /** Strategy in an equilibrium; in one of several. */
  readonly equilibrium: TwoStageStrategy;
  /** Value of the game for the player. */
  readonly value: number;
  /** Expected payoffs of its choices against the equilibrium and against the policy of the enemy. */
  readonly againstEquilibrium: TwoStageValues;
  readonly againstPolicy: TwoStageValues;
  /** Expected payoffs of the choices of the enemy against the policy, and against only its first choices. */
  readonly answers: TwoStageValues;
  readonly answersToFirst: TwoStageValues;
}

export interface TwoStageSolution {
  readonly rows: TwoStagePlayer;
  readonly columns: TwoStagePlayer;
  /** Expected payoff of the row player by the pair of first choices, with optimal second choices. */
  readonly matrix: Matrix;
  readonly value: number;
  /** Sum of the gains of best responses in both stages over the value: 0 up to rounding. */
  readonly gap: number;
}

const negateTransposed = (matrix: Matrix): number[][] =>
  (matrix[0] ?? []).map((_, column) => matrix.map((row) => 0 - (row[column] ?? 0)));

/** Returns the games with rows and columns exchanged: the payoffs of the column player. */
const swapPlayers = (games: MatrixGames): MatrixGames =>
  (games[0] ?? []).map((_, column) => games.map((row) => negateTransposed(row[column] ?? [])));

/** Computes the expected payoffs of the choices of the row player. */
function computeStageValues(games: MatrixGames, enemy: TwoStageStrategy): TwoStageValues {
  const seconds = games.map((row, own) => row.map((game, other) => computeRowValues(game, enemy.second(other, own))));
  const firsts = seconds.map((row) =>
    row.reduce((sum, worths, other) => sum + Math.max(...worths) * (enemy.first[other] ?? 0), 0),
  );
  return { seconds, firsts, best: Math.max(...firsts) };
}

/** Games, policy and equilibrium strategy of a player. */
interface PlayerStrategies {
  readonly games: MatrixGames;
  readonly policy: TwoStageStrategy;
  readonly equilibrium: TwoStageStrategy;
  readonly value: number;
}

function evaluatePlayer(
  { games, policy, equilibrium: best, value }: PlayerStrategies,
  enemy: PlayerStrategies,
): TwoStagePlayer {
  return {
    ...{ policy, equilibrium: best, value },
    againstEquilibrium: computeStageValues(games, enemy.equilibrium),
    againstPolicy: computeStageValues(games, enemy.policy),
    answers: computeStageValues(enemy.games, policy),
    answersToFirst: computeStageValues(enemy.games, { first: policy.first, second: best.second }),
  };
}

/**
 * Solves the second stage of every pair, then the first, and computes the exploitability of both policies.
 * @throws RunError if a game has no solution with an error of at most 1e-9 of the spread of its payoffs
 */
export function solveTwoStageGame(
  games: MatrixGames,
  rowPolicy: TwoStageStrategy,
  columnPolicy: TwoStageStrategy,
): TwoStageSolution {
  const pairs = games.map((row) => row.map(findMatrixEquilibrium));
  const matrix = pairs.map((row) => row.map(({ value }) => value));
  const { rows, columns, value } = findMatrixEquilibrium(matrix);
  const ofRows = { first: rows, second: (own: number, other: number) => pairs[own]?.[other]?.rows ?? [] };
  const ofColumns = { first: columns, second: (own: number, other: number) => pairs[other]?.[own]?.columns ?? [] };
  const row: PlayerStrategies = { games, policy: rowPolicy, equilibrium: ofRows, value };
  const column: PlayerStrategies = {
    games: swapPlayers(games),
    policy: columnPolicy,
    equilibrium: ofColumns,
    value: 0 - value,
  };
  const players = { rows: evaluatePlayer(row, column), columns: evaluatePlayer(column, row) };
  const gap = players.rows.againstEquilibrium.best + players.columns.againstEquilibrium.best;
  return { ...players, matrix, value, gap: Math.max(0, gap) };
}
