/** Z-scores: deviations of estimates from exact values in standard errors. */
import { type MetricSummary, zScore } from '../../stats/index.ts';
import { formatZScore } from '../sheet/estimated-value.ts';
import { styleText, type TableCell } from '../sheet/sheet.ts';

/** Larger z-scores are marked. Under the normal distribution, fewer than one in ten thousand is larger. */
const SUSPICIOUS = 4;

/** Limit without the normal approximation, by Chebyshev's inequality for any distribution. */
const SUSPICIOUS_CHEBYSHEV = 126;

/** Maximum skewness of a mean for the normal approximation: five expected cases of a rare event. */
const SKEWNESS_MAX = 0.45;

/** Exact moments of one battle. */
export interface ExactMoments {
  readonly mean: number;
  readonly variance: number;
  /** Third central moment divided by the cubed standard deviation; 0 for constants. */
  readonly skewness: number;
}

/** Creates the moments of the indicator of an event with probability p. */
export function createEventMoments(p: number): ExactMoments {
  const variance = p * (1 - p);
  return { mean: p, variance, skewness: variance === 0 ? 0 : (1 - 2 * p) / Math.sqrt(variance) };
}

/** Creates the moments of a metric from its exact distribution. */
export function createMetricMoments({
  mean,
  variance,
  histogram,
}: Pick<MetricSummary, 'mean' | 'variance' | 'histogram'>): ExactMoments {
  const third = histogram.reduce((sum, [value, weight]) => sum + weight * (value - mean) ** 3, 0);
  return { mean, variance, skewness: variance === 0 ? 0 : third / variance ** 1.5 };
}

/** Computes the deviation of an estimate from the exact value in standard errors. */
export function computeZScore(estimate: number, { mean, variance }: ExactMoments, battles: number): number {
  return zScore(estimate, mean, variance, battles);
}

/**
 * `+1.2`; with `!` if chance cannot explain it; in parentheses if the event is too rare for the normal approximation.
 */
export function formatZScoreCell(estimate: number, moments: ExactMoments, battles: number): TableCell {
  const z = computeZScore(estimate, moments, battles);
  const text = formatZScore(z);
  const rare = Math.abs(moments.skewness) > SKEWNESS_MAX * Math.sqrt(battles);
  if (Math.abs(z) > (rare ? SUSPICIOUS_CHEBYSHEV : SUSPICIOUS)) return styleText(`! ${text}`, 'bold', 'red');
  return rare && z !== 0 ? `(${text})` : text;
}
