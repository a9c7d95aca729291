/**
 * Zero-sum games of two steps: both players choose at once, see both choices, and choose at once again. Every pair of
 * first choices leads to a matrix game, and the values of these games are the matrix of the first step.
 * Source: M. Osborne, A. Rubinstein, A Course in Game Theory, 1994, 6.3.2 (simultaneous moves).
 */
import { equilibrium, type Matrix, type Mixture, rowValues } from './matrix-game.ts';

/** games[row][column]: the game to which a pair of first choices leads; its rows and columns are second choices. */
export type Games = readonly (readonly Matrix[])[];

/** What a player does in both steps. */
export interface TwoStepPlan {
  /** Probabilities of first choices. */
  readonly first: Mixture;
  /** Probabilities of second choices when both first ones are known, the own one given first. */
  readonly second: (own: number, other: number) => Mixture;
}

/** What a player's choices are worth to it against a plan of the enemy. */
export interface TwoStepAnswers {
  /** By the first choices, the own one first, then by the own second choice. */
  readonly seconds: readonly (readonly (readonly number[])[])[];
  /** By the own first choice, if the best second choices follow. */
  readonly firsts: readonly number[];
  /** The greatest of `firsts`. */
  readonly best: number;
}

export interface TwoStepPlayer {
  readonly policy: TwoStepPlan;
  /** Its part of an equilibrium; where there are several, of one of them. */
  readonly equilibrium: TwoStepPlan;
  /** What the game is worth to it. */
  readonly value: number;
  /** What its choices are worth against the enemy's equilibrium and policy. */
  readonly againstEquilibrium: TwoStepAnswers;
  readonly againstPolicy: TwoStepAnswers;
  /** What the enemy's choices are worth against its policy, and if only its first choices follow that. */
  readonly answers: TwoStepAnswers;
  readonly answersToFirst: TwoStepAnswers;
}

export interface TwoStep {
  readonly rows: TwoStepPlayer;
  readonly columns: TwoStepPlayer;
  /** What pairs of first choices are worth to the row player if both go on well. */
  readonly matrix: Matrix;
  readonly value: number;
  /** What best answers in both steps win over the value, both players together: 0 but for rounding. */
  readonly gap: number;
}

const turned = (matrix: Matrix): number[][] =>
  (matrix[0] ?? []).map((_, column) => matrix.map((row) => 0 - (row[column] ?? 0)));

/** The same games with rows and columns exchanged: what the column player gets. */
const exchanged = (games: Games): Games =>
  (games[0] ?? []).map((_, column) => games.map((row) => turned(row[column] ?? [])));

/** What the choices of the row player are worth. */
function answersTo(games: Games, enemy: TwoStepPlan): TwoStepAnswers {
  const seconds = games.map((row, own) => row.map((game, other) => rowValues(game, enemy.second(other, own))));
  const firsts = seconds.map((row) =>
    row.reduce((sum, worths, other) => sum + Math.max(...worths) * (enemy.first[other] ?? 0), 0),
  );
  return { seconds, firsts, best: Math.max(...firsts) };
}

/** Its part of the game, the policy it follows, and what it plays in the equilibrium. */
interface PlayerPart {
  readonly games: Games;
  readonly policy: TwoStepPlan;
  readonly equilibrium: TwoStepPlan;
  readonly value: number;
}

function playerOf({ games, policy, equilibrium: best, value }: PlayerPart, enemy: PlayerPart): TwoStepPlayer {
  return {
    ...{ policy, equilibrium: best, value },
    againstEquilibrium: answersTo(games, enemy.equilibrium),
    againstPolicy: answersTo(games, enemy.policy),
    answers: answersTo(enemy.games, policy),
    answersToFirst: answersTo(enemy.games, { first: policy.first, second: best.second }),
  };
}

/**
 * Solves the second step of every pair, then the first, and judges the policies of both players.
 * @throws RunError if a game has no solution that holds to 1e-9 of the spread of its payoffs
 */
export function twoStep(games: Games, rowPolicy: TwoStepPlan, columnPolicy: TwoStepPlan): TwoStep {
  const pairs = games.map((row) => row.map(equilibrium));
  const matrix = pairs.map((row) => row.map(({ value }) => value));
  const { rows, columns, value } = equilibrium(matrix);
  const ofRows = { first: rows, second: (own: number, other: number) => pairs[own]?.[other]?.rows ?? [] };
  const ofColumns = { first: columns, second: (own: number, other: number) => pairs[other]?.[own]?.columns ?? [] };
  const row: PlayerPart = { games, policy: rowPolicy, equilibrium: ofRows, value };
  const column: PlayerPart = {
    games: exchanged(games),
    policy: columnPolicy,
    equilibrium: ofColumns,
    value: 0 - value,
  };
  const players = { rows: playerOf(row, column), columns: playerOf(column, row) };
  const gap = players.rows.againstEquilibrium.best + players.columns.againstEquilibrium.best;
  return { ...players, matrix, value, gap: Math.max(0, gap) };
}
