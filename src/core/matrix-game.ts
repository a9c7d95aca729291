/**
 * Solves zero-sum games in normal form: a pure equilibrium, else the game without dominated strategies in closed form (2 x 2)
 * or by the simplex method (J. von Neumann, G. Dantzig; V. Chvatal, Linear Programming, chapter 15), else by the solver
 * `yalps`. Every solution is checked by the best responses in the whole game.
 */

import { type OptimizationDirection, solve } from 'yalps';
import { RunError } from './errors.ts';
import { solveIntegerGame } from './integer-simplex.ts';

/** Matrix in rows: payoff of the row player, who maximizes, for each pair of strategies. */
export interface MatrixGame {
  readonly rows: number;
  readonly columns: number;
  /** payoffs[row * columns + column] */
  readonly payoffs: Float64Array;
}

/** Solution of a matrix game. */
export interface MatrixSolution {
  /** Probabilities of the strategies. */
  readonly rows: Float64Array;
  readonly columns: Float64Array;
  readonly value: number;
  /** Sum of the gains of both best responses: 0 up to rounding. */
  readonly gap: number;
}

/** A solution with a greater gap, relative to the span of the payoffs, is rejected. */
export const GAP_TOLERANCE = 1e-9;

/** A gap, relative to the span of the payoffs, that is rounding. */
export const GAP_ROUNDING = 1e-13;

/** Smaller weights, relative to the greatest, are rounding. */
const NO_WEIGHT = 1e-14;

/** Tolerances of `yalps`, tried in turn until the solution is accurate enough. */
const PRECISIONS = [1e-14, 1e-12, 1e-10];

/** Steps over the span of the payoffs, to which payoffs are rounded: differences that are too small lead to pivots that are errors. */
const ROUNDED_STEPS = [2 ** 34, 2 ** 30, 2 ** 26, 2 ** 22];

/** Loss, relative to the span of the payoffs, that optimal strategies may have in a search for their range. */
const SLACK = 1e-11;

const MAX_PIVOTS = 1_000_000;

const getAt = (values: ArrayLike<number>, index: number): number => values[index] ?? 0;

/** Computes the expected payoff of each row against a mixture of columns. */
export function computeRowValues({ rows, columns, payoffs }: MatrixGame, mixture: ArrayLike<number>): Float64Array {
  const values = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    let sum = 0;
    for (let column = 0; column < columns; column++)
      sum += getAt(payoffs, row * columns + column) * getAt(mixture, column);
    values[row] = sum;
  }
  return values;
}

/** Computes the expected payoff of each column, for the row player, against a mixture of rows. */
function computeColumnValues({ rows, columns, payoffs }: MatrixGame, mixture: ArrayLike<number>): Float64Array {
  const values = new Float64Array(columns);
  for (let row = 0; row < rows; row++) {
    const share = getAt(mixture, row);
    if (share === 0) continue;
    for (let column = 0; column < columns; column++)
      values[column] = getAt(values, column) + share * getAt(payoffs, row * columns + column);
  }
  return values;
}

const findMax = (values: Float64Array): number => values.reduce((most, value) => Math.max(most, value));
const findMin = (values: Float64Array): number => values.reduce((least, value) => Math.min(least, value));

/** Evaluates mixtures by the best responses to them. */
function evaluateMixtures(game: MatrixGame, rows: Float64Array, columns: Float64Array): MatrixSolution {
  const upper = findMax(computeRowValues(game, columns));
  const lower = findMin(computeColumnValues(game, rows));
  return { rows, columns, value: lower + (upper - lower) / 2, gap: Math.max(0, upper - lower) };
}

/** Finds an equilibrium in pure strategies: a greatest minimum of a row that is a least maximum of a column. */
function findSaddlePoint({ rows, columns, payoffs }: MatrixGame): readonly [row: number, column: number] | undefined {
  let [best, bestRow] = [Number.NEGATIVE_INFINITY, 0];
  const most = new Float64Array(columns).fill(Number.NEGATIVE_INFINITY);
  for (let row = 0; row < rows; row++) {
    let least = Number.POSITIVE_INFINITY;
    for (let column = 0; column < columns; column++) {
      const payoff = getAt(payoffs, row * columns + column);
      if (payoff < least) least = payoff;
      if (payoff > getAt(most, column)) most[column] = payoff;
    }
    if (least > best) [best, bestRow] = [least, row];
  }
  const column = most.findIndex((payoff) => payoff <= best);
  return column < 0 ? undefined : [bestRow, column];
}

