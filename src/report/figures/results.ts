/** Figures of the outcomes of one scenario, and of its metrics by outcome. */

import type { TopLevelSpec } from 'vega-lite';
import type { MetricLabels } from '../../rules/index.ts';
import {
  type Counts,
  type CountsShape,
  listValueCounts,
  type MetricSummary,
  type OutcomeSummary,
} from '../../stats/index.ts';
import { formatValue, getScale, formatPercent as percentOf, SHARE, toPlotValue } from '../sheet/estimated-value.ts';
import { formatReading, getMetricUnit } from '../sweep-analysis/quantity.ts';
import { createHistogramBins, type HistogramBin, mixDistributions, sumBinWeight } from '../text/histogram.ts';
import { formatFixed, formatNumber } from '../text/number-format.ts';
import { sanitizeXmlText } from '../text/sanitize.ts';
import { createDotPlotSpec, type Dot } from './dot-plot.ts';
import { createFit, createFrame, createLabelExpression, type Figure, truncateToWidth } from './figure.ts';
import { measureTextWidth } from './font.ts';
import { GREY, INK, SINGLE_COLUMN, TEXT } from './theme.ts';

/** Maximum number of outcomes in the figure. */
const MAX_OUTCOMES = 12;

/**
 * Creates the figure of the outcomes that occurred, with intervals.
 * @param exact exact probabilities by name, if they are known
 */
export function createOutcomesFigure(
  outcomes: readonly OutcomeSummary[],
  colors: ReadonlyMap<string, string>,
  exact: ReadonlyMap<string, number> | undefined,
): Figure {
  const came = outcomes.filter(({ p }) => p > 0);
  const shown = came.length > MAX_OUTCOMES ? came.toSorted((a, b) => b.p - a.p).slice(0, MAX_OUTCOMES) : came;
  const dots = shown.map(({ name, p, ci95 }): Dot => {
    const quantity = { kind: 'outcome', name } as const;
    const known = exact?.get(name);
    const played = { value: p, ...(ci95 && { interval: ci95 }) };
    const reading = { cell: 0, axes: {}, ...(known === undefined ? played : { value: known, simulated: played }) };
    const text = formatValue(getScale(quantity), played);
    return {
      name,
      ...toPlotValue(SHARE, p, ci95),
      colour: colors.get(name) ?? GREY,
      text,
      tooltip: formatReading(quantity, reading),
    };
  });
  const spec = createDotPlotSpec(dots, { title: 'outcomes of battles', axis: 'share of battles (%)', zero: true });
  const more = came.length - shown.length;
  const caption = `Dots: shares of the battles; thick lines: 95 % intervals, if wider than the dot.${more > 0 ? ` ${String(more)} rarer outcomes are omitted.` : ''}`;
  return { kind: 'outcomes', of: '', width: SINGLE_COLUMN, caption, spec };
}

/** Maximum number of bars of a histogram. */
const MAX_BINS = 26;

/** Creates one bin for each value; if there are too many, bins of neighboring values. */
function createMetricBins(weights: MetricSummary['histogram']): HistogramBin[] {
  const [first = 0, last = 0] = [weights[0]?.[0], weights.at(-1)?.[0]];
  if (last - first >= MAX_BINS) return createHistogramBins(weights, MAX_BINS);
  return Array.from({ length: last - first + 1 }, (_, b) => ({ from: first + b, to: first + b, share: 0 }));
}

interface OutcomeLayer {
  readonly outcome: string;
  readonly colour: string;
  /** Shares by bin, in percent of all battles. */
  readonly shares: readonly number[];
}

/** Name of the group of all outcomes without a color. */
const OTHER_OUTCOMES = 'others';

function computeShares(bins: readonly HistogramBin[], counts: MetricSummary['histogram'], total: number): number[] {
  return bins.map((bin) => (100 * sumBinWeight(counts, bin)) / total);
}

function createOutcomeLayers(
  shape: CountsShape,
  counts: Counts,
  m: number,
  bins: readonly HistogramBin[],
  colors: ReadonlyMap<string, string>,
): OutcomeLayer[] {
  const total = counts.outcomes.reduce((sum, count) => sum + count, 0);
  const listShares = (outcome: number): number[] => computeShares(bins, listValueCounts(counts, m, outcome), total);
  const places = [...shape.outcomes.entries()].filter(([o]) => (counts.outcomes[o] ?? 0) > 0);
  const own = places.filter(([, name]) => colors.has(name));
  const rest = places.filter(([, name]) => !colors.has(name)).map(([o]) => listShares(o));
  const joined = bins.map((_, b) => rest.reduce((sum, each) => sum + (each[b] ?? 0), 0));
  return [
    ...own.map(([o, name]) => ({ outcome: name, colour: colors.get(name) ?? GREY, shares: listShares(o) })),
    ...(rest.length > 0 ? [{ outcome: OTHER_OUTCOMES, colour: GREY, shares: joined }] : []),
  ];
}

