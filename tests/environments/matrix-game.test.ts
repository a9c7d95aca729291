/** Zero-sum matrix games whose solutions are known, and random ones checked by best responses. */
import { describe, expect, it } from 'vitest';
import { Stream } from '../../src/core/chance/stream.ts';
import {
  findRowRange,
  isUniqueSolution,
  type MatrixGame,
  solveMatrixGame,
  swapPlayers,
} from '../../src/core/matrix-game.ts';
import { computeValue, draw } from './exact-matrix-game.ts';

type Matrix = readonly (readonly number[])[];

const toGame = (matrix: Matrix): MatrixGame => ({
  rows: matrix.length,
  columns: matrix[0]?.length ?? 0,
  payoffs: Float64Array.from(matrix.flat()),
});

/** Returns the least payoff of the rows and the greatest payoff of the columns, without the solver. */
function bounds(matrix: Matrix, rows: Float64Array, columns: Float64Array): readonly [lower: number, upper: number] {
  const upper = matrix.map((row) => row.reduce((sum, payoff, c) => sum + payoff * (columns[c] ?? 0), 0));
  const lower = [...columns].map((_, c) => matrix.reduce((sum, row, r) => sum + (row[c] ?? 0) * (rows[r] ?? 0), 0));
  return [Math.min(...lower), Math.max(...upper)];
}

const round = (mixture: ArrayLike<number>): number[] => Array.from(mixture, (p) => Number(p.toFixed(9)));

function expectSolution(matrix: Matrix, value: number, rows: readonly number[], columns: readonly number[]): void {
  const found = solveMatrixGame(toGame(matrix));
  expect(found.value).toBeCloseTo(value, 10);
  expect(round(found.rows)).toEqual(round(rows));
  expect(round(found.columns)).toEqual(round(columns));
  expect(found.gap).toBeLessThan(1e-12);
}

/** Creates a matrix from rows of payoffs. */
const game = (...rows: readonly (readonly number[])[]): Matrix => rows;
const THIRD = [1 / 3, 1 / 3, 1 / 3];

describe('known games', () => {
  it.each([
    ['matching pennies', game([1, -1], [-1, 1]), 0, [0.5, 0.5], [0.5, 0.5]],
    ['matching pennies for unlike stakes', game([0, 5], [3, 1]), 15 / 7, [2 / 7, 5 / 7], [4 / 7, 3 / 7]],
    ['rock, paper, scissors', game([0, -1, 1], [1, 0, -1], [-1, 1, 0]), 0, THIRD, THIRD],
    ['a saddle point', game([4, 2, 5], [3, 1, 9], [0, 0, 0]), 2, [1, 0, 0], [0, 1, 0]],
    [
      'strategies that others dominate, and their equals, are not played',
      game([-9, -9, -9, -9], [1, 1, -1, 8], [-1, -1, 1, 8], [1, 1, -1, 8], [-2, -2, 1, 7]),
      ...([0, [0, 0.5, 0.5, 0, 0], [0.5, 0, 0.5, 0]] as const),
    ],
  ] as const)('%s', (_, matrix, value, rows, columns) => {
    expectSolution(matrix, value, rows, columns);
  });

  it.each([0, 3.5, -2])('one strategy of each player, value %d', (points) => {
    expectSolution([[points]], points, [1], [1]);
  });

  it('equal payoffs have this value without a gap', () => {
    const { value, gap } = solveMatrixGame(toGame(game([2, 2, 2], [2, 2, 2])));
    expect([value, gap]).toEqual([2, 0]);
  });

  it('mixtures do not depend on the scale or the offset of the payoffs', () => {
    for (const [times, plus] of [
      [1e-6, 0],
      [1e6, -3e6],
      [1, 1e4],
    ] as const) {
      const { rows, columns } = solveMatrixGame(
        toGame(game([0, 5], [3, 1]).map((row) => row.map((points) => points * times + plus))),
      );
      expect(rows[0]).toBeCloseTo(2 / 7, 9);
      expect(columns[0]).toBeCloseTo(4 / 7, 9);
    }
  });
});

