/**
 * The systems that a command knows: the shipped ones, those of the configuration file, and those of `--systems`. Games are
 * added where what is read names them.
 */

import { addModules, GAME_IDS, type Registry, SHIPPED, withGames } from '../rules/index.ts';
import { readConfig } from '../rules/node.ts';
import { configFor } from './find-config.ts';

/** The options that name systems. */
export interface Known {
  /** Files that export systems. */
  readonly systems?: readonly string[] | undefined;
  /** False if no configuration file is to be looked for. */
  readonly config?: boolean | undefined;
}

/** These options alone. */
export const knownBy = ({ systems, config }: Known): Known => ({ systems, config });

/**
 * @param reads the file or folder that is read, next to which a configuration is looked for
 * @throws InputError if a file cannot be loaded or has no system, or two systems have one name
 */
export async function registryFor({ systems = [], config = true }: Known, reads?: string): Promise<Registry> {
  const file = config ? configFor(reads, process.cwd()) : undefined;
  const registry = file === undefined ? SHIPPED : await readConfig(file);
  return systems.length === 0 ? registry : await addModules(registry, systems, '--systems');
}

/** The same, and all games: for commands that tell what there is. */
export const wholeRegistry = async (known: Known): Promise<Registry> => withGames(await registryFor(known), GAME_IDS);
