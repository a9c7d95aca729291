/** Equilibria of games whose round limit does not matter, and the bound that detects such games. */
import { describe, expect, test } from 'vitest';
import { createGameTable, type GameTable } from '../../src/environments/best-response/game-table.ts';
import { boundRounds, findComponents } from '../../src/environments/equilibrium/components.ts';
import { buildJointGraph, type JointDefinition } from '../../src/environments/equilibrium/joint-graph.ts';
import { computeJointValues, type JointValues } from '../../src/environments/equilibrium/joint-values.ts';
import type { State } from '../../src/rules/system.ts';
import { DEPTH } from '../depth.ts';
import { computeValue, draw } from './exact-matrix-game.ts';

interface RaceState extends State {
  readonly hits: readonly [number, number];
  readonly made: readonly number[];
}

/** Weights of a hit of row, of a hit of column, and of none, by the choices of both. */
type Weights = (hits: readonly number[], row: number, column: number) => readonly number[];

/** Creates a race to a number of hits with simultaneous choices of two options; a round without a hit is repeated. */
function createRace(goal: number, weights: Weights, maxRounds: number): JointDefinition<RaceState> {
  const turn: JointDefinition<RaceState>['model']['step'] = ({ round, hits, made }, chance) => {
    const [row, column] = made;
    if (row === undefined) return { round, hits, made: [chance.decide('hit', 'row', [0, 1], () => 0)] };
    if (column === undefined) return { round, hits, made: [row, chance.decide('hit', 'column', [0, 1], () => 0)] };
    const hit = chance.pick(weights(hits, row, column));
    return { round: round + 1, hits: [hits[0] + Number(hit === 0), hits[1] + Number(hit === 1)], made: [] };
  };
  return {
    model: {
      ...{ outcomes: ['row', 'column', 'stalemate'], metrics: [], maxRounds, roundsMetric: undefined },
      start: () => ({ round: 0, hits: [0, 0], made: [] }),
      step(state, chance) {
        let next = turn(state, chance);
        while (next.made.length > 0) next = turn(next, chance);
        return next;
      },
      turn,
      resting: ({ made }) => made.length === 0,
      outcome: ({ hits }) => (hits[0] === goal ? 'row' : hits[1] === goal ? 'column' : undefined),
      measure: () => [],
      key: ({ hits, made }) => [...hits, ...made].join(),
    },
    players: ['row', 'column'],
    features: ['row', 'column', 'choice'],
    decides: () => true,
    observe: ({ hits, made }, player) => [...hits, player === 'column' ? -1 : (made[0] ?? -1)],
    payoff: (_, outcome) => [1, -1, 0][outcome] ?? 0,
    decidePolicy: ({ policy }) => policy,
  };
}

const BUDGET = 1_000_000;

function openRace(goal: number, weights: Weights, maxRounds: number): { table: GameTable; solve: () => JointValues } {
  const graph = buildJointGraph(createRace(goal, weights, maxRounds), BUDGET);
  const table = createGameTable(graph);
  return { table, solve: () => computeJointValues(graph, table, { maxRounds, budget: BUDGET }) };
}

const solveRace = (goal: number, weights: Weights, maxRounds: number): JointValues =>
  openRace(goal, weights, maxRounds).solve();

/** Computes the value of a race by value iteration with exact matrix games. */
function iterateRace(goal: number, weights: Weights, sweeps: number): number {
  const values = new Map<string, number>();
  const getValue = (a: number, b: number): number => {
    if (a === goal) return 1;
    return b === goal ? -1 : (values.get(`${String(a)} ${String(b)}`) ?? 0);
  };
  const solve = (a: number, b: number): void => {
    const matrix = [0, 1].map((row) =>
      [0, 1].map((column) => {
        const [first = 0, second = 0, none = 0] = weights([a, b], row, column);
        const sum = first * getValue(a + 1, b) + second * getValue(a, b + 1) + none * getValue(a, b);
        return sum / (first + second + none);
      }),
    );
    values.set(`${String(a)} ${String(b)}`, computeValue(matrix));
  };
  for (let a = goal - 1; a >= 0; a--) for (let b = goal - 1; b >= 0; b--) for (let k = 0; k < sweeps; k++) solve(a, b);
  return getValue(0, 0);
}

