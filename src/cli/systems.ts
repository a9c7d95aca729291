/** `warpool systems` */
import { entryOf, systemList, systemSheet } from '../tell/catalogue.ts';
import { type Known, registryFor } from './registry.ts';
import { look, print, printJson } from './terminal.ts';

export interface SystemsOptions extends Known {
  readonly rules?: boolean;
  readonly json?: boolean;
}

/** @param id a system; without one all are listed */
export async function tellSystems(id: string | undefined, options: SystemsOptions): Promise<void> {
  const { rules, json } = options;
  const registry = await registryFor(options);
  const chosen = id === undefined ? registry.all : [registry.system(id)];
  const entries = chosen.map((system) => entryOf(system, registry.moduleOf(system.id)));
  const [entry] = entries;
  if (json === true) printJson(id === undefined ? entries : entry);
  else if (id === undefined || entry === undefined) print(systemList(entries, look(process.stdout)));
  else print(systemSheet(entry, rules === true, look(process.stdout)));
}
