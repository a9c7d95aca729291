/** Counts how often a run applies the rules of a system. */
import {
  createOptionsCheck,
  MAX_BATTLES,
  RuleCountingChance,
  RulesError,
  reportProgress,
  Stream,
} from '../core/index.ts';
import { offload, PROGRESS_OPTIONS, type ProgressOptions } from '../engines/index.ts';
import { formatRuleSource, getBoundScenario, playSeededBattle, type Scenario } from '../rules/index.ts';
import { count, type OptionSpecs, type RequestedOptions, withFallback } from '../rules/option-spec.ts';
import { RUN_POSITION, resolveBattleSpan } from './run-options.ts';

/** Options of `measureRuleCoverage`. */
export const COVERAGE = {
  ...RUN_POSITION,
  /** Number of battles; default 10 000, because the reference engine is slow. */
  battles: {
    ...withFallback(count(1, MAX_BATTLES, 'count how often each rule applied in the first n battles'), 10_000),
    ...{ value: '[n]', preset: '10000' },
  },
} as const satisfies OptionSpecs;

/** Options of `measureRuleCoverageSync`. */
export type RuleCoverageSyncOptions = RequestedOptions<typeof COVERAGE>;

/** Options of `measureRuleCoverage`. */
export interface RuleCoverageOptions extends RuleCoverageSyncOptions, ProgressOptions {}

const checkSyncOptions = createOptionsCheck<RuleCoverageSyncOptions>('measureRuleCoverageSync', COVERAGE);
const checkOptions = createOptionsCheck<RuleCoverageOptions>('measureRuleCoverage', {
  ...COVERAGE,
  ...PROGRESS_OPTIONS,
});

/** A rule of the system, and its number of applications. */
export interface RuleCoverage {
  readonly id: string;
  /** Source of the rule in the rule text. */
  readonly source: string;
  /** Number of applications in all battles together. */
  readonly fired: number;
  /** Battles with at least one application. */
  readonly battles: number;
}

/**
 * Simulates battles with the reference engine and counts the applications of each rule of the system, including rules
 * that never applied, in the order of the catalog. Computes in a worker thread; a system that was passed as a value,
 * not loaded by `loadSystems`, is simulated in the calling thread and ignores signals.
 * @throws InputError if an option is out of range
 * @throws AbortError if the signal comes first
 */
export async function measureRuleCoverage(
  scenario: Scenario,
  options: RuleCoverageOptions = {},
): Promise<RuleCoverage[]> {
  checkOptions(options);
  const { signal, onProgress, ...requested } = options;
  resolveBattleSpan(requested, COVERAGE.battles.fallback);
  return await offload('measureRuleCoverage', scenario, requested, { signal, onProgress }, () =>
    measureRuleCoverageSync(scenario, requested),
  );
}

/**
 * Counts like `measureRuleCoverage` in the calling thread, which blocks the event loop.
 * @throws InputError if an option is out of range
 */
export function measureRuleCoverageSync(scenario: Scenario, options: RuleCoverageSyncOptions = {}): RuleCoverage[] {
  checkSyncOptions(options);
  const { seed, from: first, battles } = resolveBattleSpan(options, COVERAGE.battles.fallback);
  const open = getBoundScenario(scenario);
  const { system } = open;
  const totals = new Map(Object.keys(system.rules).map((id) => [id, { fired: 0, battles: 0 }]));
  for (let index = first; index < first + battles; index++) {
    reportProgress(index - first, battles, 'battles');
    const chance = new RuleCountingChance(Stream.forBattle(seed, index));
    playSeededBattle(open, seed, index, chance);
    for (const [id, fired] of chance.applied) {
      const total = totals.get(id);
      if (total === undefined) throw new RulesError(`${system.id}: the rule "${id}" is not declared`);
      total.fired += fired;
      total.battles++;
    }
  }
  return Object.entries(system.rules).map(([id, rule]) => ({
    id,
    source: formatRuleSource(rule),
    ...(totals.get(id) ?? { fired: 0, battles: 0 }),
  }));
}
