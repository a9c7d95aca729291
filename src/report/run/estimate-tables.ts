/** Tables of estimates of a run, next to exact values if these are known. */

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

const toEstimatedShare = ({ p, ci95 }: OutcomeSummary): EstimatedValue => ({ value: p, interval: ci95 });

const countShareDecimals = (outcome: OutcomeSummary): number => countDecimals(toEstimatedShare(outcome), PERCENT, 0);

/** Formats intervals as `low .. high` with aligned decimal points; a bound if no battle or every battle was counted. */
function formatShareIntervals(outcomes: readonly OutcomeSummary[]): string[] {
  const bounds = outcomes.map((outcome) => formatBound(PERCENT, toEstimatedShare(outcome)));
  const end = (side: 0 | 1, outcome: OutcomeSummary): string =>
    formatFixed(PERCENT.times * (outcome.ci95?.[side] ?? 0), countShareDecimals(outcome));
  const formatEnds = (side: 0 | 1): string[] =>
    alignDecimalPoints(outcomes.map((outcome, o) => (bounds[o] === undefined ? end(side, outcome) : '')));
  const [lows, highs] = [formatEnds(0), formatEnds(1)];
  return bounds.map((bound, o) => bound ?? `${lows[o] ?? ''} .. ${highs[o] ?? ''}`);
}

/** If there are more outcomes, those that never occur are omitted. */
const MAX_OUTCOMES = 8;

/** Selects the outcomes of a table: all if they are few, otherwise those that `comes` accepts. */
export function selectShownOutcomes<T>(outcomes: readonly T[], comes: (outcome: T) => boolean): readonly T[] {
  return outcomes.length > MAX_OUTCOMES ? outcomes.filter(comes) : outcomes;
}

/** Creates the line with the number of omitted outcomes. @param description follows the word "outcomes" */
export function createOutcomesOmission(count: number, description: string): Omission[] {
  return count > 0 ? [createOmission(`${formatGrouped(count)} outcome${count > 1 ? 's' : ''} ${description}`)] : [];
}

/** Exact value that an estimate from `battles` battles is compared with. */
interface ExactReference {
  readonly exact: number;
  readonly known: ExactMoments;
  readonly estimate: number;
  /** Number of decimals of the exact value. */
  readonly decimals: number;
  readonly battles: number;
}

/** Creates the columns of the exact value and of its difference from the estimate. */
const createReferenceColumns = (
  head: string,
  rule: (value: number, digits: number) => string,
): DeclaredColumn<ExactReference>[] => [
  {
    head,
    align: 'point',
    about: 'exact value, if it could be computed',
    cell: ({ exact, decimals }) => rule(exact, decimals),
  },
  {
    head: 'z',
    spare: 4,
    about:
      'difference of estimate and exact value in standard errors; ! beyond 4; in parentheses if the event is too rare for the normal approximation',
    cell: ({ estimate, known, battles }) => formatZScoreCell(estimate, known, battles),
  },
];

const PROBABILITY = {
  head: '%',
  align: 'point',
  about: 'probability of the outcome: estimated (count divided by battles), or exact',
} as const;

const INTERVAL = {
  head: '95 % interval',
  about:
    'confidence interval; of a probability by Clopper and Pearson, with < or > as a bound if no or every battle was counted; of a mean it includes unobserved values',
} as const;

const OUTCOME_COLUMN: DeclaredColumn<OutcomeSummary> = {
  head: 'outcome',
  align: 'left',
  about: 'result of a battle',
  cell: ({ name }) => name,
};

interface OutcomeRow extends OutcomeSummary, ExactReference {
  /** Padded, so that decimal points are aligned. */
  readonly interval: string;
}

/** Columns of the outcomes of simulated battles. */
export const OUTCOME_COLUMNS: readonly DeclaredColumn<OutcomeRow>[] = [
  OUTCOME_COLUMN,
  { head: 'count', spare: 1, about: 'battles with this outcome', cell: ({ count }) => formatGrouped(count) },
  { ...PROBABILITY, cell: (outcome) => bold(formatValue(PERCENT, toEstimatedShare(outcome))) },
  { ...INTERVAL, spare: 5, cell: ({ interval }) => interval },
  ...createReferenceColumns('exact %', (value, digits) => formatPercentNumber(formatExact, value, digits)),
];

/** Removes the two columns of exact values if there are none. */
function omitReferenceColumns<R extends ExactReference>(
  declared: readonly DeclaredColumn<R>[],
  exact: Summary | undefined,
): readonly DeclaredColumn<R>[] {
  return exact === undefined ? declared.slice(0, -2) : declared;
}

/** Creates the table of outcomes: count, share, interval and, if known, exact share and z-score. */
export function createOutcomeTable(summary: Summary, battles: number, exact: Summary | undefined): SheetBlock[] {
  const distributions = new Map(exact?.outcomes.map(({ name, p }) => [name, p]));
  const shown = selectShownOutcomes(
    summary.outcomes,
    ({ name, count }) => count > 0 || (distributions.get(name) ?? 0) > 0,
  );
  const intervals = formatShareIntervals(shown);
  const rows = shown.map((outcome, o): OutcomeRow => {
    const p = distributions.get(outcome.name) ?? 0;
    const comparison = {
      exact: p,
      known: createEventMoments(p),
      estimate: outcome.p,
      decimals: countShareDecimals(outcome) + 2,
      battles,
    };
    return { ...outcome, ...comparison, interval: intervals[o] ?? '' };
  });
  const unseen = summary.outcomes.find(({ count }) => count === 0)?.ci95?.[1] ?? 1;
  const why = exact ? 'with probability 0' : `that never occurred, each < ${formatPercent(formatUpperBound, unseen)}`;
  const table = createTable(omitReferenceColumns(OUTCOME_COLUMNS, exact), rows);
  return [table, ...createOutcomesOmission(summary.outcomes.length - shown.length, why)];
}

