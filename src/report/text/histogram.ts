/** Histograms of characters, and bins of distributions. */
import type { MetricSummary } from '../../stats/index.ts';
import { formatRoughPercent } from '../odds/probability-text.ts';
import { formatNumber } from './number-format.ts';
import type { Paint, TerminalStyle } from './table.ts';
import { breakName, padText } from './wrapping.ts';

/** Bin of values, with its share. */
export interface HistogramBin {
  readonly from: number;
  readonly to: number;
  readonly share: number;
}

type HistogramWeights = MetricSummary['histogram'];

/** A minimum or maximum with at least this share gets a separate bar: dead, or unhurt. */
const MIN_ATOM_SHARE = 0.03;

/** Tails beyond these quantiles are in the outermost bars, so that they do not stretch the scale. */
const TAIL_SHARE = 0.005;

/** Smallest width of 1, 2, 3, 4, 5, 10, 20 ... times `unit` with at most `most` bins in low..high. */
function chooseBinWidth(low: number, high: number, most: number, unit: number): number {
  for (let decade = 1; ; decade *= 10) {
    for (const step of [1, 2, 3, 4, 5]) {
      const width = step * decade * unit;
      if (Math.floor(high / width) - Math.floor(low / width) < most) return width;
    }
  }
}

/** Range of values without the tails. */
function findBody(weights: HistogramWeights, total: number): [low: number, high: number] {
  let below = 0;
  let low = weights[0]?.[0] ?? 0;
  let high = low;
  for (const [value, weight] of weights) {
    if (below <= TAIL_SHARE * total) low = value;
    if (below < (1 - TAIL_SHARE) * total) high = value;
    below += weight;
  }
  return [low, high];
}

export function sumWeights(weights: HistogramWeights): number {
  return weights.reduce((sum, [, weight]) => sum + weight, 0);
}

/** Share of a distribution in a bin. */
export function sumBinWeight(weights: HistogramWeights, { from, to }: Pick<HistogramBin, 'from' | 'to'>): number {
  return weights.reduce((sum, [value, weight]) => (value >= from && value <= to ? sum + weight : sum), 0);
}

/** Mixes distributions in equal parts, so that common bins cover every value. */
export function mixDistributions(all: readonly HistogramWeights[]): HistogramWeights {
  const mixture = new Map<number, number>();
  for (const weights of all) {
    const total = sumWeights(weights);
    for (const [value, weight] of weights) mixture.set(value, (mixture.get(value) ?? 0) + weight / total);
  }
  return [...mixture].sort(([a], [b]) => a - b);
}

/** Creates bins of one width, aligned to its multiples, with the tails in the first and the last one. */
function createEvenBins(weights: HistogramWeights, total: number, most: number, unit: number): HistogramBin[] {
  const first = weights[0]?.[0] ?? 0;
  const last = weights.at(-1)?.[0] ?? 0;
  const [low, high] = findBody(weights, total);
  const width = (last - first) / unit < most ? unit : chooseBinWidth(low, high, most, unit);
  const start = Math.floor(low / width) * width;
  const bins: HistogramBin[] = [];
  for (let at = start; bins.length === 0 || at <= high; at += width) {
    const from = at === start ? first : at;
    const to = at + width > high ? last : at + width - unit;
    bins.push({ from, to, share: sumBinWeight(weights, { from, to }) / total });
  }
  return bins;
}

/**
 * Divides a distribution into at most `most` bins: one for each value if there are few, otherwise bins of one round
 * width; a minimum or maximum with a large share gets a separate bin.
 * @param weights [value, weight], ascending, not empty; values are multiples of `unit`
 * @param most    at least 4
 */
