/** What exceeds its budget. */
import { BudgetError } from '../../src/core/errors.ts';

/** Returns undefined where the budget is exceeded. */
export function within<T>(solve: () => T): T | undefined {
  try {
    return solve();
  } catch (error) {
    if (error instanceof BudgetError) return undefined;
    throw error;
  }
}

/** Returns the error of an exceeded budget. */
export function refusal(act: () => unknown): BudgetError {
  try {
    act();
  } catch (error) {
    if (error instanceof BudgetError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
