/** Loads systems from modules. */

import { beginCall, endCall } from '#platform/heartbeat';
import { importModule } from '#platform/import-module';
import { checkRunnable, getGameUrl, getModuleName, resolveModuleUrl } from '#platform/modules';
import { checkList, checkText, createOptionsCheck, InputError, RulesError } from '../core/index.ts';
import { bindScenario, isBound, type PortableScenario } from './bound-scenario.ts';
import { findGames, isGame, suggestSystem } from './games.ts';
import { explainLoadError, identifyModule, type ModuleIdentity } from './identity.ts';
import type { SystemModule, SystemRegistry } from './registry.ts';
import { describeThrown } from './rules-guard.ts';
import { SHIPPED_REGISTRY, type SystemsLike, toRegistry } from './shipped-registry.ts';
import { describeSystem, isSystem, type Scenario, type System } from './system.ts';

/** Exports of a module by name. */
export type ModuleExports = Readonly<Record<string, unknown>>;

/**
 * Collects the distinct systems among the exports of a module: the default one, which may be a list, named ones, and
 * systems of a configuration file.
 * @throws InputError if there are none
 */
export function collectSystems(exports: ModuleExports, place: string): System[] {
  const expected = 'a module that exports a system';
  let found: string;
  try {
    const { default: config } = exports;
    const getConfigSystems = typeof config === 'object' && config !== null && 'systems' in config ? config.systems : [];
    const systems = [...new Set([...Object.values(exports), getConfigSystems].flat())].filter(isSystem);
    if (systems.length > 0) return systems;
    found = describeSystem(exports);
  } catch (error) {
    // A proxy, or a getter.
    found = `exports that throw when they are read: ${describeThrown(error)}`;
  }
  throw new InputError(place, expected, found);
}

/**
 * Runs a module; Node runs each one once.
 * @param place name of the module in messages
 * @throws InputError if it cannot be loaded
 * @throws RulesError if it tries to end the process
 */
async function executeModule({ url, files }: ModuleIdentity, place: string): Promise<ModuleExports> {
  checkRunnable(url, place);
  try {
    beginCall('load', getModuleName(url));
    return (await importModule(url)) as ModuleExports;
  } catch (error) {
    const why = await explainLoadError(error, files);
    throw error instanceof RulesError
      ? new RulesError(`${place}: ${why}`)
      : new InputError(place, 'a module that can be loaded', why);
  } finally {
    endCall();
  }
}

/** Hashes of modules that this process has run: it cannot run them again after a change. */
const executedHashes = new Map<string, string>();

/** @throws InputError if this process has run a different version */
function checkSame({ url, hash }: SystemModule, place: string): void {
  const before = executedHashes.get(url) ?? hash;
  if (before !== hash) {
    const found = `hash ${hash}: the file has changed and needs a new process`;
    throw new InputError(place, `the module that this process has loaded, with hash ${before}`, found);
  }
  executedHashes.set(url, hash);
}

/** A module and its exports. */
export interface ExecutedModule {
  readonly module: SystemModule;
  readonly exports: ModuleExports;
}

/**
 * Imports a module.
 * @param url a file URL
 * @param place name of the module in messages
 * @throws InputError if it cannot be loaded, or this process has run a different version
 * @throws RulesError if it tries to end the process
 */
export async function importSystemModule(url: string, place: string): Promise<ExecutedModule> {
  const identity = await identifyModule(url, place);
  const { hash, package: owner } = identity;
  const module = { url, hash, ...(owner !== undefined && { package: owner }) };
  checkSame(module, place);
  return { module, exports: await executeModule(identity, place) };
}

/** Systems of a module. */
interface LoadedSystems {
  readonly module: SystemModule;
  readonly systems: readonly System[];
}

async function loadModule(url: string, place: string): Promise<LoadedSystems> {
  const { module, exports } = await importSystemModule(url, place);
  return { module, systems: collectSystems(exports, place) };
}

/** Resolves the URL of a module. @throws InputError if there is none; it suggests a game of similar name */
async function resolveUrl(path: string, place: string, folder: string | undefined): Promise<string> {
  try {
    return await resolveModuleUrl(path, place, folder);
  } catch (error) {
    const meant = error instanceof InputError ? suggestSystem(path, []) : '';
    throw meant === ''
      ? error
      : new InputError(place, (error as InputError).expected, (error as InputError).found + meant);
  }
}

/** Options of `loadSystems`. */
export interface LoadSystemsOptions {
  /** Known systems; default: the shipped ones. */
  readonly systems?: SystemsLike | undefined;
  /** Base folder of paths, and of the resolution of packages; default: the working folder. */
  readonly folder?: string | undefined;
}

