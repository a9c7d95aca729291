/** Common functions of scripts. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Changes to the root of the project, independent of the current folder. */
export function enterRoot() {
  process.chdir(fileURLToPath(new URL('..', import.meta.url)));
}

/**
 * Lists all files below a folder, in the same order on every machine; empty if there is no such folder.
 * @param {string} folder
 */
export function filesUnder(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
