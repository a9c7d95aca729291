/**
 * Statistics of a metric beside mean, variance and law. What is registered here stands in the summary of a run, in its
 * tables, in JSON and its schema, in `warpool columns` and docs/reference/tables.md.
 */
import { computeDeviationInterval } from './deviation-interval.ts';
import { computeUnobservedShift, type Interval } from './intervals.ts';
import { computeQuantileInterval } from './quantile-interval.ts';

/** What was counted of a metric, in its unit. */
interface MetricObservations {
  readonly battles: number;
  /** [value, count], ascending. */
  readonly pairs: readonly (readonly [value: number, count: number])[];
  /** What the metric declares to be possible. */
  readonly range: Interval;
  /** Of which values are multiples. */
  readonly unit: number;
}

/** By the share of the distribution that does not exceed the quantile. */
export type QuantileIntervals = Readonly<Record<'0.05' | '0.25' | '0.5' | '0.75' | '0.95', Interval>>;

interface Statistic {
  /** In the unit of values, from battles that were played. */
  readonly of: (seen: MetricObservations) => number | Interval | QuantileIntervals;
  /** What it is made of, for the JSON Schema. */
  readonly kind: 'number' | 'interval' | 'quantiles';
  /** For the JSON Schema. */
  readonly about: string;
  /** Of a number that tables have; a bound is rounded up, other values are written to three digits. */
  readonly column?: {
    readonly head: string;
    readonly spare: number;
    readonly about: string;
    readonly digits: 'bound' | 'significant';
  };
}

export const STATISTICS = {
  /** By how much values that never came may move the mean, at 97.5 %: declared range x 3.7 / battles. Absent in an exact law. */
  unobserved: {
    of: ({ battles, range }) => computeUnobservedShift(battles, range),
    kind: 'number',
    about:
      'Upper bound, with 97.5 % confidence, of the change of an estimated mean by values that no battle had. Null if the mean is exact.',
    column: {
      head: 'unobserved <',
      spare: 1,
      about:
        'upper bound of the change of the mean by values that no battle had, from the declared range of the metric',
      digits: 'bound',
    },
  },
  /** The 95 % interval of the standard deviation of one battle, by the declared range. Absent in an exact law. */
  sdCi95: {
    of: ({ pairs, range, unit }) => computeDeviationInterval(pairs, range, unit),
    kind: 'interval',
    about: '95 % interval of the standard deviation. Null if it is exact.',
  },
  /** 95 % intervals of `quantiles`, for every law. Absent in an exact law. */
  quantilesCi95: {
    of({ pairs, range }): QuantileIntervals {
      const of = (share: number): Interval => computeQuantileInterval(pairs, share, range);
      return { 0.05: of(0.05), 0.25: of(0.25), 0.5: of(0.5), 0.75: of(0.75), 0.95: of(0.95) };
    },
    kind: 'quantiles',
    about: '95 % interval of each quantile. Null if the quantiles are exact.',
  },
} as const satisfies Record<string, Statistic>;

export type StatisticName = keyof typeof STATISTICS;

const STATISTIC_NAMES = Object.keys(STATISTICS) as StatisticName[];

/** Registered statistics of a metric; absent in an exact law. */
export type Statistics = { readonly [K in StatisticName]?: ReturnType<(typeof STATISTICS)[K]['of']> };

/** Adds them to a summary. Each is worked out when it is asked for: cells of sweeps do without most. */
export function attachStatistics<T extends object>(summary: T, seen: MetricObservations): T & Statistics {
  for (const name of STATISTIC_NAMES) {
    let found: ReturnType<Statistic['of']> | undefined;
    const get = () => (found ??= STATISTICS[name].of(seen));
    Object.defineProperty(summary, name, { get, enumerable: true });
  }
  return summary;
}

/** All of them as JSON has them: null where there is none. */
export const toStatisticsJson = (of: Statistics) =>
  mapStatistics((name) => of[name] ?? null) as { [K in StatisticName]: NonNullable<Statistics[K]> | null };

/** A value for each statistic. */
export function mapStatistics<T>(value: (name: StatisticName) => T): Record<StatisticName, T> {
  return Object.fromEntries(STATISTIC_NAMES.map((name) => [name, value(name)])) as Record<StatisticName, T>;
}

/** Those that tables have, with their columns. */
export const TABLE_STATISTICS = STATISTIC_NAMES.flatMap((name) => {
  const { column }: Statistic = STATISTICS[name];
  return column === undefined ? [] : [[name, column] as const];
});
