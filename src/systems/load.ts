/** Loads systems from modules. */
import { sha256 } from '#platform/hash';
import { checkRuns, moduleName, moduleText, moduleUrl, requiredUrl } from '#platform/modules';
import { enter, leave } from '#platform/pulse';
import { InputError } from '../errors.ts';
import { registryOf, SHIPPED, type SystemsLike } from './index.ts';
import { isOpened, openScenario, type Portable } from './opened.ts';
import type { Registry, SystemModule } from './registry.ts';
import { describeSystem, isSystem } from './shape.ts';
import type { Scenario, System } from './system.ts';

/** Files that a module and its own modules may have; more are hardly written by hand. */
const FILES_MAX = 1000;

/** Bytes of one file. */
const BYTES_MAX = 2 ** 24;

/** What a file imports, exports from, or requires, by a relative path. */
const RELATIVE = /\b(from|import|require)\s*\(?\s*(["'])(\.{1,2}\/[^"'\n]+)\2/g;

/**
 * The SHA-256 of a module and of all that it imports or requires by a relative path, in hexadecimal: of the texts, in the order in
 * which they are first met. Packages do not count: their versions are fixed by who installs them.
 */
export async function moduleHash(url: string): Promise<string> {
  const hash = sha256();
  const [waiting, seen] = [[new URL(url)], new Set([url])];
  for (let next = waiting.shift(); next !== undefined && seen.size <= FILES_MAX; next = waiting.shift()) {
    const text = await moduleText(next, BYTES_MAX);
    if (text === undefined) continue;
    hash.update(`${String(new TextEncoder().encode(text).length)}\n${text}`);
    for (const [, how, , path = ''] of text.matchAll(RELATIVE)) {
      const imported = how === 'require' ? requiredUrl(path, next) : new URL(path, next);
      if (seen.has(imported.href)) continue;
      seen.add(imported.href);
      waiting.push(imported);
    }
  }
  return hash.hex();
}

/** The hash of a module of one file, of its text. */
export function textHash(text: string): string {
  return sha256()
    .update(`${String(new TextEncoder().encode(text).length)}\n${text}`)
    .hex();
}

/** What a module exports, by name. */
export type Exports = Readonly<Record<string, unknown>>;

/** What stands in the list `systems` of a configuration file. */
function listed({ default: config }: Exports): unknown {
  return typeof config === 'object' && config !== null && 'systems' in config ? config.systems : [];
}

/**
 * Systems among the exports of a module, each once: the default one, which may be a list, named ones, and those of a
 * configuration file.
 * @throws InputError if there are none
 */
export function systemsIn(exports: Exports, place: string): System[] {
  const systems = [...new Set([...Object.values(exports), listed(exports)].flat())].filter(isSystem);
  if (systems.length > 0) return systems;
  throw new InputError(place, 'a module that exports a system', describeSystem(exports));
}

/** A line of a stack that is of a file, not of Node or of a package. */
const AUTHORS = /(?:file:\/\/)?(\/(?!.*\/node_modules\/)[^\s()]+:\d+(?::\d+)?)\)?$/;

/** What went wrong in a module, with the line of its author. */
function told(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const lines = error.stack?.split('\n') ?? [];
  const place = lines.map((line) => AUTHORS.exec(line.trim())?.[1]).find((found) => found !== undefined);
  return `${error.name}: ${error.message}${place === undefined ? '' : ` (${place})`}`;
}

/**
 * Runs a module; Node itself runs each once.
 * @param url   a file URL
 * @param place what messages call it
 * @throws InputError if it cannot be loaded
 */
export async function exportsOf(url: string, place: string): Promise<Exports> {
  checkRuns(url, place);
  try {
    enter('load', moduleName(url));
    return (await import(/* @vite-ignore */ url)) as Exports;
  } catch (error) {
    throw new InputError(place, 'a module that can be loaded', told(error));
  } finally {
    leave();
  }
}

/** Hashes of modules as this process has run them: it cannot run them again after a change. */
const ran = new Map<string, string>();

/**
 * A module with its hash.
 * @throws InputError if this process has run it with another text
 */
export async function hashed(url: string, place: string): Promise<SystemModule> {
  const hash = await moduleHash(url);
  const before = ran.get(url) ?? hash;
  if (before !== hash) {
    const found = `hash ${hash}: it has changed since, and needs a process of its own`;
    throw new InputError(place, `the module as this process has loaded it, with hash ${before}`, found);
  }
  ran.set(url, hash);
  return { url, hash };
}

/** Systems of a module. */
interface Loaded {
  readonly module: SystemModule;
  readonly systems: readonly System[];
}

async function loadModule(url: string, place: string): Promise<Loaded> {
  const module = await hashed(url, place);
  return { module, systems: systemsIn(await exportsOf(url, place), place) };
}

/**
 * Loads systems from files, to be known beside others. A file that stands in the list twice is loaded once.
 *
 * Threads and sweeps load the same files, and refuse others. A module is code: it can do all that the process can.
 *
 * @param paths  of files in JavaScript, or in TypeScript where Node runs it, each of which exports one system or several;
 *               or file URLs
 * @param beside systems that are known already; the shipped ones unless given
 * @param place  what messages call the paths
 * @throws InputError if a file cannot be loaded or exports no system, or two systems have one name
 */
export async function loadSystems(
  paths: readonly string[],
  beside?: SystemsLike,
  place = 'systems',
): Promise<Registry> {
  let registry: Registry = registryOf(beside);
  for (const path of paths) {
    const where = `${place} ${path}`;
    const loaded = await loadModule(await moduleUrl(path, where), where);
    if (registry.modules.some(({ url }) => url === loaded.module.url)) continue;
    registry = addSystems(registry, loaded, where);
  }
  return registry;
}

/**
 * A registry and the systems of a module.
 * @throws InputError if two systems have one name
 */
export function addSystems(registry: Registry, { module, systems }: Loaded, place: string): Registry {
  const twice = systems.find(({ id }) => registry.find(id) !== undefined);
  if (twice !== undefined)
    throw new InputError(place, 'a system with a name of its own', `"${twice.id}", which is there already`);
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
