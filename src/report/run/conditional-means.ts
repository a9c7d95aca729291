/** Means of the metrics, given the outcome of the battle. */
import {
  type Counts,
  type CountsShape,
  computeMeanInterval95,
  listValueCounts,
  type Summary,
} from '../../stats/index.ts';
import { formatValue, MEAN } from '../sheet/estimated-value.ts';
import { createOmission, createTable, type DeclaredColumn, type Omission, type SheetBlock } from '../sheet/sheet.ts';
import type { TextColumn } from '../text/column.ts';
import { formatExact } from '../text/number-format.ts';

const MAX_OUTCOMES = 12;

/** Names of the most frequent outcomes, in declared order, with their ranks from 1. */
function rankOutcomes(summary: Summary): Map<string, number> {
  const came = summary.outcomes.filter(({ p }) => p > 0);
  const ranked = came.toSorted((a, b) => b.p - a.p).slice(0, MAX_OUTCOMES);
  const ranks = new Map(ranked.map(({ name }, rank) => [name, rank + 1]));
  return new Map(came.flatMap(({ name }) => (ranks.has(name) ? [[name, ranks.get(name) ?? 0]] : [])));
}

/** Formats a mean over the battles of one outcome with the digits that its interval supports. */
function formatConditionalMean(counts: Counts, metric: number, outcome: number, unit: number, mean: number): string {
  const pairs = listValueCounts(counts, metric, outcome);
  const battles = pairs.reduce((sum, [, count]) => sum + count, 0);
  const variance = pairs.reduce((sum, [value, count]) => sum + count * (value * unit - mean) ** 2, 0) / battles;
  return formatValue(MEAN, { value: mean, interval: computeMeanInterval95(mean, variance, battles) ?? [mean, mean] });
}

/** If there are more metrics, only totals are shown. */
const MAX_ROWS = 8;

/** Indices of the shown metrics: all, or only totals (`left.attacker`, not `left.attacker.cannon`). */
function selectMetrics({ metrics }: Summary): number[] {
  const all = [...metrics.keys()];
  const isPart = (m: number): boolean => (metrics[m]?.name.split('.').length ?? 0) > 2;
  return all.length > MAX_ROWS ? all.filter((m) => !isPart(m)) : all;
}

/** In narrow tables, columns of rarer outcomes are omitted first; the column of the most frequent outcome stays. */
const getDropOrder = (rank: number): Pick<TextColumn, 'spare'> =>
  rank === 1 ? {} : { spare: MAX_OUTCOMES + 1 - rank };

function createOmissions(rows: number, outcomes: number): Omission[] {
  const parts = [
    ...(rows > 0 ? [`${String(rows)} metric${rows > 1 ? 's' : ''} of parts`] : []),
    ...(outcomes > 0 ? [`${String(outcomes)} rarer outcome${outcomes > 1 ? 's' : ''}`] : []),
  ];
  return parts.length > 0 ? [createOmission(parts.join(' and '))] : [];
}

export const CONDITION_COLUMN = {
  head: 'mean, given',
  align: 'left',
  about: 'means of the metrics over the battles with the outcome in the column head',
} as const;

/**
 * Creates a table with a row for each metric and a column for each outcome that occurred; if there are too many, only
 * totals and the most frequent outcomes. Empty if all battles had the same outcome.
 * @param exact true if `counts` contains probabilities
 */
export function createConditionalMeansTable(
  shape: CountsShape,
  counts: Counts,
  summary: Summary,
  exact: boolean,
): SheetBlock[] {
  const came = summary.outcomes.filter(({ p }) => p > 0).length;
  if (came < 2) return [];
  const ranks = rankOutcomes(summary);
  const names = [...ranks.keys()];
  const shown = selectMetrics(summary);
  const formatCell = (m: number, outcome: string): string => {
    const mean = summary.metrics[m]?.meanByOutcome[outcome];
    if (mean === undefined) return '';
    if (exact) return formatExact(mean, 4);
    return formatConditionalMean(counts, m, shape.outcomes.indexOf(outcome), shape.metrics[m]?.unit ?? 1, mean);
  };
  const table = createTable<number>(
    [
      { ...CONDITION_COLUMN, cell: (m) => summary.metrics[m]?.name ?? '' },
      ...[...ranks].map(
        ([name, rank]): DeclaredColumn<number> => ({
          ...{ head: name, isName: true, align: 'point', about: '' },
          ...getDropOrder(rank),
          cell: (m) => formatCell(m, name),
        }),
      ),
    ],
    shown,
  );
  return [table, ...createOmissions(summary.metrics.length - shown.length, came - names.length)];
}
