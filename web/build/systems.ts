/**
 * Systems by name, as a module: `virtual:systems` knows of each what a choice shows, and loads it as a file of its own. One
 * question needs one system. Games are modules like those of users, but the page's own: they share the engine's code.
 */
import type { Plugin } from 'vite';
import { made } from './made.ts';
import { at, hashOf, rules } from './rules.ts';

/** `cube-bag` of src/rules exports `cubeBag`. */
const variable = (id: string): string => id.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const loading = (path: string, name: string): string =>
  `async () => (await import(${JSON.stringify(at(path))})).${name}`;

interface Told {
  readonly id: string;
  readonly title: string;
  readonly about: string;
}

const entry = ({ id, title, about }: Told, load: string, more: object = {}): string =>
  `{ ...${JSON.stringify({ id, title, about, ...more })}, load: ${load} }`;

async function game(told: Told): Promise<string> {
  const path = `examples/games/${told.id}.mjs`;
  const module = { url: `file:///${told.id}.mjs`, hash: await hashOf(path) };
  return entry(told, loading(path, 'default'), { module });
}

async function listed(): Promise<string> {
  const { systems, GAMES } = await rules();
  const shipped = systems.map((each) => entry(each, loading(`src/rules/${each.id}/index.ts`, variable(each.id))));
  return `export const SYSTEMS = [\n${[...shipped, ...(await Promise.all(GAMES.map(game)))].join(',\n')}\n];`;
}

/** Modules of games import `warpool/system`: here it is the engine's own code. */
const shared: Plugin = {
  name: 'warpool-shared',
  enforce: 'pre',
  resolveId: { filter: { id: /^warpool\/system$/ }, handler: () => at('src/system.ts') },
};

/** In workers the list of shipped systems is empty at first: web/engine/registry.ts. */
export const systemsByName = (): Plugin[] => [
  made('virtual:systems', listed),
  made('./shipped.ts', () => 'export const systems = [];'),
  shared,
];
