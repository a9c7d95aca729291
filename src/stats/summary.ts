/** Summarizes counts or exact distributions: probabilities, moments, quantiles. */
import type { Metric } from '../rules/index.ts';
import { ALPHA } from './analysis-schedule.ts';
import { clopperPearson95 } from './binomial.ts';
import type { ConfidenceSequence } from './confidence-sequence.ts';
import {
  type Counts,
  type CountsShape,
  collectValueWeights,
  getBattleCount,
  listValueCounts,
  toPairs,
  type ValueWeights,
} from './counts.ts';
import type { Interval } from './intervals.ts';
import { computeFixedLengthInterval } from './mean-interval.ts';
import { createRecord } from './records.ts';
import { computeSampleMoments } from './sample-moments.ts';
import { attachStatistics, type Statistics } from './statistics.ts';

/** An outcome: estimated from counts, or exact. */
export interface OutcomeSummary {
  readonly name: string;
  /** Battles, or probability in an exact distribution. */
  readonly count: number;
  /** Probability, 0..1. */
  readonly p: number;
  /** Clopper and Pearson's 95 % interval; absent in an exact distribution. */
  readonly ci95?: Interval;
}

export interface MomentError {
  readonly mean: number;
  readonly variance: number;
}

/** For each share, the least value that this share of the distribution does not exceed. */
export interface Quantiles {
  readonly 0.05: number;
  readonly 0.25: number;
  readonly 0.5: number;
  readonly 0.75: number;
  readonly 0.95: number;
}

/** A metric: estimated from counts, or exact. All values are in the unit of the metric. */
export interface MetricSummary extends Statistics {
  readonly name: string;
  /** Mean in the unit of the metric. */
  readonly mean: number;
  /** Variance of the distribution: mean squared distance from the mean. */
  readonly variance: number;
  /** The least and the greatest observed value; in an exact distribution, possible value. */
  readonly min: number;
  readonly max: number;
  /** Declared range of the metric. */
  readonly range: Interval;
  /**
   * 95 % interval of the mean, which includes unobserved values by the declared range: `computeFixedLengthInterval`, or
   * the interval of a run with a precision. Absent in an exact distribution.
   */
  readonly ci95?: Interval;
  /**
   * In an exact distribution: maximum change of mean and variance by omitted battles, lost x declared range and lost x
   * its square. Rounding adds about 1e-13 of a value.
   */
  readonly error?: MomentError;
  /** Quantiles in the unit of the metric. */
  readonly quantiles: Quantiles;
  /** [value, count or probability], ascending. */
  readonly histogram: readonly (readonly [value: number, weight: number])[];
  /** Mean over the battles with an outcome, for each observed one. */
  readonly meanByOutcome: Readonly<Record<string, number>>;
}

/** Outcomes and metrics of a run or of an exact distribution, in the order of the system. */
export interface Summary {
  readonly outcomes: readonly OutcomeSummary[];
  readonly metrics: readonly MetricSummary[];
}

function computeWeightedMean({ values, weights }: ValueWeights, total: number): number {
  let sum = 0;
  for (let k = 0; k < values.length; k++) sum += (values[k] ?? 0) * (weights[k] ?? 0);
  return sum / total;
}

function computeVariance({ values, weights }: ValueWeights, total: number, mean: number): number {
  let sum = 0;
  for (let k = 0; k < values.length; k++) sum += ((values[k] ?? 0) - mean) ** 2 * (weights[k] ?? 0);
  return sum / total;
}

/** Computes the least values that ascending shares of the weight do not exceed. */
function computeQuantiles({ values, weights }: ValueWeights, total: number): Quantiles {
  let [below, k] = [weights[0] ?? 0, 0];
  const at = (share: number): number => {
    while (below < share * total * (1 - 1e-12) && k < values.length - 1) below += weights[++k] ?? 0;
    return values[k] ?? 0;
  };
  return { 0.05: at(0.05), 0.25: at(0.25), 0.5: at(0.5), 0.75: at(0.75), 0.95: at(0.95) };
}

