/** Tables of a run's estimates, with the exact values beside them where there are some. */

import { NEGLIGIBLE } from '../../engines/index.ts';
import { type MetricSummary, type OutcomeSummary, type Summary, TABLE_STATISTICS, Z95 } from '../../stats/index.ts';
import {
  countDecimals,
  type EstimatedValue,
  explainWideInterval,
  formatBound,
  formatInterval,
  formatPercent,
  formatPercentNumber,
  formatValue,
  isRangeBound,
  MEAN,
  PERCENT,
} from '../sheet/estimated-value.ts';
import {
  bold,
  createNote,
  createOmission,
  createTable,
  type DeclaredColumn,
  type Omission,
  type SheetBlock,
  type SheetNote,
} from '../sheet/sheet.ts';
import {
  countSupportedDecimals,
  formatExact,
  formatFixed,
  formatGrouped,
  formatNumber,
  formatShortUpperBound,
  formatSignificant,
  formatUpperBound,
} from '../text/number-format.ts';
import { alignDecimalPoints } from '../text/wrapping.ts';
import { createEventMoments, createMetricMoments, type ExactMoments, formatZScoreCell } from '../text/z-score.ts';

/** A share and its interval, as figures have them. */
const toEstimatedShare = ({ p, ci95 }: OutcomeSummary): EstimatedValue => ({ value: p, interval: ci95 });

const countShareDecimals = (outcome: OutcomeSummary): number => countDecimals(toEstimatedShare(outcome), PERCENT, 0);

/** Intervals as `low .. high`, points below each other; a bound where nothing or everything was counted. */
function formatShareIntervals(outcomes: readonly OutcomeSummary[]): string[] {
  const bounds = outcomes.map((outcome) => formatBound(PERCENT, toEstimatedShare(outcome)));
  const end = (side: 0 | 1, outcome: OutcomeSummary): string =>
    formatFixed(PERCENT.times * (outcome.ci95?.[side] ?? 0), countShareDecimals(outcome));
  const ends = (side: 0 | 1): string[] =>
    alignDecimalPoints(outcomes.map((outcome, o) => (bounds[o] === undefined ? end(side, outcome) : '')));
  const [lows, highs] = [ends(0), ends(1)];
  return bounds.map((bound, o) => bound ?? `${lows[o] ?? ''} .. ${highs[o] ?? ''}`);
}

/** More outcomes than this are too many for a glance: then those that never come are left out. */
const MAX_OUTCOMES = 8;

/** Outcomes that are shown: all if they are few, or those that can come or did. */
export function selectShownOutcomes<T>(outcomes: readonly T[], comes: (outcome: T) => boolean): readonly T[] {
  return outcomes.length > MAX_OUTCOMES ? outcomes.filter(comes) : outcomes;
}

/** Says how many outcomes are left out, and what is known of them. */
export function createOutcomesOmission(count: number, description: string): Omission[] {
  return count > 0 ? [createOmission(`${formatGrouped(count)} outcome${count > 1 ? 's' : ''} ${description}`)] : [];
}

/** What stands beside an estimate: by how much it misses the exact value, and how many battles it is of. */
interface ExactReference {
  readonly exact: number;
  readonly known: ExactMoments;
  readonly estimate: number;
  /** Of the exact value. */
  readonly decimals: number;
  readonly battles: number;
}

