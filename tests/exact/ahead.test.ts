/** Estimates of the remaining chain size during exploration, for chains whose states are too rare to be simulated. */
import { describe, expect, test } from 'vitest';
import type { Chance } from '../../src/core/chance/chance.ts';
import type { BudgetError } from '../../src/core/errors.ts';
import { createBudget } from '../../src/engines/exact/budget.ts';
import { Chain } from '../../src/engines/exact/chain.ts';
import { estimateChainSize } from '../../src/engines/exact/chain-size.ts';
import { KIND } from '../../src/engines/exact/layout.ts';
import { solveModel } from '../../src/engines/kernel/chain-solver.ts';
import type { Model } from '../../src/rules/system.ts';
import { getBudgetError } from './budgets.ts';

interface Place {
  readonly round: number;
  readonly at: number;
}

/** Creates a model with one common and 29 rare transitions per state: 30^round states, at most `places` per round. */
function rare(rounds: number, places: number): { readonly model: Model<Place>; readonly taken: () => number } {
  const weights = [100_000, ...new Array<number>(29).fill(1)];
  let taken = 0;
  const model: Model<Place> = {
    outcomes: ['over', 'stalemate'],
    metrics: [{ name: 'rounds', min: 0, max: rounds }],
    maxRounds: rounds,
    roundsMetric: 0,
    start: () => ({ round: 0, at: 0 }),
    step({ round, at }, chance: Chance) {
      taken++;
      return { round: round + 1, at: (30 * at + chance.pick(weights)) % places };
    },
    resting: () => true,
    outcome: ({ round }) => (round === rounds ? 'over' : undefined),
    measure: ({ round }) => [round],
    key: ({ round, at }) => places * round + at,
  };
  return { model, taken: () => taken };
}

const plain = (text: string): string => text.replaceAll(/[\u2009\u00a0\u202f]/gu, ' ');

describe('a chain with rare states', () => {
  test('is rejected after a part of the budget although simulation underestimates its size', () => {
    const { model, taken } = rare(5, 30 ** 5);
    expect(estimateChainSize(model).steps).toBeLessThan(10_000);
    const { message, suggested = 0 } = getBudgetError(() => solveModel(model, createBudget(1_000_000)));
    expect(taken()).toBeLessThan(400_000);
    expect(plain(message)).toMatch(/steps or more are expected, about \d0? (seconds?|minutes?) and \d0{0,2} [MG]B$/);
    // It has 25 137 930 steps.
    expect(suggested).toBeGreaterThanOrEqual(2_000_000);
    expect(suggested).toBeLessThan(26_000_000);
  });

  test('gets no suggested budget if the chain exceeds the memory limit', () => {
    const chain = new Chain(rare(5, 30 ** 5).model, 1_000_000, { states: 60_000, transitions: 32_000_000 });
    const walked = () => {
      chain.start();
      for (let node = 0; node < chain.size; node++) chain.from(node);
    };
    expect(getBudgetError(walked).suggested).toBeUndefined();
  });

  test('is rejected before it reaches the memory limit, with any budget', () => {
    const chain = new Chain(rare(5, 30 ** 5).model, 1e9, { states: 60_000, transitions: 32_000_000 });
    const walked = () => {
      chain.start();
      for (let node = 0; node < chain.size; node++) chain.from(node);
    };
    const { message, suggested } = getBudgetError(walked);
    expect(plain(message)).toMatch(
      /memory limit: [\d ]+ states and [\d ]+ transitions were found; about .* steps or more are expected/,
    );
    expect(chain.size).toBeLessThan(50_000);
    expect(suggested).toBeUndefined();
  });

  test('is solved with a budget of exactly its number of steps', () => {
    const { model } = rare(12, 900);
    const { steps } = solveModel(model);
    expect(steps).toBeGreaterThan(200_000);
    expect(solveModel(model, createBudget(steps)).steps).toBe(steps);
  });
});

describe('a chain of unknown length', () => {
  /** Creates a random walk that moves right or up each round until it reaches a border. */
  const createWalk = (size: number): Model<Place> => ({
    ...rare(2 * size, size * size).model,
    step: ({ round, at }, chance) => ({ round: round + 1, at: at + chance.pick([1, 1]) }),
    outcome: ({ round, at }) => (at === size || round - at === size ? 'over' : undefined),
    key: ({ round, at }) => 2 * size * round + at,
  });

  test('is solved with the first suggested budget', () => {
    const model = createWalk(300);
    const { suggested } = getBudgetError(() => solveModel(model, createBudget(100_000)));
    expect(solveModel(model, createBudget(suggested ?? 0)).steps).toBeGreaterThan(170_000);
  });

  test('with 16 million states is rejected before it has 400 000 states', () => {
    const chain = new Chain(createWalk(4000), 1e9);
    const { message } = getBudgetError(() => {
      chain.start();
      for (let node = 0; node < chain.size; node++) if (chain.kinds[node] !== KIND.over) chain.from(node);
    });
    expect(chain.size).toBeLessThan(400_000);
    const [, states = ''] = /about ([\d ]+) states and [\d ]+ steps or more are expected/.exec(plain(message)) ?? [];
    expect(Number(states.replaceAll(' ', ''))).toBeGreaterThan(6_000_000);
    expect(Number(states.replaceAll(' ', ''))).toBeLessThan(16_000_000);
  });

  test('is rejected for its memory limit with the first suggested budget', () => {
    const explore = (budget: number): BudgetError =>
      getBudgetError(() => {
        const chain = new Chain(createWalk(400), budget, { states: 120_000, transitions: 32_000_000 });
        chain.start();
        for (let node = 0; node < chain.size; node++) if (chain.kinds[node] !== KIND.over) chain.from(node);
      });
    const { suggested = 0 } = explore(100_000);
    expect(suggested).toBeGreaterThan(100_000);
    const { message, suggested: larger } = explore(suggested);
    expect(message).toContain('exceeds its memory limit');
    expect(larger).toBeUndefined();
  });
});
