/** Estimates of outcome probabilities and mean rewards, from exact final states or from battles. */

import type { ExactFinalState } from '../../engines/index.ts';
import type { Metric } from '../../rules/index.ts';
import { clopperPearson, computeMeanInterval95, computeSingleValueInterval, type Interval } from '../../stats/index.ts';
import type { Variant } from '../env-spec.ts';

/** Estimate with its 95 % interval; both bounds equal the value if it is exact. */
export interface ValueEstimate {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** Number of battles by outcome, and sums of metrics. */
export interface BattleBatch {
  readonly battles: number;
  readonly counts: readonly number[];
  readonly sums: readonly number[];
}

/** Error probability of all intervals of a kind together. */
const LEVEL = 0.05;

const exactEstimate = (mean: number): ValueEstimate => ({ mean, low: mean, high: mean });

export function computeExactValue(
  { outcomes, byOutcome, byMetric }: Variant,
  agents: readonly string[],
  results: readonly ExactFinalState[],
) {
  const masses = outcomes.map(() => 0);
  const means = agents.map(() => 0);
  for (const { outcome, metrics, probability } of results) {
    masses[outcome] = (masses[outcome] ?? 0) + probability;
    for (const agent of agents.keys()) {
      const start = byOutcome[outcome]?.[agent] ?? 0;
      const reward = metrics.reduce((sum, value, m) => sum + (byMetric[m]?.[agent] ?? 0) * value, start);
      means[agent] = (means[agent] ?? 0) + probability * reward;
    }
  }
  return {
    outcomes: outcomes.map((name, o) => ({ name, ...exactEstimate(masses[o] ?? 0) })),
    rewards: agents.map((agent, a) => ({ agent, ...exactEstimate(means[a] ?? 0) })),
  };
}

/** Maximizes a mean over probabilities within bounds: the remaining probability goes to the greatest values first. */
function maximizeMean(worths: readonly number[], bounds: readonly Interval[]): number {
  const order = [...worths.keys()].sort((a, b) => (worths[b] ?? 0) - (worths[a] ?? 0));
  let left = 1 - bounds.reduce((sum, [low]) => sum + low, 0);
  let mean = 0;
  for (const o of order) {
    const [low, high] = bounds[o] ?? [0, 0];
    const more = Math.max(0, Math.min(left, high - low));
    left -= more;
    mean += (worths[o] ?? 0) * (low + more);
  }
  return mean;
}

const sumBatches = (lots: readonly BattleBatch[], number: (lot: BattleBatch) => number): number =>
  lots.reduce((sum, lot) => sum + number(lot), 0);

/** Computes the least and greatest possible reward from the declared ranges of the metrics. */
export function computeRewardRange(
  worths: readonly number[],
  weights: readonly number[],
  metrics: readonly Pick<Metric, 'min' | 'max'>[],
): Interval {
  const parts = weights.map((weight, m) => [weight * (metrics[m]?.min ?? 0), weight * (metrics[m]?.max ?? 0)]);
  const sum = (pick: (...values: number[]) => number): number =>
    parts.reduce((total, part) => total + pick(...part), pick(...worths));
  return [sum(Math.min), sum(Math.max)];
}

/**
 * Estimates rewards that depend on metrics: Student's interval of batch means or, if all are equal, a bound from
 * unobserved rewards.
 */
function estimateByBatches(
  batches: readonly BattleBatch[],
  reward: (lot: BattleBatch) => number,
  range: Interval,
): Interval {
  const means = batches.map((lot) => reward(lot) / lot.battles);
  const mean = means.reduce((sum, each) => sum + each, 0) / means.length;
  const variance = means.reduce((sum, each) => sum + (each - mean) ** 2, 0) / means.length;
  if (means.length > 1 && means.some((each) => each !== means[0]))
    return computeMeanInterval95(mean, variance, means.length) ?? range;
  const battles = sumBatches(batches, (lot) => lot.battles);
  return means.length > 1 || battles === 1 ? computeSingleValueInterval(mean, battles, range) : range;
}

/**
 * Estimates outcomes with Clopper-Pearson intervals, and rewards that depend only on the outcome from simultaneous
 * intervals of all outcomes.
 */
export function estimateValue(
  { outcomes, metrics, byOutcome, byMetric }: Variant,
  agents: readonly string[],
  batches: readonly BattleBatch[],
) {
  const battles = sumBatches(batches, (lot) => lot.battles);
  const counts = outcomes.map((_, o) => sumBatches(batches, (lot) => lot.counts[o] ?? 0));
  const together = counts.map((count) => clopperPearson(count, battles, LEVEL / outcomes.length));
  const rewards = agents.map((agent, a) => {
    const worths = outcomes.map((_, o) => byOutcome[o]?.[a] ?? 0);
    const weights = byMetric.map((row) => row[a] ?? 0);
    const computeReward = ({ counts: ended, sums }: BattleBatch): number =>
      weights.reduce(
        (sum, weight, m) => sum + weight * (sums[m] ?? 0),
        worths.reduce((sum, each, o) => sum + each * (ended[o] ?? 0), 0),
      );
    const mean = sumBatches(batches, computeReward) / battles;
    const lowest = -maximizeMean(
      worths.map((each) => -each),
      together,
    );
    const [low, high] = weights.every((weight) => weight === 0)
      ? [lowest, maximizeMean(worths, together)]
      : estimateByBatches(batches, computeReward, computeRewardRange(worths, weights, metrics));
    return { agent, mean, low, high };
  });
  return {
    outcomes: outcomes.map((name, o) => {
      const count = counts[o] ?? 0;
      const [low, high] = clopperPearson(count, battles, LEVEL);
      return { name, mean: count / battles, low, high };
    }),
    rewards,
  };
}
