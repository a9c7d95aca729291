/**
 * Statistics of a metric beside mean, variance and law. What is registered here stands in the summary of a run, in its
 * tables, in JSON and its schema, in `warpool columns` and docs/tables.md.
 */
import { unseenMove } from './intervals.ts';
import type { Sample } from './sample.ts';

interface Statistic {
  /** In the unit of values, from battles that were played. */
  readonly of: (sample: Sample) => number;
  /** For the JSON Schema. */
  readonly about: string;
  readonly column: { readonly head: string; readonly spare: number; readonly about: string };
  /** How its column is written: a bound is rounded up, other values to three digits. */
  readonly digits: 'bound' | 'significant';
}

export const STATISTICS = {
  /** By how much values that never came may move the mean, at 97.5 %: declared range x 3.7 / battles. Absent in an exact law. */
  unseen: {
    of: ({ battles, range }) => unseenMove(battles, range),
    about:
      'Of a mean by playing: by how much values that came in no battle may move it, at 97.5 %. Null where it is exact.',
    column: {
      head: 'unseen <',
      spare: 1,
      about: 'by how much values that came in no battle may move the mean at most, by the declared range of the metric',
    },
    digits: 'bound',
  },
} as const satisfies Record<string, Statistic>;

export type StatisticName = keyof typeof STATISTICS;

export const STATISTIC_NAMES = Object.keys(STATISTICS) as StatisticName[];

/** A value for each statistic. */
export function eachStatistic<T>(value: (name: StatisticName) => T): Record<StatisticName, T> {
  return Object.fromEntries(STATISTIC_NAMES.map((name) => [name, value(name)])) as Record<StatisticName, T>;
}
