/**
 * The systems that a command knows: the shipped ones, those of the configuration file, and those of `--systems`. Games are
 * added where what is read names them.
 */

import { addGames, addModules, GAME_IDS, SHIPPED_REGISTRY, type SystemRegistry } from '../rules/index.ts';
import { readConfig } from '../rules/node.ts';
import { findConfigFor } from './find-config.ts';

/** The options that name systems. */
export interface RegistryOptions {
  /** Files that export systems. */
  readonly systems?: readonly string[] | undefined;
  /** False if no configuration file is to be looked for. */
  readonly config?: boolean | undefined;
}

/** These options alone. */
export const selectRegistryOptions = ({ systems, config }: RegistryOptions): RegistryOptions => ({ systems, config });

/**
 * @param reads the file or folder that is read, next to which a configuration is looked for
 * @throws InputError if a file cannot be loaded or has no system, or two systems have one name
 */
export async function loadRegistry(
  { systems = [], config = true }: RegistryOptions,
  reads?: string,
): Promise<SystemRegistry> {
  const file = config ? findConfigFor(reads, process.cwd()) : undefined;
  const registry = file === undefined ? SHIPPED_REGISTRY : await readConfig(file);
  return systems.length === 0 ? registry : await addModules(registry, systems, '--systems');
}

/** The same, and all games: for commands that tell what there is. */
export const loadFullRegistry = async (known: RegistryOptions): Promise<SystemRegistry> =>
  addGames(await loadRegistry(known), GAME_IDS);
