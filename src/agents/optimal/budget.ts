/** How much work an optimum may be. */

import { OPTIMAL_STEPS_MAX } from '../../core/limits.ts';

/** Edges that may be followed, edges x rounds, for each step of a budget. */
const MOVES_PER_STEP = 1000;

/** Edges that a budget of so many steps allows to follow. */
export const movesOf = (budget: number): number => MOVES_PER_STEP * budget;

/**
 * A budget to suggest in the place of one that is not enough; undefined if there is none.
 * @param needed steps that are to be expected at least, if that is known
 */
export function larger(budget: number, needed = 0): number | undefined {
  return budget < OPTIMAL_STEPS_MAX && needed <= OPTIMAL_STEPS_MAX
    ? Math.min(OPTIMAL_STEPS_MAX, Math.max(2 * budget, needed))
    : undefined;
}