describe('random games', () => {
  const kinds: [string, (word: number) => number][] = [
    ['of real payoffs', (word) => word / 2 ** 32],
    ['of zeros and ones', (word) => word % 2],
    ['of many equals', (word) => (word % 3) - 1],
  ];

  it.each(kinds)('%s are solved to 1e-9 of their spread', (_name, payoff) => {
    for (let game = 0; game < 60; game++) {
      const stream = Stream.forBattle(5n, game);
      const [height, width] = [1 + (stream.word() % 30), 1 + (stream.word() % 30)];
      const matrix = Array.from({ length: height }, () => Array.from({ length: width }, () => payoff(stream.word())));
      const { rows, columns, value, gap } = solveMatrixGame(toGame(matrix));
      for (const mixture of [rows, columns]) {
        expect(mixture.every((p) => p >= 0)).toBe(true);
        expect(mixture.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
      }
      const [lower, upper] = bounds(matrix, rows, columns);
      expect(upper - lower).toBeLessThan(1e-9);
      expect(gap).toBeLessThan(1e-9);
      expect(value).toBeGreaterThanOrEqual(lower - 1e-12);
      expect(value).toBeLessThanOrEqual(upper + 1e-12);
    }
  });

  it('the value of the negative transposed matrix is the negative value', () => {
    for (let game = 0; game < 40; game++) {
      const stream = Stream.forBattle(6n, game);
      const [height, width] = [1 + (stream.word() % 8), 1 + (stream.word() % 8)];
      const matrix = Array.from({ length: height }, () => Array.from({ length: width }, () => stream.word() % 5));
      const turned = Array.from({ length: width }, (_, c) => matrix.map((row) => 0 - (row[c] ?? 0)));
      expect(solveMatrixGame(toGame(turned)).value).toBeCloseTo(0 - solveMatrixGame(toGame(matrix)).value, 10);
    }
  });
});

describe('isUniqueSolution', () => {
  it.each([
    ['rock, paper, scissors', game([0, -1, 1], [1, 0, -1], [-1, 1, 0]), true],
    ['matching pennies', game([1, -1], [-1, 1]), true],
    ['a strict saddle point', game([4, 2, 5], [3, 1, 9], [0, 0, 0]), true],
    ['a saddle point with a tie of a row', game([2, 3], [2, 1]), false],
    ['a saddle point with a tie of a column', game([2, 2], [1, 0]), false],
    ['equal payoffs', game([1, 1], [1, 1]), false],
    ['a strategy twice', game([1, -1], [-1, 1], [1, -1]), false],
    ['rock twice', game([0, -1, 1, 0], [1, 0, -1, 1], [-1, 1, 0, -1], [0, -1, 1, 0]), false],
    ['a third strategy that ties with the mixture', game([1, -1], [-1, 1], [0, 0]), false],
  ])('%s: %s', (_, matrix, isUnique) => {
    const game = toGame(matrix);
    expect(isUniqueSolution(game, solveMatrixGame(game))).toBe(isUnique);
  });

  it('is true for a difference of 1e-6 and false for 1e-13', () => {
    for (const [difference, isUnique] of [
      [1e-6, true],
      [1e-13, false],
    ] as const) {
      const game = toGame([
        [0, 1],
        [0 - difference, 1],
      ]);
      expect(isUniqueSolution(game, solveMatrixGame(game))).toBe(isUnique);
    }
  });
});

describe('ranges of probabilities', () => {
  const findRanges = (given: MatrixGame): unknown[] => {
    const { value } = solveMatrixGame(given);
    return Array.from({ length: given.rows }, (_, row) => findRowRange(given, value, (each) => each === row));
  };

  it.each<[string, Matrix, rows: unknown[], columns: unknown[]]>([
    // Half of each of the first two rows can be replaced by the third one.
    [
      'a third row that ties with the mixture',
      game([1, -1], [-1, 1], [0, 0]),
      [
        [0, 0.5],
        [0, 0.5],
        [0, 1],
      ],
      [
        [0.5, 0.5],
        [0.5, 0.5],
      ],
    ],
    [
      'a saddle point with a tie of a column',
      game([2, 2], [1, 0]),
      [
        [1, 1],
        [0, 0],
      ],
      [
        [0, 1],
        [0, 1],
      ],
    ],
    // The column player keeps the first row below the value of the second: at most 1/4 of the first column.
    [
      'a mixture with a limit',
      game([6, 2], [3, 3]),
      [
        [0, 0],
        [1, 1],
      ],
      [
        [0, 0.25],
        [0.75, 1],
      ],
    ],
  ])('%s', (_, matrix, rows, columns) => {
    const given = toGame(matrix);
    expect(findRanges(given)).toEqual(rows);
    expect(findRanges(swapPlayers(given))).toEqual(columns);
  });
});

/** Creates payoffs of which many are nearly 1 or -1, with differences of many orders of magnitude. */
function drawSaturated(size: number, seed: number): number[][] {
  return Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (_cell, column) => Math.tanh(5 * (draw(9, seed, row, column) - 4))),
  );
}

it('solves games with differences of many orders of magnitude', () => {
  for (let seed = 0; seed < 40; seed++) {
    const matrix = drawSaturated(5 + (seed % 9), seed);
    const { value, gap } = solveMatrixGame(toGame(matrix));
    expect(gap, String(seed)).toBeLessThanOrEqual(2e-9);
    expect(Math.abs(value - computeValue(matrix)), String(seed)).toBeLessThanOrEqual(2e-9);
  }
});
