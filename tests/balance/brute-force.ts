/** Complete enumeration of a balance problem, independent of the search. Tests compare both results. */
import { solveSync } from '../../src/analysis/solve.ts';
import { updateScenario } from '../../src/rules/scenario/index.ts';
import type { Scenario } from '../../src/rules/system.ts';
import type { Summary } from '../../src/stats/summary.ts';

/** Field of an enumerated problem: its path in each scenario, its values, the current value, and its cost. */
export interface PlainField {
  readonly paths: Readonly<Record<string, string>>;
  readonly values: readonly number[];
  readonly current: number;
  readonly cost?: number;
}

/** Target of an enumerated problem: its value from the summaries of scenarios, its bounds, and the unit of misses. */
export interface PlainTarget {
  readonly value: (summaries: Readonly<Record<string, Summary>>) => number;
  readonly bounds: readonly [number, number];
  readonly tolerance: number;
}

export interface PlainProblem {
  readonly scenarios: Readonly<Record<string, Scenario>>;
  readonly fields: readonly PlainField[];
  readonly targets: readonly PlainTarget[];
}

export interface PlainSetting {
  readonly values: readonly number[];
  readonly misses: readonly number[];
  readonly cost: number;
  readonly steps: number;
  readonly greatestStep: number;
}

export const outcome = (summary: Summary | undefined, name: string): number =>
  summary?.outcomes.find((each) => each.name === name)?.p ?? Number.NaN;

const metric = (summary: Summary | undefined, name: string) => summary?.metrics.find((each) => each.name === name);

export const mean = (summary: Summary | undefined, name: string): number => metric(summary, name)?.mean ?? Number.NaN;

/** Lists the values of a metric with their probabilities in ascending order. */
const spread = (summary: Summary | undefined, name: string): (readonly [number, number])[] =>
  [...(metric(summary, name)?.histogram ?? [])].map(([value, p]) => [value, p] as const).sort(([a], [b]) => a - b);

export function quantile(summary: Summary | undefined, name: string, share: number): number {
  let below = 0;
  for (const [value, p] of spread(summary, name)) {
    below += p;
    if (below >= share) return value;
  }
  return Number.NaN;
}

export const shareUpTo = (summary: Summary | undefined, name: string, most: number): number =>
  spread(summary, name).reduce((sum, [value, p]) => (value <= most ? sum + p : sum), 0);

const solved = new WeakMap<Scenario, Map<string, Summary>>();

/** Solves a scenario with some fields changed; results are cached. */
export function summarize(scenario: Scenario, changes: Readonly<Record<string, number>>): Summary {
  const known = solved.get(scenario) ?? new Map<string, Summary>();
  solved.set(scenario, known);
  const key = Object.entries(changes).flat().join();
  const summary = known.get(key) ?? solveSync(updateScenario(scenario, changes)).summary;
  known.set(key, summary);
  return summary;
}

/** Lists all combinations of values. */
const combine = (lists: readonly (readonly number[])[]): number[][] =>
  lists.reduce<number[][]>((all, list) => all.flatMap((values) => list.map((value) => [...values, value])), [[]]);

/** Evaluates every setting of a problem. */
export function enumerate({ scenarios, fields, targets }: PlainProblem): PlainSetting[] {
  return combine(fields.map(({ values }) => values)).map((values) => {
    const summaries: Record<string, Summary> = {};
    for (const [name, scenario] of Object.entries(scenarios)) {
      const changes: Record<string, number> = {};
      for (const [f, { paths }] of fields.entries()) {
        const path = paths[name];
        if (path !== undefined) changes[path] = values[f] ?? 0;
      }
      summaries[name] = summarize(scenario, changes);
    }
    const misses = targets.map(({ value, bounds: [low, high], tolerance }) => {
      const at = value(summaries);
      return at >= low - 1e-11 && at <= high + 1e-11 ? 0 : Math.max(low - at, at - high) / tolerance;
    });
    const changes = fields.map(({ values: list, current }, f) => {
      const step = (list[1] ?? 1) - (list[0] ?? 0);
      return Math.abs((values[f] ?? 0) - current) / step;
    });
    return {
      values,
      misses,
      cost: fields.reduce((sum, { cost = 0 }, f) => sum + cost * (values[f] ?? 0), 0),
      steps: changes.reduce((sum, change) => sum + change, 0),
      greatestStep: Math.max(...changes),
    };
  });
}

/** Selects the Pareto-optimal settings: no other setting has smaller misses. */
export const nondominated = (settings: readonly PlainSetting[]): PlainSetting[] =>
  settings.filter(
    ({ misses }) =>
      !settings.some(
        (other) =>
          other.misses.every((miss, t) => miss <= (misses[t] ?? 0)) &&
          other.misses.some((miss, t) => miss < (misses[t] ?? 0)),
      ),
  );

export const range = (low: number, high: number, step = 1): number[] =>
  Array.from({ length: Math.floor((high - low) / step + 1e-9) + 1 }, (_, k) =>
    Number((low + k * step).toPrecision(12)),
  );
