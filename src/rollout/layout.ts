/** What hosts and kernels have agreed on, apart from everything that knows rules: threads load no more than this. */

/** The version of the interface of kernels that this is written for: assembly/rollout/fields.ts. */
export const ABI = 1;

/** The most environments: their indices have 21 bits of a battle's number. */
export const ENVS_MAX: number = 2 ** 21;

/** Words of a configuration that hosts may change: autoreset, the limit of steps, the first of the two that hold the seed. */
export const AUTORESET_WORD = 6;
export const MAX_STEPS_WORD = 7;
export const SEED_WORD = 8;
