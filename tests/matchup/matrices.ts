/** Payoff matrices for tests, drawn from deterministic random numbers. */
import type { PayoffMatrix } from '../../src/analysis/matchup/payoff-matrix.ts';
import { draw } from '../environments/exact-matrix-game.ts';

const STEPS = 2001;

/** Returns a payoff -1..1 that the words determine, a multiple of 1/1000. */
export const drawPayoff = (...words: readonly number[]): number => (draw(STEPS, ...words) - 1000) / 1000;

const nameArmies = (count: number): string[] => Array.from({ length: count }, (_, army) => `army ${String(army)}`);

/** Creates a matrix of the same roster, or of two rosters. @param width half of the intervals */
export function createMatrix(
  rows: readonly (readonly number[])[],
  width = 0,
  columns?: readonly string[],
): PayoffMatrix {
  const values = Float64Array.from(rows.flat());
  return {
    rows: nameArmies(rows.length),
    columns: columns ?? nameArmies(rows[0]?.length ?? 0),
    values,
    lower: values.map((value) => value - width),
    upper: values.map((value) => value + width),
  };
}

/** Creates random payoffs of a roster against itself. @param steps number of different payoffs, few for ties */
export function drawMatrix(size: number, seed: number, width = 0, steps = STEPS): PayoffMatrix {
  const middle = (steps - 1) / 2;
  const rows = Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (_cell, column) => (draw(steps, seed, row, column) - middle) / middle),
  );
  return createMatrix(rows, width);
}

export const ROCK_PAPER_SCISSORS: readonly (readonly number[])[] = [
  [0, -1, 1],
  [1, 0, -1],
  [-1, 1, 0],
];
