/** Dominated armies: never better than another army, or than a mix of armies. */

import { GAP_TOLERANCE } from '../../core/index.ts';
import { type PayoffFunction, solveByDoubleOracle } from './double-oracle.ts';
import { type PayoffMatrix, TIE } from './payoff-matrix.ts';
import { computeRatings } from './ranking.ts';

/** Army that another one dominates. */
export interface DominatedArmy {
  readonly army: string;
  /** The best-rated army that is at least as good against every opponent, and better against one. */
  readonly by: string;
  /** True if it is better against every opponent. */
  readonly isStrict: boolean;
  /** True if this holds in all matrices that the intervals allow; otherwise for the point estimates. */
  readonly isCertain: boolean;
}

/** Army that no single army, but a mix of armies beats against every opponent. */
export interface MixDominatedArmy {
  readonly army: string;
  readonly mix: readonly (readonly [army: string, weight: number])[];
  /** Least gain of the mix over all opponents; the greatest that a mix has. */
  readonly margin: number;
  readonly isCertain: boolean;
}

/** Armies that are removed at once in the iterated elimination. */
export interface EliminationRound {
  /** Player whose strategies they are; both in a symmetric game. */
  readonly player: 'attacker' | 'defender' | 'both';
  readonly armies: readonly string[];
}

const getAt = (values: Float64Array, index: number): number => values[index] ?? 0;

/** True if a row is at least as good as another one in all columns, and better in one. */
function isDominated(
  better: Float64Array,
  worse: Float64Array,
  width: number,
  rows: readonly [number, number],
): boolean {
  const [from, other] = [rows[0] * width, rows[1] * width];
  let isBetter = false;
  for (let column = 0; column < width; column++) {
    const gain = getAt(better, from + column) - getAt(worse, other + column);
    if (gain < -TIE) return false;
    isBetter ||= gain > TIE;
  }
  return isBetter;
}

/** Finds the row armies that a single army dominates. */
export function findDominatedArmies({ values, lower, upper, ...matrix }: PayoffMatrix): readonly DominatedArmy[] {
  const { rows, columns } = matrix;
  const width = columns.length;
  const ratings = computeRatings({ ...matrix, values, lower, upper }).map(({ value }) => value);
  const byRating = [...ratings.keys()].sort((a, b) => (ratings[b] ?? 0) - (ratings[a] ?? 0) || a - b);
  return rows.flatMap((army, worse): DominatedArmy[] => {
    const better = byRating.slice(0, byRating.indexOf(worse));
    const found = better.filter((row) => isDominated(values, values, width, [row, worse]));
    const certain = found.find((row) => isDominated(lower, upper, width, [row, worse]));
    const by = certain ?? found[0];
    if (by === undefined) return [];
    const isStrict = columns.every((_, c) => getAt(values, by * width + c) > getAt(values, worse * width + c) + TIE);
    return [{ army, by: rows[by] ?? '', isStrict, isCertain: certain !== undefined }];
  });
}

/** Strategies that are left of a game. */
interface RemainingGame {
  readonly rows: readonly number[];
  readonly columns: readonly number[];
  readonly getPayoff: PayoffFunction;
}

/** Row that a mix dominates strictly, with the mix of other rows. */
interface StrictlyDominatedRow {
  readonly row: number;
  readonly mix: readonly (readonly [row: number, weight: number])[];
  /** Least gain over all columns. */
  readonly margin: number;
}

/** Separates the rows that a single row dominates strictly from the others. */
function splitByStrictDominance({ rows, columns, getPayoff }: RemainingGame): { dominated: number[]; left: number[] } {
  const sums = new Map(rows.map((row) => [row, columns.reduce((sum, column) => sum + getPayoff(row, column), 0)]));
  const [dominated, left]: [number[], number[]] = [[], []];
  for (const row of rows.toSorted((a, b) => (sums.get(b) ?? 0) - (sums.get(a) ?? 0))) {
    const isWorse = left.some((other) => columns.every((c) => getPayoff(other, c) > getPayoff(row, c) + GAP_TOLERANCE));
    (isWorse ? dominated : left).push(row);
  }
  return { dominated, left };
}

/**
 * Finds the mix of other rows with the greatest margin: an optimal strategy of the game of the differences.
 * @param most greatest payoff by column
 */
