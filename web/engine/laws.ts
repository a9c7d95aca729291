/** The laws of metrics as a few bars each. */

import type { MetricSummary, Summary } from '../../src/answers/summary.ts';
import type { TallyShape } from '../../src/answers/tally.ts';
import { type ShownSide, sideIn } from '../../src/tell/sides.ts';
import { plain } from '../../src/tell/text/digits.ts';
import { type Bin, binned, mixed, totalOf, weightIn } from '../../src/tell/text/histogram.ts';

/** Of all battles; the exact share stands beside one that was played. */
export interface LawShare {
  readonly share: number;
  readonly exact?: number | undefined;
}

export interface LawBar extends LawShare {
  /** `3`, `4..7` */
  readonly label: string;
  /** The values that it holds. */
  readonly from: number;
  readonly to: number;
  /** It holds more or fewer values than the others, such as those that are down: its length cannot be compared with theirs. */
  readonly apart: boolean;
  /** `from` or more. */
  readonly least: LawShare;
  /** `to` or fewer. */
  readonly most: LawShare;
}

export interface Law {
  readonly metric: string;
  /** Of the side that it is of. */
  readonly tone: number | undefined;
  readonly bars: readonly LawBar[];
}

/** Bars of a law, at most. */
const BARS = 11;

type Weights = MetricSummary['histogram'];

/** How many values most bins hold. */
function usualWidth(bins: readonly Bin[]): number {
  const widths = bins.map(({ from, to }) => to - from);
  const often = (width: number): number => widths.filter((each) => Math.abs(each - width) < 1e-9).length;
  return widths.toSorted((a, b) => often(b) - often(a))[0] ?? 0;
}

/** The bins hold every value of both: what lies beyond those of one is never counted to its first or last bar. */
function lawOf({ name, histogram }: MetricSummary, unit: number, exact: MetricSummary | undefined): Omit<Law, 'tone'> {
  const weights = exact?.histogram;
  const bins = binned(mixed(weights === undefined ? [histogram] : [histogram, weights]), BARS, unit);
  const width = usualWidth(bins);
  const share = (of: Weights, bin: Pick<Bin, 'from' | 'to'>): number => weightIn(of, bin) / totalOf(of);
  const shares = (bin: Pick<Bin, 'from' | 'to'>): LawShare => ({
    share: share(histogram, bin),
    exact: weights && share(weights, bin),
  });
  const bars = bins.map((bin): LawBar => {
    const { from, to } = bin;
    return {
      label: from === to ? plain(from) : `${plain(from)}..${plain(to)}`,
      ...{ from, to },
      ...shares(bin),
      apart: Math.abs(to - from - width) > 1e-9,
      least: shares({ from, to: Number.POSITIVE_INFINITY }),
      most: shares({ from: Number.NEGATIVE_INFINITY, to }),
    };
  });
  return { metric: name, bars };
}

/** Whether a metric has more than one value in one of both, or another one in each. */
export function moves({ min, max }: MetricSummary, exact: MetricSummary | undefined): boolean {
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
