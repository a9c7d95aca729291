/**
 * Depth of the test suite. `npm test` uses DEPTH 1 and takes minutes on two cores. `npm run test:deep`, which `.ci/run`
 * runs too, uses DEPTH 2: twice the number of scenarios and runs, half of the cases of large tables instead of a
 * quarter or less, and all tests that need a browser, the Python package, many processes or many seconds. The deep run
 * contains the files that import this one or fast-check, directly or indirectly. In `.ci/run` the slowest files take
 * turns (vitest.config.ts). To run one of them: `WARPOOL_DEPTH=deep npx vitest run cluster/kills`.
 *
 * SEED determines generated scenarios and all values of fast-check. It is the same in all shallow runs, and another one
 * in each deep run. vitest.config.ts chooses it, and the last lines of a run print it. Set WARPOOL_SEED to repeat it.
 * Statistical tests use fixed seeds and state their probability of a false alarm.
 */
export const DEPTH: number = process.env['WARPOOL_DEPTH'] === 'deep' ? 2 : 1;

/** Seed of the run, 32 bits. */
export const SEED: number = Number(process.env['WARPOOL_SEED']);

/**
 * Selects every fourth case of a table, or every eighth one of 16 or more. A deep run selects every second one,
 * beginning with the first or second case by SEED.
 */
export function some<T>(cases: readonly T[]): T[] {
  return cases.filter((_, k) =>
    DEPTH === 1 ? k % (cases.length < 16 ? 4 : 8) === 0 : cases.length < 4 || k % 2 === SEED % 2,
  );
}
