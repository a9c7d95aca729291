/** How far an estimate is from the exact value, in standard errors. */
import { type MetricSummary, zScore } from '../../stats/index.ts';
import { formatZScore } from '../sheet/estimated-value.ts';
import { styleText, type TableCell } from '../sheet/sheet.ts';

/** A z-score beyond this is marked: fewer than one in ten thousand honest ones are, by the normal law. */
const SUSPICIOUS = 4;

/** The same where the normal law does not hold: what Chebyshev's inequality says of any law. */
const SUSPICIOUS_CHEBYSHEV = 126;

/** The most skewness that a mean may have for the normal law to hold: five expected cases of a rare event. */
const SKEWNESS_MAX = 0.45;

/** What is known exactly of one battle. */
export interface ExactMoments {
  readonly mean: number;
  readonly variance: number;
  /** Third central moment over the standard deviation cubed; 0 if nothing varies. */
  readonly skewness: number;
}

/** Of an event of probability p, counted as 1. */
export function createEventMoments(p: number): ExactMoments {
  const variance = p * (1 - p);
  return { mean: p, variance, skewness: variance === 0 ? 0 : (1 - 2 * p) / Math.sqrt(variance) };
}

/** Of a metric, from its exact law. */
export function createMetricMoments({
  mean,
  variance,
  histogram,
}: Pick<MetricSummary, 'mean' | 'variance' | 'histogram'>): ExactMoments {
  const third = histogram.reduce((sum, [value, weight]) => sum + weight * (value - mean) ** 3, 0);
  return { mean, variance, skewness: variance === 0 ? 0 : third / variance ** 1.5 };
}

/** By how many standard errors an estimate misses the exact value. */
export function computeZScore(estimate: number, { mean, variance }: ExactMoments, battles: number): number {
  return zScore(estimate, mean, variance, battles);
}

/** `+1.2`; with `!` if chance does not do that; in brackets if what varies is too rare for z to mean much. */
export function formatZScoreCell(estimate: number, moments: ExactMoments, battles: number): TableCell {
  const z = computeZScore(estimate, moments, battles);
  const text = formatZScore(z);
  const rare = Math.abs(moments.skewness) > SKEWNESS_MAX * Math.sqrt(battles);
  if (Math.abs(z) > (rare ? SUSPICIOUS_CHEBYSHEV : SUSPICIOUS)) return styleText(`! ${text}`, 'bold', 'red');
  return rare && z !== 0 ? `(${text})` : text;
}
