/** The tables of an answer, and the laws of its metrics: loaded when the first answer is there. */

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

/** One outcome of a battle, for a bar. */
export interface OutcomeBar {
  readonly name: string;
  /** `the attacker wins` */
  /** Of the side that it is of; undefined if it is nobody's. */
  readonly tone: number | undefined;
  readonly p: number;
  /** `57.67 %` */
  readonly share: string;
  readonly interval?: readonly [low: number, high: number] | undefined;
  /** The exact probability, beside one that was played. */
  readonly exact?: number | undefined;
}

export interface AnswerTables {
  readonly outcomes: readonly OutcomeBar[];
  readonly outcomeTable: readonly SheetPart[];
  /** Of metrics that vary; a line for the others. */
  readonly metricTable: readonly SheetPart[];
  /** Means by outcome. */
  readonly conditionalMeans: readonly SheetPart[];
  readonly distributions: readonly MetricDistribution[];
}

/** What the tables are of: a law by itself, or what was played with the law beside it. */
export interface TablesInput {
  readonly sides: readonly ScenarioSide[];
  readonly shape: CountsShape;
  readonly summary: Summary;
  readonly tally: Counts;
  /** That were played; undefined for a law. */
  readonly battles?: number | undefined;
  /** Beside what was played. */
  readonly exact?: Summary | undefined;
  /** Of a law: battles that are not in it. */
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

/** What never varies is told in a line. */
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

/** @param whole means by outcome too: not while it is played */
export function createAnswerTables(of: TablesInput, whole: boolean): AnswerTables {
  const { shape, sides, summary, tally, battles, exact, lost = 0 } = of;
  return {
    outcomes: createOutcomeBars(summary, exact, sides),
    outcomeTable: createSheetParts(
      battles === undefined ? createExactOutcomeTable(summary, lost) : createOutcomeTable(summary, battles, exact),
      sides,
    ),
    metricTable: createMetricParts(of),
    conditionalMeans: whole
      ? createSheetParts(createConditionalMeansTable(shape, tally, summary, battles === undefined), sides)
      : [],
    distributions: createDistributions(summary, shape, exact, sides),
  };
}

/** What is said in front of an answer whose battles contradict its law. */
export function formatContradictions(scenario: Scenario, { summary, exact, battles = 0 }: TablesInput): string[] {
  const text = describeDisagreement(scenario, summary, exact, battles);
  return text === undefined ? [] : [text];
}

// The laws of metrics as a few bars each.

/** Of all battles; the exact share stands beside one that was played. */
export interface BarShare {
  readonly share: number;
  readonly exact?: number | undefined;
}

export interface DistributionBar extends BarShare {
  /** `3`, `4..7` */
  readonly label: string;
  /** The values that it holds. */
  readonly from: number;
  readonly to: number;
  /** It holds more or fewer values than the others, such as those that are down: its length cannot be compared with theirs. */
  readonly apart: boolean;
  /** `from` or more. */
  readonly least: BarShare;
  /** `to` or fewer. */
  readonly most: BarShare;
}

export interface MetricDistribution {
  readonly metric: string;
  /** Of the side that it is of. */
  readonly tone: number | undefined;
  readonly bars: readonly DistributionBar[];
}

/** Bars of a law, at most. */
const MAX_BARS = 11;

type BarWeights = MetricSummary['histogram'];

/** How many values most bins hold. */
function findUsualWidth(bins: readonly HistogramBin[]): number {
  const widths = bins.map(({ from, to }) => to - from);
  const often = (width: number): number => widths.filter((each) => Math.abs(each - width) < 1e-9).length;
  return widths.toSorted((a, b) => often(b) - often(a))[0] ?? 0;
}

/** The bins hold every value of both: what lies beyond those of one is never counted to its first or last bar. */
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
  const shares = (bin: Pick<HistogramBin, 'from' | 'to'>): BarShare => ({
    share: share(histogram, bin),
    exact: weights && share(weights, bin),
  });
  const bars = bins.map((bin): DistributionBar => {
    const { from, to } = bin;
    return {
      label: from === to ? formatNumber(from) : `${formatNumber(from)}..${formatNumber(to)}`,
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
export function isVarying({ min, max }: MetricSummary, exact: MetricSummary | undefined): boolean {
  return Math.min(min, exact?.min ?? min) < Math.max(max, exact?.max ?? max);
}

/** Metrics that vary, totals before their parts. */
export function createDistributions(
  { metrics }: Summary,
  shape: CountsShape,
  exact: Summary | undefined,
  sides: readonly ScenarioSide[],
): MetricDistribution[] {
  const depth = ({ name }: MetricSummary): number => name.split('.').length;
  const units = new Map(shape.metrics.map(({ name, unit }) => [name, unit]));
  const others = new Map(exact?.metrics.map((metric) => [metric.name, metric]));
  return metrics
    .filter((metric) => isVarying(metric, others.get(metric.name)))
    .toSorted((a, b) => depth(a) - depth(b))
    .map((metric) => ({
      ...createDistribution(metric, units.get(metric.name) ?? 1, others.get(metric.name)),
      tone: findSide(metric.name, sides)?.tone,
    }));
}
