/**
 * The digest of a run: what two runs must share to be the same run. It names the scenario, the rules,
 * the seed and the range, and every count; not who played, on what machine or how the work was cut.
 */
import { createHash } from 'node:crypto';
import type { Scenario } from '../systems/system.ts';
import { type Tally, type TallyShape, valueCounts } from './tally.ts';

/** Bumped whenever the same (scenario, seed, battle) may end differently than before. */
export const RULESET = '1';

/**
 * The SHA-256 of a complete scenario, in hexadecimal. Every field counts but `name`, which is a label;
 * fields that the file leaves out count with their defaults.
 */
export function scenarioHash(scenario: Scenario): string {
  const { name: _label, ...content } = scenario;
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

/** What was played. */
export interface Played {
  readonly scenarioHash: string;
  readonly system: string;
  readonly seed: bigint;
  /** Battles from..to-1. */
  readonly from: number;
  readonly to: number;
  /** True if endings were drawn from the exact law: they are not those of the battles. */
  readonly drawn?: boolean;
}

/**
 * The SHA-256, in hexadecimal, of the canonical text of a run: one JSON line each for what was played,
 * for the outcomes with their counts, and for every metric and outcome with its [value, count] pairs,
 * ascending, zero counts left out.
 */
export function digest(played: Played, shape: TallyShape, tally: Tally): string {
  const { system, seed, from, to } = played;
  const drawn = played.drawn === true ? { drawn: true } : {};
  const hash = createHash('sha256');
  const line = (content: unknown): void => void hash.update(`${JSON.stringify(content)}\n`);
  line({ warpool: 1, ruleset: RULESET, system, scenario: played.scenarioHash, seed: String(seed), from, to, ...drawn });
  line(shape.outcomes.map((name, outcome) => [name, tally.outcomes[outcome] ?? 0]));
  for (const [m, { name }] of shape.metrics.entries()) {
    for (const [o, outcome] of shape.outcomes.entries()) line([name, outcome, valueCounts(tally, m, o)]);
  }
  return hash.digest('hex');
}
