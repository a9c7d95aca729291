import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { SummaryReporter } from './tests/summary-reporter.ts';

/** Tests that replace modules or clocks, or count threads: each file has a process of its own, and imports all anew. */
const APART = [
  'tests/compare-exact',
  'tests/bench/*',
  'tests/cli/{progress-unit,report}',
  'tests/gate/samples',
  'tests/pool/{distant,shared}',
  'tests/store/merge',
].map((files) => `${files}.test.ts`);

/**
 * The files whose deep tests take a minute or more. With WARPOOL_THIRD=1, as in `.ci/run`, a deep run has one file of each
 * group, chosen by the seed.
 */
const SLOW_GROUPS = [
  ['web/front-browser', 'cluster/kills', 'web/ways'],
  ['web/games', 'web/selftest', 'cluster/places'],
  ['web/loops', 'web/battle-browser', 'web/hostile'],
  ['web/panels', 'web/answer', 'web/rules-browser'],
  ['cluster/queue', 'cluster/away', 'web/editor-browser'],
];

/** Browsers and servers take minutes a file: what begins with them does not end with one of them alone. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => /\/tests\/(cluster|web)\//.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

const isDeep = process.env['WARPOOL_DEPTH'] === 'deep';

/** The seed of tests/depth.ts: a fresh one at every deep run. */
const seed = process.env['WARPOOL_SEED'] ?? String(isDeep ? randomInt(2 ** 31) : 1);

const omitted = SLOW_GROUPS.flatMap((group) => group.filter((_, k) => k !== Number(seed) % group.length));
const resting = isDeep && process.env['WARPOOL_THIRD'] === '1' ? omitted.map((file) => `tests/${file}.test.ts`) : [];

export default defineConfig({
  ssr: { resolve: { conditions: ['source', 'node', 'development|production'] } },
  test: {
    env: { WARPOOL_SEED: seed },
    globalSetup: ['tests/temporary.ts'],
    setupFiles: ['tests/setup.ts'],
    // Processes, not threads: tests of the pool and of the command line take signals and start threads themselves.
    pool: 'forks',
    // One more than cores: many tests wait for processes that they start.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    // Browsers beside browsers, on two cores that others use as well.
    testTimeout: isDeep ? 180_000 : 60_000,
    hookTimeout: isDeep ? 180_000 : 60_000,
    // One second, the default, is too short for a busy machine.
    expect: { poll: { timeout: 20_000 } },
    reporters: ['default', new SummaryReporter(`WARPOOL_SEED=${seed}${isDeep ? ' WARPOOL_DEPTH=deep' : ''}`)],
    // Modules of users import the built package: Node loads it as it is.
    server: { deps: { external: [/\/dist\/library\//] } },
    // What was transformed is kept from run to run.
    experimental: { fsModuleCache: true },
    coverage: { include: ['src/**/*.ts', 'workers/**/*.ts'] },
    projects: [
      { extends: true, test: { name: 'apart', include: APART } },
      {
        extends: true,
        test: { name: 'together', include: ['tests/**/*.test.ts'], exclude: [...APART, ...resting], isolate: false },
      },
    ],
  },
});
