/** Helpers for computations that may exceed their budget. */
import { BudgetError } from '../../src/core/errors.ts';

/** Returns the result of `solve`, or undefined if it exceeds its budget. */
export function within<T>(solve: () => T): T | undefined {
  try {
    return solve();
  } catch (error) {
    if (error instanceof BudgetError) return undefined;
    throw error;
  }
}

/** Returns the BudgetError that `act` throws. */
export function getBudgetError(act: () => unknown): BudgetError {
  try {
    act();
  } catch (error) {
    if (error instanceof BudgetError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
