/** JSON Schemas of what commands print with `--json`, by name. See docs/json.md. */
import { z } from 'zod';
import type { JsonSchema } from '../../rules/scenario/index.ts';
import { exact, find, replay, result, rollout } from './battles.ts';
import { queue } from './cluster.ts';
import { COMMANDS, type OutputName } from './commands.ts';
import { balance, compare, diffRules, sensitivity } from './comparisons.ts';
import { optimal, solveCards } from './games.ts';
import { mergedRun, runPrepared, runShard } from './kept.ts';
import { check, conform, report } from './reports.ts';
import { merge, sweepPrepared, sweepShard } from './shards.ts';
import { assert, bench, sweepEstimate, sweepResult, systems, verify } from './stores.ts';

const SCHEMAS: Readonly<Record<OutputName, z.ZodType>> = {
  result,
  'run-prepared': runPrepared,
  'run-shard': runShard,
  'merged-run': mergedRun,
  exact,
  replay,
  find,
  compare,
  'diff-rules': diffRules,
  balance,
  sensitivity,
  optimal,
  'solve-cards': solveCards,
  rollout,
  check,
  conform,
  report,
  'sweep-result': sweepResult,
  'sweep-estimate': sweepEstimate,
  'sweep-prepared': sweepPrepared,
  'sweep-shard': sweepShard,
  merge,
  queue,
  verify,
  assert,
  systems,
  bench,
};

/** The JSON Schema (draft 2020-12) of what a command prints. */
export function outputJsonSchema(name: OutputName): JsonSchema {
  const { $schema, '~standard': _, ...schema } = z.toJSONSchema(SCHEMAS[name]);
  const title = `What warpool ${COMMANDS[name]} --json prints`;
  return { $schema, $id: `urn:warpool:json:${name}`, title, ...schema } as JsonSchema;
}
