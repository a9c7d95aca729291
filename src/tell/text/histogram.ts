/** A distribution as a few bars. */
import type { MetricSummary } from '../../answers/index.ts';
import { roughPercent } from '../odds/chances.ts';
import { plain } from './digits.ts';
import { broken, padded } from './lines.ts';
import type { Look, Paint } from './table.ts';

/** Values from..to and their share of the whole. */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly share: number;
}

type Weights = MetricSummary['histogram'];

/** An end value with so much of the whole gets a bar of its own: dead, or unhurt. */
const ATOM = 0.03;

/** The tails beyond these quantiles join the outermost bars, so that they do not stretch the scale. */
const TAIL = 0.005;

/** The least of 1, 2, 3, 4, 5, 10, 20 ... steps of `unit` whose multiples part low..high into at most `most` bins. */
function binWidth(low: number, high: number, most: number, unit: number): number {
  for (let decade = 1; ; decade *= 10) {
    for (const step of [1, 2, 3, 4, 5]) {
      const width = step * decade * unit;
      if (Math.floor(high / width) - Math.floor(low / width) < most) return width;
    }
  }
}

/** The values between which all but the tails of the weights lie. */
function body(weights: Weights, total: number): [low: number, high: number] {
  let below = 0;
  let low = weights[0]?.[0] ?? 0;
  let high = low;
  for (const [value, weight] of weights) {
    if (below <= TAIL * total) low = value;
    if (below < (1 - TAIL) * total) high = value;
    below += weight;
  }
  return [low, high];
}

export function totalOf(weights: Weights): number {
  return weights.reduce((sum, [, weight]) => sum + weight, 0);
}

/** What of a distribution lies in a bin. */
export function weightIn(weights: Weights, { from, to }: Pick<Bin, 'from' | 'to'>): number {
  return weights.reduce((sum, [value, weight]) => (value >= from && value <= to ? sum + weight : sum), 0);
}

/** The mixture of some distributions in equal parts: its bins hold every value of each of them. */
export function mixed(all: readonly Weights[]): Weights {
  const mixture = new Map<number, number>();
  for (const weights of all) {
    const total = totalOf(weights);
    for (const [value, weight] of weights) mixture.set(value, (mixture.get(value) ?? 0) + weight / total);
  }
  return [...mixture].sort(([a], [b]) => a - b);
}

/** Bins of one width, aligned to its multiples, with the tails in the first and the last. */
function evenBins(weights: Weights, total: number, most: number, unit: number): Bin[] {
  const first = weights[0]?.[0] ?? 0;
  const last = weights.at(-1)?.[0] ?? 0;
  const [low, high] = body(weights, total);
  const width = (last - first) / unit < most ? unit : binWidth(low, high, most, unit);
  const start = Math.floor(low / width) * width;
  const bins: Bin[] = [];
  for (let at = start; bins.length === 0 || at <= high; at += width) {
    const from = at === start ? first : at;
    const to = at + width > high ? last : at + width - unit;
    bins.push({ from, to, share: weightIn(weights, { from, to }) / total });
  }
  return bins;
}

/**
 * Parts a distribution into at most `most` bins: one for each value if they are few, otherwise bins of
 * one round width; an end value that holds much of the distribution stands alone.
 * @param weights [value, weight], ascending, not empty; values are multiples of `unit`
 * @param most    at least 4
 */
export function binned(weights: Weights, most: number, unit = 1): Bin[] {
  const total = totalOf(weights);
  const first = weights[0] ?? [0, 0];
  const last = weights.at(-1) ?? first;
  if ((last[0] - first[0]) / unit < most) return evenBins(weights, total, most, unit);
  const alone = (weight: number): boolean => weight >= ATOM * total;
  const head = alone(first[1]) ? [first] : [];
  const tail = alone(last[1]) ? [last] : [];
  const middle = weights.slice(head.length, weights.length - tail.length);
  const single = ([value, weight]: Weights[number]): Bin => ({ from: value, to: value, share: weight / total });
  const rest = totalOf(middle);
  const even = middle.length === 0 ? [] : evenBins(middle, rest, most - head.length - tail.length, unit);
  return [
    ...head.map(single),
    ...even.map((bin) => ({ ...bin, share: (bin.share * rest) / total })),
    ...tail.map(single),
  ];
}

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar of up to `width` characters, in eighths; whatever is above 0 is visible. */
export function bar(share: number, width: number): string {
  const eighths = Math.round(share * width * 8);
  if (eighths === 0) return share > 0 ? '▏' : '';
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
}

const percent = (share: number): string => (share === 0 ? '' : roughPercent(share));

/** Bars of one metric, every line `width` characters wide. */
function bars(metric: MetricSummary, unit: number, width: number, paint: Paint): string[] {
  const bins = binned(metric.histogram, 8, unit);
  const labels = bins.map(({ from, to }) => (from === to ? plain(from) : `${plain(from)}..${plain(to)}`));
  const margin = Math.max(...labels.map((label) => label.length));
  const room = width - margin - 7;
  const highest = Math.max(...bins.map(({ share }) => share));
  return bins.map(({ share }, b) => {
    const drawn = bar(share / highest, room);
    const label = (labels[b] ?? '').padStart(margin);
    return `${label} ${paint.cyan(drawn)}${' '.repeat(room - drawn.length)} ${paint.dim(percent(share).padStart(5))}`;
  });
}

/** Bars below names; all bars begin in the same line. */
function panels(
  metrics: readonly MetricSummary[],
  units: ReadonlyMap<string, number>,
  width: number,
  paint: Paint,
): string[][] {
  const titles = metrics.map(({ name }) => broken(name, width));
  const height = Math.max(...titles.map((lines) => lines.length));
  return metrics.map((metric, m) => [
    ...Array.from({ length: height }, (_, y) => paint.bold(padded(titles[m]?.[y] ?? '', width, 'left'))),
    ...bars(metric, units.get(metric.name) ?? 1, width, paint),
  ]);
}

/** Metrics by how much they tell of a battle: totals before parts, constants left out. */
function telling(metrics: readonly MetricSummary[]): MetricSummary[] {
  const depth = (name: string): number => name.split('.').length;
  const moving = metrics.filter(({ min, max }) => min < max);
  return moving.toSorted((a, b) => depth(a.name) - depth(b.name));
}

/** Least width of a panel. */
const PANEL = 24;
const GAP = 3;

/**
 * Panels side by side.
 * @param metrics  the summary's metrics
 * @param units    what one step of each is worth, by name
 * @param all      of all metrics, in their order; else one row of the most telling
 */
export function histograms(
  metrics: readonly MetricSummary[],
  units: ReadonlyMap<string, number>,
  all: boolean,
  { width, paint }: Look,
): string[] {
  const across = Math.max(1, Math.floor((width + GAP) / (PANEL + GAP)));
  const shown = all ? [...metrics] : telling(metrics).slice(0, across);
  const each = Math.min(32, Math.floor((width + GAP) / Math.min(across, Math.max(1, shown.length))) - GAP);
  const lines: string[] = [];
  for (let at = 0; at < shown.length; at += across) {
    const row = panels(shown.slice(at, at + across), units, each, paint);
    const height = Math.max(...row.map((panelLines) => panelLines.length));
    if (lines.length > 0) lines.push('');
    for (let y = 0; y < height; y++) {
      lines.push(
        row
          .map((panelLines) => panelLines[y] ?? ' '.repeat(each))
          .join(' '.repeat(GAP))
          .trimEnd(),
      );
    }
  }
  return lines;
}
