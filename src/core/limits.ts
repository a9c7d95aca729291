/** Defaults and limits that the library, files and the command line share, without dependencies. */

/** Maximum number of threads of a call. */
export const WORKERS_MAX = 256;

/**
 * Default and maximum number of steps of `findBestResponse`: a minute or two and about a gigabyte; the maximum memory
 * of Node.
 */
export const BEST_RESPONSE_BUDGET = 4_000_000;
export const OPTIMAL_STEPS_MAX = 16_000_000;

/** Default and maximum number of payoffs of `findEquilibrium`. */
export const PAYOFF_BUDGET = 2 ** 20;
export const PAYOFF_BUDGET_MAX = 2 ** 25;

/** Layers that `warpool bench` measures. */
export const LAYERS = ['counters', 'instructions', 'ratio', 'cells'] as const;