/** Columns of the exact value and of how far the estimate is off; where it is not known they are left out. */
const createReferenceColumns = (
  head: string,
  rule: (value: number, digits: number) => string,
): DeclaredColumn<ExactReference>[] => [
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
    cell: ({ estimate, known, battles }) => formatZScoreCell(estimate, known, battles),
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

const OUTCOME_COLUMN: DeclaredColumn<OutcomeSummary> = {
  head: 'outcome',
  align: 'left',
  about: 'how a battle ended',
  cell: ({ name }) => name,
};

interface OutcomeRow extends OutcomeSummary, ExactReference {
  /** Padded, so that points stand below each other. */
  readonly interval: string;
}

/** Outcomes of battles that were played. */
export const OUTCOME_COLUMNS: readonly DeclaredColumn<OutcomeRow>[] = [
  OUTCOME_COLUMN,
  { head: 'count', spare: 1, about: 'battles that ended so', cell: ({ count }) => formatGrouped(count) },
  { ...PROBABILITY, cell: (outcome) => bold(formatValue(PERCENT, toEstimatedShare(outcome))) },
  { ...INTERVAL, spare: 5, cell: ({ interval }) => interval },
  ...createReferenceColumns('exact %', (value, digits) => formatPercentNumber(formatExact, value, digits)),
];

/** Columns without those of exact values, if there are none. */
function omitReferenceColumns<R extends ExactReference>(
  declared: readonly DeclaredColumn<R>[],
  exact: Summary | undefined,
): readonly DeclaredColumn<R>[] {
  return exact === undefined ? declared.slice(0, -2) : declared;
}

/** Outcomes with count, share, interval and, where known, the exact share and how far the estimate is off. */
export function createOutcomeTable(summary: Summary, battles: number, exact: Summary | undefined): SheetBlock[] {
  const laws = new Map(exact?.outcomes.map(({ name, p }) => [name, p]));
  const shown = selectShownOutcomes(summary.outcomes, ({ name, count }) => count > 0 || (laws.get(name) ?? 0) > 0);
  const intervals = formatShareIntervals(shown);
  const rows = shown.map((outcome, o): OutcomeRow => {
    const p = laws.get(outcome.name) ?? 0;
    const beside = {
      exact: p,
      known: createEventMoments(p),
      estimate: outcome.p,
      decimals: countShareDecimals(outcome) + 2,
      battles,
    };
    return { ...outcome, ...beside, interval: intervals[o] ?? '' };
  });
  const unseen = summary.outcomes.find(({ count }) => count === 0)?.ci95?.[1] ?? 1;
  const why = exact ? 'of probability 0' : `that never came, each < ${formatPercent(formatUpperBound, unseen)}`;
  const table = createTable(omitReferenceColumns(OUTCOME_COLUMNS, exact), rows);
  return [table, ...createOutcomesOmission(summary.outcomes.length - shown.length, why)];
}

/** Half the 95 % interval of a standard deviation, from the fourth moment of what was seen. */
function computeDeviationHalfWidth({ histogram, mean, variance }: MetricSummary): number {
  const total = histogram.reduce((sum, [, weight]) => sum + weight, 0);
  const fourth = histogram.reduce((sum, [value, weight]) => sum + weight * (value - mean) ** 4, 0) / total;
  return (Z95 * Math.sqrt(Math.max(0, fourth - variance ** 2) / total)) / (2 * Math.sqrt(variance));
}

function formatDeviation(metric: MetricSummary): string {
  if (metric.histogram.length === 1) return '0';
  const halfWidth = computeDeviationHalfWidth(metric);
  const deviation = Math.sqrt(metric.variance);
  return formatFixed(deviation, halfWidth > 0 ? countSupportedDecimals(halfWidth) : 2);
}

const QUANTILES = [0.05, 0.5, 0.95] as const;

const METRIC_COLUMN: DeclaredColumn<MetricSummary> = {
  head: 'metric',
  align: 'left',
  about: 'a number that each battle has, such as its rounds',
  cell: ({ name }) => name,
};

const MEAN_COLUMN = { head: 'mean', align: 'point', about: 'the mean of the metric' } as const;

const DEVIATION = { head: 'SD', align: 'point', about: 'the standard deviation of one battle' } as const;

const QUANTILE_COLUMNS = QUANTILES.map(
  (q): DeclaredColumn<MetricSummary> => ({
    head: formatPercent(formatNumber, q),
    spare: 2,
    about: 'quantiles: the least value that so many battles do not exceed',
    cell: ({ quantiles }) => formatNumber(quantiles[q]),
  }),
);

interface MetricRow extends MetricSummary, ExactReference {
  readonly figure: EstimatedValue;
}

/** How columns of statistics are written. */
const NUMBER_FORMATS = { bound: formatShortUpperBound, significant: (value: number) => formatSignificant(value, 3) };

/** Metrics of battles that were played. */
export const METRIC_COLUMNS: readonly DeclaredColumn<MetricRow>[] = [
  METRIC_COLUMN,
  { ...MEAN_COLUMN, cell: ({ figure }) => bold(formatValue(MEAN, figure)) },
  { ...INTERVAL, cell: ({ variance, figure }) => (variance === 0 ? '' : formatInterval(MEAN, figure)) },
  ...TABLE_STATISTICS.map(([name, { digits, ...column }]): DeclaredColumn<MetricRow> => {
    return { ...column, cell: (metric) => NUMBER_FORMATS[digits](Number(metric[name] ?? 0)) };
  }),
  { ...DEVIATION, spare: 3, cell: formatDeviation },
  ...QUANTILE_COLUMNS,
  ...createReferenceColumns('exact mean', formatExact),
];

/** Decimals of exact means. */
const EXACT_DECIMALS = 6;

const toEstimatedMean = ({ mean, variance, ci95 }: MetricSummary, battles: number): EstimatedValue => ({
  value: mean,
  interval: ci95,
  standardError: Math.sqrt(variance / battles),
});

/** Says which setting makes intervals narrow that are wide. What varies in few battles is wide because it is rare. */
function createMetricRangeNotes({ metrics }: Summary, battles: number): SheetNote[] {
  const wide = metrics.filter(
    (metric) =>
      isRangeBound(toEstimatedMean(metric, battles)) &&
      (metric.name === 'rounds' || metric.quantiles[0.05] !== metric.quantiles[0.95]),
  );
  return wide.map(({ name, range }) => createNote(explainWideInterval(name, range)));
}

/** Metrics with mean, interval, standard deviation, quantiles and, where known, the exact mean. */
export function createMetricTable(summary: Summary, battles: number, exact: Summary | undefined): SheetBlock[] {
  const rows = summary.metrics.map((metric, m): MetricRow => {
    const known = exact?.metrics[m] ?? metric;
    const beside = {
      exact: known.mean,
      known: createMetricMoments(known),
      estimate: metric.mean,
      decimals: EXACT_DECIMALS,
    };
    return { ...metric, ...beside, battles, figure: toEstimatedMean(metric, battles) };
  });
  return [createTable(omitReferenceColumns(METRIC_COLUMNS, exact), rows), ...createMetricRangeNotes(summary, battles)];
}

/**
 * An exact probability in per cent. An outcome that has none may come where mass is lost: a stalemate at the limit of
 * rounds, or any outcome if the budget ended before what is left was next to nothing beside those that have come.
 */
function formatExactShare({ name, p }: OutcomeSummary, { outcomes }: Summary, lost: number): string {
  const least = Math.min(...outcomes.map((outcome) => (outcome.p > 0 ? outcome.p : 1)));
  const isOpen = p === 0 && lost > 0 && (name === 'stalemate' || lost > NEGLIGIBLE * least);
  return isOpen ? `< ${formatPercentNumber(formatShortUpperBound, lost)}` : formatPercentNumber(formatExact, p, 7);
}

/** Exact probabilities; `share` is in per cent. */
export const EXACT_OUTCOME_COLUMNS: readonly DeclaredColumn<OutcomeSummary & { readonly share: string }>[] = [
  OUTCOME_COLUMN,
  { ...PROBABILITY, cell: ({ share }) => bold(share) },
];

/** @param lost probability of battles that are not in the law */
export function createExactOutcomeTable(distribution: Summary, lost: number): SheetBlock[] {
  const shown = selectShownOutcomes(distribution.outcomes, ({ p }) => p > 0);
  const rows = shown.map((outcome) => ({ ...outcome, share: formatExactShare(outcome, distribution, lost) }));
  const left = createOutcomesOmission(distribution.outcomes.length - shown.length, 'of probability 0');
  return [createTable(EXACT_OUTCOME_COLUMNS, rows), ...left];
}

const EXTREME_COLUMN = { spare: 1, about: 'the smallest and the largest value that is possible' };

/** Exact means, standard deviations and quantiles. */
export const EXACT_METRIC_COLUMNS: readonly DeclaredColumn<MetricSummary>[] = [
  METRIC_COLUMN,
  { ...MEAN_COLUMN, cell: ({ mean }) => bold(formatExact(mean, EXACT_DECIMALS)) },
  { ...DEVIATION, cell: ({ variance }) => formatExact(Math.sqrt(variance), 4) },
  { head: 'least', ...EXTREME_COLUMN, cell: ({ min }) => formatNumber(min) },
  ...QUANTILE_COLUMNS,
  { head: 'most', ...EXTREME_COLUMN, cell: ({ max }) => formatNumber(max) },
];

/** More metrics than this are too many for a glance: then those that are always 0 are left out. */
const MAX_METRICS = 12;

export function createExactMetricTable({ metrics }: Summary): SheetBlock[] {
  const shown = metrics.filter(({ min, max }) => metrics.length <= MAX_METRICS || min !== 0 || max !== 0);
  const left = metrics.length - shown.length;
  const more =
    left > 0
      ? [createOmission(`${String(left)} metric${left > 1 ? 's' : ''} that ${left > 1 ? 'are' : 'is'} always 0`)]
      : [];
  return [createTable(EXACT_METRIC_COLUMNS, shown), ...more];
}
