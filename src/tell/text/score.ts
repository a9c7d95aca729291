/** How far an estimate is from the exact value, in standard errors. */
import { type MetricSummary, zScore } from '../../answers/index.ts';
import { scoreText } from '../figure.ts';
import { type TableCell, toned } from '../parts.ts';

/** A z-score beyond this is marked: fewer than one in ten thousand honest ones are, by the normal law. */
const SUSPICIOUS = 4;

/** The same where the normal law does not hold: what Chebyshev's inequality says of any law. */
const SUSPICIOUS_ANYHOW = 126;

/** The most skewness that a mean may have for the normal law to hold: five expected cases of a rare event. */
const SKEWNESS_MAX = 0.45;

/** What is known exactly of one battle. */
export interface Known {
  readonly mean: number;
  readonly variance: number;
  /** Third central moment over the standard deviation cubed; 0 if nothing varies. */
  readonly skewness: number;
}

/** Of an event of probability p, counted as 1. */
export function knownEvent(p: number): Known {
  const variance = p * (1 - p);
  return { mean: p, variance, skewness: variance === 0 ? 0 : (1 - 2 * p) / Math.sqrt(variance) };
}

/** Of a metric, from its exact law. */
export function knownMetric({
  mean,
  variance,
  histogram,
}: Pick<MetricSummary, 'mean' | 'variance' | 'histogram'>): Known {
  const third = histogram.reduce((sum, [value, weight]) => sum + weight * (value - mean) ** 3, 0);
  return { mean, variance, skewness: variance === 0 ? 0 : third / variance ** 1.5 };
}

/** By how many standard errors an estimate misses the exact value. */
export function zOf(estimate: number, { mean, variance }: Known, battles: number): number {
  return zScore(estimate, mean, variance, battles);
}

/** `+1.2`; with `!` if chance does not do that; in brackets if what varies is too rare for z to mean much. */
export function shownZ(estimate: number, known: Known, battles: number): TableCell {
  const z = zOf(estimate, known, battles);
  const text = scoreText(z);
  const rare = Math.abs(known.skewness) > SKEWNESS_MAX * Math.sqrt(battles);
  if (Math.abs(z) > (rare ? SUSPICIOUS_ANYHOW : SUSPICIOUS)) return toned(`! ${text}`, 'bold', 'red');
  return rare && z !== 0 ? `(${text})` : text;
}
