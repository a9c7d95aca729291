/**
 * Double oracle method for zero-sum games (McMahan, Gordon, Blum 2003): solves a small part of the game, and adds best responses of
 * the whole game until they gain nothing. The payoffs of the mixtures against all strategies bound the value.
 */

import { GAP_TOLERANCE, solveMatrixGame } from '../../core/index.ts';

/** Gap of an equilibrium, relative to the span of the payoffs, that is accepted if rounding errors prevent a smaller one. */
export const ACCEPTED_GAP = 1e-6;

/** Payoff of the row player, who maximizes. */
export type PayoffFunction = (row: number, column: number) => number;

/** Mixtures over all strategies, and the bounds of the value that they prove. */
export interface BoundedSolution {
  readonly rows: Float64Array;
  readonly columns: Float64Array;
  /** Least payoff of the mixture of rows; greatest payoff against the mixture of columns. */
  readonly lower: number;
  readonly upper: number;
}

/** Part of a game, with one of its equilibria. */
export class RestrictedGame {
  readonly rows: number[] = [];
  readonly columns: number[] = [];
  /** Probabilities, in the order of `rows` and `columns`. */
  rowShares: Float64Array = new Float64Array();
  columnShares: Float64Array = new Float64Array();
  value = 0;

  solve(getPayoff: PayoffFunction): void {
    const payoffs = Float64Array.from(this.rows.flatMap((row) => this.columns.map((column) => getPayoff(row, column))));
    const solution = solveMatrixGame({ rows: this.rows.length, columns: this.columns.length, payoffs }, ACCEPTED_GAP);
    [this.rowShares, this.columnShares] = [solution.rows, solution.columns];
    this.value = solution.value;
  }

  /** Lists the strategies that an equilibrium uses, the most frequent first, with their probabilities. */
  listSupport(player: 'rows' | 'columns'): (readonly [strategy: number, share: number])[] {
    const shares = player === 'rows' ? this.rowShares : this.columnShares;
    const pairs = this[player].map((strategy, at) => [strategy, shares[at] ?? 0] as const);
    return pairs.filter(([, share]) => share > 0).sort(([a, x], [b, y]) => y - x || a - b);
  }

  expand(player: 'rows' | 'columns', length: number): Float64Array {
    const whole = new Float64Array(length);
    for (const [strategy, share] of this.listSupport(player)) whole[strategy] = share;
    return whole;
  }
}

/** Computes payoffs of all strategies against the support of a mixture. */
function evaluateAgainst(
  length: number,
  support: readonly (readonly [strategy: number, share: number])[],
  getPayoff: (own: number, other: number) => number,
): Float64Array {
  const payoffs = new Float64Array(length);
  for (let own = 0; own < length; own++) {
    let sum = 0;
    for (const [other, share] of support) sum += share * getPayoff(own, other);
    payoffs[own] = sum;
  }
  return payoffs;
}

const findBest = (payoffs: Float64Array, sign: number): number =>
  payoffs.reduce((best, payoff, at) => (sign * payoff > sign * (payoffs[best] ?? 0) ? at : best), 0);

/**
 * Solves a known game.
 * @param start column of the first part
 * @param isDone true if bounds of the value suffice; otherwise they are equal up to rounding
 */
export function solveByDoubleOracle(
  [rows, columns]: readonly [rows: number, columns: number],
  getPayoff: PayoffFunction,
  start = 0,
  isDone: (lower: number, upper: number) => boolean = () => false,
): BoundedSolution {
  const game = new RestrictedGame();
  const swapped: PayoffFunction = (column, row) => getPayoff(row, column);
  game.columns.push(start);
  game.rows.push(findBest(evaluateAgainst(rows, [[start, 1]], getPayoff), 1));
  for (;;) {
    game.solve(getPayoff);
    const ofRows = evaluateAgainst(rows, game.listSupport('columns'), getPayoff);
    const ofColumns = evaluateAgainst(columns, game.listSupport('rows'), swapped);
    const [row, column] = [findBest(ofRows, 1), findBest(ofColumns, -1)];
    const [lower, upper] = [ofColumns[column] ?? 0, ofRows[row] ?? 0];
    const isNew = [!game.rows.includes(row), !game.columns.includes(column)] as const;
    const isEqual = upper - lower <= GAP_TOLERANCE * Math.max(Math.abs(upper), Math.abs(lower), GAP_TOLERANCE);
    if (isDone(lower, upper) || isEqual || !(isNew[0] || isNew[1]))
      return { rows: game.expand('rows', rows), columns: game.expand('columns', columns), lower, upper };
    if (isNew[0]) game.rows.push(row);
    if (isNew[1]) game.columns.push(column);
  }
}
