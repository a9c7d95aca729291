/**
 * How many battles a precision takes, before they are played: from the exact law where that is affordable, else from a
 * pilot. What is told is what battles that come as the law has them would need.
 */
import { countCores } from '#platform/threads';
import { AbortError, InputError } from '../core/index.ts';
import { getBoundScenario, type Scenario } from '../rules/index.ts';
import {
  type Counts,
  type CountsShape,
  clopperPearson95,
  computeFixedLengthInterval,
  computeMaxHalfWidth,
  computeRealSampleMoments,
  createEmptyCounts,
  createHalfWidthTarget,
  createPrecisionSpec,
  type HalfWidthTarget,
  hashScenario,
  type Interval,
  listValueCounts,
  type PrecisionSpec,
  type StoppingResult,
  StoppingRule,
  Z95,
} from '../stats/index.ts';
import { type ExecutionOptions, pickExecutionOptions } from './execution-options.ts';
import { type RunSpec, resolveBattleSpan } from './run-options.ts';
import { simulate } from './simulate.ts';
import type { ExactResult } from './solve.ts';

/** Battles that are played to see how fast that is, and what comes, unless `--battles` allows fewer. */
const PILOT = 2 ** 16;

/** What one value takes by itself, in a run whose length is fixed before. */
export interface PlannedValue {
  readonly kind: 'outcome' | 'metric';
  readonly of: string;
  /** The probability or the mean, exact or of the pilot. */
  readonly value: number;
  /** That is to be reached. */
  readonly halfWidth: number;
  /** To three digits; rounded up. */
  readonly battles: number;
}

export interface RunPlan {
  readonly scenario: Scenario;
  readonly scenarioHash: string;
  /** Where probabilities and means are from. */
  readonly source: 'exact' | 'pilot';
  readonly seed: string;
  /** Battles of the pilot, and how long they took. */
  readonly pilot: { readonly battles: number; readonly seconds: number };
  readonly values: readonly PlannedValue[];
  /** How a run with the precision would end if outcomes and values came as often as they are likely. */
  readonly stopping: StoppingResult;
  readonly battles: number;
  /** Threads that such a run may have, and how long it takes them at the pilot's rate. */
  readonly workers: number;
  readonly seconds: number;
}

/** Counts that sum to so many battles, as near to a law as whole numbers are. */
function apportion(weights: Float64Array, battles: number): Float64Array<ArrayBuffer> {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let [sum, before] = [0, 0];
  return Float64Array.from(weights, (weight) => {
    sum += weight;
    const upTo = Math.round(Math.min(1, sum / total) * battles);
    const count = upTo - before;
    before = upTo;
    return count;
  });
}

/** The tally of so many battles that come as a law has them. @param law counts or probabilities */
const computeExpectedCounts = ({ outcomes, metrics }: Counts, battles: number): Counts => ({
  outcomes: apportion(outcomes, battles),
  metrics: metrics.map(({ low, width, counts }) => ({ low, width, counts: apportion(counts, battles) })),
});

/** The least number of battles with an interval that is narrow, to a part in 512; rounded up. */
function findRequiredBattles(halfWidth: number, interval: (battles: number) => Interval, about: number): number {
  const isNarrow = (battles: number): boolean => {
    const [low, high] = interval(battles);
    return (high - low) / 2 <= halfWidth;
  };
  let [low, high] = [0, Math.max(1, Math.ceil(about))];
  while (!isNarrow(high)) [low, high] = [high, 2 * high];
  while (high - low > Math.max(1, high / 512)) {
    const middle = Math.ceil((low + high) / 2);
    if (isNarrow(middle)) high = middle;
    else low = middle;
  }
  return high;
}

function planOutcome(of: string, value: number, aim: HalfWidthTarget): PlannedValue {
  const halfWidth = computeMaxHalfWidth(aim, value);
  const about = (value * (1 - value) * Z95 ** 2) / halfWidth ** 2;
  const interval = (battles: number): Interval => clopperPearson95(Math.round(value * battles), battles);
  return { kind: 'outcome', of, value, halfWidth, battles: findRequiredBattles(halfWidth, interval, about) };
}

function planMean({ metrics }: CountsShape, law: Counts, m: number, wish: PrecisionSpec): PlannedValue {
  const { name: of, min, max, unit = 1 } = metrics[m] ?? { name: '', min: 0, max: 0 };
  const sample = computeRealSampleMoments(listValueCounts(law, m), [min, max]);
  const halfWidth = computeMaxHalfWidth(createHalfWidthTarget(wish, unit), sample.mean);
  const about = (sample.variance * Z95 ** 2) / halfWidth ** 2;
  const interval = (battles: number): Interval => computeFixedLengthInterval({ ...sample, battles });
  const battles = findRequiredBattles(halfWidth, interval, Math.max(2, about));
  return { kind: 'metric', of, value: sample.mean * unit, halfWidth: halfWidth * unit, battles };
}

function planValues(shape: CountsShape, law: Counts, wish: PrecisionSpec): PlannedValue[] {
  if (wish.metric !== undefined) return [planMean(shape, law, wish.metric, wish)];
  const total = law.outcomes.reduce((sum, weight) => sum + weight, 0);
  return shape.outcomes.map((name, o) =>
    planOutcome(name, (law.outcomes[o] ?? 0) / total, createHalfWidthTarget(wish)),
  );
}

/** The tally of the look at which a run would end. */
function findStoppingCounts(target: StoppingRule, law: Counts, shape: CountsShape): Counts {
  let tally = createEmptyCounts(shape);
  for (let look = target.nextAnalysis(tally); look !== undefined; look = target.nextAnalysis(tally))
    tally = computeExpectedCounts(law, look);
  return tally;
}

/**
 * Plays a pilot and tells what a run with a precision takes.
 * @param exact the exact answer, where it is affordable
 * @throws InputError if no precision is asked for
 * @throws RunError if a signal came before the end of the pilot
 */
export async function planRun(
  scenario: Scenario,
  asked: RunSpec,
  exact: ExactResult | undefined,
  options: ExecutionOptions,
): Promise<RunPlan> {
  const { shape } = getBoundScenario(scenario);
  const { engine, seed, from } = asked;
  const execution = pickExecutionOptions(options);
  const wish = createPrecisionSpec(shape, asked);
  if (wish === undefined) throw new InputError('precision', 'the precision of the plan', 'nothing');
  const most = resolveBattleSpan(asked).battles;
  const pilot = await simulate(scenario, { engine, seed, from, battles: Math.min(PILOT, most), ...execution });
  if (!pilot.complete) throw new AbortError('stopped before the end of the pilot run', execution.signal);
  const law = exact?.distribution ?? pilot.tally;
  const target = new StoppingRule(shape, wish, most, asked.bounded);
  const end = findStoppingCounts(target, law, shape);
  const battles = end.outcomes.reduce((sum, count) => sum + count, 0);
  const threads = execution.workers ?? countCores();
  const rate = pilot.to - pilot.from;
  return {
    scenario,
    scenarioHash: hashScenario(scenario),
    source: exact === undefined ? 'pilot' : 'exact',
    seed: pilot.seed,
    pilot: { battles: rate, seconds: pilot.elapsedSeconds },
    values: planValues(shape, law, wish),
    stopping: target.describeStopping(end),
    battles,
    workers: threads,
    seconds: (battles / rate) * pilot.elapsedSeconds * (Math.max(1, pilot.workers) / threads),
  };
}
