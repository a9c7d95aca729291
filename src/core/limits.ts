/** Defaults and limits that the library, files and the command line share. Nothing is loaded for them. */

/** The most threads that may work for one call. */
export const WORKERS_MAX = 256;

/** Steps that `findBestResponse` may take unless said otherwise, and the most: a minute or two and about a gigabyte; all the memory that Node takes. */
export const BEST_RESPONSE_BUDGET = 4_000_000;
export const OPTIMAL_STEPS_MAX = 16_000_000;

/** Payoffs that `findEquilibrium` may work out unless said otherwise, and the most. */
export const PAYOFF_BUDGET = 2 ** 20;
export const PAYOFF_BUDGET_MAX = 2 ** 25;

/** What `warpool bench` measures, layer by layer. */
export const LAYERS = ['counters', 'instructions', 'ratio', 'cells'] as const;
