/** What the scripts share. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Goes to the root of the project, wherever the script was started. */
export function enterRoot() {
  process.chdir(fileURLToPath(new URL('..', import.meta.url)));
}

/** All files below a folder, in one order on every machine; none if there is no such folder. @param {string} folder */
export function filesUnder(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
