/**
 * What `--json` prints, but for runs, laws and rollouts (answers/json.ts): the shape is a contract; only additional keys may come.
 */

import { byName, named, originOf, type Rules, rulesOf } from '../answers/index.ts';
import type { Scenario } from '../rules/index.ts';
import {
  type CardsSolution,
  type Comparison,
  disagreement,
  type ExactResult,
  type Pairing,
  type Replay,
  type RuleCoverage,
  type RulesDifference,
  type Search,
  type SimulationResult,
  type Standing,
} from '../studies/index.ts';
import { costsJson } from './costs.ts';
import { knownEvent, knownMetric, zOf } from './text/score.ts';

export interface Label {
  /** What the scenario is called. */
  readonly name: string;
  /** Fields that the command line set: `attacker.hp=20`. */
  readonly set?: readonly string[] | undefined;
}

/** What every object begins with. */
export function head({ name, set }: Label, scenario: Scenario, hash: string) {
  return { ...originOf(rulesOf(scenario)), scenario: { name, hash }, ...(set && { set }), ...costsJson(scenario) };
}

/** Exact values beside estimates, and by how many standard errors these miss them; an infinite z is null. */
function beside({ summary }: SimulationResult, exact: ExactResult, battles: number) {
  const { elapsedSeconds, states, steps, lost } = exact;
  return {
    ...{ elapsedSeconds, states, steps, lost },
    outcomes: byName(exact.summary.outcomes, ({ p }, o) => ({
      p,
      z: zOf(summary.outcomes[o]?.p ?? 0, knownEvent(p), battles),
    })),
    metrics: byName(exact.summary.metrics, (law, m) => ({
      ...{ mean: law.mean, variance: law.variance, error: law.error ?? null },
      z: zOf(summary.metrics[m]?.mean ?? 0, knownMetric(law), battles),
    })),
  };
}

/** The result of `run`. */
export function runJson(result: SimulationResult, label: Label, exact: ExactResult | undefined, asked: number) {
  const { scenario, scenarioHash, summary, from, to } = result;
  const contradiction = disagreement(scenario, summary, exact?.summary, to - from);
  return {
    ...result.toJSON(),
    ...head(label, scenario, scenarioHash),
    asked,
    ...(exact && { exact: beside(result, exact, to - from) }),
    ...(contradiction !== undefined && { contradiction }),
  };
}

/** The result of `exact`. */
export function exactJson(result: ExactResult, label: Label) {
  return { ...result.toJSON(), ...head(label, result.scenario, result.scenarioHash) };
}

/** The result of `replay`. */
export function replayJson(result: Replay, label: Label, scenario: Scenario, hash: string) {
  const { seed, battle, outcome, metrics: values, events } = result;
  return { ...head(label, scenario, hash), seed, battle, outcome, metrics: values, events };
}

/** The result of `find`. */
export function foundJson({ found, looked }: Search, label: Label, scenario: Scenario, hash: string, seed: bigint) {
  return { ...head(label, scenario, hash), seed: String(seed), looked, found };
}

/** What `run --coverage` adds. */
export function coverageJson(rules: readonly RuleCoverage[], battles: number) {
  const entry = ({ source, fired, battles: touched }: RuleCoverage) => ({ source, fired, battles: touched });
  return { battles, rules: named(rules.map((rule) => [rule.id, entry(rule)])) };
}

/**
 * The result of `diff-rules`. Differences are the changed reading's minus the other's; an infinite gain is null.
 * @param hashes of the scenario as it is and as changed
 */
export function diffJson(
  difference: RulesDifference,
  label: Label,
  scenario: Scenario,
  hashes: readonly [string, string],
  set: readonly string[],
) {
  return { ...head(label, scenario, hashes[0]), set, changedHash: hashes[1], ...difference.toJSON() };
}

/** A scenario of a comparison: what it is called, and its hash. */
interface Compared {
  readonly name: string;
  readonly hash: string;
}

/** All outcomes and metrics of two scenarios. */
function allJson(all: RulesDifference) {
  const { outcomes, unshared, metrics } = all.toJSON();
  return { outcomes, unshared, metrics };
}

/**
 * The result of `compare`. Scenarios are told by their places in `scenarios`, from 0, in the order given; `order` has
 * them from the highest figure to the lowest. Differences are the second's minus the first's; those of `pairs` have
 * intervals that hold all at once. Shares are 0..1. An infinite gain is null, as is `needed` where nothing differs.
 */
export function compareJson(result: Comparison, rules: Rules, compared: readonly Compared[]) {
  const { of, kind, bounded, seed, from, battles, standings, pairs, order, groups, all, best } = result;
  const standing = ({ value, ci95, exact, rank }: Standing, s: number) => ({
    ...compared[s],
    value,
    ci95,
    ...(exact !== undefined && { exact }),
    rank,
  });
  const pair = ({ needed, ...rest }: Pairing) => ({ ...rest, needed: needed ?? null });
  return {
    ...originOf(rules),
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
    ...(all && allJson(all)),
    ...(best && { best }),
  };
}

/** The result of `solve-cards`. */
export function cardsJson(solution: CardsSolution, label: Label) {
  return { ...solution.toJSON(), ...head(label, solution.scenario, solution.scenarioHash) };
}
