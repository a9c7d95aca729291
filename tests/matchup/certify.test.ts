/** Tests of certified values of games, most of whose cells are never computed. */
import { describe, expect, test } from 'vitest';
import { certifyMatrixGame, type MatrixCell } from '../../src/analysis/matchup/certify-matrix-game.ts';
import { computeValue } from '../environments/exact-matrix-game.ts';
import { drawPayoff } from './matrices.ts';

/** Creates the payoffs of armies with a strength and three other traits that beat each other in cycles. */
function createPayoff(seed: number): (row: number, column: number) => number {
  const trait = (army: number, k: number): number => drawPayoff(seed, army, k);
  return (row, column) => {
    const strength = 1.5 * (trait(row, 0) - trait(column, 0)) + 0.2;
    return Math.tanh(strength + 2 * (trait(row, 1) * trait(column, 2) - trait(row, 2) * trait(column, 1)));
  };
}

/** Solves a game, and records the cells in the order of their computation. */
async function certify(size: readonly [number, number], getPayoff: (row: number, column: number) => number, width = 0) {
  const cells: MatrixCell[] = [];
  const game = await certifyMatrixGame({
    rows: size[0],
    columns: size[1],
    evaluate: async (wanted) => {
      cells.push(...wanted);
      return await Promise.resolve(
        wanted.map(([row, column]) => [
          Math.max(-1, getPayoff(row, column) - width),
          Math.min(1, getPayoff(row, column) + width),
        ]),
      );
    },
  });
  return { ...game, evaluated: cells };
}

describe.each([0, 1, 2, 3, 4, 5])('game %i', (seed) => {
  const [rows, columns] = [5 + seed, 12 - seed];
  const getPayoff =
    seed % 2 === 0 ? createPayoff(seed) : (row: number, column: number) => drawPayoff(seed, row, column);
  const matrix = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_c, column) => getPayoff(row, column)),
  );

  test('is bounded to half a percentage point, and no cell is computed twice', async () => {
    const { lower, upper, isReached, cells, evaluated } = await certify([rows, columns], getPayoff);
    const value = computeValue(matrix);
    expect(isReached).toBe(true);
    expect(upper - lower).toBeLessThanOrEqual(0.01 + 1e-12);
    expect(lower).toBeLessThanOrEqual(value + 1e-9);
    expect(upper).toBeGreaterThanOrEqual(value - 1e-9);
    expect(new Set(evaluated.map(String)).size).toBe(cells);
    expect(evaluated).toHaveLength(cells);
  });

  test('has mixtures that guarantee the bounds', async () => {
    const found = await certify([rows, columns], getPayoff);
    const ofColumns = Array.from({ length: columns }, (_, c) =>
      found.rows.reduce((sum, share, r) => sum + share * getPayoff(r, c), 0),
    );
    const ofRows = matrix.map((row) => row.reduce((sum, payoff, c) => sum + payoff * (found.columns[c] ?? 0), 0));
    expect(Math.min(...ofColumns)).toBeGreaterThanOrEqual(found.lower - 1e-12);
    expect(Math.max(...ofRows)).toBeLessThanOrEqual(found.upper + 1e-12);
  });

  test('has valid bounds for payoffs with intervals, which miss the tolerance if these are wide', async () => {
    const found = await certify([rows, columns], getPayoff, 0.05);
    expect(found.lower).toBeLessThanOrEqual(computeValue(matrix) + 1e-9);
    expect(found.upper).toBeGreaterThanOrEqual(computeValue(matrix) - 1e-9);
    expect(found.isReached).toBe(false);
  });
});

test('certifyMatrixGame needs less than 3 % of the cells of 1 000 armies', { timeout: 60_000 }, async () => {
  const { lower, upper, isReached, cells } = await certify([1000, 1000], createPayoff(42));
  expect(isReached).toBe(true);
  expect(upper - lower).toBeLessThanOrEqual(0.01 + 1e-12);
  expect(cells).toBeLessThan(30_000);
});

test('certifyMatrixGame stops at the limit of cells, with bounds that hold', async () => {
  const getPayoff = createPayoff(3);
  const found = await certifyMatrixGame({
    rows: 50,
    columns: 50,
    maxCells: 100,
    evaluate: async (cells) =>
      await Promise.resolve(cells.map(([row, column]) => [getPayoff(row, column), getPayoff(row, column)] as const)),
  });
  expect(found.isReached).toBe(false);
  expect(found.cells).toBeLessThan(300);
  expect(found.upper - found.lower).toBeGreaterThan(0.01);
});

test('certifyMatrixGame solves a game of one cell', async () => {
  const found = await certify([1, 1], () => 0.25);
  expect([found.lower, found.upper, found.cells]).toEqual([0.25, 0.25, 1]);
});

test('certifyMatrixGame ends when the signal aborts, and rejects wrong payoffs and options', async () => {
  const aborted = AbortSignal.abort(new Error('stopped'));
  const evaluate = async (cells: readonly MatrixCell[]) =>
    await Promise.resolve(cells.map(() => [Number.NaN, 0] as const));
  await expect(certifyMatrixGame({ rows: 2, columns: 2, evaluate, signal: aborted })).rejects.toThrow('stopped');
  await expect(certifyMatrixGame({ rows: 2, columns: 2, evaluate })).rejects.toThrow(
    'cell 0, 0: expected an interval within -1..1, found NaN .. 0',
  );
  await expect(certifyMatrixGame({ rows: 0, columns: 2, evaluate })).rejects.toThrow(
    'rows: expected an integer 1..2000',
  );
  await expect(certifyMatrixGame({ rows: 1, columns: 2, evaluate, tolerance: 0 })).rejects.toThrow(
    'tolerance: expected',
  );
});

test('certifyMatrixGame computes the same cells every time', async () => {
  const [first, second] = [await certify([40, 40], createPayoff(8)), await certify([40, 40], createPayoff(8))];
  expect(first.evaluated).toEqual(second.evaluated);
});
