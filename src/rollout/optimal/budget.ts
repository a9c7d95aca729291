/** How much work an optimum may be. */

/** The most steps of a budget: what is found then fills the memory that Node takes by default. */
export const STEPS_MAX = 16_000_000;

/**
 * A budget to suggest in the place of one that is not enough; undefined if there is none.
 * @param needed steps that are to be expected at least, if that is known
 */
export function larger(budget: number, needed = 0): number | undefined {
  return budget < STEPS_MAX && needed <= STEPS_MAX ? Math.min(STEPS_MAX, Math.max(2 * budget, needed)) : undefined;
}
