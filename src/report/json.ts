/**
 * What `--json` prints, but for runs, laws and rollouts (answers/json.ts): the shape is a contract; only additional keys may come.
 */

import {
  type Comparison,
  describeDisagreement,
  type Equilibrium,
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
  /** What the scenario is called. */
  readonly name: string;
  /** Fields that the command line set: `attacker.hp=20`. */
  readonly set?: readonly string[] | undefined;
}

/** What every object begins with. */
export function createScenarioHeader({ name, set }: ScenarioLabel, scenario: Scenario, hash: string) {
  return {
    ...createProvenance(identifyRules(scenario)),
    scenario: { name, hash },
    ...(set && { set }),
    ...createCostsJson(scenario),
  };
}

/** Exact values beside estimates, and by how many standard errors these miss them; an infinite z is null. */
function createReferenceJson({ summary }: SimulationResult, exact: ExactResult, battles: number) {
  const { elapsedSeconds, states, steps, truncated } = exact;
  return {
    ...{ elapsedSeconds, states, steps, truncated },
    outcomes: indexByName(exact.summary.outcomes, ({ p }, o) => ({
      p,
      z: computeZScore(summary.outcomes[o]?.p ?? 0, createEventMoments(p), battles),
    })),
    metrics: indexByName(exact.summary.metrics, (law, m) => ({
      ...{ mean: law.mean, variance: law.variance, error: law.error ?? null },
      z: computeZScore(summary.metrics[m]?.mean ?? 0, createMetricMoments(law), battles),
    })),
  };
}

/** The result of `run`. */
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

/** The result of `exact`. */
export function createExactJson(result: ExactResult, label: ScenarioLabel) {
  return { ...result.toJSON(), ...createScenarioHeader(label, result.scenario, result.scenarioHash) };
}

/** The result of `replay`. */
export function createReplayJson(result: Replay, label: ScenarioLabel, scenario: Scenario, hash: string) {
  const { seed, battle, outcome, metrics: values, events } = result;
  return { ...createScenarioHeader(label, scenario, hash), seed, battle, outcome, metrics: values, events };
}

/** The result of `find`. */
export function createFindJson(
  { matches, examined }: FindResult,
  label: ScenarioLabel,
  scenario: Scenario,
  hash: string,
  seed: bigint,
) {
  return { ...createScenarioHeader(label, scenario, hash), seed: String(seed), searched: examined, matches };
}

/** What `run --coverage` adds. */
export function createCoverageJson(rules: readonly RuleCoverage[], battles: number) {
  const entry = ({ source, fired, battles: touched }: RuleCoverage) => ({ source, fired, battles: touched });
  return { battles, rules: createRecord(rules.map((rule) => [rule.id, entry(rule)])) };
}

/**
 * The result of `compare-rules`. Differences are the changed reading's minus the other's; an infinite gain is null.
 * @param hashes of the scenario as it is and as changed
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

/** A scenario of a comparison: what it is called, and its hash. */
interface ComparedScenario {
  readonly name: string;
  readonly hash: string;
}

/** All outcomes and metrics of two scenarios. */
function createDifferencesJson(all: RulesComparison) {
  const { outcomes, unshared, metrics } = all.toJSON();
  return { outcomes, unshared, metrics };
}

/**
 * The result of `compare`. Scenarios are told by their places in `scenarios`, from 0, in the order given; `order` has
 * them from the highest figure to the lowest. Differences are the second's minus the first's; those of `pairs` have
 * intervals that hold all at once. Shares are 0..1. An infinite gain is null, as is `battlesNeeded` where nothing differs.
 */
export function createComparisonJson(result: Comparison, rules: RulesIdentity, compared: readonly ComparedScenario[]) {
  const { of, kind, bounded, seed, from, battles, standings, pairs, order, groups, all, best } = result;
  const standing = ({ value, ci95, exact, rank }: RankedScenario, s: number) => ({
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
    scenarios: standings.map(standing),
    order,
    groups,
    pairs: pairs.map(pair),
    ...(all && createDifferencesJson(all)),
    ...(best && { best }),
  };
}

/** The result of `equilibrium`. */
export function createEquilibriumJson(solution: Equilibrium, label: ScenarioLabel) {
  return { ...solution.toJSON(), ...createScenarioHeader(label, solution.scenario, solution.scenarioHash) };
}
