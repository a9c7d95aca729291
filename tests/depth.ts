/**
 * How deep the suite goes: `npm test` takes DEPTH 1, minutes on two cores; `npm run test:deep`, which `.ci/run` runs as
 * well, takes DEPTH 4. Where it is shallow there are fewer scenarios and runs, every fourth case of large tables, and
 * neither a browser nor the Python package; of tests that start processes or threads, or take a second, only those remain
 * that stand for others. The deep run takes the files that import this one or fast-check, by way of others too: nothing
 * else would be other than in `npm test`. For one of them: `WARPOOL_DEPTH=deep npx vitest run cluster/kills`.
 *
 * Generated scenarios and everything else that fast-check draws come from SEED: the same at every shallow run, others
 * at every deep one. vitest.config.ts chooses it and the last lines of a run name it; WARPOOL_SEED repeats it. Tests of
 * statistics keep seeds of their own, for which their odds of a false alarm are stated.
 */
export const DEPTH: number = process.env['WARPOOL_DEPTH'] === 'deep' ? 4 : 1;

/** 32 bits. */
export const SEED: number = Number(process.env['WARPOOL_SEED']);

/** Of the cases of a table those that the depth takes: every fourth where it is shallow. */
export function some<T>(cases: readonly T[]): T[] {
  return cases.filter((_, k) => k % 4 < DEPTH);
}