/** Half-width of the 95 % interval of a standard deviation, from the observed fourth moment. */
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
  about: 'number computed for each battle, such as its rounds',
  cell: ({ name }) => name,
};

const MEAN_COLUMN = { head: 'mean', align: 'point', about: 'mean of the metric' } as const;

const DEVIATION = { head: 'SD', align: 'point', about: 'standard deviation of one battle' } as const;

const QUANTILE_COLUMNS = QUANTILES.map(
  (q): DeclaredColumn<MetricSummary> => ({
    head: formatPercent(formatNumber, q),
    spare: 2,
    about: 'quantiles: smallest value that this share of the battles does not exceed',
    cell: ({ quantiles }) => formatNumber(quantiles[q]),
  }),
);

interface MetricRow extends MetricSummary, ExactReference {
  readonly figure: EstimatedValue;
}

/** Number formats of the columns of statistics. */
const NUMBER_FORMATS = { bound: formatShortUpperBound, significant: (value: number) => formatSignificant(value, 3) };

/** Columns of the metrics of simulated battles. */
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

const EXACT_DECIMALS = 6;

const toEstimatedMean = ({ mean, variance, ci95 }: MetricSummary, battles: number): EstimatedValue => ({
  value: mean,
  interval: ci95,
  standardError: Math.sqrt(variance / battles),
});

/**
 * Names the setting that narrows wide intervals. Metrics that vary in few battles are excluded: their rarity is the
 * cause.
 */
function createMetricRangeNotes({ metrics }: Summary, battles: number): SheetNote[] {
  const wide = metrics.filter(
    (metric) =>
      isRangeBound(toEstimatedMean(metric, battles)) &&
      (metric.name === 'rounds' || metric.quantiles[0.05] !== metric.quantiles[0.95]),
  );
  return wide.map(({ name, range }) => createNote(explainWideInterval(name, range)));
}

/** Creates the table of metrics: mean, interval, standard deviation, quantiles and, if known, the exact mean. */
export function createMetricTable(summary: Summary, battles: number, exact: Summary | undefined): SheetBlock[] {
  const rows = summary.metrics.map((metric, m): MetricRow => {
    const known = exact?.metrics[m] ?? metric;
    const comparison = {
      exact: known.mean,
      known: createMetricMoments(known),
      estimate: metric.mean,
      decimals: EXACT_DECIMALS,
    };
    return { ...metric, ...comparison, battles, figure: toEstimatedMean(metric, battles) };
  });
  return [createTable(omitReferenceColumns(METRIC_COLUMNS, exact), rows), ...createMetricRangeNotes(summary, battles)];
}

/**
 * Formats an exact probability in percent. An outcome with probability 0 may still occur in truncated battles, so that
 * their probability is its bound: a stalemate at the limit of rounds, or any outcome if the budget ended early.
 */
function formatExactShare({ name, p }: OutcomeSummary, { outcomes }: Summary, lost: number): string {
  const least = Math.min(...outcomes.map((outcome) => (outcome.p > 0 ? outcome.p : 1)));
  const isOpen = p === 0 && lost > 0 && (name === 'stalemate' || lost > NEGLIGIBLE * least);
  return isOpen ? `< ${formatPercentNumber(formatShortUpperBound, lost)}` : formatPercentNumber(formatExact, p, 7);
}

/** Columns of exact probabilities; `share` is in percent. */
export const EXACT_OUTCOME_COLUMNS: readonly DeclaredColumn<OutcomeSummary & { readonly share: string }>[] = [
  OUTCOME_COLUMN,
  { ...PROBABILITY, cell: ({ share }) => bold(share) },
];

/** @param lost probability of truncated battles */
export function createExactOutcomeTable(distribution: Summary, lost: number): SheetBlock[] {
  const shown = selectShownOutcomes(distribution.outcomes, ({ p }) => p > 0);
  const rows = shown.map((outcome) => ({ ...outcome, share: formatExactShare(outcome, distribution, lost) }));
  const left = createOutcomesOmission(distribution.outcomes.length - shown.length, 'with probability 0');
  return [createTable(EXACT_OUTCOME_COLUMNS, rows), ...left];
}

const EXTREME_COLUMN = { spare: 1, about: 'smallest and largest possible value' };

/** Columns of exact means, standard deviations and quantiles. */
export const EXACT_METRIC_COLUMNS: readonly DeclaredColumn<MetricSummary>[] = [
  METRIC_COLUMN,
  { ...MEAN_COLUMN, cell: ({ mean }) => bold(formatExact(mean, EXACT_DECIMALS)) },
  { ...DEVIATION, cell: ({ variance }) => formatExact(Math.sqrt(variance), 4) },
  { head: 'least', ...EXTREME_COLUMN, cell: ({ min }) => formatNumber(min) },
  ...QUANTILE_COLUMNS,
  { head: 'most', ...EXTREME_COLUMN, cell: ({ max }) => formatNumber(max) },
];

/** If there are more metrics, those that are always 0 are omitted. */
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
