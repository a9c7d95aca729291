/** The list of the shipped scenarios as a module, `virtual:scenarios`; their texts are loaded when they are chosen. */
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { parse } from 'yaml';
import { made } from './made.ts';

const FOLDER = fileURLToPath(new URL('../../scenarios/', import.meta.url));

async function listed(file: string): Promise<{ id: string; system: string; title: string }> {
  const { system, name } = parse(await readFile(FOLDER + file, 'utf8')) as { system: string; name?: string };
  const id = file.replace(/\.yaml$/, '');
  return { id, system, title: name ?? id };
}

export function scenarioList(): Plugin {
  return made('virtual:scenarios', async () => {
    const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.yaml')).sort();
    return `export const SCENARIOS = ${JSON.stringify(await Promise.all(files.map(listed)))};`;
  });
}
