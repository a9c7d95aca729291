/** Tables of an answer and distributions of its metrics, loaded after the first answer. */

import { describeDisagreement } from '../../../src/analysis/index.ts';
import {
  createConditionalMeansTable,
  createExactMetricTable,
  createExactOutcomeTable,
  createHistogramBins,
  createMetricTable,
  createOutcomeTable,
  findSide,
  formatNumber,
  formatValue,
  type HistogramBin,
  mixDistributions,
  type ScenarioSide,
  SHARE,
  sumBinWeight,
  sumWeights,
} from '../../../src/report/index.ts';
import type { Scenario } from '../../../src/rules/index.ts';
import type { Counts, CountsShape, MetricSummary, Summary } from '../../../src/stats/index.ts';
import { createSheetParts, type SheetPart } from './sheet.ts';

/** Bar of an outcome. */
export interface OutcomeBar {
  readonly name: string;
  /** Tone of its side; undefined without a side. */
  readonly tone: number | undefined;
  readonly p: number;
  /** Formatted probability: `57.67 %`. */
  readonly share: string;
  readonly interval?: readonly [low: number, high: number] | undefined;
  /** Exact probability next to a simulated one. */
  readonly exact?: number | undefined;
}

export interface AnswerTables {
  readonly outcomes: readonly OutcomeBar[];
  readonly outcomeTable: readonly SheetPart[];
  /** Metrics that vary, and a line for the constant ones. */
  readonly metricTable: readonly SheetPart[];
  /** Means by outcome. */
  readonly conditionalMeans: readonly SheetPart[];
  readonly distributions: readonly MetricDistribution[];
}

/** Input of the tables: an exact distribution, or simulated counts with the exact summary. */
export interface TablesInput {
  readonly sides: readonly ScenarioSide[];
  readonly shape: CountsShape;
  readonly summary: Summary;
  readonly counts: Counts;
  /** Simulated battles; undefined for an exact distribution. */
  readonly battles?: number | undefined;
  /** Exact summary next to simulated counts. */
  readonly exact?: Summary | undefined;
  /** Probability that an exact distribution omits. */
  readonly lost?: number;
}

function createOutcomeBars(
  { outcomes }: Summary,
  exact: Summary | undefined,
  sides: readonly ScenarioSide[],
): OutcomeBar[] {
  const probabilities = new Map(exact?.outcomes.map(({ name, p }) => [name, p]));
  return outcomes
    .map((outcome): OutcomeBar => {
      const { name, p, ci95 } = outcome;
      const share = formatValue(SHARE, { value: p, interval: ci95 });
      const tone = findSide(name, sides)?.tone;
      return { name, tone, p, share, interval: ci95, exact: probabilities.get(name) };
    })
    .filter(({ p, exact: q = 0 }) => p > 0 || q > 0);
}

/** Creates a line for constant metrics. */
function createConstantLine(still: Summary['metrics'], isPlayed: boolean): SheetPart[] {
  if (still.length === 0) return [];
  const all = still.map(({ name, min }) => `${name} ${String(min)}`).join(', ');
  return [{ kind: 'line', text: `The same in every ${isPlayed ? 'simulated ' : ''}battle: ${all}.` }];
}

function createMetricParts({ sides, summary, battles, exact }: TablesInput): SheetPart[] {
  const others = new Map(exact?.metrics.map((metric) => [metric.name, metric]));
  const moving = summary.metrics.filter((metric) => isVarying(metric, others.get(metric.name)));
  const still = summary.metrics.filter((metric) => !moving.includes(metric));
  const shown = { ...summary, metrics: moving };
  const only = exact && { ...exact, metrics: exact.metrics.filter(({ name }) => moving.some((m) => m.name === name)) };
  const table = battles === undefined ? createExactMetricTable(shown) : createMetricTable(shown, battles, only);
  return [
    ...(moving.length === 0 ? [] : createSheetParts(table, sides)),
    ...createConstantLine(still, battles !== undefined && exact === undefined),
  ];
}

/** Creates the tables. @param whole true to include means by outcome, which are omitted while the simulation runs */
export function createAnswerTables(of: TablesInput, whole: boolean): AnswerTables {
  const { shape, sides, summary, counts, battles, exact, lost = 0 } = of;
  return {
    outcomes: createOutcomeBars(summary, exact, sides),
    outcomeTable: createSheetParts(
      battles === undefined ? createExactOutcomeTable(summary, lost) : createOutcomeTable(summary, battles, exact),
      sides,
    ),
    metricTable: createMetricParts(of),
    conditionalMeans: whole
      ? createSheetParts(createConditionalMeansTable(shape, counts, summary, battles === undefined), sides)
      : [],
    distributions: createDistributions(summary, shape, exact, sides),
  };
}

