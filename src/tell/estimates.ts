/** Tables of a run's estimates, with the exact values beside them where there are some. */

import { type MetricSummary, type OutcomeSummary, type Summary, TABLED_STATISTICS, Z95 } from '../answers/index.ts';
import { NEGLIGIBLE } from '../engines/index.ts';
import {
  boundText,
  decimalsOf,
  type Figure,
  inPercent,
  intervalText,
  isRangeBound,
  MEAN,
  PERCENT,
  percent,
  valueText,
  wideText,
} from './figure.ts';
import {
  bold,
  type DeclaredColumn,
  grid,
  type LeftOut,
  leftOut,
  note,
  type SheetBlock,
  type SheetNote,
} from './parts.ts';
import { boundAbove, decimalsFor, exactly, fixed, grouped, plain, shortBound, significant } from './text/digits.ts';
import { onPoint } from './text/lines.ts';
import { type Known, knownEvent, knownMetric, shownZ } from './text/score.ts';

/** A share and its interval, as figures have them. */
const figureOf = ({ p, ci95 }: OutcomeSummary): Figure => ({ value: p, interval: ci95 });

const shareDecimals = (outcome: OutcomeSummary): number => decimalsOf(figureOf(outcome), PERCENT, 0);

/** Intervals as `low .. high`, points below each other; a bound where nothing or everything was counted. */
function shareIntervals(outcomes: readonly OutcomeSummary[]): string[] {
  const bounds = outcomes.map((outcome) => boundText(PERCENT, figureOf(outcome)));
  const end = (side: 0 | 1, outcome: OutcomeSummary): string =>
    fixed(PERCENT.times * (outcome.ci95?.[side] ?? 0), shareDecimals(outcome));
  const ends = (side: 0 | 1): string[] =>
    onPoint(outcomes.map((outcome, o) => (bounds[o] === undefined ? end(side, outcome) : '')));
  const [lows, highs] = [ends(0), ends(1)];
  return bounds.map((bound, o) => bound ?? `${lows[o] ?? ''} .. ${highs[o] ?? ''}`);
}

/** More outcomes than this are too many for a glance: then those that never come are left out. */
const OUTCOMES = 8;

/** Outcomes that are shown: all if they are few, or those that can come or did. */
export function shownOutcomes<T>(outcomes: readonly T[], comes: (outcome: T) => boolean): readonly T[] {
  return outcomes.length > OUTCOMES ? outcomes.filter(comes) : outcomes;
}

/** Says how many outcomes are left out, and what is known of them. */
export function outcomesLeftOut(count: number, known: string): LeftOut[] {
  return count > 0 ? [leftOut(`${grouped(count)} outcome${count > 1 ? 's' : ''} ${known}`)] : [];
}

/** What stands beside an estimate: by how much it misses the exact value, and how many battles it is of. */
interface Beside {
  readonly exact: number;
  readonly known: Known;
  readonly estimate: number;
  /** Of the exact value. */
  readonly decimals: number;
  readonly battles: number;
}

/** Columns of the exact value and of how far the estimate is off; where it is not known they are left out. */
const besideColumns = (head: string, rule: (value: number, digits: number) => string): DeclaredColumn<Beside>[] => [
  {
    head,
    align: 'point',
    about: 'the exact answer, where it was affordable',
    cell: ({ exact, decimals }) => rule(exact, decimals),
  },
  {
    head: 'z',
    spare: 4,
    about:
      'standard errors between the estimate and the exact answer; ! beyond 4; in parentheses where the event is too rare for the normal law',
    cell: ({ estimate, known, battles }) => shownZ(estimate, known, battles),
  },
];

const PROBABILITY = {
  head: '%',
  align: 'point',
  about: 'the probability of the outcome: estimated (count over battles), or exact',
} as const;

const INTERVAL = {
  head: '95 % interval',
  about:
    'confidence interval; of a probability by Clopper and Pearson, < or > is a bound where none or all were counted; of a mean it counts values that came in no battle',
} as const;

const OUTCOME: DeclaredColumn<OutcomeSummary> = {
  head: 'outcome',
  align: 'left',
  about: 'how a battle ended',
  cell: ({ name }) => name,
};

interface OutcomeRow extends OutcomeSummary, Beside {
  /** Padded, so that points stand below each other. */
  readonly interval: string;
}