const formatBinLabel = ({ from, to }: HistogramBin): string =>
  from === to ? formatNumber(from) : `${formatNumber(from)}..${formatNumber(to)}`;

const formatBinPercent = (share: number): string => percentOf(formatFixed, share / SHARE.times, share < 0.1 ? 3 : 2);

/** Creates the stacked bars of one bin. */
function createBars(bins: readonly HistogramBin[], parts: readonly OutcomeLayer[], unit: number) {
  return bins.flatMap((bin, b) => {
    const label = formatBinLabel({ ...bin, from: bin.from * unit, to: bin.to * unit });
    const all = parts.reduce((sum, { shares }) => sum + (shares[b] ?? 0), 0);
    return parts.flatMap(({ outcome, shares }, order) => {
      const share = shares[b] ?? 0;
      const tooltip = `${label}: ${formatBinPercent(all)} of battles\n${sanitizeXmlText(outcome)}: ${formatBinPercent(share)}`;
      return share === 0 ? [] : [{ place: String(b), share, outcome: sanitizeXmlText(outcome), order, tooltip }];
    });
  });
}

/** Maximum width of a name below an axis, in pixels. */
const AXIS = 180;

/** Width of a legend, and of the space around a name in it, in pixels. */
const LEGEND = 300;
const SYMBOL = 24;

/** Number of columns of the legend. */
function countLegendColumns(names: readonly string[]): number {
  const widest = Math.max(0, ...names.map((name) => measureTextWidth(name, TEXT)));
  return Math.max(1, Math.min(4, Math.floor(LEGEND / (widest + SYMBOL))));
}

/**
 * Creates the distribution of a metric, with bars divided by outcome.
 * @param m   index of the metric in the shape
 * @param law exact distribution, if it is known
 */
export function createResultsFigure(
  shape: CountsShape,
  counts: Counts,
  m: number,
  colors: ReadonlyMap<string, string>,
  distribution: Counts | undefined,
  labels: MetricLabels,
): Figure {
  const { name = '', unit = 1 } = shape.metrics[m] ?? {};
  const distributions = [counts, ...(distribution === undefined ? [] : [distribution])].map((each) =>
    listValueCounts(each, m),
  );
  const bins = createMetricBins(mixDistributions(distributions));
  const parts = createOutcomeLayers(shape, counts, m, bins, colors);
  const exact = distribution === undefined ? [] : computeShares(bins, listValueCounts(distribution, m), 1);
  const counted = getMetricUnit({ kind: 'metric', name }, labels);
  const ticks = bins.map(({ from, to, share }) => formatBinLabel({ from: from * unit, to: to * unit, share }));
  const y = { type: 'quantitative', title: 'share of battles (%)' };
  const domain = parts.map(({ outcome }) => sanitizeXmlText(outcome));
  const dots = {
    data: {
      values: exact.map((share, b) => ({
        place: String(b),
        share,
        tooltip: `${ticks[b] ?? ''}: exact ${formatBinPercent(share)}`,
      })),
    },
    mark: { type: 'point', filled: true, color: INK, opacity: 1, size: 10 },
    encoding: { y: { ...y, field: 'share' }, description: { field: 'tooltip', type: 'nominal' } },
  };
  const bars = {
    data: { values: createBars(bins, parts, unit) },
    mark: { type: 'bar' },
    encoding: {
      y: { ...y, field: 'share', stack: 'zero' },
      order: { field: 'order', type: 'quantitative' },
      color: {
        field: 'outcome',
        type: 'nominal',
        scale: { domain, range: parts.map(({ colour }) => colour) },
        legend:
          domain.length > 1
            ? {
                orient: 'bottom',
                title: null,
                columns: countLegendColumns(domain),
                symbolType: 'square',
                labelLimit: LEGEND - SYMBOL,
              }
            : null,
      },
      description: { field: 'tooltip', type: 'nominal' },
    },
  };
  const spec = {
    ...createFrame(`distribution of ${sanitizeXmlText(name)}`, '', SINGLE_COLUMN),
    ...createFit(SINGLE_COLUMN, 220),
    encoding: {
      x: {
        field: 'place',
        type: 'ordinal',
        scale: { domain: bins.map((_, b) => String(b)) },
        title: `${truncateToWidth(sanitizeXmlText(name), AXIS, TEXT)}${counted === '' ? '' : ` (${counted})`}`,
        axis: { labelExpr: createLabelExpression(ticks), labelAngle: 0, labelOverlap: true },
      },
    },
    layer: [bars, ...(exact.length > 0 ? [dots] : [])],
  } as unknown as TopLevelSpec;
  const caption = [
    domain.length > 1 ? 'Bars: battles by outcome.' : 'Bars: battles.',
    ...(exact.length > 0 ? ['Dots: exact distribution.'] : []),
    ...(bins.some(({ from, to }) => from < to)
      ? ['Neighboring values are combined; the outermost bars contain the tails.']
      : []),
  ].join(' ');
  return { kind: 'endings', of: name, width: SINGLE_COLUMN, caption, spec };
}
