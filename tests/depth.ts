/**
 * How deep the suite goes: `npm test` takes DEPTH 1, minutes on two cores; `npm run test:deep` and `.ci/run`
 * take DEPTH 8. Where it is shallow there are fewer scenarios and runs, every fourth case of large tables, and neither a
 * browser nor the tests of the Python package.
 *
 * Generated scenarios and everything else that fast-check draws come from SEED: the same at every shallow run, others
 * at every deep one. vitest.config.ts chooses it and the last lines of a run name it; WARPOOL_SEED repeats it. Tests of
 * statistics keep seeds of their own, for which their odds of a false alarm are stated.
 */
export const DEPTH: number = process.env['WARPOOL_DEPTH'] === 'deep' ? 8 : 1;

/** 32 bits. */
export const SEED: number = Number(process.env['WARPOOL_SEED']);

/** Of the cases of a table those that the depth takes: every fourth where it is shallow. */
export function some<T>(cases: readonly T[]): T[] {
  return cases.filter((_, k) => k % 4 < DEPTH);
}
