/** Loads systems from modules. */
import { imported } from '#platform/importing';
import { checkRuns, gameUrl, moduleName, moduleUrl } from '#platform/modules';
import { enter, leave } from '#platform/pulse';
import { checkList, checkText, InputError, optionsOf, RulesError } from '../core/index.ts';
import { gamesIn, isGame, systemMeant } from './games.ts';
import { thrownText } from './guard.ts';
import { blamed, type Identity, identityOf } from './identity.ts';
import { registryOf, SHIPPED, type SystemsLike } from './known-systems.ts';
import { isOpened, openScenario, type Portable } from './opened.ts';
import type { Registry, SystemModule } from './registry.ts';
import { describeSystem, isSystem, type Scenario, type System } from './system.ts';

/** What a module exports, by name. */
export type Exports = Readonly<Record<string, unknown>>;

/**
 * Systems among the exports of a module, each once: the default one, which may be a list, named ones, and those of a
 * configuration file.
 * @throws InputError if there are none
 */
export function systemsIn(exports: Exports, place: string): System[] {
  const expected = 'a module that exports a system';
  let found: string;
  try {
    const { default: config } = exports;
    const listed = typeof config === 'object' && config !== null && 'systems' in config ? config.systems : [];
    const systems = [...new Set([...Object.values(exports), listed].flat())].filter(isSystem);
    if (systems.length > 0) return systems;
    found = describeSystem(exports);
  } catch (error) {
    // A proxy, or a getter.
    found = `exports that throw when they are read: ${thrownText(error)}`;
  }
  throw new InputError(place, expected, found);
}

/**
 * Runs a module; Node itself runs each once.
 * @param place what messages call it
 * @throws InputError if it cannot be loaded
 * @throws RulesError if it would end the program
 */
async function run({ url, files }: Identity, place: string): Promise<Exports> {
  checkRuns(url, place);
  try {
    enter('load', moduleName(url));
    return (await imported(url)) as Exports;
  } catch (error) {
    const why = await blamed(error, files);
    throw error instanceof RulesError
      ? new RulesError(`${place}: ${why}`)
      : new InputError(place, 'a module that can be loaded', why);
  } finally {
    leave();
  }
}

/** Hashes of modules as this process has run them: it cannot run them again after a change. */
const ran = new Map<string, string>();

/** @throws InputError if this process has run it with another text */
function checkSame({ url, hash }: SystemModule, place: string): void {
  const before = ran.get(url) ?? hash;
  if (before !== hash) {
    const found = `hash ${hash}: it has changed since, and needs a process of its own`;
    throw new InputError(place, `the module as this process has loaded it, with hash ${before}`, found);
  }
  ran.set(url, hash);
}

/** A module, and what it exports. */
export interface Ran {
  readonly module: SystemModule;
  readonly exports: Exports;
}

/**
 * Runs a module.
 * @param url   a file URL
 * @param place what messages call it
 * @throws InputError if it cannot be loaded, or this process has run it with another text
 * @throws RulesError if it would end the program
 */
export async function ranModule(url: string, place: string): Promise<Ran> {
  const identity = await identityOf(url, place);
  const { hash, package: owner } = identity;
  const module = { url, hash, ...(owner !== undefined && { package: owner }) };
  checkSame(module, place);
  return { module, exports: await run(identity, place) };
}

/** Systems of a module. */
interface Loaded {
  readonly module: SystemModule;
  readonly systems: readonly System[];
}

async function loadModule(url: string, place: string): Promise<Loaded> {
  const { module, exports } = await ranModule(url, place);
  return { module, systems: systemsIn(exports, place) };
}

/** The URL of a module that is named. @throws InputError if there is none; it tells the game that may be meant */
async function urlOf(path: string, place: string, folder: string | undefined): Promise<string> {
  try {
    return await moduleUrl(path, place, folder);
  } catch (error) {
    const meant = error instanceof InputError ? systemMeant(path, []) : '';
    throw meant === ''
      ? error
      : new InputError(place, (error as InputError).expected, (error as InputError).found + meant);
  }
}

/** Options of `loadSystems`. */
export interface LoadOptions {
  /** Systems that are known already; the shipped ones by default. */
  readonly systems?: SystemsLike | undefined;
  /** Folder in which paths begin, and from which packages are resolved; the working folder by default. */
  readonly folder?: string | undefined;
}

