import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { SummaryReporter } from './tests/summary-reporter.ts';

/** Tests that replace modules or clocks, or count threads: each file has a process of its own, and imports all anew. */
const APART = [
  'tests/compare-exact',
  'tests/bench/*',
  'tests/cli/report',
  'tests/gate/samples',
  'tests/pool/{distant,shared}',
  'tests/store/merge',
].map((files) => `${files}.test.ts`);

const isDeep = process.env['WARPOOL_DEPTH'] === 'deep';

/** The seed of tests/depth.ts: a fresh one at every deep run. */
const seed = process.env['WARPOOL_SEED'] ?? String(isDeep ? randomInt(2 ** 31) : 1);

export default defineConfig({
  ssr: { resolve: { conditions: ['source', 'node', 'development|production'] } },
  test: {
    env: { WARPOOL_SEED: seed },
    globalSetup: ['tests/temporary.ts'],
    setupFiles: ['tests/setup.ts'],
    // Processes, not threads: tests of the pool and of the command line take signals and start threads themselves.
    pool: 'forks',
    // What is deep waits for servers and browsers a third of the time.
    maxWorkers: availableParallelism() + (isDeep ? 1 : 0),
    // Browsers beside browsers, on two cores that others use as well.
    testTimeout: isDeep ? 180_000 : 60_000,
    hookTimeout: 60_000,
    reporters: ['default', new SummaryReporter(`WARPOOL_SEED=${seed}${isDeep ? ' WARPOOL_DEPTH=deep' : ''}`)],
    // Modules of users import the built package: Node loads it as it is.
    server: { deps: { external: [/\/dist\/library\//] } },
    // What was transformed is kept from run to run.
    experimental: { fsModuleCache: true },
    coverage: { include: ['src/**/*.ts', 'workers/**/*.ts'] },
    projects: [
      { extends: true, test: { name: 'apart', include: APART } },
      { extends: true, test: { name: 'together', include: ['tests/**/*.test.ts'], exclude: APART, isolate: false } },
    ],
  },
});
