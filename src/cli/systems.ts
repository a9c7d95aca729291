/** `warpool systems` */

import { InputError, version } from '../core/index.ts';
import { GAMES, type KnownGame, type Registry, validateScenario, withGames } from '../rules/index.ts';
import { flag, type Given, type Settings, text } from '../rules/setting.ts';
import { type Entry, entryOf, systemList, systemSheet } from '../tell/index.ts';
import { type DeclaredCommand, examples } from './command.ts';
import { json } from './options.ts';
import { checkPage, commandOf, writePage } from './page.ts';
import { type Known, registryFor, wholeRegistry } from './registry.ts';
import { look, print, printJson } from './terminal.ts';

/** What it is asked with. */
const ASKED = {
  rules: flag('also its rules and where they come from'),
  html: {
    ...text('file', 'also write all about it, its rules too, as a page: one .html file that opens offline'),
    ...{ value: '[file]', preset: '' },
  },
  json,
} as const satisfies Settings;

type SystemsOptions = Given<typeof ASKED> & Known;

/** Writes the page of a system. @param path empty for one that is named after it */
async function writeSystem(path: string, entry: Entry, systems: Registry, options: SystemsOptions): Promise<void> {
  const { systemPage } = await import('../tell/page/single/system.ts');
  const { id } = entry;
  const file = path === '' ? `${id}.html` : path;
  const examples = systems.system(id).examples.map(({ name, scenario }) => ({
    ...{ name, scenario: validateScenario(scenario, { systems }) },
  }));
  const command = commandOf('systems', [id], { ...options, html: file });
  await writePage(file, systemPage(entry, { version: version(), command, examples }));
}

/** Games that no system is called like. */
const othersThan = (registry: Registry): KnownGame[] => GAMES.filter(({ id }) => registry.find(id) === undefined);

/** What is known, with the game that is named; without a name a list needs none of them, JSON tells all. */
async function registryWith(id: string | undefined, options: SystemsOptions): Promise<Registry> {
  if (id === undefined && options.json === true) return await wholeRegistry(options);
  return await withGames(await registryFor(options), id === undefined ? [] : [id]);
}

/** @param id a system; without one all are listed */
export async function tellSystems(id: string | undefined, options: SystemsOptions): Promise<void> {
  const { rules, json, html } = options;
  if (html !== undefined && id === undefined) throw new InputError('--html', 'a system, such as attrition', 'none');
  await checkPage(html === '' ? `${id ?? ''}.html` : html, '--html');
  const registry = await registryWith(id, options);
  const chosen = id === undefined ? registry.all : [registry.system(id)];
  const entries = chosen.map((system) => entryOf(system, registry.moduleOf(system.id)));
  const [entry] = entries;
  if (json === true) printJson(id === undefined ? entries : entry);
  else if (id === undefined || entry === undefined)
    print(systemList(entries, othersThan(registry), look(process.stdout)));
  else print(systemSheet(entry, rules === true, look(process.stdout)));
  if (html !== undefined && entry !== undefined) await writeSystem(html, entry, registry, options);
}

export const command: DeclaredCommand = {
  description: 'Tells which battle systems there are, or all about one: outcomes, metrics, fields, policies.',
  takes: ['one of them'],
  asked: ASKED,
  after: [
    examples(
      'systems',
      'systems phased-dice',
      'systems conquest-dice',
      'systems attrition --rules',
      'systems my-duel --html',
    ),
  ],
  action: (id: string | undefined, options: SystemsOptions) => tellSystems(id, options),
};
