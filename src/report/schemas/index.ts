/** JSON Schemas of the output of commands with `--json`, by name. See docs/reference/json.md. */
import { z } from 'zod';
import type { JsonSchema } from '../../rules/index.ts';
import * as battles from './battles.ts';
import { queue } from './cluster.ts';
import * as comparisons from './comparisons.ts';
import { fit } from './fit.ts';
import * as games from './games.ts';
import { certification, matchup } from './matchups.ts';
import { solution } from './problems.ts';
import * as reports from './reports.ts';
import * as shards from './shards.ts';
import * as stores from './stores.ts';

/** Command and schema of each output. */
const OUTPUTS = {
  result: ['run', battles.result],
  'run-plan': ['run --plan', battles.plan],
  'run-rare': ['run --rare', battles.rareOutcome],
  'run-prepared': ['run --prepare', shards.runPrepared],
  'run-shard': ['run --shard', shards.runShard],
  exact: ['exact', battles.exact],
  replay: ['replay', battles.replay],
  find: ['find', battles.find],
  compare: ['compare', comparisons.compare],
  'compare-rules': ['compare-rules', comparisons.compareRules],
  balance: ['balance', comparisons.balance],
  'balance-problem': ['balance <problem>', solution],
  sensitivity: ['sensitivity', comparisons.sensitivity],
  fit: ['fit', fit],
  'best-response': ['best-response', games.bestResponse],
  equilibrium: ['equilibrium', games.equilibrium],
  exploitability: ['exploitability', games.exploitability],
  grade: ['grade', games.grade],
  matchup: ['matchup', matchup],
  'matchup-value': ['matchup --certify', certification],
  rollout: ['rollout', battles.rollout],
  check: ['check', reports.check],
  conform: ['conform', reports.conform],
  report: ['report', reports.report],
  'sweep-result': ['sweep', stores.sweepResult],
  'sweep-estimate': ['sweep --dry-run', stores.sweepEstimate],
  'sweep-prepared': ['sweep --prepare', shards.sweepPrepared],
  'sweep-shard': ['sweep --shard', shards.sweepShard],
  merge: ['merge', shards.merge],
  queue: ['queue', queue],
  verify: ['verify', stores.verify],
  assert: ['assert', stores.assert],
  systems: ['systems', stores.systems],
  bench: ['bench', stores.bench],
} as const satisfies Record<string, readonly [command: string, schema: z.ZodType]>;

export type OutputName = keyof typeof OUTPUTS;

export const OUTPUT_NAMES = Object.keys(OUTPUTS) as OutputName[];

/** Describes an output in a few words. */
export const describeOutput = (name: OutputName): string => `output of "warpool ${OUTPUTS[name][0]} --json"`;

/** Creates the JSON Schema (draft 2020-12) of an output. */
export function createOutputJsonSchema(name: OutputName): JsonSchema {
  const [command, declared] = OUTPUTS[name];
  const { $schema, '~standard': _, ...schema } = z.toJSONSchema(declared);
  const title = `Output of warpool ${command} --json`;
  return { $schema, $id: `urn:warpool:json:${name}`, title, ...schema } as JsonSchema;
}
