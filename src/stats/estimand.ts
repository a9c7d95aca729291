/** A number to estimate for a scenario, computed from counts or from an exact distribution, with an interval. */
import { InputError, suggestName } from '../core/index.ts';
import { clopperPearson } from './binomial.ts';
import type { ConfidenceSequence } from './confidence-sequence.ts';
import { type Counts, type CountsShape, getBattleCount, listValueCounts } from './counts.ts';
import type { Interval } from './intervals.ts';
import { computeMeanIntervalAt } from './mean-interval.ts';
import { computeQuantileInterval } from './quantile-interval.ts';
import { computeSampleMoments } from './sample-moments.ts';

export interface Estimand {
  /** The outcome or the metric. */
  readonly of: string;
  /** Kind: the probability of an outcome, the mean of a metric, or the share of battles with a metric in a range. */
  readonly kind: 'outcome' | 'mean' | 'share';
  /** The least and the greatest possible value. */
  readonly range: Interval;
  /** @param distribution counts or probabilities */
  computeValue(distribution: Counts): number;
  /**
   * Computes the interval of Clopper and Pearson, which misses with probability at most `level`, half of it on either
   * side, for every distribution; for a mean `computeMeanInterval`, which is valid for many battles, or the betting
   * interval, which is valid for every distribution and at all numbers of battles together.
   * @param counts counts of at least one battle
   */
  computeInterval(counts: Counts, level: number, bets?: ConfidenceSequence): Interval;
}

/** Creates the estimand of the probability of an event. @param count returns the weight of the event */
function createProbabilityEstimand(
  of: string,
  kind: 'outcome' | 'share',
  count: (distribution: Counts) => number,
): Estimand {
  return {
    of,
    kind,
    range: [0, 1],
    computeValue: (distribution) => count(distribution) / getBattleCount(distribution),
    computeInterval: (counts, level) => clopperPearson(count(counts), getBattleCount(counts), level),
  };
}

function createMeanEstimand({ metrics }: CountsShape, m: number): Estimand {
  const { name, min, max, unit = 1 } = metrics[m] ?? { name: '', min: 0, max: 0 };
  return {
    of: name,
    kind: 'mean',
    range: [min * unit, max * unit],
    computeValue(distribution) {
      const weighted = listValueCounts(distribution, m).reduce((sum, [value, weight]) => sum + value * weight, 0);
      return (weighted / getBattleCount(distribution)) * unit;
    },
    computeInterval(counts, level, bets) {
      const sample = computeSampleMoments(listValueCounts(counts, m), [min, max]);
      const [low, high] = bets?.interval(sample, level / 2) ?? computeMeanIntervalAt(sample, level);
      return [low * unit, high * unit];
    },
  };
}

function createUnknownNameError(of: string, words: readonly string[], place: string): InputError {
  return new InputError(place, `one of ${words.join(', ')}`, `"${of}"${suggestName(of, words)}`);
}

/**
 * Creates the estimand of the probability of an outcome, or of the mean of a metric, by name.
 * @param place name of the argument in error messages
 * @throws InputError if there is none
 */
export function createEstimand(shape: CountsShape, of: string, place: string): Estimand {
  const metrics = shape.metrics.map(({ name }) => name);
  const o = shape.outcomes.indexOf(of);
  if (o >= 0) return createProbabilityEstimand(of, 'outcome', (distribution) => distribution.outcomes[o] ?? 0);
  if (metrics.includes(of)) return createMeanEstimand(shape, metrics.indexOf(of));
  throw createUnknownNameError(of, [...shape.outcomes, ...metrics], place);
}

/** Finds the index of a metric. @throws InputError if there is none */
function findMetric({ metrics }: CountsShape, of: string, place: string): number {
  const words = metrics.map(({ name }) => name);
  if (!words.includes(of)) throw createUnknownNameError(of, words, place);
  return words.indexOf(of);
}

/** Estimand of a quantile of a metric: the least value that a share of the battles does not exceed. */
export interface QuantileEstimand extends Omit<Estimand, 'kind'> {
  readonly kind: 'quantile';
}

/** Relative error of a sum of probabilities. */
const SUM_ROUNDING = 1e-12;

/**
 * Creates the estimand of a quantile of a metric.
 * @param share above 0 and below 1
 * @param place name of the metric in error messages
 * @throws InputError if there is no such metric
 */
export function createQuantileEstimand(shape: CountsShape, of: string, share: number, place: string): QuantileEstimand {
  const m = findMetric(shape, of, place);
  const { min, max, unit = 1 } = shape.metrics[m] ?? { min: 0, max: 0 };
  return {
    of,
    kind: 'quantile',
    range: [min * unit, max * unit],
    computeValue(distribution) {
      const due = share * getBattleCount(distribution) * (1 - SUM_ROUNDING);
      let below = 0;
      const pairs = listValueCounts(distribution, m);
      const reached = pairs.find(([, weight]) => {
        below += weight;
        return below >= due;
      });
      return ((reached ?? pairs.at(-1))?.[0] ?? Number.NaN) * unit;
    },
    computeInterval(counts, level) {
      const [low, high] = computeQuantileInterval(listValueCounts(counts, m), share, [min, max], level / 2);
      return [low * unit, high * unit];
    },
  };
}

/** Steps of the unit of a metric within which a value is on a bound. */
const ROUNDING = 1e-9;

/**
 * Creates the estimand of the share of battles in which a metric is within bounds.
 * @param bounds in the unit of the metric; they may be infinite
 * @param place name of the argument in error messages
 * @throws InputError if there is no such metric
 */
export function createShareEstimand(shape: CountsShape, of: string, bounds: Interval, place: string): Estimand {
  const m = findMetric(shape, of, place);
  const { unit = 1 } = shape.metrics[m] ?? {};
  const [low, high] = [bounds[0] / unit - ROUNDING, bounds[1] / unit + ROUNDING];
  const computeWithin = (distribution: Counts): number =>
    listValueCounts(distribution, m).reduce(
      (sum, [value, weight]) => (value >= low && value <= high ? sum + weight : sum),
      0,
    );
  return createProbabilityEstimand(of, 'share', computeWithin);
}
