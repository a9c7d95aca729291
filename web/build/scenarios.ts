/**
 * The shipped systems and games, and their scenarios, as a module: `virtual:scenarios`. Texts are loaded when they are chosen.
 */
import { readdir, readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';
import { parse } from 'yaml';
import { made } from './made.ts';
import { at, rules } from './rules.ts';

async function listed(folder: string, file: string): Promise<{ id: string; system: string; title: string }> {
  const { system, name } = parse(await readFile(at(folder + file), 'utf8')) as { system: string; name?: string };
  const id = file.replace(/\.yaml$/, '');
  return { id, system, title: name ?? id };
}

async function scenariosIn(folder: string): Promise<Awaited<ReturnType<typeof listed>>[]> {
  const files = (await readdir(at(folder))).filter((file) => file.endsWith('.yaml')).sort();
  return await Promise.all(files.map((file) => listed(folder, file)));
}

async function text(): Promise<string> {
  const { systems, GAMES } = await rules();
  const scenarios = [...(await scenariosIn('scenarios/')), ...(await scenariosIn('examples/games/'))];
  const shipped = systems.map(({ id, title }) => ({ id, title, played: [] }));
  const games = GAMES.map(({ id, title, played }) => ({ id, title, played }));
  return `export const SYSTEMS = ${JSON.stringify([...games, ...shipped])};
export const SCENARIOS = ${JSON.stringify(scenarios)};`;
}

export function scenarioList(): Plugin {
  return made('virtual:scenarios', text);
}