function findStrictMix(
  { rows, columns, getPayoff }: RemainingGame,
  row: number,
  most: readonly number[],
): StrictlyDominatedRow | undefined {
  const own = columns.map((column) => getPayoff(row, column));
  const regrets = most.map((payoff, c) => payoff - (own[c] ?? 0));
  const start = regrets.indexOf(Math.min(...regrets));
  // The best response to a column is not dominated.
  if ((regrets[start] ?? 0) <= GAP_TOLERANCE) return undefined;
  const others = rows.filter((other) => other !== row);
  const solution = solveByDoubleOracle(
    [others.length, columns.length],
    (other, c) => getPayoff(others[other] ?? 0, columns[c] ?? 0) - (own[c] ?? 0),
    start,
    (_, upper) => upper <= GAP_TOLERANCE,
  );
  if (solution.lower <= GAP_TOLERANCE) return undefined;
  const mix = others.map((other, o) => [other, getAt(solution.rows, o)] as const).filter(([, weight]) => weight > 0);
  return { row, mix: mix.toSorted(([, a], [, b]) => b - a), margin: solution.lower };
}

/** Finds rows that a mix dominates strictly, but no single row. Rows that a single row dominates are not needed in the mix. */
function findStrictMixes(game: RemainingGame): StrictlyDominatedRow[] {
  const { rows, columns, getPayoff } = game;
  const most = columns.map((column) =>
    rows.reduce((largest, row) => Math.max(largest, getPayoff(row, column)), Number.NEGATIVE_INFINITY),
  );
  return rows.flatMap((row) => findStrictMix(game, row, most) ?? []);
}

/** Finds the row armies that no single army, but a mix of armies dominates strictly. */
export function findMixDominatedArmies(matrix: PayoffMatrix): readonly MixDominatedArmy[] {
  const { rows, columns, values, lower, upper } = matrix;
  const width = columns.length;
  const game: RemainingGame = {
    rows: [...rows.keys()],
    columns: [...columns.keys()],
    getPayoff: (row, column) => getAt(values, row * width + column),
  };
  const { left } = splitByStrictDominance(game);
  return findStrictMixes({ ...game, rows: left.toSorted((a, b) => a - b) }).map(({ row, mix, margin }) => ({
    army: rows[row] ?? '',
    mix: mix.map(([other, weight]) => [rows[other] ?? '', weight] as const),
    margin,
    isCertain: columns.every((_, c) => {
      const least = mix.reduce((sum, [other, weight]) => sum + weight * getAt(lower, other * width + c), 0);
      return least > getAt(upper, row * width + c) + TIE;
    }),
  }));
}

/** Finds rows to remove, by mixes only if no single row dominates another one: mixes take longer to find. */
function listRemovedRows(game: RemainingGame): Set<number> {
  const { dominated, left } = splitByStrictDominance(game);
  return new Set(dominated.length > 0 ? dominated : findStrictMixes({ ...game, rows: left }).map(({ row }) => row));
}

/** Removes dominated armies of a symmetric game for both players at once. */
function eliminateOfBoth({ rows, values }: PayoffMatrix): readonly EliminationRound[] {
  const rounds: EliminationRound[] = [];
  let left = [...rows.keys()];
  for (;;) {
    const getPayoff: PayoffFunction = (row, column) => getAt(values, row * rows.length + column);
    const removed = listRemovedRows({ rows: left, columns: left, getPayoff });
    if (removed.size === 0) return rounds;
    rounds.push({ player: 'both', armies: rows.filter((_, row) => removed.has(row)) });
    left = left.filter((row) => !removed.has(row));
  }
}

/** Removes dominated armies of both players in turn. */
function eliminateInTurn({ rows, columns, values }: PayoffMatrix): readonly EliminationRound[] {
  const at: PayoffFunction = (row, column) => getAt(values, row * columns.length + column);
  const players = [
    { player: 'attacker', names: rows, getPayoff: at },
    { player: 'defender', names: columns, getPayoff: (column: number, row: number) => -at(row, column) },
  ] as const;
  const rounds: EliminationRound[] = [];
  let [own, other] = [[...rows.keys()], [...columns.keys()]];
  for (let [turn, idle] = [0, 0]; idle < players.length; turn++) {
    const { player, names, getPayoff } = players[turn % 2 === 0 ? 0 : 1];
    const removed = listRemovedRows({ rows: own, columns: other, getPayoff });
    idle = removed.size > 0 ? 0 : idle + 1;
    if (removed.size > 0) rounds.push({ player, armies: names.filter((_, row) => removed.has(row)) });
    [own, other] = [other, own.filter((row) => !removed.has(row))];
  }
  return rounds;
}

/**
 * Removes strictly dominated armies until there are none, of the point estimates. The order does not change what is left.
 * @param isSymmetric true if both players remove the same armies
 */
export function eliminateDominated(matrix: PayoffMatrix, isSymmetric: boolean): readonly EliminationRound[] {
  return isSymmetric ? eliminateOfBoth(matrix) : eliminateInTurn(matrix);
}
