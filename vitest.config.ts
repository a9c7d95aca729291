import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { SummaryReporter } from './tests/summary-reporter.ts';

/** Tests that start threads or programs of their own, and look at the clock: they have the machine to themselves. */
const ALONE = ['tests/cli/**/*.test.ts', 'tests/pool/**/*.test.ts'];

export default defineConfig({
  test: {
    // Processes, not threads: tests of the pool and of the command line take signals and start threads themselves.
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', new SummaryReporter()],
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
