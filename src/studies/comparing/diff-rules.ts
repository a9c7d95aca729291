/** Plays two readings of a scenario on the same streams and compares them battle by battle. */

import {
  asJson,
  Bets,
  byName,
  type MetricDifference,
  type OutcomeDifference,
  type PairedTally,
  type Summary,
  type UnsharedOutcome,
} from '../../answers/index.ts';
import { AbortError, InputError, optionsOf } from '../../core/index.ts';
import { checkStart } from '../../engines/index.ts';
import { opened, type Scenario } from '../../rules/index.ts';
import type { Asked, Settings } from '../../rules/setting.ts';
import { PLACE, stretchOf } from '../asked.ts';
import { executionOf } from '../execution.ts';
import { BATTLES_TOGETHER, BOUNDED_DIFFERENCES, MANY } from '../questions.ts';
import { comparable, exactAnswers, pairedGaps, pairedOf, TOGETHER, Together, type TogetherWatch } from './together.ts';

/** What `diffRules` is asked with. */
export const DIFF = {
  /** Intervals of differences hold for every law in the declared ranges, wherever the comparison ends. */
  bounded: BOUNDED_DIFFERENCES,
  /** How many battles to play both ways; 200 000 unless said otherwise. */
  battles: MANY,
  /** 1 unless said otherwise. */
  seed: PLACE.seed,
} as const satisfies Settings;

/** What `diffRules` plays. */
export interface DiffOptions extends Asked<typeof DIFF>, TogetherWatch {}

const checkOptions = optionsOf<DiffOptions>('diffRules', { ...DIFF, ...TOGETHER });

/** What pairs of battles say. */
export interface Differences {
  /** In decimal. */
  readonly seed: string;
  /** Battles that were played both ways. */
  readonly battles: number;
  /** False if a signal ended the comparison. */
  readonly complete: boolean;
  /** True if intervals hold for every law in the declared ranges. */
  readonly bounded: boolean;
  /** Of the outcomes that both readings have. */
  readonly outcomes: readonly OutcomeDifference[];
  /** Outcomes that only one of them has, as where a change makes another mode of it. */
  readonly unshared: readonly UnsharedOutcome[];
  /** Of the metrics that both readings have. */
  readonly metrics: readonly MetricDifference[];
  /** The exact answers of both readings, where both are affordable. */
  readonly exact?: readonly [Summary, Summary];
}

/** Differences as JSON: outcomes and metrics by their names; an infinite gain is null. */
export function differencesJson({ outcomes, unshared, metrics, exact, seed, battles, bounded }: Differences) {
  return {
    ...{ seed, battles, bounded },
    outcomes: byName(outcomes, (outcome) => outcome),
    unshared: byName(unshared, (outcome) => outcome),
    metrics: byName(metrics, (metric) => metric),
    ...(exact && {
      exact: exact.map((summary) => ({
        outcomes: byName(summary.outcomes, ({ p }) => p),
        metrics: byName(summary.metrics, ({ mean }) => mean),
      })),
    }),
  };
}

/** What `warpool diff-rules --json` prints. */
export type DifferencesJson = ReturnType<typeof differencesJson>;

/** What two readings of a rule change: outcomes and metrics, played with the same dice. */
export interface RulesDifference extends Differences {
  /** For `JSON.stringify`: outcomes and metrics by their names. See docs/reference/json.md. */
  toJSON(): DifferencesJson;
}

/**
 * What the pairs of a run of `seed` say.
 * @param asked battles that were requested
 * @param exact the exact answers of both, if they are known
 * @param bets  if given, intervals hold for every law in the declared ranges
 */
export function differenceOf(
  pairs: PairedTally,
  seed: bigint,
  asked: number,
  exact: readonly Summary[] = [],
  bets?: Bets,
): RulesDifference {
  const [one, two] = exact;
  const known = one !== undefined && two !== undefined && { exact: [one, two] as const };
  const bounded = bets !== undefined;
  const differences: Differences = {
    seed: String(seed),
    battles: pairs.battles,
    complete: pairs.battles === asked,
    bounded,
    outcomes: pairs.outcomes(bets),
    unshared: pairs.unshared(),
    metrics: pairs.metrics(bets),
    ...known,
  };
  return asJson(differences, () => differencesJson(differences));
}

/**
 * Plays battles 0..battles-1 of both scenarios on the same streams. Draws have places, so both roll the same
 * dice for the same things as long as they roll them at all.
 * @param first  a complete scenario
 * @param second another reading of it, from `updateScenario`; of the same system
 * @throws InputError if the systems differ or an option is out of range
 * @throws RunError if the kernel is not built, or the signal came before the first battle
 * @throws RulesError if the rules fail, or battles contradict the exact answer of a scenario
 */
export async function diffRules(
  first: Scenario,
  second: Scenario,
  options: DiffOptions = {},
): Promise<RulesDifference> {
  checkOptions(options);
  for (const scenario of [first, second]) opened(scenario);
  if (first.system !== second.system) throw new InputError('system', first.system, second.system);
  const { seed, battles: asked } = stretchOf(options, BATTLES_TOGETHER);
  const { bounded = false, signal } = options;
  checkStart(signal);
  const [one, two] = [comparable(first), comparable(second)];
  const pairs = pairedOf(one, two);
  const course = { seed, from: 0, battles: asked, ...executionOf(options) };
  const together = await Together.of([first, second], course);
  pairs.add(await together.playTo(asked, [0, 1], pairedGaps(pairs, one, two)));
  if (pairs.battles === 0) throw new AbortError('stopped before the first battle', signal);
  const exact = signal?.aborted === true ? undefined : exactAnswers([first, second], asked);
  together.check(exact);
  return differenceOf(pairs, seed, asked, exact, bounded ? new Bets(1 / asked) : undefined);
}
