/**
 * Makes folders, level by level: Node's own way to make several at once goes on for ever where the system says that
 * there is no such folder although the one above it is there, as /proc does.
 */
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

const isFolder = async (path: string): Promise<boolean> =>
  await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

async function make(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    // It may also have been there already, or another process may have made it.
    if (!(await isFolder(path))) throw error;
  }
}

/**
 * Makes a folder and those above it, as far as they are not there.
 * @throws errors of the system
 */
export async function makeFolders(folder: string): Promise<void> {
  const missing: string[] = [];
  for (let path = resolve(folder); !(await isFolder(path)); path = dirname(path)) {
    missing.push(path);
    if (dirname(path) === path) break;
  }
  for (const path of missing.reverse()) await make(path);
}
