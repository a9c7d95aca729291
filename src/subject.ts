/** What scenarios are compared by: an outcome's share, or a metric's mean. */
import { InputError } from './errors.ts';
import { didYouMean } from './scenario/suggest.ts';
import type { Interval } from './stats/intervals.ts';
import type { Summary } from './stats/summary.ts';
import type { TallyShape } from './stats/tally.ts';
import type { BattleResult } from './systems/battle.ts';

/** What is compared, and how it is read off the ways in which a battle ended. */
export interface Subject {
  readonly of: string;
  readonly kind: 'outcome' | 'metric';
  readonly unit: number;
  /** By scenario: where what is read can lie. */
  readonly ranges: readonly Interval[];
  /** @param scenario the place of the scenario whose battle it was */
  readonly read: (battle: BattleResult, scenario: number) => number;
  readonly exact: (summary: Summary) => number;
}

function outcomeSubject(of: string, shapes: readonly TallyShape[]): Subject {
  const places = shapes.map(({ outcomes }) => outcomes.indexOf(of));
  return {
    of,
    kind: 'outcome',
    unit: 1,
    ranges: shapes.map(() => [0, 1]),
    read: ({ outcome }, scenario) => (outcome === places[scenario] ? 1 : 0),
    exact: ({ outcomes }) => outcomes.find(({ name }) => name === of)?.p ?? 0,
  };
}

function metricSubject(of: string, shapes: readonly TallyShape[]): Subject {
  const places = shapes.map(({ metrics }) => metrics.findIndex(({ name }) => name === of));
  return {
    of,
    kind: 'metric',
    unit: shapes[0]?.metrics[places[0] ?? 0]?.unit ?? 1,
    ranges: shapes.map(({ metrics }, s) => {
      const { min = 0, max = 0 } = metrics[places[s] ?? 0] ?? {};
      return [min, max];
    }),
    read: ({ metrics }, scenario) => metrics[places[scenario] ?? 0] ?? 0,
    exact: ({ metrics }) => metrics.find(({ name }) => name === of)?.mean ?? 0,
  };
}

/**
 * @param asked its name; unless given, the first outcome that is no stalemate
 * @throws InputError if not all scenarios have it
 */
export function subjectOf(asked: string | undefined, shapes: readonly TallyShape[]): Subject {
  const outcomes = [...new Set(shapes.flatMap((shape) => shape.outcomes))];
  const of = asked ?? outcomes.find((outcome) => outcome !== 'stalemate') ?? '';
  if (outcomes.includes(of)) return outcomeSubject(of, shapes);
  const [first, ...others] = shapes.map(({ metrics }) => metrics.map(({ name }) => name));
  const shared = (first ?? []).filter((name) => others.every((names) => names.includes(name)));
  if (shared.includes(of)) return metricSubject(of, shapes);
  const words = [...outcomes, ...shared];
  throw new InputError('--of', `one of ${words.join(', ')}`, `"${of}"${didYouMean(of, words)}`);
}
