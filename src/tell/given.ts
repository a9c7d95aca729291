/** Means of the metrics given how the battle ended. */
import { mean95, type Summary, type Tally, type TallyShape, valueCounts } from '../answers/index.ts';
import { MEAN, valueText } from './figure.ts';
import { type DeclaredColumn, grid, type LeftOut, leftOut, type SheetBlock } from './parts.ts';
import type { Column } from './text/column.ts';
import { exactly } from './text/digits.ts';

/** More outcomes than these are too many for a glance. */
const OUTCOMES = 12;

/** Names of the outcomes that came most often, in declared order, with their ranks from 1. */
function frequent(summary: Summary): Map<string, number> {
  const came = summary.outcomes.filter(({ p }) => p > 0);
  const ranked = came.toSorted((a, b) => b.p - a.p).slice(0, OUTCOMES);
  const ranks = new Map(ranked.map(({ name }, rank) => [name, rank + 1]));
  return new Map(came.flatMap(({ name }) => (ranks.has(name) ? [[name, ranks.get(name) ?? 0]] : [])));
}

/** A mean over the battles of one outcome with the digits that its own interval supports. */
function estimatedMean(tally: Tally, metric: number, outcome: number, unit: number, mean: number): string {
  const pairs = valueCounts(tally, metric, outcome);
  const battles = pairs.reduce((sum, [, count]) => sum + count, 0);
  const variance = pairs.reduce((sum, [value, count]) => sum + count * (value * unit - mean) ** 2, 0) / battles;
  return valueText(MEAN, { value: mean, interval: mean95(mean, variance, battles) ?? [mean, mean] });
}

/** More rows than this are too many for a glance: then only totals are shown. */
const ROWS = 8;

/** Indices of the metrics to show: all, or those that are no part of a sum (`left.attacker`, not `left.attacker.cannon`). */
function rowsOf({ metrics }: Summary): number[] {
  const all = [...metrics.keys()];
  const isPart = (m: number): boolean => (metrics[m]?.name.split('.').length ?? 0) > 2;
  return all.length > ROWS ? all.filter((m) => !isPart(m)) : all;
}

/** The rarer an outcome, the sooner its column is left out; that of the most frequent one stays. */
const spared = (rank: number): Pick<Column, 'spare'> => (rank === 1 ? {} : { spare: OUTCOMES + 1 - rank });

function left(rows: number, outcomes: number): LeftOut[] {
  const parts = [
    ...(rows > 0 ? [`${String(rows)} metric${rows > 1 ? 's' : ''} of parts`] : []),
    ...(outcomes > 0 ? [`${String(outcomes)} rarer outcome${outcomes > 1 ? 's' : ''}`] : []),
  ];
  return parts.length > 0 ? [leftOut(parts.join(' and '))] : [];
}

export const GIVEN_COLUMN = {
  head: 'mean, given',
  align: 'left',
  about: 'means of the metrics over those battles alone that had the outcome at the head of the column',
} as const;

/**
 * A row for each metric, a column for each outcome that came; totals only, and those outcomes that come
 * most often, if there is no room for all. Nothing if all battles ended alike.
 * @param exact the tally holds probabilities
 */
export function givenTable(shape: TallyShape, tally: Tally, summary: Summary, exact: boolean): SheetBlock[] {
  const came = summary.outcomes.filter(({ p }) => p > 0).length;
  if (came < 2) return [];
  const ranks = frequent(summary);
  const names = [...ranks.keys()];
  const shown = rowsOf(summary);
  const cell = (m: number, outcome: string): string => {
    const mean = summary.metrics[m]?.meanGiven[outcome];
    if (mean === undefined) return '';
    if (exact) return exactly(mean, 4);
    return estimatedMean(tally, m, shape.outcomes.indexOf(outcome), shape.metrics[m]?.unit ?? 1, mean);
  };
  const table = grid<number>(
    [
      { ...GIVEN_COLUMN, cell: (m) => summary.metrics[m]?.name ?? '' },
      ...[...ranks].map(
        ([name, rank]): DeclaredColumn<number> => ({
          ...{ head: name, named: true, align: 'point', about: '' },
          ...spared(rank),
          cell: (m) => cell(m, name),
        }),
      ),
    ],
    shown,
  );
  return [table, ...left(summary.metrics.length - shown.length, came - names.length)];
}