export function createHistogramBins(weights: HistogramWeights, most: number, unit = 1): HistogramBin[] {
  const total = sumWeights(weights);
  const first = weights[0] ?? [0, 0];
  const last = weights.at(-1) ?? first;
  if ((last[0] - first[0]) / unit < most) return createEvenBins(weights, total, most, unit);
  const isSeparate = (weight: number): boolean => weight >= MIN_ATOM_SHARE * total;
  const head = isSeparate(first[1]) ? [first] : [];
  const tail = isSeparate(last[1]) ? [last] : [];
  const middle = weights.slice(head.length, weights.length - tail.length);
  const createBin = ([value, weight]: HistogramWeights[number]): HistogramBin => ({
    from: value,
    to: value,
    share: weight / total,
  });
  const rest = sumWeights(middle);
  const even = middle.length === 0 ? [] : createEvenBins(middle, rest, most - head.length - tail.length, unit);
  return [
    ...head.map(createBin),
    ...even.map((bin) => ({ ...bin, share: (bin.share * rest) / total })),
    ...tail.map(createBin),
  ];
}

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** Formats a bar of up to `width` characters, in eighths; values above 0 are visible. */
export function formatBar(share: number, width: number): string {
  const eighths = Math.round(share * width * 8);
  if (eighths === 0) return share > 0 ? '▏' : '';
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
}

const formatBinShare = (share: number): string => (share === 0 ? '' : formatRoughPercent(share));

/** Formats the bars of one metric, each line with `width` characters. */
function formatBars(metric: MetricSummary, unit: number, width: number, paint: Paint): string[] {
  const bins = createHistogramBins(metric.histogram, 8, unit);
  const labels = bins.map(({ from, to }) =>
    from === to ? formatNumber(from) : `${formatNumber(from)}..${formatNumber(to)}`,
  );
  const margin = Math.max(...labels.map((label) => label.length));
  const room = width - margin - 7;
  const highest = Math.max(...bins.map(({ share }) => share));
  return bins.map(({ share }, b) => {
    const drawn = formatBar(share / highest, room);
    const label = (labels[b] ?? '').padStart(margin);
    return `${label} ${paint.cyan(drawn)}${' '.repeat(room - drawn.length)} ${paint.dim(formatBinShare(share).padStart(5))}`;
  });
}

/** Formats panels side by side, with names above the bars. */
function formatPanels(
  metrics: readonly MetricSummary[],
  units: ReadonlyMap<string, number>,
  width: number,
  paint: Paint,
): string[][] {
  const titles = metrics.map(({ name }) => breakName(name, width));
  const height = Math.max(...titles.map((lines) => lines.length));
  return metrics.map((metric, m) => [
    ...Array.from({ length: height }, (_, y) => paint.bold(padText(titles[m]?.[y] ?? '', width, 'left'))),
    ...formatBars(metric, units.get(metric.name) ?? 1, width, paint),
  ]);
}

/** Sorts metrics by information: totals before parts, without constants. */
function sortMetrics(metrics: readonly MetricSummary[]): MetricSummary[] {
  const getDepth = (name: string): number => name.split('.').length;
  const moving = metrics.filter(({ min, max }) => min < max);
  return moving.toSorted((a, b) => getDepth(a.name) - getDepth(b.name));
}

/** Minimum width of a panel, in characters. */
const MIN_PANEL_WIDTH = 24;
const PANEL_GAP = 3;

/**
 * Formats histograms side by side.
 * @param metrics  metrics of the summary
 * @param units    step of each metric, by name
 * @param all      true for all metrics in their order; false for one row of the most informative
 */
export function formatHistograms(
  metrics: readonly MetricSummary[],
  units: ReadonlyMap<string, number>,
  all: boolean,
  { width, paint }: TerminalStyle,
): string[] {
  const across = Math.max(1, Math.floor((width + PANEL_GAP) / (MIN_PANEL_WIDTH + PANEL_GAP)));
  const shown = all ? [...metrics] : sortMetrics(metrics).slice(0, across);
  const each = Math.min(32, Math.floor((width + PANEL_GAP) / Math.min(across, Math.max(1, shown.length))) - PANEL_GAP);
  const lines: string[] = [];
  for (let at = 0; at < shown.length; at += across) {
    const row = formatPanels(shown.slice(at, at + across), units, each, paint);
    const height = Math.max(...row.map((panelLines) => panelLines.length));
    if (lines.length > 0) lines.push('');
    for (let y = 0; y < height; y++) {
      lines.push(
        row
          .map((panelLines) => panelLines[y] ?? ' '.repeat(each))
          .join(' '.repeat(PANEL_GAP))
          .trimEnd(),
      );
    }
  }
  return lines;
}
