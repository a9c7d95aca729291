/** The systems that scenarios can name: shipped ones and games, and those of the user's own modules once they are loaded. */

import {
  type KernelSystem,
  opened,
  Registry,
  type Scenario,
  SHIPPED,
  type System,
  type SystemModule,
  systems as shipped,
} from '../../src/rules/index.ts';
import type { GivenOptions } from '../../src/tell/index.ts';

/** A system that is loaded when a text first names it. */
export interface Named {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** Of a game: its module, with the hash that the command line has for it. A shipped system is of none. */
  readonly module?: SystemModule;
  readonly load: () => Promise<System>;
}

let named: readonly Named[] = [];

/** Games that are loaded, in the order of their names. */
let games: readonly { readonly system: System; readonly module: SystemModule }[] = [];

/** The shipped systems that are loaded, and those of the user's own modules. */
let known: Registry = SHIPPED;

/** Systems that are there, beside names of others that can be loaded. */
class Known extends Registry {
  override get names(): string[] {
    return [...new Set([...named.map(({ id }) => id), ...super.names])];
  }
}

let made: Registry | undefined;

/** Of a name that several have, the user's own system holds. */
function all(): Registry {
  const others = [...SHIPPED.all, ...games.map(({ system }) => system)].filter(
    ({ id }) => known.find(id) === undefined,
  );
  const modules = [
    ...games.filter(({ system }) => others.includes(system)).map(({ system, module }) => [system.id, module] as const),
    ...known.all.flatMap(({ id }) => {
      const module = known.moduleOf(id);
      return module === undefined ? [] : [[id, module] as const];
    }),
  ];
  return new Known([...known.all, ...others], new Map(modules));
}

/** Those that are loaded; its names are those of all. */
export function registry(): Registry {
  made ??= all();
  return made;
}

/** @param systems the shipped ones that are loaded, with those of the user's own modules */
export function setRegistry(systems: Registry): void {
  known = systems;
  made = undefined;
}

/** @param systems that can be loaded from now on */
export function nameSystems(systems: readonly Named[]): void {
  named = systems;
  made = undefined;
}

/** Systems that have a name, loaded or not, each with what a choice of systems shows. */
export function listed(): readonly Pick<Named, 'id' | 'title' | 'about'>[] {
  const own = known.all.filter((system) => SHIPPED.find(system.id) !== system);
  return [
    ...(named.length === 0 ? SHIPPED.all : named).filter(({ id }) => !own.some((each) => each.id === id)),
    ...own,
  ];
}

function add(system: System, module: SystemModule | undefined): void {
  made = undefined;
  if (module !== undefined) games = [...games, { system, module }];
  // The list of the page is empty at first: web/build/systems.ts.
  else (shipped as KernelSystem[]).push(system as KernelSystem);
}

const loading = new Map<string, Promise<void>>();

async function load({ id, module, load: get }: Named): Promise<void> {
  if (registry().find(id) !== undefined) return;
  add(await get(), module);
}

/** Loads systems, each once; one that could not be loaded is tried again. @throws what their loading throws */
async function loadAll(wanted: readonly Named[]): Promise<void> {
  await Promise.all(
    wanted.map((each) => {
      const under = loading.get(each.id) ?? load(each).finally(() => loading.delete(each.id));
      loading.set(each.id, under);
      return under;
    }),
  );
}

/** Loads the systems of these names; all of them unless given. */
export const loadNamed = async (ids?: readonly string[]): Promise<void> =>
  loadAll(named.filter(({ id }) => ids?.includes(id) ?? true));

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/**
 * Loads the systems that a text may name, wherever in what is asked it is. Only a text with escapes can name one without
 * having its name in it: such a text may name any.
 */
export async function loadFor(asked: unknown): Promise<void> {
  const texts = textsIn(asked);
  await loadAll(named.filter(({ id }) => texts.some((text) => text.includes(id) || text.includes('\\'))));
}

/** Whether every thread can load the system of a scenario: it is no module of the user's. */
export function isNamed(scenario: Scenario): boolean {
  const { module, isOwn } = opened(scenario);
  return !isOwn || games.some((game) => game.module === module);
}

/** The file of a scenario as command lines name it, with the file of the user's module that its system may need. */
export function given(file: string): GivenOptions {
  const modules = known.modules.map(({ url }) => decodeURIComponent(url.slice('file:///'.length)));
  return modules.length === 0 ? { file } : { file, systems: modules };
}
