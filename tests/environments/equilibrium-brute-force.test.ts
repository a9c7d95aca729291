/** Equilibria against brute force: pure strategies of whole games, and value iteration with exact matrix games. */
import { describe, expect, test } from 'vitest';
import { findEquilibriumSync } from '../../src/environments/equilibrium/find-equilibrium.ts';
import type { Phase } from '../../src/rules/custom/battle.ts';
import { defineSystem } from '../../src/rules/custom/define.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import { DEPTH } from '../depth.ts';
import { computeValue, divide, draw, solveExactly } from './exact-matrix-game.ts';
import {
  createNormalForm,
  createStepReward,
  createTinyGame,
  createTinyScenario,
  type NormalForm,
  type TinyGame,
} from './tiny-games.ts';

interface Example extends NormalForm {
  readonly game: TinyGame;
}

/** Returns the first games that are small enough. @param countsSteps true if their payoffs count choices */
function listExamples(count: number, countsSteps: boolean): Example[] {
  const found: Example[] = [];
  for (let seed = 1; found.length < count && seed < 10 * count; seed++) {
    const game = { ...createTinyGame(seed), ...(countsSteps && { stepPayoff: draw(7, seed, 14) - 3 }) };
    try {
      found.push({ game, ...createNormalForm(game) });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  expect(found).toHaveLength(count);
  return found;
}

describe('random games without cycles', () => {
  test.each([false, true])('have the value of the matrix of all pure strategies; rewards count steps: %s', (isLong) => {
    for (const { game, payoffs, denominator, policy } of listExamples(DEPTH > 1 ? 200 : 30, isLong)) {
      const label = `seed ${String(game.seed)}`;
      const [numerator, divisor] = solveExactly(payoffs);
      const value = divide(numerator, divisor * denominator);
      const found = findEquilibriumSync(createTinyScenario(game), isLong ? { reward: createStepReward(game) } : {});
      expect(Math.abs(found.value - value), label).toBeLessThan(1e-9);
      expect(found.interval[0], label).toBeGreaterThan(value - 1e-9);
      expect(found.interval[1], label).toBeLessThan(value + 1e-9);
      const [row, column] = policy;
      const unit = Number(denominator);
      const worst = Math.min(...(payoffs[row] ?? []).map((entry) => Number(entry) / unit));
      const best = Math.max(...payoffs.map((entries) => Number(entries[column] ?? 0n) / unit));
      expect(found.policyValue, label).toBeCloseTo(Number(payoffs[row]?.[column]) / unit, 9);
      expect(found.players[0]?.guaranteed, label).toBeCloseTo(worst, 9);
      expect(found.players[1]?.guaranteed, label).toBeCloseTo(-best, 9);
      expect(found.nashConv, label).toBeCloseTo(best - worst, 9);
    }
  });
});

interface PlaceState {
  readonly place: number;
  readonly made: readonly number[];
}

/** Weights of the next places; places from `OVER` on are results, `OVER` + k pays `payoffs[k]` to red. */
type CyclicRules = (place: number, row: number, column: number) => Readonly<Record<number, number>>;

const OVER = 50;

/** Creates a game with simultaneous choices in each place. */
function createCyclic(payoffs: readonly number[], options: readonly number[], rules: CyclicRules, maxRounds: number) {
  const choose =
    (player: 'red' | 'blue'): Phase<PlaceState> =>
    (state, chance) => ({ ...state, made: [...state.made, chance.decide('choice', player, options, () => 0)] });
  const system = defineSystem({
    id: 'cyclic',
    title: 'Cyclic',
    about: 'A game with cycles.',
    fields: {},
    decisions: [{ point: 'choice', who: 'both', about: 'A choice.', policies: ['first'] }],
    battle: () => ({
      outcomes: payoffs.map((_, k) => `result-${String(k)}`),
      start: (): PlaceState => ({ place: 0, made: [] }),
      round: [
        choose('red'),
        choose('blue'),
        ({ place, made: [row = 0, column = 0] }, chance) => {
          const next = Object.entries(rules(place, row, column));
          return { place: Number(next[chance.pick(next.map(([, weight]) => weight))]?.[0]), made: [] };
        },
      ],
      outcome: ({ place }) => (place >= OVER ? `result-${String(place - OVER)}` : undefined),
    }),
    environment: () => ({
      players: ['red', 'blue'],
      actions: { choice: options },
      features: [{ name: 'place', high: OVER + payoffs.length, of: ({ place }) => place }],
      reward: (outcome, player) => (payoffs[Number(outcome.slice(7))] ?? 0) * (player === 'red' ? 1 : -1),
    }),
  });
  return validateScenario({ system: 'cyclic', maxRounds }, { systems: [system] });
}

/** Payoff at the round limit. */
const LIMIT = 0;

/** Computes the value of the first place by value iteration, with exact matrix games. */
function iterateValues(
  places: number,
  payoffs: readonly number[],
  options: readonly number[],
  rules: CyclicRules,
  rounds: number,
): number {
  let values = Array.from({ length: places }, () => LIMIT);
  const getValue = (place: number): number => (place >= OVER ? payoffs[place - OVER] : values[place]) ?? 0;
  for (let k = 0; k < rounds; k++) {
    values = values.map((_, place) =>
      computeValue(
        options.map((row) =>
          options.map((column) => {
            const next = Object.entries(rules(place, row, column));
            const total = next.reduce((sum, [, weight]) => sum + weight, 0);
            return next.reduce((sum, [to, weight]) => sum + (weight / total) * getValue(Number(to)), 0);
          }),
        ),
      ),
    );
  }
  return values[0] ?? 0;
}

describe('games with cycles', () => {
  const CHOICES = [0, 1, 2];
  const beats = (row: number, column: number): boolean => (row + 3 - column) % 3 === 1;

  test('rock, paper, scissors until somebody wins has the value 1/2', () => {
    const rules: CyclicRules = (_, row, column) => ({ [row === column ? 0 : beats(row, column) ? OVER : OVER + 1]: 1 });
    const found = findEquilibriumSync(createCyclic([1, 0], CHOICES, rules, 100));
    expect(found.value).toBeCloseTo(1 / 2, 12);
    expect(found.players.map(({ guaranteed }) => guaranteed)).toEqual([expect.closeTo(0, 12), expect.closeTo(-1, 12)]);
    for (const { equilibrium } of found.strategies)
      for (const probability of Object.values(equilibrium)) expect(probability).toBeCloseTo(1 / 3, 9);
  });

  // L. de Alfaro, T. Henzinger, O. Kupferman, Concurrent Reachability Games (2007): no optimal policy for all rounds.
  test.each([1, 2, 10, 200])('hide or run in %i rounds has the value n / (n + 1)', (rounds) => {
    // Red hides (0) or runs (1); blue waits (0) or throws its only snowball (1).
    const rules: CyclicRules = (_, row, column) => ({
      [row === 0 && column === 0 ? 0 : row + column === 1 ? OVER : OVER + 1]: 1,
    });
    const found = findEquilibriumSync(createCyclic([1, 0], [0, 1], rules, rounds));
    expect(found.value).toBeCloseTo(rounds / (rounds + 1), 9);
    expect(found.interval[0]).toBeGreaterThan(rounds / (rounds + 1) - 1e-9);
    expect(found.interval[1]).toBeLessThan(rounds / (rounds + 1) + 1e-9);
  });

  test('random games have the value of value iteration', () => {
    const PLACES = 3;
    const payoffs = [-3, -2, -1, 0, 1, 2, 3];
    for (let seed = 0; seed < (DEPTH > 1 ? 40 : 6); seed++) {
      const options = seed % 2 === 0 ? CHOICES : [0, 1];
      const rules: CyclicRules = (place, row, column) => ({
        [draw(PLACES, seed, 1, place, row, column)]: 1 + draw(3, seed, 2, place, row, column),
        [OVER + draw(payoffs.length, seed, 3, place, row, column)]: 1 + draw(3, seed, 4, place, row, column),
      });
      const { value, interval } = findEquilibriumSync(createCyclic(payoffs, options, rules, 200));
      const expected = iterateValues(PLACES, payoffs, options, rules, 90);
      expect(Math.abs(value - expected), `seed ${String(seed)}`).toBeLessThan(1e-9);
      expect(Math.abs(interval[0] - expected) + Math.abs(interval[1] - expected), `seed ${String(seed)}`).toBeLessThan(
        1e-9,
      );
    }
  });
});