/** Outcomes of battles that were played. */
export const OUTCOME_COLUMNS: readonly DeclaredColumn<OutcomeRow>[] = [
  OUTCOME,
  { head: 'count', spare: 1, about: 'battles that ended so', cell: ({ count }) => grouped(count) },
  { ...PROBABILITY, cell: (outcome) => bold(valueText(PERCENT, figureOf(outcome))) },
  { ...INTERVAL, spare: 5, cell: ({ interval }) => interval },
  ...besideColumns('exact %', (value, digits) => inPercent(exactly, value, digits)),
];

/** Columns without those of exact values, if there are none. */
function ifKnown<R extends Beside>(
  declared: readonly DeclaredColumn<R>[],
  exact: Summary | undefined,
): readonly DeclaredColumn<R>[] {
  return exact === undefined ? declared.slice(0, -2) : declared;
}

/** Outcomes with count, share, interval and, where known, the exact share and how far the estimate is off. */
export function outcomeTable(summary: Summary, battles: number, exact: Summary | undefined): SheetBlock[] {
  const laws = new Map(exact?.outcomes.map(({ name, p }) => [name, p]));
  const shown = shownOutcomes(summary.outcomes, ({ name, count }) => count > 0 || (laws.get(name) ?? 0) > 0);
  const intervals = shareIntervals(shown);
  const rows = shown.map((outcome, o): OutcomeRow => {
    const p = laws.get(outcome.name) ?? 0;
    const beside = {
      exact: p,
      known: knownEvent(p),
      estimate: outcome.p,
      decimals: shareDecimals(outcome) + 2,
      battles,
    };
    return { ...outcome, ...beside, interval: intervals[o] ?? '' };
  });
  const unseen = summary.outcomes.find(({ count }) => count === 0)?.ci95?.[1] ?? 1;
  const why = exact ? 'of probability 0' : `that never came, each < ${percent(boundAbove, unseen)}`;
  const table = grid(ifKnown(OUTCOME_COLUMNS, exact), rows);
  return [table, ...outcomesLeftOut(summary.outcomes.length - shown.length, why)];
}

/** Half the 95 % interval of a standard deviation, from the fourth moment of what was seen. */
function spreadHalfWidth({ histogram, mean, variance }: MetricSummary): number {
  const total = histogram.reduce((sum, [, weight]) => sum + weight, 0);
  const fourth = histogram.reduce((sum, [value, weight]) => sum + weight * (value - mean) ** 4, 0) / total;
  return (Z95 * Math.sqrt(Math.max(0, fourth - variance ** 2) / total)) / (2 * Math.sqrt(variance));
}

function spread(metric: MetricSummary): string {
  if (metric.histogram.length === 1) return '0';
  const halfWidth = spreadHalfWidth(metric);
  const deviation = Math.sqrt(metric.variance);
  return fixed(deviation, halfWidth > 0 ? decimalsFor(halfWidth) : 2);
}

const QUANTILES = [0.05, 0.5, 0.95] as const;

const METRIC: DeclaredColumn<MetricSummary> = {
  head: 'metric',
  align: 'left',
  about: 'a number that each battle has, such as its rounds',
  cell: ({ name }) => name,
};

const MEAN_COLUMN = { head: 'mean', align: 'point', about: 'the mean of the metric' } as const;

const DEVIATION = { head: 'SD', align: 'point', about: 'the standard deviation of one battle' } as const;

const QUANTILE_COLUMNS = QUANTILES.map(
  (q): DeclaredColumn<MetricSummary> => ({
    head: percent(plain, q),
    spare: 2,
    about: 'quantiles: the least value that so many battles do not exceed',
    cell: ({ quantiles }) => plain(quantiles[q]),
  }),
);

interface MetricRow extends MetricSummary, Beside {
  readonly figure: Figure;
}

/** How columns of statistics are written. */
const RULES = { bound: shortBound, significant: (value: number) => significant(value, 3) };

/** Metrics of battles that were played. */
export const METRIC_COLUMNS: readonly DeclaredColumn<MetricRow>[] = [
  METRIC,
  { ...MEAN_COLUMN, cell: ({ figure }) => bold(valueText(MEAN, figure)) },
  { ...INTERVAL, cell: ({ variance, figure }) => (variance === 0 ? '' : intervalText(MEAN, figure)) },
  ...TABLED_STATISTICS.map(([name, { digits, ...column }]): DeclaredColumn<MetricRow> => {
    return { ...column, cell: (metric) => RULES[digits](Number(metric[name] ?? 0)) };
  }),
  { ...DEVIATION, spare: 3, cell: spread },
  ...QUANTILE_COLUMNS,
  ...besideColumns('exact mean', exactly),
];

