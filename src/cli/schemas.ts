/** JSON Schemas by the name of their kind. A new kind is a line in KINDS and one in MAKERS. */
import { expectationsJsonSchema } from '../expectations/index.ts';
import { COMMANDS, type OutputName } from '../report/schemas/commands.ts';
import { outputJsonSchema } from '../report/schemas/index.ts';
import { jsonSchema, scenarioJsonSchema } from '../scenario/index.ts';
import type { JsonSchema } from '../scenario/json-schema.ts';
import { sweepJsonSchema } from '../sweep/read.ts';
import { systems } from '../systems/index.ts';
import { KINDS, type KindName, ofOutput, ofSystem } from './schema-kinds.ts';

export interface Kind {
  readonly names: readonly string[];
  /** What it describes, in one line. */
  readonly about: string;
  readonly schema: () => JsonSchema;
}

const MAKERS: Readonly<Record<KindName, () => JsonSchema>> = {
  scenario: scenarioJsonSchema,
  sweep: sweepJsonSchema,
  expectations: expectationsJsonSchema,
};

const outputs = Object.keys(COMMANDS) as OutputName[];

export const kinds: readonly Kind[] = [
  ...KINDS.map(({ name, also, about }) => ({ names: [name, ...also], about, schema: MAKERS[name] })),
  ...outputs.map((name) => ({
    names: [name],
    about: ofOutput(COMMANDS[name]),
    schema: () => outputJsonSchema(name),
  })),
  ...systems.map(({ id }) => ({ names: [id], about: ofSystem(id), schema: () => jsonSchema(id) })),
];
