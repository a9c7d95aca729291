/** The laws of metrics as a few bars each. */
import { plain } from '../../src/report/text/digits.ts';
import { binned } from '../../src/report/text/histogram.ts';
import type { MetricSummary, Summary } from '../../src/stats/summary.ts';
import type { TallyShape } from '../../src/stats/tally.ts';

export interface LawBar {
  readonly label: string;
  /** Of all battles. */
  readonly share: number;
  /** The exact share, beside a share that was played. */
  readonly exact?: number | undefined;
}

export interface Law {
  readonly metric: string;
  readonly bars: readonly LawBar[];
}

/** Bars of a law, at most. */
const BARS = 10;

type Weights = MetricSummary['histogram'];

/** The share between bounds, with what lies beyond in the first and the last bar. */
function shareOf(weights: Weights, low: number, high: number): number {
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
  return weights.reduce((sum, [value, weight]) => (value >= low && value <= high ? sum + weight : sum), 0) / total;
}

function lawOf({ name, histogram }: MetricSummary, unit: number, exact: MetricSummary | undefined): Law {
  const bins = binned(histogram, BARS, unit);
  const bars = bins.map(({ from, to, share }, b): LawBar => {
    const low = b === 0 ? Number.NEGATIVE_INFINITY : from;
    const high = b === bins.length - 1 ? Number.POSITIVE_INFINITY : to;
    const label = from === to ? plain(from) : `${plain(from)}..${plain(to)}`;
    return { label, share, exact: exact && shareOf(exact.histogram, low, high) };
  });
  return { metric: name, bars };
}

/** Metrics that vary, totals before their parts. */
export function lawsOf({ metrics }: Summary, shape: TallyShape, exact: Summary | undefined): Law[] {
  const depth = ({ name }: MetricSummary): number => name.split('.').length;
  const moving = [...metrics.entries()].filter(([, { min, max }]) => min < max);
  return moving
    .toSorted(([, a], [, b]) => depth(a) - depth(b))
    .map(([m, metric]) => lawOf(metric, shape.metrics[m]?.unit ?? 1, exact?.metrics[m]));
}
