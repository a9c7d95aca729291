/** What `--json` prints: the shape is a contract; only additional keys may come. */
import type { Comparison, Pairing, Standing } from '../compare.ts';
import type { RuleCoverage } from '../coverage.ts';
import type { RulesDifference } from '../diff-rules.ts';
import type { Search } from '../find.ts';
import type { Replay } from '../replay.ts';
import type { SimulationResult } from '../simulate.ts';
import type { ExactResult } from '../solve.ts';
import type { CardsSolution } from '../solve-cards.ts';
import { RULESET } from '../stats/digest.ts';
import type { MetricSummary, OutcomeSummary, Summary } from '../stats/summary.ts';
import { type Tally, type TallyShape, valueCounts } from '../stats/tally.ts';
import type { Metric, Scenario } from '../systems/system.ts';
import { knownEvent, knownMetric, zOf } from './score.ts';

/** An object whose keys are names from a scenario, in their order, whatever they are. */
function record<T, V>(items: Iterable<T>, key: (item: T) => string | number, value: (item: T) => V): Record<string, V> {
  return Object.fromEntries([...items].map((item) => [String(key(item)), value(item)]));
}

export interface Label {
  /** The version of the package. */
  readonly version: string;
  /** What the scenario is called. */
  readonly name: string;
  /** Fields that the command line set: `attacker.hp=20`. */
  readonly set?: readonly string[] | undefined;
}

/** What every object begins with. */
export function head({ version, name, set }: Label, scenario: Scenario, hash: string) {
  const about = { warpool: version, ruleset: RULESET, system: scenario.system, scenario: { name, hash } };
  return { ...about, ...(set && { set }) };
}

type Weights = MetricSummary['histogram'];

function weights(histogram: Weights): Record<string, number> {
  return record(
    histogram,
    ([value]) => value,
    ([, weight]) => weight,
  );
}

function histogramsGiven(shape: TallyShape, tally: Tally, m: number): Record<string, Record<string, number>> {
  const unit = shape.metrics[m]?.unit ?? 1;
  const came = [...shape.outcomes.entries()].filter(([o]) => (tally.outcomes[o] ?? 0) > 0);
  return record(
    came,
    ([, name]) => name,
    ([o]) => weights(valueCounts(tally, m, o).map(([value, weight]) => [value * unit, weight])),
  );
}

function metric(
  summary: MetricSummary,
  { min: least, max: greatest, unit = 1 }: Metric,
  exact: boolean,
  given: Record<string, Record<string, number>>,
) {
  const { mean, variance, min, max, ci95 = null, unseen = null, error = null } = summary;
  return {
    mean,
    variance,
    min,
    max,
    range: [least * unit, greatest * unit],
    ...(exact ? { error } : { ci95, unseen }),
    quantiles: Object.fromEntries(summary.quantiles),
    histogram: weights(summary.histogram),
    meanGiven: Object.fromEntries(summary.meanGiven),
    histogramGiven: given,
  };
}

function metrics({ metrics: all }: Summary, shape: TallyShape, tally: Tally, exact: boolean) {
  return record(
    all.entries(),
    ([, { name }]) => name,
    ([m, summary]) => metric(summary, shape.metrics[m] ?? NOWHERE, exact, histogramsGiven(shape, tally, m)),
  );
}

/** A metric that nobody declared. */
const NOWHERE: Metric = { name: '', min: 0, max: 0 };

const nameOf = ({ name }: { readonly name: string }): string => name;

/** Exact values beside estimates, and by how many standard errors these miss them; an infinite z is null. */
function beside({ summary }: SimulationResult, exact: ExactResult, battles: number) {
  const outcome = ([o, { p }]: [number, OutcomeSummary]) => ({
    p,
    z: zOf(summary.outcomes[o]?.p ?? 0, knownEvent(p), battles),
  });
  const metricBeside = ([m, law]: [number, MetricSummary]) => ({
    mean: law.mean,
    variance: law.variance,
    error: law.error ?? null,
    z: zOf(summary.metrics[m]?.mean ?? 0, knownMetric(law), battles),
  });
  return {
    elapsedSeconds: exact.elapsedSeconds,
    states: exact.states,
    steps: exact.steps,
    lost: exact.lost,
    outcomes: record(exact.summary.outcomes.entries(), ([, known]) => known.name, outcome),
    metrics: record(exact.summary.metrics.entries(), ([, known]) => known.name, metricBeside),
  };
}

