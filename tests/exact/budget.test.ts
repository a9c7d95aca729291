/** Budgets of exact answers: limits, and the budget that a BudgetError suggests. */
import { describe, expect, test } from 'vitest';
import { findExactAnswer, solveSync } from '../../src/analysis/solve.ts';
import { createBudget, FULL_BUDGET, suggestLargerBudget } from '../../src/engines/exact/budget.ts';
import { Chain } from '../../src/engines/exact/chain.ts';
import { KIND } from '../../src/engines/exact/layout.ts';
import { SHIPPED_REGISTRY } from '../../src/rules/index.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import { getBudgetError } from './budgets.ts';

const brawl = await loadScenario('scenarios/attrition-brawl.yaml');

describe('budget of an exact answer', () => {
  test('contains 500 moves for each step', () => {
    expect(createBudget(4_000_000)).toEqual(FULL_BUDGET);
    expect(createBudget(1)).toEqual({ steps: 1, moves: 500 });
  });

  test.each([0, 1.5, -1, 1e11, Number.NaN])('rejects %d steps', (steps) => {
    expect(() => createBudget(steps)).toThrow('budget: expected an integer 1..10000000000');
  });

  test.each([[0], [Number.NaN], ['many'], [{ steps: 1000 }]])('rejects the option budget: %j', (budget) => {
    expect(() => solveSync(brawl, { budget: budget as number })).toThrow('budget: expected an integer 1..10000000000');
  });

  test('suggestLargerBudget returns twice the budget or the known need, rounded to two digits', () => {
    expect(suggestLargerBudget(createBudget(1000))).toBe(2000);
    expect(suggestLargerBudget(createBudget(1000), { steps: 12_301 })).toBe(13_000);
    expect(suggestLargerBudget(createBudget(1000), { moves: 500 * 54_100 })).toBe(55_000);
    expect(suggestLargerBudget({ steps: 10, moves: 500_000 })).toBe(2000);
    expect(suggestLargerBudget(createBudget(1), {})).toBe(2);
    expect(suggestLargerBudget(createBudget(1e10))).toBeUndefined();
    expect(suggestLargerBudget(createBudget(10), { moves: 1e15 })).toBeUndefined();
  });

  test('replaces the default limit of findExactAnswer', () => {
    expect(findExactAnswer(brawl, 'auto', 1, 31)).toBeUndefined();
    expect(findExactAnswer(brawl, 'auto', 1, 1000)?.distribution).toEqual(solveSync(brawl).distribution);
    expect(findExactAnswer(brawl, 'never', 1, 1000)).toBeUndefined();
    expect(() => findExactAnswer(brawl, 'always', 1, 31)).toThrow('more than the budget of 31 steps');
    expect(() => findExactAnswer(brawl, 'always', 1, 0)).toThrow('budget: expected an integer');
  });
});

describe('BudgetError of a chain', () => {
  const model = SHIPPED_REGISTRY.system('attrition').model(brawl);

  /** Explores all states of a chain. */
  const walked = (chain: Chain<never>): void => {
    chain.start();
    for (let node = 0; node < chain.size; node++) if (chain.kinds[node] !== KIND.over) chain.from(node);
  };

  test('suggests at least the expected number of steps', () => {
    const error = getBudgetError(() => {
      walked(new Chain(model, 200) as Chain<never>);
    });
    expect(error.message).toMatch(/more than the budget of 200 steps/);
    expect(error.suggested).toBeGreaterThanOrEqual(400);
  });

  test('is thrown after exactly the budgeted steps if the option brief is set', () => {
    let taken = 0;
    const step = (...given: Parameters<typeof model.step>) => {
      taken++;
      return model.step(...given);
    };
    const counting = { ...model, step };
    const error = getBudgetError(() => {
      walked(new Chain(counting, 200, undefined, true) as Chain<never>);
    });
    expect(error.message).toMatch(/more than the budget of 200 steps: \d+ states were found/);
    expect(taken).toBe(200);
  });

  test.each([
    [{ states: 50, transitions: 1e6 }, /its memory limit: 50 states and \d+ transitions were found/],
    [{ states: 1e6, transitions: 50 }, /its memory limit: \d+ states and 5\d transitions were found/],
  ])('has no suggestion if the memory limit is exceeded: %j', (room, message) => {
    const error = getBudgetError(() => {
      walked(new Chain(model, 1e9, room) as Chain<never>);
    });
    expect(error.message).toMatch(message);
    expect(error.suggested).toBeUndefined();
  });
});
