/** The systems that scenarios can name: shipped ones and games, and those of the user's own modules once they are loaded. */

import type { ScenarioOptions } from '../../../src/report/index.ts';
import {
  getBoundScenario,
  type KernelSystem,
  type Scenario,
  SHIPPED_REGISTRY,
  type System,
  type SystemModule,
  SystemRegistry,
  shippedSystems as shipped,
} from '../../../src/rules/index.ts';

/** A system that is loaded when a text first names it. */
export interface LoadableSystem {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** Of a game: its module, with the hash that the command line has for it. A shipped system is of none. */
  readonly module?: SystemModule;
  readonly load: () => Promise<System>;
}

let loadableSystems: readonly LoadableSystem[] = [];

/** Games that are loaded, in the order of their names. */
let loadedGames: readonly { readonly system: System; readonly module: SystemModule }[] = [];

/** The shipped systems that are loaded, and those of the user's own modules. */
let loadedSystems: SystemRegistry = SHIPPED_REGISTRY;

/** Systems that are there, beside names of others that can be loaded. */
class LoadableRegistry extends SystemRegistry {
  override get names(): string[] {
    return [...new Set([...loadableSystems.map(({ id }) => id), ...super.names])];
  }
}

let cachedRegistry: SystemRegistry | undefined;

/** Of a name that several have, the user's own system holds. */
function createRegistry(): SystemRegistry {
  const others = [...SHIPPED_REGISTRY.all, ...loadedGames.map(({ system }) => system)].filter(
    ({ id }) => loadedSystems.find(id) === undefined,
  );
  const modules = [
    ...loadedGames
      .filter(({ system }) => others.includes(system))
      .map(({ system, module }) => [system.id, module] as const),
    ...loadedSystems.all.flatMap(({ id }) => {
      const module = loadedSystems.moduleOf(id);
      return module === undefined ? [] : [[id, module] as const];
    }),
  ];
  return new LoadableRegistry([...loadedSystems.all, ...others], new Map(modules));
}

/** Those that are loaded; its names are those of all. */
export function getRegistry(): SystemRegistry {
  cachedRegistry ??= createRegistry();
  return cachedRegistry;
}

/** @param systems the shipped ones that are loaded, with those of the user's own modules */
export function setRegistry(systems: SystemRegistry): void {
  loadedSystems = systems;
  cachedRegistry = undefined;
}

/** @param systems that can be loaded from now on */
export function setLoadableSystems(systems: readonly LoadableSystem[]): void {
  loadableSystems = systems;
  cachedRegistry = undefined;
}

/** Systems that have a name, loaded or not, each with what a choice of systems shows. */
export function listSystems(): readonly Pick<LoadableSystem, 'id' | 'title' | 'about'>[] {
  const own = loadedSystems.all.filter((system) => SHIPPED_REGISTRY.find(system.id) !== system);
  return [
    ...(loadableSystems.length === 0 ? SHIPPED_REGISTRY.all : loadableSystems).filter(
      ({ id }) => !own.some((each) => each.id === id),
    ),
    ...own,
  ];
}

function addLoaded(system: System, module: SystemModule | undefined): void {
  cachedRegistry = undefined;
  if (module !== undefined) loadedGames = [...loadedGames, { system, module }];
  // The list of the page is empty at first: web/build/systems.ts.
  else (shipped as KernelSystem[]).push(system as KernelSystem);
}

const pendingLoads = new Map<string, Promise<void>>();

async function loadSystem({ id, module, load: get }: LoadableSystem): Promise<void> {
  if (getRegistry().find(id) !== undefined) return;
  addLoaded(await get(), module);
}

/** Loads systems, each once; one that could not be loaded is tried again. @throws what their loading throws */
async function loadSystems(wanted: readonly LoadableSystem[]): Promise<void> {
  await Promise.all(
    wanted.map((each) => {
      const under = pendingLoads.get(each.id) ?? loadSystem(each).finally(() => pendingLoads.delete(each.id));
      pendingLoads.set(each.id, under);
      return under;
    }),
  );
}

/** Loads the systems of these names; all of them unless given. */
export const loadSystemsById = async (ids?: readonly string[]): Promise<void> =>
  loadSystems(loadableSystems.filter(({ id }) => ids?.includes(id) ?? true));

function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [];
}

/**
 * Loads the systems that a text may name, wherever in what is asked it is. Only a text with escapes can name one without
 * having its name in it: such a text may name any.
 */
export async function loadReferencedSystems(value: unknown): Promise<void> {
  const texts = listTexts(value);
  await loadSystems(loadableSystems.filter(({ id }) => texts.some((text) => text.includes(id) || text.includes('\\'))));
}

/** Whether every thread can load the system of a scenario: it is no module of the user's. */
export function isLoadable(scenario: Scenario): boolean {
  const { module, isCustom } = getBoundScenario(scenario);
  return !isCustom || loadedGames.some((game) => game.module === module);
}

/** The file of a scenario as command lines name it, with the file of the user's module that its system may need. */
export function createScenarioOptions(file: string): ScenarioOptions {
  const modules = loadedSystems.modules.map(({ url }) => decodeURIComponent(url.slice('file:///'.length)));
  return modules.length === 0 ? { file } : { file, systems: modules };
}
