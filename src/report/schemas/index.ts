/** JSON Schemas of what commands print with `--json`, by name. See docs/json.md. */
import { z } from 'zod';
import type { JsonSchema } from '../../scenario/json-schema.ts';
import { exact, find, replay, result, rollout } from './battles.ts';
import { balance, compare, diffRules, sensitivity } from './comparisons.ts';
import { optimal, solveCards } from './games.ts';
import { assert, bench, sweepEstimate, sweepResult, systems, verify } from './stores.ts';

interface Output {
  /** The command that prints it. */
  readonly command: string;
  readonly schema: z.ZodType;
}

/** A name is the command's own, unless files have it. */
export const OUTPUTS: Readonly<Record<string, Output>> = {
  result: { command: 'run', schema: result },
  exact: { command: 'exact', schema: exact },
  replay: { command: 'replay', schema: replay },
  find: { command: 'find', schema: find },
  compare: { command: 'compare', schema: compare },
  'diff-rules': { command: 'diff-rules', schema: diffRules },
  balance: { command: 'balance', schema: balance },
  sensitivity: { command: 'sensitivity', schema: sensitivity },
  optimal: { command: 'optimal', schema: optimal },
  'solve-cards': { command: 'solve-cards', schema: solveCards },
  rollout: { command: 'rollout', schema: rollout },
  'sweep-result': { command: 'sweep', schema: sweepResult },
  'sweep-estimate': { command: 'sweep --dry-run', schema: sweepEstimate },
  verify: { command: 'verify', schema: verify },
  assert: { command: 'assert', schema: assert },
  systems: { command: 'systems', schema: systems },
  bench: { command: 'bench', schema: bench },
};

/** The JSON Schema (draft 2020-12) of what a command prints; undefined if there is none of that name. */
export function outputJsonSchema(name: string): JsonSchema | undefined {
  const output = Object.hasOwn(OUTPUTS, name) ? OUTPUTS[name] : undefined;
  if (output === undefined) return undefined;
  const { $schema, '~standard': _, ...schema } = z.toJSONSchema(output.schema);
  const title = `What warpool ${output.command} --json prints`;
  return { $schema, $id: `urn:warpool:json:${name}`, title, ...schema } as JsonSchema;
}