/** Strategies, by index, that are left of a game. */
interface Submatrix {
  readonly rows: readonly number[];
  readonly columns: readonly number[];
}

/**
 * Lists strategies that no other one dominates weakly; the first one of equal strategies stays.
 * @param isBetter true if a strategy is at least as good as another in a place
 */
function listUndominated(
  strategies: readonly number[],
  places: readonly number[],
  isBetter: (strategy: number, other: number, place: number) => boolean,
): number[] {
  const kept: number[] = [];
  const dominates = (better: number, worse: number): boolean => places.every((place) => isBetter(better, worse, place));
  for (const strategy of strategies) {
    if (kept.some((other) => dominates(other, strategy))) continue;
    const left = kept.filter((other) => !dominates(strategy, other));
    kept.splice(0, kept.length, ...left, strategy);
  }
  return kept;
}

/** Removes dominated strategies; an equilibrium of the rest is one of the whole game. */
function removeDominated({ rows, columns, payoffs }: MatrixGame): Submatrix {
  const at = (row: number, column: number): number => getAt(payoffs, row * columns + column);
  let part: Submatrix = { rows: [...new Array(rows).keys()], columns: [...new Array(columns).keys()] };
  for (;;) {
    const keptRows = listUndominated(
      part.rows,
      part.columns,
      (row, other, column) => at(row, column) >= at(other, column),
    );
    const keptColumns = listUndominated(
      part.columns,
      keptRows,
      (column, other, row) => at(row, column) <= at(row, other),
    );
    const isDone = keptRows.length === part.rows.length && keptColumns.length === part.columns.length;
    part = { rows: keptRows, columns: keptColumns };
    if (isDone) return part;
  }
}

function extractSubmatrix({ columns, payoffs }: MatrixGame, part: Submatrix): MatrixGame {
  const values = part.rows.flatMap((row) => part.columns.map((column) => getAt(payoffs, row * columns + column)));
  return { rows: part.rows.length, columns: part.columns.length, payoffs: Float64Array.from(values) };
}

type Mixtures = readonly [rows: Float64Array, columns: Float64Array];

/** Solves a game of two strategies each without a pure equilibrium, by differences: sums lose the digits of close payoffs. */
function mixTwoStrategies({ payoffs }: MatrixGame): Mixtures {
  const [a = 0, b = 0, c = 0, d = 0] = payoffs;
  const first = (d - c) / (a - b + (d - c));
  const left = (d - b) / (a - c + (d - b));
  return [Float64Array.of(first, 1 - first), Float64Array.of(left, 1 - left)];
}

/** Scales payoffs to 1..2: the linear programs need positive ones. */
function scalePayoffs({ payoffs, ...size }: MatrixGame): MatrixGame {
  const [least, most] = [findMin(payoffs), findMax(payoffs)];
  const span = most > least ? most - least : 1;
  return { ...size, payoffs: payoffs.map((payoff) => 1 + (payoff - least) / span) };
}

/** Scales weights to probabilities; those that are rounding become 0. */
function normalize(weights: Float64Array): Float64Array {
  const least = NO_WEIGHT * findMax(weights);
  const sum = weights.reduce((total, weight) => total + (weight > least ? weight : 0), 0);
  return weights.map((weight) => (weight > least ? weight / sum : 0));
}

/**
 * Finds the greatest sum of weights of columns such that no row is above 1, by the simplex method with a dense tableau. The dual
 * values are the weights of the rows.
 */
class Tableau {
  readonly #rows: number;
  readonly #width: number;
  /** Rows with their slack exchanged for variables, bounds last; the last row has the reduced costs. */
  readonly #cells: Float64Array;
  /** By row and by column: its variable; columns first, then slack of rows. */
  readonly #basis: Int32Array;
  readonly #free: Int32Array;

  constructor({ rows, columns, payoffs }: MatrixGame) {
    this.#rows = rows;
    this.#width = columns + 1;
    this.#cells = new Float64Array((rows + 1) * this.#width).fill(1);
    for (let row = 0; row < rows; row++)
      this.#cells.set(payoffs.subarray(row * columns, (row + 1) * columns), row * this.#width);
    this.#cells[this.#cells.length - 1] = 0;
    this.#basis = Int32Array.from({ length: rows }, (_, row) => columns + row);
    this.#free = Int32Array.from({ length: columns }, (_, column) => column);
  }

