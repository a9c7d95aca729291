/** The tables of an answer, and the laws of its metrics: loaded when the first answer is there. */
import type { MetricSummary, Summary, Tally, TallyShape } from '../../src/answers/index.ts';
import type { Scenario } from '../../src/rules/index.ts';
import { disagreement } from '../../src/studies/index.ts';
import {
  type Bin,
  binned,
  exactMetricTable,
  exactOutcomeTable,
  givenTable,
  metricTable,
  mixed,
  outcomeTable,
  plain,
  SHARE,
  type ShownSide,
  sideIn,
  totalOf,
  valueText,
  weightIn,
} from '../../src/tell/index.ts';
import { partsOf, type SheetPart } from './sheet.ts';

/** One outcome of a battle, for a bar. */
export interface AnsweredOutcome {
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

export interface Tables {
  readonly outcomes: readonly AnsweredOutcome[];
  readonly outcomeTable: readonly SheetPart[];
  /** Of metrics that vary; a line for the others. */
  readonly metricTable: readonly SheetPart[];
  /** Means by outcome. */
  readonly givenTable: readonly SheetPart[];
  readonly laws: readonly Law[];
}

/** What the tables are of: a law by itself, or what was played with the law beside it. */
export interface Tabled {
  readonly sides: readonly ShownSide[];
  readonly shape: TallyShape;
  readonly summary: Summary;
  readonly tally: Tally;
  /** That were played; undefined for a law. */
  readonly battles?: number | undefined;
  /** Beside what was played. */
  readonly exact?: Summary | undefined;
  /** Of a law: battles that are not in it. */
  readonly lost?: number;
}

function outcomesOf({ outcomes }: Summary, exact: Summary | undefined, sides: readonly ShownSide[]): AnsweredOutcome[] {
  const probabilities = new Map(exact?.outcomes.map(({ name, p }) => [name, p]));
  return outcomes
    .map((outcome): AnsweredOutcome => {
      const { name, p, ci95 } = outcome;
      const share = valueText(SHARE, { value: p, interval: ci95 });
      const tone = sideIn(name, sides)?.tone;
      return { name, tone, p, share, interval: ci95, exact: probabilities.get(name) };
    })
    .filter(({ p, exact: q = 0 }) => p > 0 || q > 0);
}

/** What never varies is told in a line. */
function stillLine(still: Summary['metrics'], isPlayed: boolean): SheetPart[] {
  if (still.length === 0) return [];
  const all = still.map(({ name, min }) => `${name} ${String(min)}`).join(', ');
  return [{ kind: 'line', text: `The same in every battle${isPlayed ? ' played' : ''}: ${all}.` }];
}

function metricsOf({ sides, summary, battles, exact }: Tabled): SheetPart[] {
  const others = new Map(exact?.metrics.map((metric) => [metric.name, metric]));
  const moving = summary.metrics.filter((metric) => moves(metric, others.get(metric.name)));
  const still = summary.metrics.filter((metric) => !moving.includes(metric));
  const shown = { ...summary, metrics: moving };
  const only = exact && { ...exact, metrics: exact.metrics.filter(({ name }) => moving.some((m) => m.name === name)) };
  const table = battles === undefined ? exactMetricTable(shown) : metricTable(shown, battles, only);
  return [
    ...(moving.length === 0 ? [] : partsOf(table, sides)),
    ...stillLine(still, battles !== undefined && exact === undefined),
  ];
}

/** @param whole means by outcome too: not while it is played */
export function tablesOf(of: Tabled, whole: boolean): Tables {
  const { shape, sides, summary, tally, battles, exact, lost = 0 } = of;
  return {
    outcomes: outcomesOf(summary, exact, sides),
    outcomeTable: partsOf(
      battles === undefined ? exactOutcomeTable(summary, lost) : outcomeTable(summary, battles, exact),
      sides,
    ),
    metricTable: metricsOf(of),
    givenTable: whole ? partsOf(givenTable(shape, tally, summary, battles === undefined), sides) : [],
    laws: lawsOf(summary, shape, exact, sides),
  };
}

/** What is said in front of an answer whose battles contradict its law. */
export function doubtOf(scenario: Scenario, { summary, exact, battles = 0 }: Tabled): string[] {
  const text = disagreement(scenario, summary, exact, battles);
  return text === undefined ? [] : [text];
}

// The laws of metrics as a few bars each.

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
