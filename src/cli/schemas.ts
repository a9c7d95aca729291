/** JSON Schemas by the name of their kind. A new kind is a line in KINDS and one in MAKERS. */
import { expectationsJsonSchema } from '../expectations/index.ts';
import { COMMANDS, type OutputName } from '../report/schemas/commands.ts';
import { outputJsonSchema } from '../report/schemas/index.ts';
import { jsonSchema, scenarioJsonSchema } from '../scenario/index.ts';
import type { JsonSchema } from '../scenario/json-schema.ts';
import { sweepJsonSchema } from '../sweep/read.ts';
import type { Registry } from '../systems/registry.ts';
import { KINDS, type KindName, ofOutput, ofSystem } from './schema-kinds.ts';

export interface Kind {
  readonly names: readonly string[];
  /** What it describes, in one line. */
  readonly about: string;
  readonly schema: () => JsonSchema;
}

const MAKERS: Readonly<Record<KindName, (registry: Registry) => JsonSchema>> = {
  scenario: scenarioJsonSchema,
  sweep: sweepJsonSchema,
  expectations: expectationsJsonSchema,
};

const outputs = Object.keys(COMMANDS) as OutputName[];

/** Kinds of files, with one for each system. */
export const kindsOf = (registry: Registry): readonly Kind[] => [
  ...KINDS.map(({ name, also, about }) => ({
    names: [name, ...also],
    about,
    schema: () => MAKERS[name](registry),
  })),
  ...outputs.map((name) => ({
    names: [name],
    about: ofOutput(COMMANDS[name]),
    schema: () => outputJsonSchema(name),
  })),
  ...registry.names.map((id) => ({ names: [id], about: ofSystem(id), schema: () => jsonSchema(id, registry) })),
];