const checkOptions = createOptionsCheck<LoadSystemsOptions>('loadSystems', { systems: true, folder: true });

/**
 * Loads systems from files and packages, in addition to others. Repeated elements are loaded once.
 *
 * Threads and sweeps load the same files, and reject changed ones. A module is code: it has all permissions of the
 * process.
 *
 * @param paths paths of files in JavaScript, or in TypeScript if Node supports it, each of which exports one or more
 *   systems; names of installed packages with systems, such as `skirmish-game` or `@me/games/skirmish`; names of games
 *   of warpool, such as `conquest-dice`; or file URLs
 * @throws InputError if one cannot be found or loaded, or exports no system, or two systems have the same name
 * @throws RulesError if one tries to end the process
 */
export async function loadSystems(paths: readonly string[], options: LoadSystemsOptions = {}): Promise<SystemRegistry> {
  checkOptions(options);
  checkList('paths', 'a list of paths, or of names of packages', paths);
  const { systems, folder } = options;
  if (folder !== undefined) checkText('folder', folder, 'a path');
  return await addModules(toRegistry(systems), paths, 'systems', folder);
}

/**
 * Loads systems from modules and adds them to a registry.
 * @param place name of the paths in messages
 */
export async function addModules(
  known: SystemRegistry,
  paths: readonly string[],
  place: string,
  folder?: string,
): Promise<SystemRegistry> {
  let registry = known;
  for (const path of paths) {
    const where = `${place} ${path}`;
    const loaded = await loadModule(await resolveUrl(path, where, folder), where);
    if (registry.modules.some(({ url }) => url === loaded.module.url)) continue;
    registry = addSystems(registry, loaded, where);
  }
  return registry;
}

// Games of warpool: scenarios can use them without loading.

/** Games that were loaded or are being loaded. */
const gamePromises = new Map<string, Promise<LoadedSystems>>();

function loadGame(id: string): Promise<LoadedSystems> {
  const loaded = gamePromises.get(id) ?? loadModule(getGameUrl(id), id);
  gamePromises.set(id, loaded);
  return loaded;
}

/**
 * Adds the games with these names, except those that a system in the registry has: custom systems take precedence.
 * @throws RunError if the file of a game is missing
 */
export async function addGames(registry: SystemRegistry, names: Iterable<string>): Promise<SystemRegistry> {
  let all = registry;
  for (const id of names) if (isGame(id) && all.find(id) === undefined) all = addSystems(all, await loadGame(id), id);
  return all;
}

/** Adds the games of a document: a scenario, or a document with scenarios. */
export const addGamesOf = (registry: SystemRegistry, document: unknown): Promise<SystemRegistry> =>
  addGames(registry, findGames(document));

/** Returns true if a system was loaded as a game of warpool, not from another module. */
export const isPackageGame = (registry: SystemRegistry, id: string): boolean =>
  isGame(id) && registry.moduleOf(id)?.url === getGameUrl(id);

/**
 * Adds the systems of a module to a registry.
 * @throws InputError if two systems have the same name
 */
export function addSystems(
  registry: SystemRegistry,
  { module, systems }: LoadedSystems,
  place: string,
): SystemRegistry {
  const twice = systems.find(({ id }) => registry.find(id) !== undefined);
  if (twice !== undefined) {
    const other = registry.moduleOf(twice.id);
    const where = other === undefined ? 'is already loaded' : `${getModuleName(other.url)} exports too`;
    throw new InputError(place, 'a system with a unique name', `"${twice.id}", which ${where}`);
  }
  return registry.with(systems, new Map(systems.map(({ id }) => [id, module])));
}

/**
 * Binds a scenario from another thread.
 * @throws InputError if the code of its system has changed, or cannot be loaded
 */
export async function receiveScenario({ scenario, module }: PortableScenario): Promise<Scenario> {
  if (isBound(scenario)) return scenario;
  return bindScenario(scenario, await loadModules(module === undefined ? [] : [module]));
}

/**
 * Loads the systems of modules that another thread or an earlier run has loaded.
 * @throws InputError if a file has changed, or cannot be loaded
 */
export async function loadModules(modules: readonly SystemModule[]): Promise<SystemRegistry> {
  if (modules.length === 0) return SHIPPED_REGISTRY;
  const registry = await loadSystems(modules.map(({ url }) => url));
  for (const { url, hash } of modules) {
    const found = registry.modules.find((module) => module.url === url)?.hash;
    if (found !== hash) throw new InputError(getModuleName(url), `the file with hash ${hash}`, `hash ${String(found)}`);
  }
  return registry;
}
