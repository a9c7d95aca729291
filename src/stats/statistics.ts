/**
 * Statistics of a metric in addition to mean, variance and distribution. Each registered statistic is part of the
 * summary of a run, of its tables, of JSON and its schema, of `warpool columns` and docs/reference/tables.md.
 */
import { computeDeviationInterval } from './deviation-interval.ts';
import { computeUnobservedShift, type Interval } from './intervals.ts';
import { computeQuantileInterval } from './quantile-interval.ts';

/** Counts of a metric, in its unit. */
interface MetricObservations {
  readonly battles: number;
  /** [value, count], ascending. */
  readonly pairs: readonly (readonly [value: number, count: number])[];
  /** Declared range of the metric. */
  readonly range: Interval;
  /** Greatest common divisor of the values. */
  readonly unit: number;
}

/** By the share of the distribution that does not exceed the quantile. */
export type QuantileIntervals = Readonly<Record<'0.05' | '0.25' | '0.5' | '0.75' | '0.95', Interval>>;

interface Statistic {
  /** Computes the statistic from simulated battles, in the unit of values. */
  readonly of: (seen: MetricObservations) => number | Interval | QuantileIntervals;
  /** Type in the JSON Schema. */
  readonly kind: 'number' | 'interval' | 'quantiles';
  /** For the JSON Schema. */
  readonly about: string;
  /** Column of a number in tables; a bound is rounded up, other values are written to three digits. */
  readonly column?: {
    readonly head: string;
    readonly spare: number;
    readonly about: string;
    readonly digits: 'bound' | 'significant';
  };
}

export const STATISTICS = {
  /**
   * Maximum change of the mean by unobserved values, at 97.5 %: declared range x 3.7 / battles. Absent in an exact
   * distribution.
   */
  unobserved: {
    of: ({ battles, range }) => computeUnobservedShift(battles, range),
    kind: 'number',
    about:
      'Upper bound, with 97.5 % confidence, of the change of an estimated mean by unobserved values. Null if the mean is exact.',
    column: {
      head: 'unobserved <',
      spare: 1,
      about: 'upper bound of the change of the mean by unobserved values, from the declared range of the metric',
      digits: 'bound',
    },
  },
  /** 95 % interval of the standard deviation of one battle, by the declared range. Absent in an exact distribution. */
  sdCi95: {
    of: ({ pairs, range, unit }) => computeDeviationInterval(pairs, range, unit),
    kind: 'interval',
    about: '95 % interval of the standard deviation. Null if it is exact.',
  },
  /** 95 % intervals of `quantiles`, for every distribution. Absent in an exact distribution. */
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

/** Registered statistics of a metric; absent in an exact distribution. */
export type Statistics = { readonly [K in StatisticName]?: ReturnType<(typeof STATISTICS)[K]['of']> };

/** Adds statistics to a summary. Each is computed on demand, because most cells of sweeps do not use them. */
export function attachStatistics<T extends object>(summary: T, seen: MetricObservations): T & Statistics {
  for (const name of STATISTIC_NAMES) {
    let found: ReturnType<Statistic['of']> | undefined;
    const get = () => (found ??= STATISTICS[name].of(seen));
    Object.defineProperty(summary, name, { get, enumerable: true });
  }
  return summary;
}

/** Converts all statistics to JSON: null for missing ones. */
export const toStatisticsJson = (of: Statistics) =>
  mapStatistics((name) => of[name] ?? null) as { [K in StatisticName]: NonNullable<Statistics[K]> | null };

/** Maps the names of all statistics to values. */
export function mapStatistics<T>(value: (name: StatisticName) => T): Record<StatisticName, T> {
  return Object.fromEntries(STATISTIC_NAMES.map((name) => [name, value(name)])) as Record<StatisticName, T>;
}

/** Statistics in tables, with their columns. */
export const TABLE_STATISTICS = STATISTIC_NAMES.flatMap((name) => {
  const { column }: Statistic = STATISTICS[name];
  return column === undefined ? [] : [[name, column] as const];
});
