/** Search for the configuration file. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Names of configuration files, in order of precedence. */
const CONFIG_NAMES = ['js', 'mjs', 'ts', 'mts'].map((result) => `warpool.config.${result}`);

/** Returns the path of the configuration file in a folder, or in the nearest parent folder that has one. */
export function findConfig(folder: string): string | undefined {
  const here = CONFIG_NAMES.map((name) => join(folder, name)).find((path) => existsSync(path));
  const above = dirname(folder);
  return here ?? (above === folder ? undefined : findConfig(above));
}

/**
 * Finds the configuration of a file: the nearest one in or above its folder, or else in or above the working folder.
 * @param file that a command reads; `-` is standard input
 * @param working the working folder
 */
export function findConfigFor(file: string | undefined, working: string): string | undefined {
  const own = file === undefined || file === '-' ? undefined : findConfig(dirname(resolve(working, file)));
  return own ?? findConfig(working);
}
