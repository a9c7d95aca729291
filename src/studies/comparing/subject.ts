/** What scenarios are compared by: an outcome's share, or a metric's mean. */

import type { Interval } from '../../answers/intervals.ts';
import type { Summary } from '../../answers/summary.ts';
import type { TallyShape } from '../../answers/tally.ts';
import { InputError } from '../../core/errors.ts';
import { didYouMean } from '../../core/names.ts';
import type { BattleResult } from '../../rules/battle.ts';

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

/** What names of outcomes and metrics there are, and who does not have one. */
interface Side {
  readonly shape: TallyShape;
  readonly knows: (outcome: string) => boolean;
}

/**
 * What scenarios are compared by, if all of them have it: a figure of something that is no outcome of a scenario is not 0.
 * @param asked its name; unless given, the first outcome that is no stalemate
 * @param names what messages call the scenarios
 * @throws InputError if one of them does not have it, with what all have
 */
export function sharedSubject(asked: string | undefined, sides: readonly Side[], names: readonly string[]): Subject {
  const shapes = sides.map(({ shape }) => shape);
  const outcomes = [...new Set(shapes.flatMap((shape) => shape.outcomes))];
  const of = asked ?? outcomes.find((outcome) => outcome !== 'stalemate') ?? '';
  const stranger = outcomes.includes(of) ? sides.findIndex(({ knows }) => !knows(of)) : -1;
  const lacking = shapes.findIndex(({ metrics }) => metrics.every(({ name }) => name !== of));
  const isMetric = shapes.some(({ metrics }) => metrics.some(({ name }) => name === of));
  const without = outcomes.includes(of) ? stranger : isMetric ? lacking : -1;
  if (without < 0) return subjectOf(asked, shapes);
  const all = outcomes.filter((name) => sides.every(({ knows }) => knows(name)));
  const words = [...all, ...sharedMetrics(shapes)];
  const expected =
    words.length === 0 ? 'scenarios with an outcome or a metric in common' : `one of ${words.join(', ')}`;
  const kind = outcomes.includes(of) ? 'an outcome' : 'a metric';
  throw new InputError('--of', expected, `"${of}", which is not ${kind} of ${names[without] ?? ''}`);
}

/** Names of the metrics that all have. */
function sharedMetrics(shapes: readonly TallyShape[]): string[] {
  const [first, ...others] = shapes.map(({ metrics }) => metrics.map(({ name }) => name));
  return (first ?? []).filter((name) => others.every((names) => names.includes(name)));
}

/**
 * @param asked its name; unless given, the first outcome that is no stalemate
 * @throws InputError if no scenario has such an outcome, and not all have such a metric
 */
export function subjectOf(asked: string | undefined, shapes: readonly TallyShape[]): Subject {
  const outcomes = [...new Set(shapes.flatMap((shape) => shape.outcomes))];
  const of = asked ?? outcomes.find((outcome) => outcome !== 'stalemate') ?? '';
  if (outcomes.includes(of)) return outcomeSubject(of, shapes);
  const shared = sharedMetrics(shapes);
  if (shared.includes(of)) return metricSubject(of, shapes);
  const words = [...outcomes, ...shared];
  throw new InputError('--of', `one of ${words.join(', ')}`, `"${of}"${didYouMean(of, words)}`);
}
