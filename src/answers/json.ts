/** What results become as JSON, in the library by `toJSON` and on the command line by `--json`. */

import { version } from '../core/index.ts';
import type { Metric, Scenario } from '../rules/index.ts';
import { ownRules, RULESET, type Rules, rulesOf } from './digest.ts';
import { byName, named } from './named.ts';
import { statisticsJson } from './statistics.ts';
import type { MetricSummary, Summary } from './summary.ts';
import { paired, spreadOf, type Tally, type TallyShape } from './tally.ts';

/**
 * A result that is another object as JSON than in the program. What it becomes is made when it is asked for, and does
 * not count as a field: copies and comparisons leave it out.
 */
export function asJson<T extends object, J>(result: T, toJSON: () => J): T & { toJSON(): J } {
  return Object.defineProperty(result, 'toJSON', { value: toJSON }) as T & { toJSON(): J };
}

/** By which version of the package and of the rules. */
export const origin = () => ({ warpool: version(), ruleset: RULESET });

/** The same, and by the rules of which system. */
export function originOf(rules: Rules) {
  return { ...origin(), system: rules.system, ...ownRules(rules) };
}

/** What every result of one scenario begins with. @param hash of the scenario */
export function headOf(scenario: Scenario, hash: string) {
  return { ...originOf(rulesOf(scenario)), scenario: { name: scenario.name ?? null, hash } };
}

type Weights = readonly (readonly [value: number, weight: number])[];

const weights = (histogram: Weights): Record<string, number> =>
  named(histogram.map(([value, weight]) => [String(value), weight]));

function histogramsGiven(shape: TallyShape, tally: Tally, m: number): Record<string, Record<string, number>> {
  const unit = shape.metrics[m]?.unit ?? 1;
  const came = [...shape.outcomes.entries()].filter(([o]) => (tally.outcomes[o] ?? 0) > 0);
  return named(came.map(([o, name]) => [name, weights(paired(spreadOf(tally, m, unit, o)))]));
}

/** A metric that nobody declared. */
const NOWHERE: Metric = { name: '', min: 0, max: 0 };

function metricOf(
  { mean, variance, min, max, quantiles, histogram, meanGiven }: Omit<MetricSummary, 'name'>,
  { min: least, max: greatest, unit = 1 }: Metric,
  histogramGiven: Record<string, Record<string, number>>,
) {
  const range: [number, number] = [least * unit, greatest * unit];
  return {
    ...{ mean, variance, min, max, range },
    ...{ quantiles: { ...quantiles }, histogram: weights(histogram), meanGiven, histogramGiven },
  };
}

/** Outcomes and metrics of battles that were played, by their names. */
export function playedJson({ outcomes, metrics }: Summary, shape: TallyShape, tally: Tally) {
  return {
    outcomes: byName(outcomes, ({ count, p, ci95 = null }) => ({ count, p, ci95 })),
    metrics: byName(metrics, (summary, m) => {
      const { ci95 = null } = summary;
      const metric = metricOf(summary, shape.metrics[m] ?? NOWHERE, histogramsGiven(shape, tally, m));
      return { ...metric, ci95, ...statisticsJson(summary) };
    }),
  };
}

/** Outcomes and metrics of an exact law, by their names. */
export function lawJson({ outcomes, metrics }: Summary, shape: TallyShape, law: Tally) {
  return {
    outcomes: byName(outcomes, ({ p }) => ({ p })),
    metrics: byName(metrics, (summary, m) => {
      const { error = null } = summary;
      return { ...metricOf(summary, shape.metrics[m] ?? NOWHERE, histogramsGiven(shape, law, m)), error };
    }),
  };
}
