/** `warpool systems` */
import { entryOf, systemList, systemSheet } from '../report/catalogue.ts';
import type { JsonSchema } from '../report/fields.ts';
import { jsonSchema } from '../scenario/index.ts';
import { SHIPPED, systems } from '../systems/index.ts';
import { look, print, printJson } from './terminal.ts';

export interface SystemsOptions {
  readonly rules?: boolean;
  readonly json?: boolean;
}

/** @param id a system; without one all are listed */
export function tellSystems(id: string | undefined, { rules, json }: SystemsOptions): void {
  const chosen = id === undefined ? systems : [SHIPPED.system(id)];
  const entries = chosen.map((system) => entryOf(system, jsonSchema(system.id) as JsonSchema));
  const [entry] = entries;
  if (json === true) printJson(id === undefined ? entries : entry);
  else if (id === undefined || entry === undefined) print(systemList(entries, look(process.stdout)));
  else print(systemSheet(entry, rules === true, look(process.stdout)));
}
