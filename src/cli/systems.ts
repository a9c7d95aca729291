/** `warpool systems` */

import { flag, type Given, type Settings } from '../rules/setting.ts';
import { entryOf, systemList, systemSheet } from '../tell/catalogue.ts';
import { type DeclaredCommand, examples } from './command.ts';
import { json } from './options.ts';
import { type Known, registryFor } from './registry.ts';
import { look, print, printJson } from './terminal.ts';

/** What it is asked with. */
const ASKED = {
  rules: flag('also its rules and where they come from'),
  json,
} as const satisfies Settings;

type SystemsOptions = Given<typeof ASKED> & Known;

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

export const command: DeclaredCommand = {
  description: 'Tells which battle systems there are, or all about one: outcomes, metrics, fields, policies.',
  takes: ['one of them'],
  asked: ASKED,
  after: [examples('systems', 'systems phased-dice', 'systems attrition --rules')],
  action: (id: string | undefined, options: SystemsOptions) => tellSystems(id, options),
};
