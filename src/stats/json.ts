/** JSON forms of results, in the library by `toJSON` and on the command line by `--json`. */

import { version } from '../core/index.ts';
import type { Metric, Scenario } from '../rules/index.ts';
import { type Counts, type CountsShape, collectValueWeights, toPairs } from './counts.ts';
import { identifyRules, pickModuleFields, RULESET, type RulesIdentity } from './digest.ts';
import { createRecord, indexByName } from './records.ts';
import { toStatisticsJson } from './statistics.ts';
import type { MetricSummary, Summary } from './summary.ts';

/** Adds a `toJSON` method to a result. It is not enumerable: copies and comparisons ignore it. */
export function withToJson<T extends object, J>(result: T, toJSON: () => J): T & { toJSON(): J } {
  return Object.defineProperty(result, 'toJSON', { value: toJSON }) as T & { toJSON(): J };
}

/** Returns the versions of the package and of the rules. */
export const createVersionInfo = () => ({ warpool: version(), ruleset: RULESET });

/** Returns the versions, and the identity of the rules of a system. */
export function createProvenance(rules: RulesIdentity) {
  return { ...createVersionInfo(), system: rules.system, ...pickModuleFields(rules) };
}

/** Creates the common header of results of one scenario. @param hash of the scenario */
export function createResultHeader(scenario: Scenario, hash: string) {
  return { ...createProvenance(identifyRules(scenario)), scenario: { name: scenario.name ?? null, hash } };
}

type ValueWeightPairs = readonly (readonly [value: number, weight: number])[];

const toWeightsRecord = (histogram: ValueWeightPairs): Record<string, number> =>
  createRecord(histogram.map(([value, weight]) => [String(value), weight]));

function listConditionalHistograms(
  shape: CountsShape,
  counts: Counts,
  m: number,
): Record<string, Record<string, number>> {
  const unit = shape.metrics[m]?.unit ?? 1;
  const came = [...shape.outcomes.entries()].filter(([o]) => (counts.outcomes[o] ?? 0) > 0);
  return createRecord(
    came.map(([o, name]) => [name, toWeightsRecord(toPairs(collectValueWeights(counts, m, unit, o)))]),
  );
}

/** Placeholder of an undeclared metric. */
const UNDECLARED_METRIC: Metric = { name: '', min: 0, max: 0 };

function toMetricJson(
  { mean, variance, min, max, quantiles, histogram, meanByOutcome }: Omit<MetricSummary, 'name'>,
  { min: least, max: greatest, unit = 1 }: Metric,
  histogramByOutcome: Record<string, Record<string, number>>,
) {
  const range: [number, number] = [least * unit, greatest * unit];
  return {
    ...{ mean, variance, min, max, range },
    ...{ quantiles: { ...quantiles }, histogram: toWeightsRecord(histogram), meanByOutcome, histogramByOutcome },
  };
}

/** Converts outcomes and metrics of simulated battles to JSON, by name. */
export function toCountsJson({ outcomes, metrics }: Summary, shape: CountsShape, counts: Counts) {
  return {
    outcomes: indexByName(outcomes, ({ count, p, ci95 = null }) => ({ count, p, ci95 })),
    metrics: indexByName(metrics, (summary, m) => {
      const { ci95 = null } = summary;
      const metric = toMetricJson(
        summary,
        shape.metrics[m] ?? UNDECLARED_METRIC,
        listConditionalHistograms(shape, counts, m),
      );
      return { ...metric, ci95, ...toStatisticsJson(summary) };
    }),
  };
}

/** Converts outcomes and metrics of an exact distribution to JSON, by name. */
export function toDistributionJson({ outcomes, metrics }: Summary, shape: CountsShape, distribution: Counts) {
  return {
    outcomes: indexByName(outcomes, ({ p }) => ({ p })),
    metrics: indexByName(metrics, (summary, m) => {
      const { error = null } = summary;
      return {
        ...toMetricJson(
          summary,
          shape.metrics[m] ?? UNDECLARED_METRIC,
          listConditionalHistograms(shape, distribution, m),
        ),
        error,
      };
    }),
  };
}
