/** Zero-sum games whose solutions are known, and random ones judged by best answers. */
import { describe, expect, it } from 'vitest';
import {
  computeColumnValues,
  computeRowValues,
  findMatrixEquilibrium,
  type Matrix,
} from '../../src/analysis/matrix-game.ts';
import { Stream } from '../../src/core/chance/stream.ts';

/** What the best answers make of a solution, computed here again: 0 for an equilibrium. */
function exploitable(matrix: Matrix, rows: readonly number[], columns: readonly number[]): number {
  const upper = matrix.map((row) => row.reduce((sum, payoff, c) => sum + payoff * (columns[c] ?? 0), 0));
  const lower = columns.map((_, c) => matrix.reduce((sum, row, r) => sum + (row[c] ?? 0) * (rows[r] ?? 0), 0));
  return Math.max(...upper) - Math.min(...lower);
}

function expectSolution(matrix: Matrix, value: number, rows: readonly number[], columns: readonly number[]): void {
  const found = findMatrixEquilibrium(matrix);
  expect(found.value).toBeCloseTo(value, 10);
  expect(found.rows.map((p) => Number(p.toFixed(9)))).toEqual(rows.map((p) => Number(p.toFixed(9))));
  expect(found.columns.map((p) => Number(p.toFixed(9)))).toEqual(columns.map((p) => Number(p.toFixed(9))));
  expect(found.gap).toBeLessThan(1e-12);
}

/** A matrix as it is written: rows of payoffs. */
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

  it.each([0, 3.5, -2])('one strategy each, worth %d', (worth) => {
    expectSolution([[worth]], worth, [1], [1]);
  });

  it('all worth the same', () => {
    const { value, gap } = findMatrixEquilibrium(game([2, 2, 2], [2, 2, 2]));
    expect([value, gap]).toEqual([2, 0]);
  });

  it('neither the size of payoffs nor what is added to them changes the mixtures', () => {
    for (const [times, plus] of [
      [1e-6, 0],
      [1e6, -3e6],
      [1, 1e4],
    ] as const) {
      const { rows, columns } = findMatrixEquilibrium(
        game([0, 5], [3, 1]).map((row) => row.map((worth) => worth * times + plus)),
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
      const { rows, columns, value, gap } = findMatrixEquilibrium(matrix);
      for (const mixture of [rows, columns]) {
        expect(mixture.every((p) => p >= 0)).toBe(true);
        expect(mixture.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
      }
      expect(exploitable(matrix, rows, columns)).toBeLessThan(1e-9);
      expect(gap).toBeLessThan(1e-9);
      expect(value).toBeGreaterThanOrEqual(Math.min(...computeColumnValues(matrix, rows)) - 1e-12);
      expect(value).toBeLessThanOrEqual(Math.max(...computeRowValues(matrix, columns)) + 1e-12);
    }
  });
});
