/** A distribution as a few bars. */
import type { MetricSummary } from '../../stats/index.ts';
import { formatRoughPercent } from '../odds/probability-text.ts';
import { formatNumber } from './number-format.ts';
import type { Paint, TerminalStyle } from './table.ts';
import { breakName, padText } from './wrapping.ts';

/** Values from..to and their share of the whole. */
export interface HistogramBin {
  readonly from: number;
  readonly to: number;
  readonly share: number;
}

type HistogramWeights = MetricSummary['histogram'];

/** An end value with so much of the whole gets a bar of its own: dead, or unhurt. */
const MIN_ATOM_SHARE = 0.03;

/** The tails beyond these quantiles join the outermost bars, so that they do not stretch the scale. */
const TAIL_SHARE = 0.005;

/** The least of 1, 2, 3, 4, 5, 10, 20 ... steps of `unit` whose multiples part low..high into at most `most` bins. */
function chooseBinWidth(low: number, high: number, most: number, unit: number): number {
  for (let decade = 1; ; decade *= 10) {
    for (const step of [1, 2, 3, 4, 5]) {
      const width = step * decade * unit;
      if (Math.floor(high / width) - Math.floor(low / width) < most) return width;
    }
  }
}

/** The values between which all but the tails of the weights lie. */
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

/** What of a distribution lies in a bin. */
export function sumBinWeight(weights: HistogramWeights, { from, to }: Pick<HistogramBin, 'from' | 'to'>): number {
  return weights.reduce((sum, [value, weight]) => (value >= from && value <= to ? sum + weight : sum), 0);
}

/** The mixture of some distributions in equal parts: its bins hold every value of each of them. */
export function mixDistributions(all: readonly HistogramWeights[]): HistogramWeights {
  const mixture = new Map<number, number>();
  for (const weights of all) {
    const total = sumWeights(weights);
    for (const [value, weight] of weights) mixture.set(value, (mixture.get(value) ?? 0) + weight / total);
  }
  return [...mixture].sort(([a], [b]) => a - b);
}

/** Bins of one width, aligned to its multiples, with the tails in the first and the last. */
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
 * Parts a distribution into at most `most` bins: one for each value if they are few, otherwise bins of
 * one round width; an end value that holds much of the distribution stands alone.
 * @param weights [value, weight], ascending, not empty; values are multiples of `unit`
 * @param most    at least 4
 */
export function createHistogramBins(weights: HistogramWeights, most: number, unit = 1): HistogramBin[] {
  const total = sumWeights(weights);
  const first = weights[0] ?? [0, 0];
  const last = weights.at(-1) ?? first;
  if ((last[0] - first[0]) / unit < most) return createEvenBins(weights, total, most, unit);
  const alone = (weight: number): boolean => weight >= MIN_ATOM_SHARE * total;
  const head = alone(first[1]) ? [first] : [];
  const tail = alone(last[1]) ? [last] : [];
  const middle = weights.slice(head.length, weights.length - tail.length);
  const single = ([value, weight]: HistogramWeights[number]): HistogramBin => ({
    from: value,
    to: value,
    share: weight / total,
  });
  const rest = sumWeights(middle);
  const even = middle.length === 0 ? [] : createEvenBins(middle, rest, most - head.length - tail.length, unit);
  return [
    ...head.map(single),
    ...even.map((bin) => ({ ...bin, share: (bin.share * rest) / total })),
    ...tail.map(single),
  ];
}

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar of up to `width` characters, in eighths; whatever is above 0 is visible. */
export function formatBar(share: number, width: number): string {
  const eighths = Math.round(share * width * 8);
  if (eighths === 0) return share > 0 ? '▏' : '';
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
}

const formatBinShare = (share: number): string => (share === 0 ? '' : formatRoughPercent(share));

/** Bars of one metric, every line `width` characters wide. */
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

/** Bars below names; all bars begin in the same line. */
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

/** Metrics by how much they tell of a battle: totals before parts, constants left out. */
function sortMetrics(metrics: readonly MetricSummary[]): MetricSummary[] {
  const depth = (name: string): number => name.split('.').length;
  const moving = metrics.filter(({ min, max }) => min < max);
  return moving.toSorted((a, b) => depth(a.name) - depth(b.name));
}

/** Least width of a panel. */
const MIN_PANEL_WIDTH = 24;
const PANEL_GAP = 3;

/**
 * Panels side by side.
 * @param metrics  the summary's metrics
 * @param units    what one step of each is worth, by name
 * @param all      of all metrics, in their order; else one row of the most telling
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
