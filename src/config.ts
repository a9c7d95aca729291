/** `warpool.config.js`: the systems of a folder, for all commands that are called in it or below it. */
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { InputError } from './errors.ts';
import { describeFound } from './scenario/finding.ts';
import { optionsOf } from './scenario/options.ts';
import { registryOf, type SystemsLike } from './systems/index.ts';
import { addSystems, exportsOf, hashed, loadSystems } from './systems/load.ts';
import type { Registry } from './systems/registry.ts';
import { isSystem } from './systems/shape.ts';
import type { System } from './systems/system.ts';

/** What a configuration file exports by default. */
export interface Config {
  /** Files that export systems, their paths from the folder of the configuration file, or systems themselves. */
  readonly systems?: readonly (string | System)[];
}

/** Gives a configuration its type: `export default defineConfig({ systems: ['./my-duel.js'] })`. */
export function defineConfig(config: Config): Config {
  return config;
}

const EXAMPLE = `a default export such as { systems: ['./my-duel.js'] }`;

/** @throws InputError if the file cannot be run, or exports something else */
async function configIn(path: string): Promise<Config> {
  const { default: config } = await exportsOf(pathToFileURL(path).href, path);
  if (config === undefined) throw new InputError(path, EXAMPLE, 'none');
  optionsOf<Config>(path, { systems: true })(config as Config);
  const { systems = [] } = config as Readonly<Record<string, unknown>>;
  if (!Array.isArray(systems)) throw new InputError(`${path} systems`, 'a list', describeFound(systems));
  return { systems };
}

/**
 * The systems that a configuration file names, beside others.
 * @param path of the file
 * @throws InputError if it cannot be run, or something in it is wrong
 */
export async function readConfig(path: string, beside?: SystemsLike): Promise<Registry> {
  const { systems = [] } = await configIn(path);
  let registry = registryOf(beside);
  for (const [s, entry] of systems.entries()) {
    const place = `${path} systems[${String(s)}]`;
    if (typeof entry === 'string') registry = await loadSystems([resolve(dirname(path), entry)], registry, place);
    else if (isSystem(entry)) {
      // Threads find it in the same place.
      const module = await hashed(pathToFileURL(path).href, path);
      registry = addSystems(registry, { module, systems: [entry] }, place);
    } else throw new InputError(place, 'the path of a file, or a system', describeFound(entry));
  }
  return registry;
}
