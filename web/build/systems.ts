/**
 * Module `virtual:systems`: title and description of each system, and a function that loads it as a separate file. A
 * question needs only one system. Games are modules like custom ones, but share the code of the engine.
 */
import type { Plugin } from 'vite';
import type { GameInfo, System } from '../../src/rules/index.ts';
import { computeModuleHash, loadRules, resolvePath } from './rules.ts';
import { createVirtualModule } from './virtual-module.ts';

/** Returns the export of a system: `cubeBag` for `cube-bag`. */
const toVariableName = (id: string): string => id.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const createLoadCode = (path: string, name: string): string =>
  `async () => (await import(${JSON.stringify(resolvePath(path))})).${name}`;

const createShippedEntry = ({ id, title, about }: System): string =>
  `{ ...${JSON.stringify({ id, title, about })}, load: ${createLoadCode(`src/rules/${id}/index.ts`, toVariableName(id))} }`;

async function createGameEntry({ id }: GameInfo, g: number): Promise<string> {
  const path = `examples/games/${id}.mjs`;
  const module = { url: `file:///${id}.mjs`, hash: await computeModuleHash(path) };
  return `{ ...GAMES[${String(g)}], module: ${JSON.stringify(module)}, load: ${createLoadCode(path, 'default')} }`;
}

async function createSystemsModule(): Promise<string> {
  const { shippedSystems, GAMES } = await loadRules();
  const all = [...shippedSystems.map(createShippedEntry), ...(await Promise.all(GAMES.map(createGameEntry)))];
  return `import { GAMES } from ${JSON.stringify(resolvePath('src/rules/games.ts'))};
export const SYSTEMS = [\n${all.join(',\n')}\n];`;
}

/** Resolves `warpool/system` in modules of games to the code of the engine. */
const sharedPlugin: Plugin = {
  name: 'warpool-shared',
  enforce: 'pre',
  resolveId: { filter: { id: /^warpool\/system$/ }, handler: () => resolvePath('src/system.ts') },
};

/** Plugins of workers, where the list of shipped systems is empty at first: web/engine/registry/registry.ts. */
export const createSystemsPlugins = (): Plugin[] => [
  createVirtualModule('virtual:systems', createSystemsModule),
  createVirtualModule('./shipped.ts', () => 'export const shippedSystems = [];'),
  sharedPlugin,
];
