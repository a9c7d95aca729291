/**
 * Estimates the number of battles for a precision: from the exact distribution if that is affordable, else from a pilot
 * run. Assumes that outcomes and values occur with exactly their estimated frequencies.
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

/** Battles of the pilot run, unless `--battles` is smaller. */
const PILOT = 2 ** 16;

/** Number of battles for a single value, in a run of fixed length. */
export interface PlannedValue {
  readonly kind: 'outcome' | 'metric';
  readonly of: string;
  /** Probability or mean, exact or from the pilot run. */
  readonly value: number;
  /** Target half-width. */
  readonly halfWidth: number;
  /** Number of battles, rounded up to three digits. */
  readonly battles: number;
}

export interface RunPlan {
  readonly scenario: Scenario;
  readonly scenarioHash: string;
  /** Source of probabilities and means. */
  readonly source: 'exact' | 'pilot';
  readonly seed: string;
  /** Battles of the pilot run, and its duration. */
  readonly pilot: { readonly battles: number; readonly seconds: number };
  readonly values: readonly PlannedValue[];
  /** Expected result of stopping, if outcomes and values occur with their expected frequencies. */
  readonly stopping: StoppingResult;
  readonly battles: number;
  /** Threads of the run, and its duration at the rate of the pilot run. */
  readonly workers: number;
  readonly seconds: number;
}

/** Apportions a number of battles to weights, as whole numbers with that sum. */
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

/** Computes expected counts of a number of battles. @param law counts or probabilities */
const computeExpectedCounts = ({ outcomes, metrics }: Counts, battles: number): Counts => ({
  outcomes: apportion(outcomes, battles),
  metrics: metrics.map(({ low, width, counts }) => ({ low, width, counts: apportion(counts, battles) })),
});

/** Finds the least number of battles with a narrow interval, to a part in 512; rounded up. */
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
  const computeInterval = (battles: number): Interval => clopperPearson95(Math.round(value * battles), battles);
  return { kind: 'outcome', of, value, halfWidth, battles: findRequiredBattles(halfWidth, computeInterval, about) };
}

function planMean({ metrics }: CountsShape, distribution: Counts, m: number, target: PrecisionSpec): PlannedValue {
  const { name: of, min, max, unit = 1 } = metrics[m] ?? { name: '', min: 0, max: 0 };
  const sample = computeRealSampleMoments(listValueCounts(distribution, m), [min, max]);
  const halfWidth = computeMaxHalfWidth(createHalfWidthTarget(target, unit), sample.mean);
  const about = (sample.variance * Z95 ** 2) / halfWidth ** 2;
  const computeInterval = (battles: number): Interval => computeFixedLengthInterval({ ...sample, battles });
  const battles = findRequiredBattles(halfWidth, computeInterval, Math.max(2, about));
  return { kind: 'metric', of, value: sample.mean * unit, halfWidth: halfWidth * unit, battles };
}

function planValues(shape: CountsShape, distribution: Counts, target: PrecisionSpec): PlannedValue[] {
  if (target.metric !== undefined) return [planMean(shape, distribution, target.metric, target)];
  const total = distribution.outcomes.reduce((sum, weight) => sum + weight, 0);
  return shape.outcomes.map((name, o) =>
    planOutcome(name, (distribution.outcomes[o] ?? 0) / total, createHalfWidthTarget(target)),
  );
}

/** Computes the counts at the interim analysis at which a run would end. */
function findStoppingCounts(target: StoppingRule, distribution: Counts, shape: CountsShape): Counts {
  let counts = createEmptyCounts(shape);
  for (let analysis = target.nextAnalysis(counts); analysis !== undefined; analysis = target.nextAnalysis(counts))
    counts = computeExpectedCounts(distribution, analysis);
  return counts;
}

/**
 * Simulates a pilot run and estimates the cost of a run with a precision.
 * @param exact the exact answer, if it is affordable
 * @throws InputError if there is no precision
 * @throws RunError if the signal came before the end of the pilot run
 */
export async function planRun(
  scenario: Scenario,
  requested: RunSpec,
  exact: ExactResult | undefined,
  options: ExecutionOptions,
): Promise<RunPlan> {
  const { shape } = getBoundScenario(scenario);
  const { engine, seed, from } = requested;
  const execution = pickExecutionOptions(options);
  const precision = createPrecisionSpec(shape, requested);
  if (precision === undefined) throw new InputError('precision', 'the precision of the plan', 'nothing');
  const most = resolveBattleSpan(requested).battles;
  const pilot = await simulate(scenario, { engine, seed, from, battles: Math.min(PILOT, most), ...execution });
  if (!pilot.complete) throw new AbortError('stopped before the end of the pilot run', execution.signal);
  const distribution = exact?.distribution ?? pilot.counts;
  const target = new StoppingRule(shape, precision, most, requested.bounded);
  const end = findStoppingCounts(target, distribution, shape);
  const battles = end.outcomes.reduce((sum, count) => sum + count, 0);
  const threads = execution.workers ?? countCores();
  const rate = pilot.to - pilot.from;
  return {
    scenario,
    scenarioHash: hashScenario(scenario),
    source: exact === undefined ? 'pilot' : 'exact',
    seed: pilot.seed,
    pilot: { battles: rate, seconds: pilot.elapsedSeconds },
    values: planValues(shape, distribution, precision),
    stopping: target.describeStopping(end),
    battles,
    workers: threads,
    seconds: (battles / rate) * pilot.elapsedSeconds * (Math.max(1, pilot.workers) / threads),
  };
}
