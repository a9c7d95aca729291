/** Folders for new files: new or empty, so that no file is overwritten. */
import { readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { InputError, RunError } from '../core/index.ts';
import { makeFolders } from '../core/node.ts';

/** @throws InputError if the folder is not empty */
export async function checkNewFolder(dir: string): Promise<void> {
  const found = await stat(dir).catch(() => undefined);
  if (found === undefined) return;
  if (!found.isDirectory()) throw new InputError(dir, 'a new or an empty folder', 'a file');
  const [first] = await readdir(dir);
  if (first !== undefined) throw new InputError(dir, 'a new or an empty folder', `${first} in it`);
}

/**
 * Writes files by their paths in the folder.
 * @throws RunError if one of them cannot be written, or exists by now
 */
export async function writeNewFolder(
  dir: string,
  files: readonly (readonly [path: string, text: string])[],
): Promise<void> {
  try {
    for (const [path, text] of files) {
      await makeFolders(dirname(join(dir, path)));
      await writeFile(join(dir, path), text, { flag: 'wx' });
    }
  } catch (error) {
    throw new RunError(`${dir}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
