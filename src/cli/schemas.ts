/** JSON Schemas by the name of their kind. A new kind is a line in KINDS and one in MAKERS. */

import type { Registry } from '../rules/registry.ts';
import { type JsonSchema, jsonSchema, scenarioJsonSchema } from '../rules/scenario/index.ts';
import { expectationsJsonSchema } from '../studies/expectations/index.ts';
import { COMMANDS, type OutputName } from '../tell/schemas/commands.ts';
import { outputJsonSchema } from '../tell/schemas/index.ts';
import { sweepJsonSchema } from '../work/sweep/read.ts';
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
