import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { SummaryReporter } from './tests/summary-reporter.ts';

/** Tests that start threads or programs of their own, and look at the clock: they have the machine to themselves. */
const ALONE = ['tests/cli/**/*.test.ts', 'tests/pool/**/*.test.ts'];

const isDeep = process.env['WARPOOL_DEPTH'] === 'deep';

/** The seed of tests/depth.ts: a fresh one at every deep run. */
const seed = process.env['WARPOOL_SEED'] ?? String(isDeep ? randomInt(2 ** 31) : 1);

export default defineConfig({
  test: {
    env: { WARPOOL_SEED: seed },
    // Processes, not threads: tests of the pool and of the command line take signals and start threads themselves.
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', new SummaryReporter(`WARPOOL_SEED=${seed}${isDeep ? ' WARPOOL_DEPTH=deep' : ''}`)],
    coverage: { include: ['src/**/*.ts', 'workers/**/*.ts'] },
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: ['tests/**/*.test.ts'],
          exclude: ALONE,
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 0 },
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
});
