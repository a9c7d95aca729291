/**
 * JSON of commands. Its shape is stable: new versions may only add keys.
 */

import {
  type Comparison,
  describeDisagreement,
  type ExactResult,
  type FindResult,
  type PairedDifference,
  type RankedScenario,
  type Replay,
  type RuleCoverage,
  type RulesComparison,
  type SimulationResult,
} from '../analysis/index.ts';
import type { Scenario } from '../rules/index.ts';
import { createProvenance, createRecord, identifyRules, indexByName, type RulesIdentity } from '../stats/index.ts';
import { createCostsJson } from './scenario/costs.ts';
import { computeZScore, createEventMoments, createMetricMoments } from './text/z-score.ts';

export interface ScenarioLabel {
  /** Label of the scenario. */
  readonly name: string;
  /** Fields set on the command line: `attacker.hp=20`. */
  readonly set?: readonly string[] | undefined;
}

/** Creates the first keys of every object. */
export function createScenarioHeader({ name, set }: ScenarioLabel, scenario: Scenario, hash: string) {
  return {
    ...createProvenance(identifyRules(scenario)),
    scenario: { name, hash },
    ...(set && { set }),
    ...createCostsJson(scenario),
  };
}

/** Creates the exact values, and the deviations of estimates in standard errors; an infinite z is null. */
function createReferenceJson({ summary }: SimulationResult, exact: ExactResult, battles: number) {
  const { elapsedSeconds, states, steps, truncated } = exact;
  return {
    ...{ elapsedSeconds, states, steps, truncated },
    outcomes: indexByName(exact.summary.outcomes, ({ p }, o) => ({
      p,
      z: computeZScore(summary.outcomes[o]?.p ?? 0, createEventMoments(p), battles),
    })),
    metrics: indexByName(exact.summary.metrics, (distribution, m) => ({
      ...{ mean: distribution.mean, variance: distribution.variance, error: distribution.error ?? null },
      z: computeZScore(summary.metrics[m]?.mean ?? 0, createMetricMoments(distribution), battles),
    })),
  };
}

/** Creates the JSON of `run`. */
export function createRunJson(
  result: SimulationResult,
  label: ScenarioLabel,
  exact: ExactResult | undefined,
  requestedBattles: number,
) {
  const { scenario, scenarioHash, summary, from, to } = result;
  const contradiction = describeDisagreement(scenario, summary, exact?.summary, to - from);
  return {
    ...result.toJSON(),
    ...createScenarioHeader(label, scenario, scenarioHash),
    requested: requestedBattles,
    ...(exact && { exact: createReferenceJson(result, exact, to - from) }),
    ...(contradiction !== undefined && { contradiction }),
  };
}

/** Creates the JSON of `exact`. */
export function createExactJson(result: ExactResult, label: ScenarioLabel) {
  return { ...result.toJSON(), ...createScenarioHeader(label, result.scenario, result.scenarioHash) };
}

/** Creates the JSON of `replay`. */
export function createReplayJson(result: Replay, label: ScenarioLabel, scenario: Scenario, hash: string) {
  const { seed, battle, outcome, metrics: values, events } = result;
  return { ...createScenarioHeader(label, scenario, hash), seed, battle, outcome, metrics: values, events };
}

/** Creates the JSON of `find`. */
export function createFindJson(
  { matches, examined }: FindResult,
  label: ScenarioLabel,
  scenario: Scenario,
  hash: string,
  seed: bigint,
) {
  return { ...createScenarioHeader(label, scenario, hash), seed: String(seed), searched: examined, matches };
}

/** Creates the part of the JSON that `run --coverage` adds. */
export function createCoverageJson(rules: readonly RuleCoverage[], battles: number) {
  const createEntry = ({ source, fired, battles: touched }: RuleCoverage) => ({ source, fired, battles: touched });
  return { battles, rules: createRecord(rules.map((rule) => [rule.id, createEntry(rule)])) };
}

/**
 * Creates the JSON of `compare-rules`. Differences are changed minus original; an infinite variance reduction is null.
 * @param hashes hashes of the original and the changed scenario
 */
export function createRulesComparisonJson(
  difference: RulesComparison,
  label: ScenarioLabel,
  scenario: Scenario,
  hashes: readonly [string, string],
  set: readonly string[],
) {
  return { ...createScenarioHeader(label, scenario, hashes[0]), set, changedHash: hashes[1], ...difference.toJSON() };
}

/** Name and hash of a scenario of a comparison. */
interface ComparedScenario {
  readonly name: string;
  readonly hash: string;
}

/** Creates the JSON of all outcomes and metrics of two scenarios. */
function createDifferencesJson(all: RulesComparison) {
  const { outcomes, unshared, metrics } = all.toJSON();
  return { outcomes, unshared, metrics };
}

/**
 * Creates the JSON of `compare`. Scenarios are indices into `scenarios`, from 0, in the requested order; `order` sorts
 * them from the highest to the lowest value. Differences are second minus first; `pairs` have simultaneous intervals.
 * Shares are 0..1. Infinite variance reductions are null; `battlesNeeded` is null if nothing differs.
 */
export function createComparisonJson(result: Comparison, rules: RulesIdentity, compared: readonly ComparedScenario[]) {
  const { of, kind, bounded, seed, from, battles, standings, pairs, order, groups, all, best } = result;
  const createStanding = ({ value, ci95, exact, rank }: RankedScenario, s: number) => ({
    ...compared[s],
    value,
    ci95,
    ...(exact !== undefined && { exact }),
    rank,
  });
  const pair = ({ battlesNeeded, ...rest }: PairedDifference) => ({ ...rest, battlesNeeded: battlesNeeded ?? null });
  return {
    ...createProvenance(rules),
    of,
    kind,
    bounded,
    seed,
    from,
    battles,
    scenarios: standings.map(createStanding),
    order,
    groups,
    pairs: pairs.map(pair),
    ...(all && createDifferencesJson(all)),
    ...(best && { best }),
  };
}