/** Computes the interval of a mean. @param pairs [value in steps of the unit, count] */
function computeMeanCi95(pairs: [number, number][], range: Interval, unit: number): Interval {
  const [low, high] = computeFixedLengthInterval(computeSampleMoments(pairs, range));
  return [low * unit, high * unit];
}

function computeConditionalMeans(counts: Counts, shape: CountsShape, m: number, unit: number): Record<string, number> {
  const came = [...shape.outcomes.entries()].filter(([o]) => (counts.outcomes[o] ?? 0) > 0);
  return createRecord(
    came.map(([o, name]) => [
      name,
      computeWeightedMean(collectValueWeights(counts, m, unit, o), counts.outcomes[o] ?? 0),
    ]),
  );
}

function summarizeMetric(
  counts: Counts,
  shape: CountsShape,
  m: number,
  { name, unit = 1, min, max }: Metric,
  lost: number | undefined,
): MetricSummary {
  const spread = collectValueWeights(counts, m, unit);
  const { values, weights } = spread;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const mean = computeWeightedMean(spread, total);
  const range = [min * unit, max * unit] as const;
  const width = range[1] - range[0];
  let histogram: MetricSummary['histogram'] | undefined;
  const conditionalMeans = () => computeConditionalMeans(counts, shape, m, unit);
  // Counts of a run may still grow.
  let meanByOutcome = lost === undefined ? conditionalMeans() : undefined;
  const summary: MetricSummary = {
    name,
    mean,
    variance: computeVariance(spread, total, mean),
    min: values[0] ?? 0,
    max: values.at(-1) ?? 0,
    range,
    ...(lost === undefined
      ? { ci95: computeMeanCi95(listValueCounts(counts, m), [min, max], unit) }
      : { error: { mean: lost * width, variance: lost * width ** 2 } }),
    quantiles: computeQuantiles(spread, total),
    // Created on demand: cells of a sweep do not use them.
    get histogram() {
      histogram ??= toPairs(spread);
      return histogram;
    },
    get meanByOutcome() {
      meanByOutcome ??= conditionalMeans();
      return meanByOutcome;
    },
  };
  return lost === undefined
    ? attachStatistics(summary, { battles: total, pairs: toPairs(spread), range, unit })
    : summary;
}

/** Summarizes counts of at least one battle. */
export function summarizeBattles(shape: CountsShape, counts: Counts): Summary {
  const total = getBattleCount(counts);
  return {
    outcomes: shape.outcomes.map((name, o) => {
      const count = counts.outcomes[o] ?? 0;
      return { name, count, p: count / total, ci95: clopperPearson95(count, total) };
    }),
    metrics: shape.metrics.map((metric, m) => summarizeMetric(counts, shape, m, metric, undefined)),
  };
}

/**
 * Summarizes an exact distribution: no intervals, and exact probabilities.
 * @param lost probability of omitted battles
 */
export function summarizeDistribution(shape: CountsShape, distribution: Counts, lost = 0): Summary {
  return {
    outcomes: shape.outcomes.map((name, o) => {
      const p = distribution.outcomes[o] ?? 0;
      return { name, count: p, p };
    }),
    metrics: shape.metrics.map((metric, m) => summarizeMetric(distribution, shape, m, metric, lost)),
  };
}

/**
 * Replaces the intervals of all means by ones that are valid for every distribution in the declared range, wherever the
 * run ends.
 */
export function boundMeans(
  summary: Summary,
  { metrics: shapes }: CountsShape,
  counts: Counts,
  bets: ConfidenceSequence,
): Summary {
  const metrics = summary.metrics.map((metric, m) => {
    const { min = 0, max = 0, unit = 1 } = shapes[m] ?? {};
    const [low, high] = bets.interval(computeSampleMoments(listValueCounts(counts, m), [min, max]), ALPHA / 2);
    return { ...metric, ci95: [low * unit, high * unit] as const };
  });
  return { outcomes: summary.outcomes, metrics };
}
