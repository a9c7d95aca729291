/** Answers: exact where affordable, and played. */
import type { ExactBudget } from '../../src/exact/budget.ts';
import { type ExactJson, solve } from '../../src/running/solve.ts';
import { scenarioOf } from './check.ts';

/** Some tenths of a second. */
const AT_ONCE: ExactBudget = { steps: 250_000, moves: 50_000_000 };

export const answer = {
  /** @throws BudgetError if it is not affordable at once */
  exact(text: string): ExactJson {
    return solve(scenarioOf(text), AT_ONCE).toJSON();
  },
};
