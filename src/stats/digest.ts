/**
 * Computes the digest of a run: equal runs have equal digests. It covers the scenario, its system, the ruleset, the
 * seed, the range, and every count; not the engine, the machine or the division of the work, and not the source of
 * custom rules: a comment does not change results.
 */
import { createSha256 } from '#platform/hash';
import { getBoundScenario, isBound, type Scenario, type SystemModule } from '../rules/index.ts';
import { type Counts, type CountsShape, listValueCounts } from './counts.ts';

/** Increased when results of the same (scenario, seed, battle) may change. */
export const RULESET = '4';

/** Cache for bound scenarios, which are frozen. */
const hashes = new WeakMap<Scenario, string>();

/**
 * Computes the SHA-256 of a complete scenario, in hexadecimal. All fields count except `name`, which is a label;
 * omitted fields count with their defaults.
 */
export function hashScenario(scenario: Scenario): string {
  const known = hashes.get(scenario);
  if (known !== undefined) return known;
  const { name: _label, ...content } = scenario;
  const hash = createSha256().update(JSON.stringify(content)).hex();
  // Mutable scenarios are hashed at every call.
  if (isBound(scenario)) hashes.set(scenario, hash);
  return hash;
}

/** Identity of the rules of a scenario. */
export interface RulesIdentity {
  readonly system: string;
  /** Hash of the module of the system; absent for a shipped one, whose rules are identified by the ruleset. */
  readonly systemHash?: string;
  /** Package of the module, such as `skirmish-game@1.2.0`. */
  readonly systemPackage?: string;
}

type OptionalModuleFields = { readonly [K in 'systemHash' | 'systemPackage']: string | undefined };

/** Picks the fields that identify custom rules; none for a shipped system. */
export function pickModuleFields({
  systemHash,
  systemPackage,
}: Partial<OptionalModuleFields>): Omit<RulesIdentity, 'system'> {
  return {
    ...(systemHash !== undefined && { systemHash }),
    ...(systemPackage !== undefined && { systemPackage }),
  };
}

/** Identifies the rules of a loaded module, if there is one. */
export function identifyModuleRules(module: SystemModule | undefined): Omit<RulesIdentity, 'system'> {
  return pickModuleFields({ systemHash: module?.hash, systemPackage: module?.package });
}

export function identifyRules(scenario: Scenario): RulesIdentity {
  return { system: scenario.system, ...identifyModuleRules(getBoundScenario(scenario).module) };
}

/** Identity of a run. */
export interface RunIdentity extends RulesIdentity {
  readonly scenarioHash: string;
  readonly seed: bigint;
  /** Range of battles, from..to-1. */
  readonly from: number;
  readonly to: number;
  /** True if results were drawn from the exact distribution: they are not those of the battles. */
  readonly drawn?: boolean;
}

/**
 * Computes the SHA-256, in hexadecimal, of the canonical text of a run: one JSON line each for its identity, for the
 * outcomes with their counts, and for every metric and outcome with its [value, count] pairs, ascending, without zero
 * counts.
 * @param ruleset name of the ruleset in the text; with another name the digest shows whether only the name has
 *   changed
 */
export function computeDigest(
  played: RunIdentity,
  shape: CountsShape,
  counts: Counts,
  ruleset: string = RULESET,
): string {
  const { system, seed, from, to } = played;
  const drawn = played.drawn === true ? { drawn: true } : {};
  const head = { warpool: 1, ruleset, system, scenario: played.scenarioHash, seed: String(seed), from, to };
  return hashLines([{ ...head, ...drawn }, ...generateCountLines(shape, counts)]);
}

/**
 * Computes the SHA-256 of the counts of a run: equal if the same battles have the same results, regardless of other
 * changes.
 */
export function computeCountsDigest(shape: CountsShape, counts: Counts): string {
  return hashLines(generateCountLines(shape, counts));
}

function* generateCountLines(shape: CountsShape, counts: Counts): Iterable<unknown> {
  yield shape.outcomes.map((name, outcome) => [name, counts.outcomes[outcome] ?? 0]);
  for (const [m, { name }] of shape.metrics.entries()) {
    for (const [o, outcome] of shape.outcomes.entries()) yield [name, outcome, listValueCounts(counts, m, o)];
  }
}

/** Identity of an estimate of a rare outcome. */
export interface RareOutcomeIdentity extends RulesIdentity {
  readonly scenarioHash: string;
  readonly seed: bigint;
  readonly outcome: string;
  /** Number of battle segments of each stage. */
  readonly effort: number;
}

/**
 * Computes the SHA-256 of an estimate of a rare outcome, in hexadecimal: of its identity and the counts of each
 * replication by stage.
 */
export function computeSplittingDigest(
  { system, scenarioHash: scenario, seed, outcome, effort }: RareOutcomeIdentity,
  replications: readonly (readonly number[])[],
): string {
  const head = { warpool: 1, ruleset: RULESET, system, scenario, seed: String(seed), rare: outcome, effort };
  return hashLines([head, ...replications]);
}

/** Hashes values, one JSON line each. */
function hashLines(lines: Iterable<unknown>): string {
  const hash = createSha256();
  for (const line of lines) hash.update(`${JSON.stringify(line)}\n`);
  return hash.hex();
}
