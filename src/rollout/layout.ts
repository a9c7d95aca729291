/** What hosts and kernels have agreed on, apart from everything that knows rules: threads load no more than this. */

/** The version of the interface of kernels that this is written for: assembly/rollout/fields.ts. */
export const ABI = 1;

/**
 * The version of the environments: raised when agents see, may do or earn something else under the same rules, so that what
 * has been trained no longer fits. 1: features that cannot vary are left out.
 */
export const ENVIRONMENT = 1;

/** The most environments: their indices have 21 bits of a battle's number. */
export const ENVS_MAX: number = 2 ** 21;

/** Words of a configuration that hosts may change: autoreset, the limit of steps, the first of the two that hold the seed, points not asked. */
export const AUTORESET_WORD = 6;
export const MAX_STEPS_WORD = 7;
export const SEED_WORD = 8;
export const UNASKED_WORD = 11;
