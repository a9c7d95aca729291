/** Games of two steps against their normal forms, in which a strategy is a first choice with an answer to every other. */
import { describe, expect, it } from 'vitest';
import {
  findMatrixEquilibrium,
  type MatrixGames,
  solveTwoStageGame,
  type TwoStageStrategy,
} from '../../src/analysis/matrix-game.ts';
import { Stream } from '../../src/core/chance/stream.ts';

/** A first choice, and a second one for each first choice of the enemy. */
interface Pure {
  readonly first: number;
  readonly second: readonly number[];
}

/** All ways to choose one of `count` for each of `places`. */
function ways(count: number, places: number): number[][] {
  if (places === 0) return [[]];
  return ways(count, places - 1).flatMap((way) => Array.from({ length: count }, (_, next) => [...way, next]));
}

const pures = (firsts: number, seconds: number, others: number): Pure[] =>
  Array.from({ length: firsts }, (_, first) => ways(seconds, others).map((second) => ({ first, second }))).flat();

const payoff = (games: MatrixGames, row: Pure, column: Pure): number =>
  games[row.first]?.[column.first]?.[row.second[column.first] ?? -1]?.[column.second[row.first] ?? -1] ?? Number.NaN;

/** What a pure strategy of the row player is worth against a plan. */
function against(games: MatrixGames, { first, second }: Pure, enemy: TwoStageStrategy): number {
  return (games[first] ?? []).reduce((sum, game, other) => {
    const row = game[second[other] ?? -1] ?? [];
    const worth = row.reduce((total, cell, s) => total + cell * (enemy.second(other, first)[s] ?? 0), 0);
    return sum + (enemy.first[other] ?? 0) * worth;
  }, 0);
}

const mirrored = (games: MatrixGames): MatrixGames =>
  (games[0] ?? []).map((_, c) =>
    games.map((row) => (row[c]?.[0] ?? []).map((_cell, t) => (row[c] ?? []).map((cells) => 0 - (cells[t] ?? 0)))),
  );

const uniform = (count: number): number[] => new Array<number>(count).fill(1 / count);

/** A game of which the payoffs and the policies are drawn from a stream. */
function drawn(stream: Stream, word: (value: number) => number) {
  const [rows, columns] = [1 + (stream.word() % 3), 1 + (stream.word() % 3)];
  const [ups, downs] = [1 + (stream.word() % 3), 1 + (stream.word() % 3)];
  const matrix = () => Array.from({ length: ups }, () => Array.from({ length: downs }, () => word(stream.word())));
  const games: MatrixGames = Array.from({ length: rows }, () => Array.from({ length: columns }, matrix));
  const mixture = (count: number): number[] => {
    const weights = Array.from({ length: count }, () => 1 + (stream.word() % 4));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return weights.map((weight) => weight / total);
  };
  const [ofRow, ofColumn] = [mixture(ups), mixture(downs)];
  const row: TwoStageStrategy = { first: mixture(rows), second: () => ofRow };
  const column: TwoStageStrategy = { first: mixture(columns), second: () => ofColumn };
  return { games, row, column, sizes: [rows, columns, ups, downs] as const };
}

describe('a game of two steps', () => {
  it('is worth what its normal form is, and best answers in both steps are the best of all', () => {
    let mixed = 0;
    for (let game = 0; game < 80; game++) {
      const { games, row, column, sizes } = drawn(Stream.forBattle(8n, game), (word) =>
        game % 2 ? word / 2 ** 32 : word % 3,
      );
      const [rows, columns, ups, downs] = sizes;
      const [ofRow, ofColumn] = [pures(rows, ups, columns), pures(columns, downs, rows)];
      const normal = findMatrixEquilibrium(ofRow.map((a) => ofColumn.map((d) => payoff(games, a, d))));
      const solved = solveTwoStageGame(games, row, column);
      expect(solved.value).toBeCloseTo(normal.value, 9);
      expect(solved.gap).toBeLessThan(1e-9);
      const best = (own: MatrixGames, all: readonly Pure[], enemy: TwoStageStrategy): number =>
        Math.max(...all.map((pure) => against(own, pure, enemy)));
      const turned = mirrored(games);
      expect(solved.rows.againstPolicy.best).toBeCloseTo(best(games, ofRow, column), 12);
      expect(solved.columns.againstPolicy.best).toBeCloseTo(best(turned, ofColumn, row), 12);
      expect(solved.columns.answers.best).toBeCloseTo(best(games, ofRow, column), 12);
      expect(solved.rows.againstEquilibrium.best).toBeCloseTo(best(games, ofRow, solved.columns.equilibrium), 12);
      expect(solved.columns.value).toBe(0 - solved.rows.value);
      mixed += Number(solved.rows.equilibrium.first.every((p) => p < 1 - 1e-9));
    }
    expect(mixed).toBeGreaterThan(10);
  });

  it('is solved by its second step where there is one first choice, and by its first where there is one second', () => {
    const pennies = [
      [1, -1],
      [-1, 1],
    ];
    const one: TwoStageStrategy = { first: [1], second: () => [0.5, 0.5] };
    const seconds = solveTwoStageGame([[pennies]], one, one);
    expect([seconds.matrix, seconds.rows.equilibrium.second(0, 0)]).toEqual([[[0]], [0.5, 0.5]]);
    const two: TwoStageStrategy = { first: [0.5, 0.5], second: () => [1] };
    const firsts = solveTwoStageGame(
      pennies.map((cells) => cells.map((cell) => [[cell]])),
      two,
      two,
    );
    expect([firsts.matrix, firsts.rows.equilibrium.first]).toEqual([pennies, [0.5, 0.5]]);
  });

  it('is worth more to a player that sees the first choices than to one that does not', () => {
    // The row player must name what the column player chose first.
    const games: MatrixGames = [
      [
        [[1], [0]],
        [[0], [1]],
      ],
    ];
    const column: TwoStageStrategy = { first: [0.5, 0.5], second: () => [1] };
    const { value, rows } = solveTwoStageGame(games, { first: [1], second: () => uniform(2) }, column);
    expect([value, rows.againstPolicy.best, rows.answers.best]).toEqual([1, 1, -0.5]);
    expect(rows.value + rows.answers.best).toBe(0.5);
    expect(rows.value + rows.answersToFirst.best).toBe(0);
  });
});