/** Formats the warning that simulated battles contradict the exact answer. */
export function formatContradictions(scenario: Scenario, { summary, exact, battles = 0 }: TablesInput): string[] {
  const text = describeDisagreement(scenario, summary, exact, battles);
  return text === undefined ? [] : [text];
}

// Distributions of metrics as a few bars each.

/** Share of all battles; the exact share next to a simulated one. */
export interface BarShare {
  readonly share: number;
  readonly exact?: number | undefined;
}

export interface DistributionBar extends BarShare {
  /** Value or range: `3`, `4..7`. */
  readonly label: string;
  /** Smallest and largest value of the bar. */
  readonly from: number;
  readonly to: number;
  /** True if it covers more or fewer values than the other bars: its length is not comparable. */
  readonly apart: boolean;
  /** Share of `from` or more. */
  readonly least: BarShare;
  /** Share of `to` or fewer. */
  readonly most: BarShare;
}

export interface MetricDistribution {
  readonly metric: string;
  /** Tone of its side. */
  readonly tone: number | undefined;
  readonly bars: readonly DistributionBar[];
}

/** Maximum number of bars of a distribution. */
const MAX_BARS = 11;

type BarWeights = MetricSummary['histogram'];

/** Returns the most frequent width of bins. */
function findUsualWidth(bins: readonly HistogramBin[]): number {
  const widths = bins.map(({ from, to }) => to - from);
  const formatFrequency = (width: number): number => widths.filter((each) => Math.abs(each - width) < 1e-9).length;
  return widths.toSorted((a, b) => formatFrequency(b) - formatFrequency(a))[0] ?? 0;
}

/** Creates the bars of a metric. The bins cover all values of both distributions. */
function createDistribution(
  { name, histogram }: MetricSummary,
  unit: number,
  exact: MetricSummary | undefined,
): Omit<MetricDistribution, 'tone'> {
  const weights = exact?.histogram;
  const bins = createHistogramBins(
    mixDistributions(weights === undefined ? [histogram] : [histogram, weights]),
    MAX_BARS,
    unit,
  );
  const width = findUsualWidth(bins);
  const share = (of: BarWeights, bin: Pick<HistogramBin, 'from' | 'to'>): number =>
    sumBinWeight(of, bin) / sumWeights(of);
  const createShare = (bin: Pick<HistogramBin, 'from' | 'to'>): BarShare => ({
    share: share(histogram, bin),
    exact: weights && share(weights, bin),
  });
  const bars = bins.map((bin): DistributionBar => {
    const { from, to } = bin;
    return {
      label: from === to ? formatNumber(from) : `${formatNumber(from)}..${formatNumber(to)}`,
      ...{ from, to },
      ...createShare(bin),
      apart: Math.abs(to - from - width) > 1e-9,
      least: createShare({ from, to: Number.POSITIVE_INFINITY }),
      most: createShare({ from: Number.NEGATIVE_INFINITY, to }),
    };
  });
  return { metric: name, bars };
}

/** Returns whether a metric has more than one value in both distributions together. */
export function isVarying({ min, max }: MetricSummary, exact: MetricSummary | undefined): boolean {
  return Math.min(min, exact?.min ?? min) < Math.max(max, exact?.max ?? max);
}

/** Creates the distributions of metrics that vary, totals before their parts. */
export function createDistributions(
  { metrics }: Summary,
  shape: CountsShape,
  exact: Summary | undefined,
  sides: readonly ScenarioSide[],
): MetricDistribution[] {
  const getDepth = ({ name }: MetricSummary): number => name.split('.').length;
  const units = new Map(shape.metrics.map(({ name, unit }) => [name, unit]));
  const others = new Map(exact?.metrics.map((metric) => [metric.name, metric]));
  return metrics
    .filter((metric) => isVarying(metric, others.get(metric.name)))
    .toSorted((a, b) => getDepth(a) - getDepth(b))
    .map((metric) => ({
      ...createDistribution(metric, units.get(metric.name) ?? 1, others.get(metric.name)),
      tone: findSide(metric.name, sides)?.tone,
    }));
}