const drawWeights =
  (seed: number, none: number): Weights =>
  ([a = 0, b = 0], row, column) => [
    1 + draw(5, seed, a, b, row, column, 0),
    1 + draw(5, seed, a, b, row, column, 1),
    none,
  ];

describe('races', () => {
  test.each([...new Array(DEPTH > 1 ? 20 : 4).keys()])('with a hit in every round need one pass, seed %i', (seed) => {
    const weights = drawWeights(seed, 0);
    const found = solveRace(4, weights, 7);
    expect(found.components).toBeDefined();
    expect(found.rounds).toBe(1);
    expect(found.value).toBeCloseTo(iterateRace(4, weights, 1), 12);
    expect(found.upper - found.lower).toBeLessThan(1e-14);
    // With one round less the limit matters, and the last decision depends on the remaining rounds.
    expect(solveRace(4, weights, 6).components).toBeUndefined();
  });

  test.each([...new Array(DEPTH > 1 ? 20 : 4).keys()])('with rounds without a hit need few passes, seed %i', (seed) => {
    const weights = drawWeights(seed, seed % 2 === 0 ? 3 : 30);
    const found = solveRace(3, weights, 10_000);
    expect(found.components).toBeDefined();
    expect(found.rounds).toBeLessThan(20);
    expect(found.value).toBeCloseTo(iterateRace(3, weights, 600), 10);
    expect(found.upper - found.lower).toBeLessThan(1e-9);
    expect([found.lower <= found.value, found.value <= found.upper]).toEqual([true, true]);
  });

  test('with rare hits need few passes', () => {
    // One round in 200 has a hit: without extrapolation, about 6 000 passes.
    const found = solveRace(2, drawWeights(1, 1000), 100_000);
    expect(found.rounds).toBeLessThan(20);
    expect(found.value).toBeCloseTo(iterateRace(2, drawWeights(1, 1000), 8000), 9);
  });

  test('beyond the budget have an interval that includes the value', () => {
    const weights = drawWeights(2, 30);
    const graph = buildJointGraph(createRace(3, weights, 10_000), BUDGET);
    const table = createGameTable(graph);
    const { lower, upper, rounds } = computeJointValues(graph, table, { maxRounds: 10_000, budget: 1 });
    const value = iterateRace(3, weights, 600);
    expect(rounds).toBeLessThan(10);
    expect([lower < value - 1e-6, value + 1e-6 < upper]).toEqual([true, true]);
  });

  test('depend on the remaining rounds if a player can prevent all hits', () => {
    const stall: Weights = (_, row, column) => (row === 0 && column === 0 ? [0, 0, 1] : [1, 2, 0]);
    const found = solveRace(1, stall, 10);
    expect(found.components).toBeUndefined();
    expect(found.rounds).toBeLessThanOrEqual(10);
    // A stalemate is worth more to row than -1/3, so column prevents it.
    expect(found.value).toBeCloseTo(-1 / 3, 12);
  });
});

describe('bounds for all policies', () => {
  /** Weights of a hit with probability 1/2 in each round. A battle reaches the limit if it has too few hits. */
  const half: Weights = () => [1, 0, 1];
  const bound = (goal: number, maxRounds: number) => {
    const { table } = openRace(goal, half, maxRounds);
    return boundRounds(table, findComponents(table), maxRounds);
  };

  test.each([
    [1, 60],
    [1, 1000],
    [5, 100],
    [5, 10_000],
  ])('exist for %i hits in %i rounds', (goal, maxRounds) => {
    const found = bound(goal, maxRounds);
    expect(found?.rounds).toBeGreaterThan(2 * goal);
    expect(found?.limit).toBeLessThanOrEqual(1e-12);
    // The number of hits has a binomial distribution.
    let [term, sum] = [0.5 ** maxRounds, 0];
    for (let hits = 0; hits < goal; hits++) {
      sum += term;
      term *= (maxRounds - hits) / (hits + 1);
    }
    expect(found?.limit).toBeGreaterThanOrEqual(sum);
  });

  test.each([
    [1, 30],
    [5, 50],
    [5, 70],
  ])('are missing for %i hits in %i rounds', (goal, maxRounds) => {
    expect(bound(goal, maxRounds)).toBeUndefined();
  });
});
