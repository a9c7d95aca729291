/**
 * Systems by name, as a module: `virtual:systems` knows of each what a choice shows, and loads it as a file of its own. One
 * question needs one system. Games are modules like those of users, but the page's own: they share the engine's code.
 */
import type { Plugin } from 'vite';
import type { KnownGame, System } from '../../src/rules/index.ts';
import { made } from './made.ts';
import { at, hashOf, rules } from './rules.ts';

/** `cube-bag` of src/rules exports `cubeBag`. */
const variable = (id: string): string => id.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const loading = (path: string, name: string): string =>
  `async () => (await import(${JSON.stringify(at(path))})).${name}`;

const shipped = ({ id, title, about }: System): string =>
  `{ ...${JSON.stringify({ id, title, about })}, load: ${loading(`src/rules/${id}/index.ts`, variable(id))} }`;

async function game({ id }: KnownGame, g: number): Promise<string> {
  const path = `examples/games/${id}.mjs`;
  const module = { url: `file:///${id}.mjs`, hash: await hashOf(path) };
  return `{ ...GAMES[${String(g)}], module: ${JSON.stringify(module)}, load: ${loading(path, 'default')} }`;
}

async function listed(): Promise<string> {
  const { systems, GAMES } = await rules();
  const all = [...systems.map(shipped), ...(await Promise.all(GAMES.map(game)))];
  return `import { GAMES } from ${JSON.stringify(at('src/rules/games.ts'))};
export const SYSTEMS = [\n${all.join(',\n')}\n];`;
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
