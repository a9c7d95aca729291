/** Registry of systems, which readers of scenarios receive. The default has the shipped systems. */
import { InputError } from '../core/index.ts';
import { describeUnknownSystem } from './games.ts';
import type { System } from './system.ts';

/** Location of the code of a system, so that threads and later runs can load it. */
export interface SystemModule {
  /** A file URL. */
  readonly url: string;
  /** SHA-256 in hexadecimal of the file and of all its imports, including packages. */
  readonly hash: string;
  /** Package of the file, such as `skirmish-game@1.2.0`; undefined if it belongs to none. */
  readonly package?: string;
}

/** Registry of systems by name. `loadSystems` creates one that includes custom systems. */
export class SystemRegistry<S extends System = System> {
  readonly all: readonly S[];
  readonly #modules: ReadonlyMap<string, SystemModule>;

  /**
   * @param all systems with different names
   * @param modules by the name of the system; shipped systems have none
   * @throws InputError if two systems have the same name
   */
  constructor(all: readonly S[], modules: ReadonlyMap<string, SystemModule> = new Map()) {
    const names = all.map(({ id }) => id);
    const twice = names.find((id, at) => names.indexOf(id) < at);
    if (twice !== undefined) throw new InputError('systems', 'systems with different names', `two named "${twice}"`);
    this.all = all;
    this.#modules = modules;
  }

  get names(): string[] {
    return this.all.map(({ id }) => id);
  }

  /** Finds a system by name. */
  find(id: string): S | undefined {
    return this.all.find((system) => system.id === id);
  }

  /**
   * Returns a system by name.
   * @throws InputError if there is none
   */
  system(id: string): S {
    const system = this.find(id);
    if (system !== undefined) return system;
    const { expected, meant } = describeUnknownSystem(id, this.names);
    throw new InputError('system', expected, `"${id}"${meant}`);
  }

  /** Returns the module of a system; undefined if it is shipped, or was passed as a value. */
  moduleOf(id: string): SystemModule | undefined {
    return this.#modules.get(id);
  }

  /** Distinct modules of the systems. */
  get modules(): SystemModule[] {
    return [...new Map([...this.#modules.values()].map((module) => [module.url, module])).values()];
  }

  /** Returns a registry with additional systems. @throws InputError if two of them have the same name */
  with(others: readonly System[], modules: ReadonlyMap<string, SystemModule> = new Map()): SystemRegistry {
    return new SystemRegistry([...this.all, ...others], new Map([...this.#modules, ...modules]));
  }
}
