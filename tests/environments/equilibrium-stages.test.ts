/**
 * Games with two hidden choices of each player against their normal forms, in which a pure strategy is a first choice and an
 * answer to each first choice of the enemy.
 */
import { describe, expect, it } from 'vitest';
import { Stream } from '../../src/core/chance/stream.ts';
import { solveMatrixGame } from '../../src/core/matrix-game.ts';
import { createGameTable } from '../../src/environments/best-response/game-table.ts';
import { buildJointGraph, type JointDefinition } from '../../src/environments/equilibrium/joint-graph.ts';
import { computeJointValues, type JointValues } from '../../src/environments/equilibrium/joint-values.ts';
import type { Model, State } from '../../src/rules/system.ts';

/** payoffs[first of row][first of column][second of row][second of column] */
type Payoffs = readonly (readonly (readonly (readonly number[])[])[])[];

/** Choices so far: first of row, first of column, second of row, second of column. */
interface ChoiceState extends State {
  readonly made: readonly number[];
}

/** Probabilities of the first and of the second choices of a player; they do not depend on the enemy. */
type Policy = readonly [first: readonly number[], second: readonly number[]];

const PLAYERS = ['row', 'column'] as const;

const range = (count: number): number[] => [...new Array(count).keys()];

/** Creates the game. @param sees true if row observes the first choice of column before its second choice */
function createGame(payoffs: Payoffs, policies: readonly [Policy, Policy], sees = true): JointDefinition<ChoiceState> {
  const sizes = [
    payoffs.length,
    payoffs[0]?.length ?? 0,
    payoffs[0]?.[0]?.length ?? 0,
    payoffs[0]?.[0]?.[0]?.length ?? 0,
  ];
  const model: Model<ChoiceState> = {
    outcomes: ['over'],
    metrics: [],
    maxRounds: 1,
    roundsMetric: undefined,
    start: () => ({ round: 1, made: [] }),
    step: () => {
      throw new Error('the game has turns only');
    },
    turn(state, chance) {
      const at = state.made.length;
      const player = at % 2;
      const shares = policies[player === 0 ? 0 : 1][at < 2 ? 0 : 1];
      const choice = chance.decide(at < 2 ? 'first' : 'second', PLAYERS[player] ?? '', range(sizes[at] ?? 0), () =>
        chance.pick(shares),
      );
      return { ...state, made: [...state.made, choice] };
    },
    resting: () => false,
    outcome: ({ made }) => (made.length === 4 ? 'over' : undefined),
    measure: () => [],
    key: ({ made }) => made.join(),
  };
  return {
    model,
    players: PLAYERS,
    features: ['rowFirst', 'columnFirst', 'rowSecond', 'columnSecond'],
    decides: () => true,
    observe: ({ made: [a = -1, b = -1, c = -1, d = -1] }, player) => {
      if (player === undefined) return [a, b, c, d];
      // Choices are revealed when both have made them; a pending choice is known only to its player.
      if (player === 'row') return [a, sees && b >= 0 ? b : -1, c, -1];
      return [b >= 0 ? a : -1, b, d >= 0 ? c : -1, d];
    },
    payoff: ({ made: [a = 0, b = 0, c = 0, d = 0] }) => payoffs[a]?.[b]?.[c]?.[d] ?? 0,
    decidePolicy: ({ policy }) => policy,
  };
}

function solve(payoffs: Payoffs, policies: readonly [Policy, Policy], sees = true): JointValues {
  const graph = buildJointGraph(createGame(payoffs, policies, sees), 100_000);
  return computeJointValues(graph, createGameTable(graph), { maxRounds: 1, budget: 100_000 });
}

interface Pure {
  readonly first: number;
  /** By first choice of the enemy. */
  readonly second: readonly number[];
}

/** Lists all ways to choose one of `count` for each of `places`. */
function ways(count: number, places: number): number[][] {
  if (places === 0) return [[]];
  return ways(count, places - 1).flatMap((way) => range(count).map((next) => [...way, next]));
}

const listPure = (firsts: number, seconds: number, others: number): Pure[] =>
  range(firsts).flatMap((first) => ways(seconds, others).map((second) => ({ first, second })));

const getPayoff = (payoffs: Payoffs, row: Pure, column: Pure): number =>
  payoffs[row.first]?.[column.first]?.[row.second[column.first] ?? -1]?.[column.second[row.first] ?? -1] ?? Number.NaN;

