/** `warpool schema` */
import { jsonSchema, scenarioJsonSchema } from '../scenario/index.ts';
import { requireSystem } from '../systems/index.ts';
import { print } from './terminal.ts';

/** @param id a system, or `all` */
export function schema(id: string): void {
  const found = id === 'all' ? scenarioJsonSchema() : jsonSchema(requireSystem(id).id);
  print(`${JSON.stringify(found, undefined, 2)}\n`);
}
