/** `warpool.config.js`: the systems of a folder, for all commands that are called in it or below it. */

import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createOptionsCheck, describeFound, InputError } from '../../core/index.ts';
import { addModules, addSystems, type ExecutedModule, importSystemModule } from '../load-systems.ts';
import type { SystemRegistry } from '../registry.ts';
import { type SystemsLike, toRegistry } from '../shipped-registry.ts';

import { isSystem, type System } from '../system.ts';

/** Default export of a configuration file. */
export interface Config {
  /** Paths of files that export systems, relative to the configuration file; packages with systems; or systems. */
  readonly systems?: readonly (string | System)[];
}

/** Returns its argument, typed as a configuration: `export default defineConfig({ systems: ['./my-duel.js'] })`. */
export function defineConfig(config: Config): Config {
  return config;
}

const EXAMPLE = `a default export such as { systems: ['./my-duel.js'] }`;

/** @throws InputError if the file cannot be loaded, or exports something else */
async function importConfig(path: string): Promise<Config & Pick<ExecutedModule, 'module'>> {
  const { module, exports } = await importSystemModule(pathToFileURL(path).href, path);
  const { default: config } = exports;
  if (config === undefined) throw new InputError(path, EXAMPLE, 'none');
  createOptionsCheck<Config>(path, { systems: true })(config as Config);
  const { systems = [] } = config as Readonly<Record<string, unknown>>;
  if (!Array.isArray(systems)) throw new InputError(`${path} systems`, 'a list', describeFound(systems));
  return { systems, module };
}

/**
 * Loads the systems of a configuration file, in addition to others.
 * @param path path of the file
 * @throws InputError if it cannot be loaded, or is invalid
 */
export async function readConfig(path: string, added?: SystemsLike): Promise<SystemRegistry> {
  const { systems = [], module } = await importConfig(path);
  let registry = toRegistry(added);
  for (const [s, entry] of systems.entries()) {
    const place = `${path} systems[${String(s)}]`;
    if (typeof entry === 'string') registry = await addModules(registry, [entry], place, dirname(path));
    // Threads load it from the configuration.
    else if (isSystem(entry)) registry = addSystems(registry, { module, systems: [entry] }, place);
    else throw new InputError(place, 'the path of a file, the name of a package, or a system', describeFound(entry));
  }
  return registry;
}
