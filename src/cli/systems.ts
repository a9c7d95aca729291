/** `warpool systems` */

import { createRequirementError, version } from '../core/index.ts';
import { createSystemEntry, formatSystemList, formatSystemSheet, type SystemEntry } from '../report/index.ts';
import { addGames, GAMES, type GameInfo, type SystemRegistry, validateScenario } from '../rules/index.ts';
import { flag, type OptionSpecs, type ParsedOptions, text } from '../rules/option-spec.ts';
import { type CommandDeclaration, formatExamples } from './command.ts';
import { json } from './options.ts';
import { loadFullRegistry, loadRegistry, type RegistryOptions } from './registry.ts';
import { print, printJson, readTextStyle } from './terminal.ts';
import { checkHtmlPath, formatCommand, quoteShellWord, writeHtml } from './write-html.ts';

const OPTIONS = {
  rules: flag('also show the rules and their sources'),
  html: {
    ...text('file', 'also write a self-contained HTML file about the system, with its rules'),
    ...{ value: '[file]', preset: '' },
  },
  json,
} as const satisfies OptionSpecs;

type SystemsCommandOptions = ParsedOptions<typeof OPTIONS> & RegistryOptions;

/** Writes the page of a system. @param path empty for a default name */
async function writeSystemHtml(
  path: string,
  entry: SystemEntry,
  systems: SystemRegistry,
  options: SystemsCommandOptions,
): Promise<void> {
  const { renderSystemPage } = await import('../report/html/commands/system.ts');
  const { id } = entry;
  const file = path === '' ? `${id}.html` : path;
  const examples = systems.system(id).examples.map(({ name, scenario }) => ({
    ...{ name, scenario: validateScenario(scenario, { systems }) },
  }));
  const command = `${formatCommand('systems', [id], options)} --html ${quoteShellWord(file)}`;
  await writeHtml(file, renderSystemPage(entry, { version: version(), command, examples }));
}

/** Lists games whose name is not the name of a system. */
const listOtherGames = (registry: SystemRegistry): GameInfo[] =>
  GAMES.filter(({ id }) => registry.find(id) === undefined);

/** Loads the systems, and the game with this name; all games for JSON without a name. */
async function loadRegistryWithGame(id: string | undefined, options: SystemsCommandOptions): Promise<SystemRegistry> {
  if (id === undefined && options.json === true) return await loadFullRegistry(options);
  return await addGames(await loadRegistry(options), id === undefined ? [] : [id]);
}

/** @param id a system; by default all are listed */
export async function printSystems(id: string | undefined, options: SystemsCommandOptions): Promise<void> {
  const { rules, json, html } = options;
  if (html !== undefined && id === undefined) throw createRequirementError('--html', 'a system, such as attrition');
  await checkHtmlPath(html === '' ? `${id ?? ''}.html` : html, '--html');
  const registry = await loadRegistryWithGame(id, options);
  const chosen = id === undefined ? registry.all : [registry.system(id)];
  const entries = chosen.map((system) => createSystemEntry(system, registry.moduleOf(system.id)));
  const [entry] = entries;
  if (json === true) printJson(id === undefined ? entries : entry);
  else if (id === undefined || entry === undefined)
    print(formatSystemList(entries, listOtherGames(registry), readTextStyle(process.stdout)));
  else print(formatSystemSheet(entry, rules === true, readTextStyle(process.stdout)));
  if (html !== undefined && entry !== undefined) await writeSystemHtml(html, entry, registry, options);
}

export const command: CommandDeclaration = {
  description: 'Lists battle systems, or shows one in detail: outcomes, metrics, fields and policies.',
  parameters: ['name of a system'],
  settings: OPTIONS,
  notes: [
    formatExamples(
      'systems',
      'systems phased-dice',
      'systems conquest-dice',
      'systems attrition --rules',
      'systems my-duel --html',
    ),
  ],
  action: (id: string | undefined, options: SystemsCommandOptions) => printSystems(id, options),
};