  /** @returns undefined if it does not end */
  solve(): Mixtures | undefined {
    // Bland's rule from some pivots on: it cannot cycle.
    const patience = 10 * (this.#rows + this.#width);
    for (let pivots = 0; pivots < 10 * patience; pivots++) {
      const column = this.#findColumn(pivots > patience);
      if (column < 0) return this.#readMixtures();
      const row = this.#findRow(column);
      if (row < 0) return undefined;
      this.#pivot(row, column);
    }
    return undefined;
  }

  #findColumn(isFirst: boolean): number {
    const costs = this.#rows * this.#width;
    let [most, chosen] = [GAP_ROUNDING, -1];
    for (let column = 0; column < this.#width - 1; column++) {
      const cost = getAt(this.#cells, costs + column);
      if (cost <= most) continue;
      if (isFirst && chosen >= 0 && getAt(this.#free, column) > getAt(this.#free, chosen)) continue;
      chosen = column;
      if (!isFirst) most = cost;
    }
    return chosen;
  }

  #findRow(column: number): number {
    let [least, chosen] = [Number.POSITIVE_INFINITY, -1];
    for (let row = 0; row < this.#rows; row++) {
      const cell = getAt(this.#cells, row * this.#width + column);
      if (cell <= GAP_ROUNDING) continue;
      const ratio = getAt(this.#cells, (row + 1) * this.#width - 1) / cell;
      const isTie = ratio === least && getAt(this.#basis, row) < getAt(this.#basis, chosen);
      if (ratio < least || isTie) [least, chosen] = [ratio, row];
    }
    return chosen;
  }

  #pivot(row: number, column: number): void {
    const [cells, width] = [this.#cells, this.#width];
    const from = row * width;
    const pivot = getAt(cells, from + column);
    for (let each = 0; each < width; each++) cells[from + each] = getAt(cells, from + each) / pivot;
    cells[from + column] = 1 / pivot;
    for (let other = 0; other <= this.#rows; other++) {
      if (other === row) continue;
      const factor = getAt(cells, other * width + column);
      if (factor === 0) continue;
      for (let each = 0; each < width; each++)
        cells[other * width + each] = getAt(cells, other * width + each) - factor * getAt(cells, from + each);
      cells[other * width + column] = -factor / pivot;
    }
    const entering = getAt(this.#free, column);
    this.#free[column] = getAt(this.#basis, row);
    this.#basis[row] = entering;
  }

  #readMixtures(): Mixtures {
    const columns = this.#width - 1;
    const [ofRows, ofColumns] = [new Float64Array(this.#rows), new Float64Array(columns)];
    for (const [row, variable] of this.#basis.entries())
      if (variable < columns) ofColumns[variable] = Math.max(0, getAt(this.#cells, (row + 1) * this.#width - 1));
    for (const [column, variable] of this.#free.entries())
      if (variable >= columns)
        ofRows[variable - columns] = Math.max(0, -getAt(this.#cells, this.#rows * this.#width + column));
    return [normalize(ofRows), normalize(ofColumns)];
  }
}

/** Maximum number of cells of a game that is solved in integers, and their steps over the span of the payoffs. */
const EXACT_CELLS_MAX = 2 ** 10;
const EXACT_STEPS = 2 ** 40;

/** Solves a game whose payoffs are rounded to steps: differences of many orders of magnitude need exact arithmetic. */
function solveInIntegers({ rows, columns, payoffs }: MatrixGame): Mixtures {
  const steps = Array.from({ length: rows }, (_, row) =>
    Array.from(payoffs.subarray(row * columns, (row + 1) * columns), (payoff) =>
      BigInt(Math.round(EXACT_STEPS * payoff)),
    ),
  );
  const [ofRows, ofColumns] = solveIntegerGame(steps);
  return [normalize(ofRows), normalize(ofColumns)];
}

/** Finds weights with the greatest (least) sum such that no row (each row) of the weighted columns is above (below) 1. */
function solveLinearProgram(
  { rows, columns, payoffs }: MatrixGame,
  direction: OptimizationDirection,
  precision: number,
): Float64Array | undefined {
  const bound = direction === 'maximize' ? { max: 1 } : { min: 1 };
  const names = Array.from({ length: rows }, (_, row) => `r${String(row)}`);
  const { status, variables } = solve(
    {
      direction,
      objective: 'sum',
      constraints: names.map((name): [string, typeof bound] => [name, bound]),
      variables: Array.from({ length: columns }, (_, column): [number, [string, number][]] => [
        column,
        [['sum', 1], ...names.map((name, row): [string, number] => [name, getAt(payoffs, row * columns + column)])],
      ]),
    },
    { precision, maxPivots: MAX_PIVOTS },
  );
  if (status !== 'optimal') return undefined;
  const weights = new Float64Array(columns);
  for (const [column, weight] of variables) weights[column] = Math.max(0, weight);
  return normalize(weights);
}

const transpose = ({ rows, columns, payoffs }: MatrixGame): MatrixGame => ({
  rows: columns,
  columns: rows,
  payoffs: Float64Array.from(payoffs, (_, at) => getAt(payoffs, (at % rows) * columns + Math.floor(at / rows))),
});

/** Exchanges the players: the other one has the rows and maximizes. */
export function swapPlayers(game: MatrixGame): MatrixGame {
  const swapped = transpose(game);
  return { ...swapped, payoffs: swapped.payoffs.map((payoff) => 0 - payoff) };
}

/**
 * Finds the least and the greatest probability of some rows over all optimal strategies of the row player.
 * @param isIn true for these rows
 * @returns undefined if the linear programs were not solved
 */
export function findRowRange(
  { rows, columns, payoffs }: MatrixGame,
  value: number,
  isIn: (row: number) => boolean,
): readonly [least: number, greatest: number] | undefined {
  const least = findMin(payoffs);
  const span = findMax(payoffs) - least || 1;
  const columnNames = Array.from({ length: columns }, (_, column) => `c${String(column)}`);
  const model = {
    objective: 'share',
    constraints: [
      ['sum', { equal: 1 }] as const,
      ...columnNames.map((name) => [name, { min: (value - least) / span - SLACK }] as const),
    ],
    variables: Array.from({ length: rows }, (_, row): [number, [string, number][]] => [
      row,
      [
        ['sum', 1],
        ['share', Number(isIn(row))],
        ...columnNames.map((name, c): [string, number] => [name, (getAt(payoffs, row * columns + c) - least) / span]),
      ],
    ]),
  };
  const [low, high] = (['minimize', 'maximize'] as const).map((direction) =>
    solve({ ...model, direction }, { precision: SLACK / 10, maxPivots: MAX_PIVOTS }),
  );
  if (low?.status !== 'optimal' || high?.status !== 'optimal') return undefined;
  // The slack changes the ends a little.
  const round = (share: number): number => Number(Math.min(1, Math.max(0, share)).toFixed(9));
  return [round(low.result), round(high.result)];
}

/** Tries methods in turn. */
function* proposeMixtures(game: MatrixGame): Generator<Mixtures> {
  if (game.rows === 2 && game.columns === 2) yield mixTwoStrategies(game);
  const scaled = scalePayoffs(game);
  const found = new Tableau(scaled).solve();
  if (found !== undefined) yield found;
  for (const precision of PRECISIONS) {
    const columns = solveLinearProgram(scaled, 'maximize', precision);
    const rows = solveLinearProgram(transpose(scaled), 'minimize', precision);
    if (rows !== undefined && columns !== undefined) yield [rows, columns];
  }
}

function expandMixture(part: readonly number[], mixture: Float64Array, length: number): Float64Array {
  const whole = new Float64Array(length);
  for (const [index, strategy] of part.entries()) whole[strategy] = getAt(mixture, index);
  return whole;
}

function createPureSolution({ rows, columns, payoffs }: MatrixGame, row: number, column: number): MatrixSolution {
  const solution = { rows: new Float64Array(rows), columns: new Float64Array(columns), gap: 0 };
  solution.rows[row] = 1;
  solution.columns[column] = 1;
  return { ...solution, value: getAt(payoffs, row * columns + column) };
}

/** Tries methods for games with differences of many orders of magnitude, as between results that are nearly certain. */
function* proposeRobustMixtures(game: MatrixGame): Generator<Mixtures> {
  const scaled = scalePayoffs(game);
  if (scaled.payoffs.length <= EXACT_CELLS_MAX) yield solveInIntegers(scaled);
  for (const steps of ROUNDED_STEPS) {
    const payoffs = scaled.payoffs.map((payoff) => Math.round(steps * payoff) / steps);
    const rounded = new Tableau({ ...scaled, payoffs }).solve();
    if (rounded !== undefined) yield rounded;
  }
}

/** Solves a game whose least payoff is 0. */
function solveShifted(game: MatrixGame, tolerance: number): MatrixSolution {
  const saddle = findSaddlePoint(game);
  if (saddle !== undefined) return createPureSolution(game, ...saddle);
  const part = removeDominated(game);
  const rest = extractSubmatrix(game, part);
  const span = findMax(game.payoffs);
  const choose = (
    proposals: Iterable<Mixtures>,
    sufficient: number,
    known?: MatrixSolution,
  ): MatrixSolution | undefined => {
    let best = known;
    for (const [rows, columns] of proposals) {
      const found = evaluateMixtures(
        game,
        expandMixture(part.rows, rows, game.rows),
        expandMixture(part.columns, columns, game.columns),
      );
      if (best === undefined || found.gap < best.gap) best = found;
      if (best.gap <= sufficient * span) break;
    }
    return best;
  };
  const first = choose(proposeMixtures(rest), GAP_ROUNDING);
  if (first !== undefined && first.gap <= GAP_TOLERANCE * span) return first;
  const second = choose(proposeRobustMixtures(rest), GAP_TOLERANCE, first);
  if (second !== undefined && second.gap <= tolerance * span) return second;
  throw new RunError(`no equilibrium found of a game of ${String(game.rows)} x ${String(game.columns)}`);
}

/**
 * Finds one equilibrium.
 * @param tolerance greatest gap that is accepted if no method has a smaller one, relative to the span of the payoffs
 * @throws RunError if none is found
 */
export function solveMatrixGame(given: MatrixGame, tolerance = GAP_TOLERANCE): MatrixSolution {
  // Differences of close payoffs are exact, their sums with probabilities are not.
  const least = findMin(given.payoffs);
  const game = { ...given, payoffs: given.payoffs.map((payoff) => payoff - least) };
  const solution = solveShifted(game, tolerance);
  return { ...solution, value: least + solution.value };
}

/** Returns true if a square matrix, in rows, is not singular: by elimination with the greatest pivots. */
function isRegular(size: number, cells: Float64Array): boolean {
  const at = (row: number, column: number): number => getAt(cells, row * size + column);
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let row = column + 1; row < size; row++)
      if (Math.abs(at(row, column)) > Math.abs(at(pivot, column))) pivot = row;
    if (Math.abs(at(pivot, column)) < GAP_TOLERANCE) return false;
    const swapped = cells.slice(pivot * size, (pivot + 1) * size);
    cells.copyWithin(pivot * size, column * size, (column + 1) * size);
    cells.set(swapped, column * size);
    for (let row = column + 1; row < size; row++) {
      const factor = at(row, column) / at(column, column);
      for (let each = column; each < size; each++) cells[row * size + each] = at(row, each) - factor * at(column, each);
    }
  }
  return true;
}

/**
 * Returns true if an equilibrium is certainly the only one: exactly its strategies are best responses, and the equations
 * for their probabilities have one solution (L. Shapley, R. Snow 1950). False if others exist or may exist.
 */
export function isUniqueSolution(game: MatrixGame, { rows, columns, value }: MatrixSolution): boolean {
  const tolerance = GAP_TOLERANCE * (findMax(game.payoffs) - findMin(game.payoffs));
  const listIndices = (values: Float64Array, isIn: (value: number) => boolean): number[] =>
    [...values.keys()].filter((index) => isIn(getAt(values, index)));
  const used = { rows: listIndices(rows, (share) => share > 0), columns: listIndices(columns, (share) => share > 0) };
  const size = used.rows.length;
  const bestRows = listIndices(computeRowValues(game, columns), (payoff) => payoff >= value - tolerance);
  const bestColumns = listIndices(computeColumnValues(game, rows), (payoff) => payoff <= value + tolerance);
  if (used.columns.length !== size || bestRows.length !== size || bestColumns.length !== size) return false;
  const { payoffs } = scalePayoffs(extractSubmatrix(game, used));
  const width = size + 1;
  const equations = Float64Array.from({ length: width * width }, (_, at) => {
    const [row, column] = [Math.floor(at / width), at % width];
    if (row === size && column === size) return 0;
    return row === size || column === size ? 1 : getAt(payoffs, row * size + column);
  });
  return isRegular(width, equations);
}
