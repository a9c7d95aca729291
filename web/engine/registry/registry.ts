/** Registry of systems: shipped systems, games, and custom systems once they are loaded. */

import type { ScenarioOptions } from '../../../src/report/index.ts';
import {
  getBoundScenario,
  type KernelSystem,
  registerSystem,
  type Scenario,
  SHIPPED_REGISTRY,
  type System,
  type SystemModule,
  SystemRegistry,
} from '../../../src/rules/index.ts';

/** System that is loaded when a text first names it. */
export interface LoadableSystem {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** Module of a game, with the hash that the command line computes; undefined for shipped systems. */
  readonly module?: SystemModule;
  readonly load: () => Promise<System>;
}

let loadableSystems: readonly LoadableSystem[] = [];

/** Loaded games, in the order of loading. */
let loadedGames: readonly { readonly system: System; readonly module: SystemModule }[] = [];

/** Loaded shipped systems and custom systems. */
let loadedSystems: SystemRegistry = SHIPPED_REGISTRY;

/** Registry of loaded systems that also names systems that can be loaded. */
class LoadableRegistry extends SystemRegistry {
  override get names(): string[] {
    return [...new Set([...loadableSystems.map(({ id }) => id), ...super.names])];
  }
}

let cachedRegistry: SystemRegistry | undefined;

/** Creates the registry; custom systems take precedence over others of the same name. */
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

/** Returns the registry of loaded systems; its names include all that can be loaded. */
export function getRegistry(): SystemRegistry {
  cachedRegistry ??= createRegistry();
  return cachedRegistry;
}

/** Replaces the loaded systems. @param systems loaded shipped systems and custom systems */
export function setRegistry(systems: SystemRegistry): void {
  loadedSystems = systems;
  cachedRegistry = undefined;
}

/** Sets the systems that can be loaded. */
export function setLoadableSystems(systems: readonly LoadableSystem[]): void {
  loadableSystems = systems;
  cachedRegistry = undefined;
}

/** Lists all systems, loaded or not. */
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
  else registerSystem(system as KernelSystem);
}

const pendingLoads = new Map<string, Promise<void>>();

async function loadSystem({ id, module, load: get }: LoadableSystem): Promise<void> {
  if (getRegistry().find(id) !== undefined) return;
  addLoaded(await get(), module);
}

/** Loads systems once each; failed ones are tried again. @throws the errors of loading */
async function loadSystems(wanted: readonly LoadableSystem[]): Promise<void> {
  await Promise.all(
    wanted.map((each) => {
      const under = pendingLoads.get(each.id) ?? loadSystem(each).finally(() => pendingLoads.delete(each.id));
      pendingLoads.set(each.id, under);
      return under;
    }),
  );
}

/** Loads systems by id (default: all). */
export const loadSystemsById = async (ids?: readonly string[]): Promise<void> =>
  loadSystems(loadableSystems.filter(({ id }) => ids?.includes(id) ?? true));

function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [];
}

/** Loads the systems that texts in the arguments may name. A text with escapes can name any system. */
export async function loadReferencedSystems(value: unknown): Promise<void> {
  const texts = listTexts(value);
  await loadSystems(loadableSystems.filter(({ id }) => texts.some((text) => text.includes(id) || text.includes('\\'))));
}

/** Returns whether threads can load the system of a scenario: it is not custom. */
export function isLoadable(scenario: Scenario): boolean {
  const { module, isCustom } = getBoundScenario(scenario);
  return !isCustom || loadedGames.some((game) => game.module === module);
}

/** Returns the options of a command line: the scenario file, and the files of custom modules. */
export function createScenarioOptions(file: string): ScenarioOptions {
  const modules = loadedSystems.modules.map(({ url }) => decodeURIComponent(url.slice('file:///'.length)));
  return modules.length === 0 ? { file } : { file, systems: modules };
}
