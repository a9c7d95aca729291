/** Module `virtual:scenarios`: shipped systems and games with their scenarios. Texts are loaded on demand. */
import { readdir, readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';
import { parse } from 'yaml';
import { loadRules, resolvePath } from './rules.ts';
import { createVirtualModule } from './virtual-module.ts';

async function describeScenario(folder: string, file: string): Promise<{ id: string; system: string; title: string }> {
  const { system, name } = parse(await readFile(resolvePath(folder + file), 'utf8')) as {
    system: string;
    name?: string;
  };
  const id = file.replace(/\.yaml$/, '');
  return { id, system, title: name ?? id };
}

async function listScenarios(folder: string): Promise<Awaited<ReturnType<typeof describeScenario>>[]> {
  const files = (await readdir(resolvePath(folder))).filter((file) => file.endsWith('.yaml')).sort();
  return await Promise.all(files.map((file) => describeScenario(folder, file)));
}

async function createListModule(): Promise<string> {
  const { shippedSystems, GAMES } = await loadRules();
  const scenarios = [...(await listScenarios('scenarios/')), ...(await listScenarios('examples/games/'))];
  const shipped = shippedSystems.map(({ id, title }) => ({ id, title, played: [] }));
  const games = GAMES.map(({ id, title, played }) => ({ id, title, played }));
  return `export const SYSTEMS = ${JSON.stringify([...games, ...shipped])};
export const SCENARIOS = ${JSON.stringify(scenarios)};`;
}

export function createScenarioListPlugin(): Plugin {
  return createVirtualModule('virtual:scenarios', createListModule);
}
