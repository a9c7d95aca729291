/** `warpool schema` */
import { expectationsJsonSchema } from '../expectations/index.ts';
import { outputJsonSchema } from '../report/schemas/index.ts';
import { jsonSchema, scenarioJsonSchema } from '../scenario/index.ts';
import type { JsonSchema } from '../scenario/json-schema.ts';
import { sweepJsonSchema } from '../sweep/read.ts';
import { requireSystem } from '../systems/index.ts';
import { print } from './terminal.ts';

/** What is no scenario file of one system. */
const OTHERS: ReadonlyMap<string, () => JsonSchema> = new Map([
  ['all', scenarioJsonSchema],
  ['expectations', expectationsJsonSchema],
  ['sweep', sweepJsonSchema],
]);

/** @param id a system, what a command prints with --json, or one of the others */
export function schema(id: string): void {
  const found = OTHERS.get(id)?.() ?? outputJsonSchema(id) ?? jsonSchema(requireSystem(id).id);
  print(`${JSON.stringify(found, undefined, 2)}\n`);
}
