/** The systems that there are, and what their scenarios can hold. */
import { type Entry, entryOf } from '../../src/report/catalogue.ts';
import type { JsonSchema } from '../../src/report/fields.ts';
import { jsonSchema } from '../../src/scenario/index.ts';
import { registry } from './registry.ts';

/** What a choice of systems shows. */
export interface Listed {
  readonly id: string;
  readonly title: string;
  readonly about: string;
}

export const catalogue = {
  systemList(): Listed[] {
    return registry().all.map(({ id, title, about }) => ({ id, title, about }));
  },
  /** The JSON Schema of the scenarios of a system. @throws InputError if there is no such system */
  schemaOf(system: string): JsonSchema {
    return jsonSchema(system, registry()) as JsonSchema;
  },
  /** Fields, decisions, rules, results of a system. @throws InputError if there is no such system */
  entryOf(system: string): Entry {
    return entryOf(registry().system(system), jsonSchema(system, registry()) as JsonSchema);
  },
};
