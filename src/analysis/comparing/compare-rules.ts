/** Simulates two variants of the rules of a scenario on the same streams and compares them battle by battle. */

import { AbortError, createOptionsCheck, InputError } from '../../core/index.ts';
import { checkStart } from '../../engines/index.ts';
import { getBoundScenario, type Scenario } from '../../rules/index.ts';
import type { OptionSpecs, RequestedOptions } from '../../rules/option-spec.ts';
import {
  ConfidenceSequence,
  indexByName,
  type MetricDifference,
  type OutcomeDifference,
  type PairedCounts,
  type Summary,
  type UnsharedOutcome,
  withToJson,
} from '../../stats/index.ts';
import { pickExecutionOptions } from '../execution-options.ts';
import { RUN_POSITION, resolveBattleSpan } from '../run-options.ts';
import { BATTLE_COUNT, BOUNDED_DIFFERENCES, PAIRED_BATTLES } from '../shared-options.ts';
import {
  createComparable,
  createPairedCounts,
  findExactAnswers,
  listPairedDifferences,
  PAIRED_EXECUTION,
  type PairedExecutionOptions,
  PairedRun,
} from './paired-run.ts';

/** Options of `compareRules`. */
export const COMPARE_RULES = {
  /** Intervals of differences are valid for every distribution in the declared ranges, at any number of battles. */
  bounded: BOUNDED_DIFFERENCES,
  /** Number of battles with each variant; default 200 000. */
  battles: BATTLE_COUNT,
  /** Default: 1. */
  seed: RUN_POSITION.seed,
} as const satisfies OptionSpecs;

/** Options of `compareRules`, with execution options. */
export interface CompareRulesOptions extends RequestedOptions<typeof COMPARE_RULES>, PairedExecutionOptions {}

const checkOptions = createOptionsCheck<CompareRulesOptions>('compareRules', { ...COMPARE_RULES, ...PAIRED_EXECUTION });

/** Results of paired battles. */
export interface RulesComparisonData {
  /** Seed in decimal. */
  readonly seed: string;
  /** Battles that were simulated with both variants. */
  readonly battles: number;
  /** False if the signal stopped the comparison. */
  readonly complete: boolean;
  /** True if intervals are valid for every distribution in the declared ranges. */
  readonly bounded: boolean;
  /** Differences of the outcomes that both variants have. */
  readonly outcomes: readonly OutcomeDifference[];
  /** Outcomes that only one variant has, for example if a change selects another mode. */
  readonly unshared: readonly UnsharedOutcome[];
  /** Differences of the metrics that both variants have. */
  readonly metrics: readonly MetricDifference[];
  /** Exact answers of both variants, if both are affordable. */
  readonly exact?: readonly [Summary, Summary];
}

/** Converts differences to JSON, with outcomes and metrics by name; an infinite variance reduction is null. */
export function toRulesComparisonJson({
  outcomes,
  unshared,
  metrics,
  exact,
  seed,
  battles,
  bounded,
}: RulesComparisonData) {
  return {
    ...{ seed, battles, bounded },
    outcomes: indexByName(outcomes, (outcome) => outcome),
    unshared: indexByName(unshared, (outcome) => outcome),
    metrics: indexByName(metrics, (metric) => metric),
    ...(exact && {
      exact: exact.map((summary) => ({
        outcomes: indexByName(summary.outcomes, ({ p }) => p),
        metrics: indexByName(summary.metrics, ({ mean }) => mean),
      })),
    }),
  };
}

/** JSON output of `warpool compare-rules --json`. */
export type RulesComparisonJson = ReturnType<typeof toRulesComparisonJson>;

/** Differences of outcomes and metrics between two variants, simulated with the same dice. */
export interface RulesComparison extends RulesComparisonData {
  /** Converts the result for `JSON.stringify`: outcomes and metrics by name. See docs/reference/json.md. */
  toJSON(): RulesComparisonJson;
}

/**
 * Summarizes the pairs of a run of `seed`.
 * @param requested number of battles
 * @param exact exact answers of both variants, if known
 * @param bets if present, intervals are valid for every distribution in the declared ranges
 */
export function createRulesComparison(
  pairs: PairedCounts,
  seed: bigint,
  requested: number,
  exact: readonly Summary[] = [],
  bets?: ConfidenceSequence,
): RulesComparison {
  const [one, two] = exact;
  const known = one !== undefined && two !== undefined && { exact: [one, two] as const };
  const bounded = bets !== undefined;
  const differences: RulesComparisonData = {
    seed: String(seed),
    battles: pairs.battles,
    complete: pairs.battles === requested,
    bounded,
    outcomes: pairs.outcomes(bets),
    unshared: pairs.unshared(),
    metrics: pairs.metrics(bets),
    ...known,
  };
  return withToJson(differences, () => toRulesComparisonJson(differences));
}

/**
 * Simulates battles 0..battles-1 of both scenarios on the same streams. Draws have fixed stream positions, so both
 * scenarios roll the same dice for the same events.
 * @param first a complete scenario
 * @param second a variant of it, from `updateScenario`; of the same system
 * @throws InputError if the systems differ or an option is out of range
 * @throws RunError if the kernel is not built, or the signal came before the first battle
 * @throws RulesError if the rules fail, or battles contradict the exact answer of a scenario
 */
export async function compareRules(
  first: Scenario,
  second: Scenario,
  options: CompareRulesOptions = {},
): Promise<RulesComparison> {
  checkOptions(options);
  for (const scenario of [first, second]) getBoundScenario(scenario);
  if (first.system !== second.system) throw new InputError('system', first.system, second.system);
  const { seed, battles: requested } = resolveBattleSpan(options, PAIRED_BATTLES);
  const { bounded = false, signal } = options;
  checkStart(signal);
  const [one, two] = [createComparable(first), createComparable(second)];
  const pairs = createPairedCounts(one, two);
  const course = { seed, from: 0, battles: requested, ...pickExecutionOptions(options) };
  const together = await PairedRun.create([first, second], course);
  pairs.add(await together.simulateTo(requested, [0, 1], listPairedDifferences(pairs, one, two)));
  if (pairs.battles === 0) throw new AbortError('stopped before the first battle', signal);
  const exact = signal?.aborted === true ? undefined : findExactAnswers([first, second], requested);
  together.check(exact);
  return createRulesComparison(
    pairs,
    seed,
    requested,
    exact,
    bounded ? new ConfidenceSequence(1 / requested) : undefined,
  );
}
