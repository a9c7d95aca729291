/**
 * Depth of the test suite. `npm test` uses DEPTH 1 and takes minutes on two cores. `npm run test:deep`, which `.ci/run` runs
 * too, uses DEPTH 2: twice as many scenarios and runs, half of the cases of large tables instead of a quarter or less, and all tests
 * that need a browser, the Python package, many processes or many seconds. The deep run takes the files that import this one
 * or fast-check, also through other files. In `.ci/run` the slowest files take turns (vitest.config.ts). For one of them: `WARPOOL_DEPTH=deep npx vitest run cluster/kills`.
 *
 * Generated scenarios and everything else that fast-check draws come from SEED: the same at every shallow run, others
 * at every deep one. vitest.config.ts chooses it and the last lines of a run name it; WARPOOL_SEED repeats it. Tests of
 * statistics keep seeds of their own, for which their odds of a false alarm are stated.
 */
export const DEPTH: number = process.env['WARPOOL_DEPTH'] === 'deep' ? 2 : 1;

/** 32 bits. */
export const SEED: number = Number(process.env['WARPOOL_SEED']);

/**
 * Selects every fourth case of a table, every eighth one of 16 or more, or every second one of a deep run, which begins at
 * another case for each SEED.
 */
export function some<T>(cases: readonly T[]): T[] {
  return cases.filter((_, k) =>
    DEPTH === 1 ? k % (cases.length < 16 ? 4 : 8) === 0 : cases.length < 4 || k % 2 === SEED % 2,
  );
}