const checkOptions = optionsOf<LoadOptions>('loadSystems', { systems: true, folder: true });

/**
 * Loads systems from files and packages, to be known beside others. What stands in the list twice is loaded once.
 *
 * Threads and sweeps load the same files, and refuse others. A module is code: it can do all that the process can.
 *
 * @param paths of files in JavaScript, or in TypeScript where Node runs it, each of which exports one system or several;
 *              names of installed packages that do, such as `skirmish-game` or `@me/games/skirmish`; names of games that
 *              the package has, such as `conquest-dice`; or file URLs
 * @throws InputError if one cannot be found or loaded, or exports no system, or two systems have one name
 * @throws RulesError if one would end the program
 */
export async function loadSystems(paths: readonly string[], options: LoadOptions = {}): Promise<Registry> {
  checkOptions(options);
  checkList('paths', 'a list of paths, or of names of packages', paths);
  const { systems, folder } = options;
  if (folder !== undefined) checkText('folder', folder, 'a path');
  return await addModules(registryOf(systems), paths, 'systems', folder);
}

/**
 * Loads systems from modules and adds them to a registry.
 * @param place what messages call the paths
 */
export async function addModules(
  known: Registry,
  paths: readonly string[],
  place: string,
  folder?: string,
): Promise<Registry> {
  let registry = known;
  for (const path of paths) {
    const where = `${place} ${path}`;
    const loaded = await loadModule(await urlOf(path, where, folder), where);
    if (registry.modules.some(({ url }) => url === loaded.module.url)) continue;
    registry = addSystems(registry, loaded, where);
  }
  return registry;
}

// Games of the package: they need not be named beside scenarios of them.

/** Those that were loaded, or are. */
const games = new Map<string, Promise<Loaded>>();

function loadGame(id: string): Promise<Loaded> {
  const loaded = games.get(id) ?? loadModule(gameUrl(id), id);
  games.set(id, loaded);
  return loaded;
}

/**
 * These systems, and those games among the names that no system of them is called by: one's own goes before a game.
 * @throws RunError if the package has not the file of one
 */
export async function withGames(registry: Registry, names: Iterable<string>): Promise<Registry> {
  let all = registry;
  for (const id of names) if (isGame(id) && all.find(id) === undefined) all = addSystems(all, await loadGame(id), id);
  return all;
}

/** The same of the games that a document names, be it a scenario or what has scenarios in it. */
export const withGamesOf = (registry: Registry, document: unknown): Promise<Registry> =>
  withGames(registry, gamesIn(document));

/** Whether a system was loaded as a game of the package, and not from a module of somebody else. */
export const isGameOf = (registry: Registry, id: string): boolean =>
  isGame(id) && registry.moduleOf(id)?.url === gameUrl(id);

/**
 * A registry and the systems of a module.
 * @throws InputError if two systems have one name
 */
export function addSystems(registry: Registry, { module, systems }: Loaded, place: string): Registry {
  const twice = systems.find(({ id }) => registry.find(id) !== undefined);
  if (twice !== undefined) {
    const other = registry.moduleOf(twice.id);
    const where = other === undefined ? 'is there already' : `${moduleName(other.url)} has already`;
    throw new InputError(place, 'a system with a name of its own', `"${twice.id}", which ${where}`);
  }
  return registry.with(systems, new Map(systems.map(({ id }) => [id, module])));
}

/**
 * A scenario that comes from another thread, opened.
 * @throws InputError if the code of its system has changed since, or cannot be loaded
 */
export async function received({ scenario, module }: Portable): Promise<Scenario> {
  if (isOpened(scenario)) return scenario;
  return openScenario(scenario, await loadSame(module === undefined ? [] : [module]));
}

/**
 * The systems of modules that another thread or an earlier run has loaded.
 * @throws InputError if a file has changed since, or cannot be loaded
 */
export async function loadSame(modules: readonly SystemModule[]): Promise<Registry> {
  if (modules.length === 0) return SHIPPED;
  const registry = await loadSystems(modules.map(({ url }) => url));
  for (const { url, hash } of modules) {
    const found = registry.modules.find((module) => module.url === url)?.hash;
    if (found !== hash)
      throw new InputError(moduleName(url), `the file with hash ${hash}`, `one with ${String(found)}`);
  }
  return registry;
}
