/**
 * Systems of a command: shipped ones, and those of the configuration file and of `--systems`. Games are added if a file
 * names them.
 */

import { addGames, addModules, GAME_IDS, SHIPPED_REGISTRY, type SystemRegistry } from '../rules/index.ts';
import { readConfig } from '../rules/node.ts';
import { findConfigFor } from './find-config.ts';

/** The options that name systems. */
export interface RegistryOptions {
  /** Files that export systems. */
  readonly systems?: readonly string[] | undefined;
  /** False to ignore configuration files. */
  readonly config?: boolean | undefined;
}

/** Selects only these options. */
export const selectRegistryOptions = ({ systems, config }: RegistryOptions): RegistryOptions => ({ systems, config });

/**
 * @param reads the file or folder that the command reads; determines the configuration file
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

/** Loads the registry with all games, for commands that list systems. */
export const loadFullRegistry = async (known: RegistryOptions): Promise<SystemRegistry> =>
  addGames(await loadRegistry(known), GAME_IDS);
