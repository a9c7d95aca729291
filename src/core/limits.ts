/** Defaults and limits that the library, files and the command line share, without dependencies. */

/** Maximum number of threads of a call. */
export const WORKERS_MAX = 256;

/**
 * Default and maximum number of steps of `findBestResponse` and `findEquilibrium`: a minute or two and about a
 * gigabyte; about 30 million positions of one player, or a million positions with decisions of both players.
 */
export const BEST_RESPONSE_BUDGET = 4_000_000;
export const GAME_STEPS_MAX = 64_000_000;

/** Layers that `warpool bench` measures. */
export const LAYERS = ['counters', 'instructions', 'ratio', 'cells'] as const;
