/** JSON Schemas of sweeps, rosters and balance problems, for editors. */
import { z } from 'zod';
import type { JsonSchema } from '../../rules/index.ts';

/** Creates the JSON Schema (draft 2020-12) of a kind of files. @param id last part of its URN */
export function createFileSchema(declared: z.ZodType, id: string, title: string, description: string): JsonSchema {
  const { $schema, '~standard': _, ...rest } = z.toJSONSchema(declared, { io: 'input' });
  return { $schema, $id: `urn:warpool:${id}`, title, description, ...rest } as JsonSchema;
}
