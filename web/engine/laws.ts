/** The laws of metrics as a few bars each. */

import type { MetricSummary, Summary } from '../../src/answers/summary.ts';
import type { TallyShape } from '../../src/answers/tally.ts';
import { type ShownSide, sideIn } from '../../src/tell/sides.ts';
import { plain } from '../../src/tell/text/digits.ts';
import { type Bin, binned, mixed, totalOf, weightIn } from '../../src/tell/text/histogram.ts';

export interface LawBar {
  readonly label: string;
  /** Of all battles. */
  readonly share: number;
  /** The exact share, beside a share that was played. */
  readonly exact?: number | undefined;
}

export interface Law {
  readonly metric: string;
  /** Of the side that it is of. */
  readonly tone: number | undefined;
  readonly bars: readonly LawBar[];
}

/** Bars of a law, at most. */
const BARS = 10;

/** The bins hold every value of both: what lies beyond those of one is never counted to its first or last bar. */
function lawOf({ name, histogram }: MetricSummary, unit: number, exact: MetricSummary | undefined): Omit<Law, 'tone'> {
  const weights = exact?.histogram;
  const bins = binned(mixed(weights === undefined ? [histogram] : [histogram, weights]), BARS, unit);
  const share = (of: MetricSummary['histogram'], bin: Bin): number => weightIn(of, bin) / totalOf(of);
  const bars = bins.map((bin): LawBar => {
    const { from, to } = bin;
    const label = from === to ? plain(from) : `${plain(from)}..${plain(to)}`;
    return { label, share: share(histogram, bin), exact: weights && share(weights, bin) };
  });
  return { metric: name, bars };
}

/** Whether a metric has more than one value in one of both, or another one in each. */
function moves({ min, max }: MetricSummary, exact: MetricSummary | undefined): boolean {
  return Math.min(min, exact?.min ?? min) < Math.max(max, exact?.max ?? max);
}

/** Metrics that vary, totals before their parts. */
export function lawsOf(
  { metrics }: Summary,
  shape: TallyShape,
  exact: Summary | undefined,
  sides: readonly ShownSide[],
): Law[] {
  const depth = ({ name }: MetricSummary): number => name.split('.').length;
  const units = new Map(shape.metrics.map(({ name, unit }) => [name, unit]));
  const others = new Map(exact?.metrics.map((metric) => [metric.name, metric]));
  return metrics
    .filter((metric) => moves(metric, others.get(metric.name)))
    .toSorted((a, b) => depth(a) - depth(b))
    .map((metric) => ({
      ...lawOf(metric, units.get(metric.name) ?? 1, others.get(metric.name)),
      tone: sideIn(metric.name, sides)?.tone,
    }));
}
