import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { SummaryReporter } from './tests/summary-reporter.ts';

/**
 * Tests that replace modules or clocks, count threads, or need systems that no other test has loaded: each file has a
 * process of its own, and imports all anew.
 */
const APART = [
  'tests/compare-exact',
  'tests/bench/*',
  'tests/cli/{progress-unit,report}',
  'tests/gate/samples',
  'tests/pool/{distant,shared}',
  'tests/store/merge',
  'tests/web/{registry,study-files}',
].map((files) => `${files}.test.ts`);

/**
 * Files whose deep tests take at least 25 seconds on a slow machine, the slowest first. With WARPOOL_TURNS=1, as in
 * `.ci/run`, a deep run has every fifth of them, from a place that the seed chooses.
 */
const SLOW = [
  ...['rare-outcome/rare-outcome', 'cluster/kills', 'web/front-browser', 'web/games', 'web/loops', 'web/panels'],
  ...['policies/policy-files', 'cluster/places', 'web/selftest', 'web/ways', 'web/battle-browser', 'types'],
  ...['environments/suite', 'web/studies-browser', 'web/answer', 'web/hostile', 'web/rules-browser'],
  ...['web/editor-browser', 'web/visitors-browser', 'conformance/cube-bag', 'exact/storm', 'conformance/phased-dice'],
  ...['environments/decision-automaton', 'cluster/queue', 'web/share', 'web/answer-browser', 'web/library'],
  ...['examples/console', 'cluster/away', 'stats/coverage', 'web/policy-digests', 'web/policy'],
  ...['conformance/attrition', 'pool/planner', 'pool/rollout-faults', 'store/damage', 'cli/endless', 'exact/mass'],
  ...['environments/transition-model', 'web/study-files', 'web/study-files-browser', 'fit/fit', 'cluster/engines'],
  ...['cli/progress', 'report/page', 'exact-off-thread', 'testing/mistakes', 'store/verify', 'stats/elimination'],
  ...['testing/command', 'cli/watch', 'games/named', 'cluster/s3-queue', 'matchup/add-battles', 'exact/prism'],
  ...['systems/cube-bag-kernel', 'environments/equilibrium', 'web/edits', 'games/space-fleets', 'stats/precision'],
  ...['conformance/token-conflict', 'docs/odds', 'exact/kernel', 'systems/token-conflict-kernel', 'pool/end'],
  ...['cluster/tls', 'chance/taken', 'testing/kit', 'cli/sensitivity', 'cli/sweep', 'web/preset-system'],
  ...['environments/evaluate', 'balance/balance'],
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

const isResting = isDeep && process.env['WARPOOL_TURNS'] === '1';
const resting = SLOW.filter((_, k) => isResting && (k + Number(seed)) % 5 > 0).map((file) => `tests/${file}.test.ts`);

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