/** Returns the probability of a pure strategy under a policy. */
const getShare = ([first, second]: Policy, pure: Pure): number =>
  pure.second.reduce((product, choice) => product * (second[choice] ?? 0), first[pure.first] ?? 0);

/** Draws a game and the policies of both players. */
function drawGame(stream: Stream, toPayoff: (word: number) => number) {
  const [rows, columns] = [1 + (stream.word() % 3), 1 + (stream.word() % 3)];
  const [ups, downs] = [1 + (stream.word() % 3), 1 + (stream.word() % 3)];
  const matrix = () => range(ups).map(() => range(downs).map(() => toPayoff(stream.word())));
  const payoffs: Payoffs = range(rows).map(() => range(columns).map(matrix));
  const mix = (count: number): number[] => {
    const weights = range(count).map(() => 1 + (stream.word() % 4));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return weights.map((weight) => weight / total);
  };
  const [ofRow, ofColumn] = [mix(ups), mix(downs)];
  const policies: [Policy, Policy] = [
    [mix(rows), ofRow],
    [mix(columns), ofColumn],
  ];
  return { payoffs, policies, all: [listPure(rows, ups, columns), listPure(columns, downs, rows)] as const };
}

describe('a game with two hidden choices of each player', () => {
  it('has the value and the best responses of its normal form', () => {
    let mixed = 0;
    for (let game = 0; game < 80; game++) {
      const { payoffs, policies, all } = drawGame(Stream.forBattle(8n, game), (word) =>
        game % 2 ? word / 2 ** 32 : word % 3,
      );
      const matrix = all[0].map((row) => all[1].map((column) => getPayoff(payoffs, row, column)));
      const normal = solveMatrixGame({
        rows: all[0].length,
        columns: all[1].length,
        payoffs: Float64Array.from(matrix.flat()),
      });
      const { value, lower, upper, bestRow, bestColumn, given, choices } = solve(payoffs, policies);
      expect(value).toBeCloseTo(normal.value, 9);
      expect(upper - lower).toBeLessThan(1e-9);
      expect([lower - 1e-12 <= value, value <= upper + 1e-12]).toEqual([true, true]);
      const against = (pure: Pure): number =>
        all[1].reduce((sum, column) => sum + getShare(policies[1], column) * getPayoff(payoffs, pure, column), 0);
      const forColumn = (pure: Pure): number =>
        all[0].reduce((sum, row) => sum + getShare(policies[0], row) * getPayoff(payoffs, row, pure), 0);
      expect(bestRow).toBeCloseTo(Math.max(...all[0].map(against)), 12);
      expect(bestColumn).toBeCloseTo(Math.min(...all[1].map(forColumn)), 12);
      expect(given).toBeCloseTo(
        all[0].reduce((sum, row) => sum + getShare(policies[0], row) * against(row), 0),
        12,
      );
      mixed += Number(choices(1).rows.some((share) => share > 1e-9 && share < 1 - 1e-9));
    }
    expect(mixed).toBeGreaterThan(10);
  });

  const PENNIES = [
    [1, -1],
    [-1, 1],
  ];
  const even = [0.5, 0.5];

  it('is solved if there is only one first choice, or only one second choice', () => {
    const seconds = solve(
      [[PENNIES]],
      [
        [[1], even],
        [[1], even],
      ],
    );
    expect([seconds.value, seconds.lower, seconds.upper]).toEqual([0, 0, 0]);
    expect([...seconds.choices(1).rows].slice(-2)).toEqual(even);
    const firsts = solve(
      PENNIES.map((cells) => cells.map((cell) => [[cell]])),
      [
        [even, [1]],
        [even, [1]],
      ],
    );
    expect([firsts.value, firsts.lower, firsts.upper]).toEqual([0, 0, 0]);
  });

  it('has a greater value for a player who observes the first choices', () => {
    // The row player must name the first choice of the column player.
    const payoffs: Payoffs = [
      [
        [[1], [0]],
        [[0], [1]],
      ],
    ];
    const policies: [Policy, Policy] = [
      [[1], even],
      [even, [1]],
    ];
    const [seeing, blind] = [solve(payoffs, policies), solve(payoffs, policies, false)];
    expect([seeing.value, seeing.bestRow, seeing.given]).toEqual([1, 1, 0.5]);
    expect([blind.value, blind.bestRow, blind.given]).toEqual([0.5, 0.5, 0.5]);
  });
});
