/** JSON Schemas of scenario files, for editors. */
import { z } from 'zod';
import { registryOf, type SystemsLike } from '../index.ts';
import type { System } from '../system.ts';

export type JsonSchema = z.core.JSONSchema.JSONSchema;

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

function bare(system: System): JsonSchema {
  const { $schema: _, '~standard': __, ...schema } = z.toJSONSchema(system.schema, { io: 'input' });
  return { title: system.title, description: system.about, ...schema };
}

/**
 * The JSON Schema (draft 2020-12) of scenario files of one system, with defaults and descriptions.
 *
 * It says what can be said of each field by itself; what ties fields together (two sides of one name, say)
 * only `checkScenario` knows.
 *
 * @param systems that there are; the shipped ones unless given
 * @throws InputError if there is no such system
 */
export function jsonSchema(id: string, systems?: SystemsLike): JsonSchema {
  return { $schema: DRAFT, $id: `urn:warpool:scenario:${id}`, ...bare(registryOf(systems).system(id)) };
}

/** The JSON Schema of all scenario files: `system` says which of the systems' own holds. */
export function scenarioJsonSchema(systems?: SystemsLike): JsonSchema {
  const { all, names: ids } = registryOf(systems);
  return {
    $schema: DRAFT,
    $id: 'urn:warpool:scenario',
    title: 'Scenario of warpool',
    description: 'A battle to be simulated or solved.',
    type: 'object',
    properties: { system: { description: 'The rules that are played by.', enum: ids } },
    required: ['system'],
    oneOf: ids.map((id) => ({ $ref: `#/$defs/${id}` })),
    $defs: Object.fromEntries(all.map((system) => [system.id, bare(system)])),
  };
}