/** Decimals of exact means. */
const EXACT_DECIMALS = 6;

const figureOfMean = ({ mean, variance, ci95 }: MetricSummary, battles: number): Figure => ({
  value: mean,
  interval: ci95,
  standardError: Math.sqrt(variance / battles),
});

/** Says which setting makes intervals narrow that are wide. What varies in few battles is wide because it is rare. */
function rangeNotes({ metrics }: Summary, battles: number): SheetNote[] {
  const wide = metrics.filter(
    (metric) =>
      isRangeBound(figureOfMean(metric, battles)) &&
      (metric.name === 'rounds' || metric.quantiles[0.05] !== metric.quantiles[0.95]),
  );
  return wide.map(({ name, range }) => note(wideText(name, range)));
}

/** Metrics with mean, interval, standard deviation, quantiles and, where known, the exact mean. */
export function metricTable(summary: Summary, battles: number, exact: Summary | undefined): SheetBlock[] {
  const rows = summary.metrics.map((metric, m): MetricRow => {
    const known = exact?.metrics[m] ?? metric;
    const beside = { exact: known.mean, known: knownMetric(known), estimate: metric.mean, decimals: EXACT_DECIMALS };
    return { ...metric, ...beside, battles, figure: figureOfMean(metric, battles) };
  });
  return [grid(ifKnown(METRIC_COLUMNS, exact), rows), ...rangeNotes(summary, battles)];
}

/**
 * An exact probability in per cent. An outcome that has none may come where mass is lost: a stalemate at the limit of
 * rounds, or any outcome if the budget ended before what is left was next to nothing beside those that have come.
 */
function exactShare({ name, p }: OutcomeSummary, { outcomes }: Summary, lost: number): string {
  const least = Math.min(...outcomes.map((outcome) => (outcome.p > 0 ? outcome.p : 1)));
  const isOpen = p === 0 && lost > 0 && (name === 'stalemate' || lost > NEGLIGIBLE * least);
  return isOpen ? `< ${inPercent(shortBound, lost)}` : inPercent(exactly, p, 7);
}

/** Exact probabilities; `share` is in per cent. */
export const EXACT_OUTCOME_COLUMNS: readonly DeclaredColumn<OutcomeSummary & { readonly share: string }>[] = [
  OUTCOME,
  { ...PROBABILITY, cell: ({ share }) => bold(share) },
];

/** @param lost probability of battles that are not in the law */
export function exactOutcomeTable(law: Summary, lost: number): SheetBlock[] {
  const shown = shownOutcomes(law.outcomes, ({ p }) => p > 0);
  const rows = shown.map((outcome) => ({ ...outcome, share: exactShare(outcome, law, lost) }));
  const left = outcomesLeftOut(law.outcomes.length - shown.length, 'of probability 0');
  return [grid(EXACT_OUTCOME_COLUMNS, rows), ...left];
}

const ENDS = { spare: 1, about: 'the smallest and the largest value that is possible' };

/** Exact means, standard deviations and quantiles. */
export const EXACT_METRIC_COLUMNS: readonly DeclaredColumn<MetricSummary>[] = [
  METRIC,
  { ...MEAN_COLUMN, cell: ({ mean }) => bold(exactly(mean, EXACT_DECIMALS)) },
  { ...DEVIATION, cell: ({ variance }) => exactly(Math.sqrt(variance), 4) },
  { head: 'least', ...ENDS, cell: ({ min }) => plain(min) },
  ...QUANTILE_COLUMNS,
  { head: 'most', ...ENDS, cell: ({ max }) => plain(max) },
];

/** More metrics than this are too many for a glance: then those that are always 0 are left out. */
const METRICS = 12;

export function exactMetricTable({ metrics }: Summary): SheetBlock[] {
  const shown = metrics.filter(({ min, max }) => metrics.length <= METRICS || min !== 0 || max !== 0);
  const left = metrics.length - shown.length;
  const more =
    left > 0 ? [leftOut(`${String(left)} metric${left > 1 ? 's' : ''} that ${left > 1 ? 'are' : 'is'} always 0`)] : [];
  return [grid(EXACT_METRIC_COLUMNS, shown), ...more];
}
