/** Plays two readings of a scenario on the same streams and compares them battle by battle. */
import { parseCount, parseSeed, type SeedLike } from './chance/seed.ts';
import { MAX_BATTLES } from './chance/stream.ts';
import { BudgetError, InputError } from './errors.ts';
import { sideBudget } from './exact/solve.ts';
import { lookAt, openKernel, type Play } from './look.ts';
import { solve } from './solve.ts';
import { type MetricDifference, type OutcomeDifference, PairedTally } from './stats/paired.ts';
import type { Summary } from './stats/summary.ts';
import { shapeOf, type TallyShape } from './stats/tally.ts';
import { requireSystem } from './systems/index.ts';
import type { Scenario } from './systems/system.ts';

export interface DiffOptions {
  /** How many battles to play both ways; 200 000 unless said otherwise. */
  readonly battles?: number;
  /** 1 unless said otherwise. */
  readonly seed?: SeedLike;
  /** Ends the comparison early; what was played is returned. */
  readonly signal?: AbortSignal;
}

export interface RulesDifference {
  readonly seed: bigint;
  /** Battles that were played both ways. */
  readonly battles: number;
  readonly outcomes: readonly OutcomeDifference[];
  /** Of the metrics that both readings have. */
  readonly metrics: readonly MetricDifference[];
  /** The exact answers of both readings, where both are affordable. */
  readonly exact?: readonly [Summary, Summary];
}

async function opened(scenario: Scenario): Promise<{ shape: TallyShape; play: Play }> {
  const model = requireSystem(scenario.system).model(scenario);
  return { shape: shapeOf(model), play: await openKernel(scenario, model) };
}

function exactly(scenarios: readonly [Scenario, Scenario], battles: number): readonly [Summary, Summary] | undefined {
  try {
    const budget = sideBudget(battles);
    return [solve(scenarios[0], budget).summary, solve(scenarios[1], budget).summary];
  } catch (error) {
    if (error instanceof BudgetError) return undefined;
    throw error;
  }
}

/**
 * Plays battles 0..battles-1 of both scenarios on the same streams. Draws have places, so both roll the same
 * dice for the same things as long as they roll them at all.
 * @param first  a complete scenario
 * @param second another reading of it, from `changeScenario`; of the same system
 * @throws InputError if the systems differ or an option is out of range
 * @throws RunError if the kernel is not built
 */
export async function diffRules(
  first: Scenario,
  second: Scenario,
  options: DiffOptions = {},
): Promise<RulesDifference> {
  if (first.system !== second.system) throw new InputError('system', first.system, second.system);
  const seed = parseSeed(options.seed ?? 1n);
  const asked = parseCount(options.battles ?? 200_000, 'battles', 1, MAX_BATTLES);
  const [one, two] = await Promise.all([opened(first), opened(second)]);
  const pairs = new PairedTally(one.shape, two.shape);
  await lookAt(0, asked, options.signal, (battle) => {
    pairs.count(one.play(seed, battle), two.play(seed, battle));
    return true;
  });
  const exact = exactly([first, second], asked);
  const { battles } = pairs;
  return { seed, battles, outcomes: pairs.outcomes(), metrics: pairs.metrics(), ...(exact && { exact }) };
}