/** The result of `run`. */
export function runJson(result: SimulationResult, label: Label, exact: ExactResult | undefined, asked: number) {
  const { scenario, summary, shape, tally, from, to } = result;
  return {
    ...head(label, scenario, result.scenarioHash),
    engine: result.engine,
    seed: String(result.seed),
    from,
    battles: to - from,
    asked,
    complete: result.complete,
    ...(result.stopping && { stopping: result.stopping }),
    workers: result.workers,
    digest: result.digest,
    elapsedSeconds: result.elapsedSeconds,
    outcomes: record(summary.outcomes, nameOf, ({ count, p, ci95 = null }) => ({ count, p, ci95 })),
    metrics: metrics(summary, shape, tally, false),
    ...(exact && { exact: beside(result, exact, to - from) }),
  };
}

/** The result of `exact`. */
export function exactJson(result: ExactResult, label: Label) {
  const { scenario, summary, shape, law, lost, states, steps } = result;
  return {
    ...head(label, scenario, result.scenarioHash),
    engine: 'exact',
    elapsedSeconds: result.elapsedSeconds,
    states,
    steps,
    lost,
    outcomes: record(summary.outcomes, nameOf, ({ p }) => ({ p })),
    metrics: metrics(summary, shape, law, true),
  };
}

/** The result of `replay`. */
export function replayJson(result: Replay, label: Label, scenario: Scenario, hash: string) {
  const { seed, battle, outcome, metrics: values, events } = result;
  return { ...head(label, scenario, hash), seed: String(seed), battle, outcome, metrics: values, events };
}

/** The result of `find`. */
export function foundJson({ found, looked }: Search, label: Label, scenario: Scenario, hash: string, seed: bigint) {
  return { ...head(label, scenario, hash), seed: String(seed), looked, found };
}

/** What `run --coverage` adds. */
export function coverageJson(rules: readonly RuleCoverage[], battles: number) {
  const entry = ({ source, fired, battles: touched }: RuleCoverage) => ({ source, fired, battles: touched });
  return { battles, rules: record(rules, ({ id }) => id, entry) };
}

/** All outcomes and metrics of two ways to play the same battles. */
function differencesJson({ outcomes, metrics: means, unshared }: RulesDifference) {
  return {
    unshared: record(unshared, nameOf, ({ name: _, ...rest }) => rest),
    outcomes: record(outcomes, nameOf, ({ name: _, ...rest }) => rest),
    metrics: record(means, nameOf, ({ name: _, ...rest }) => rest),
  };
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
  const { exact, battles, seed, bounded } = difference;
  const exactly = (exact ?? []).map((summary) => ({
    outcomes: record(summary.outcomes, nameOf, ({ p }) => p),
    metrics: record(summary.metrics, nameOf, ({ mean }) => mean),
  }));
  return {
    ...head(label, scenario, hashes[0]),
    set,
    changedHash: hashes[1],
    seed: String(seed),
    battles,
    bounded,
    ...differencesJson(difference),
    ...(exact && { exact: exactly }),
  };
}

/** A scenario of a comparison: what it is called, and its hash. */
interface Compared {
  readonly name: string;
  readonly hash: string;
}

/**
 * The result of `compare`. Scenarios are told by their places in `scenarios`, from 0, in the order given; `order` has
 * them from the highest figure to the lowest. Differences are the second's minus the first's; those of `pairs` have
 * intervals that hold all at once. Shares are 0..1. An infinite gain is null, as is `needed` where nothing differs.
 */
export function compareJson(result: Comparison, version: string, system: string, compared: readonly Compared[]) {
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
    warpool: version,
    ruleset: RULESET,
    system,
    of,
    kind,
    bounded,
    seed: String(seed),
    from,
    battles,
    scenarios: standings.map(standing),
    order,
    groups,
    pairs: pairs.map(pair),
    ...(all && differencesJson(all)),
    ...(best && { best }),
  };
}

/** The result of `solve-cards`. */
export function cardsJson({ scenario, scenarioHash, ...solution }: CardsSolution, label: Label) {
  return { ...head(label, scenario, scenarioHash), ...solution };
}
