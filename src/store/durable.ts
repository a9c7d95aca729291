/** Writes files that are there whole or not at all, whatever happens to process or machine meanwhile. */
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** What the name of a file that is not whole ends in. */
export const DRAFT = '.draft';

/** Makes sure that a folder knows its files by their present names; not every system can. */
async function syncFolder(folder: string): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(folder);
    await handle.sync();
  } catch {
    // Where folders cannot be opened, as on Windows, a rename is as durable as it gets.
  } finally {
    await handle?.close();
  }
}

/**
 * Writes under another name, flushes to disk and renames. (The library `atomically` does as much, but ends the process
 * at the first signal, and a command that is interrupted still has something to say.)
 */
export async function writeDurably(path: string, content: Uint8Array | string): Promise<void> {
  const draft = `${path}.${String(process.pid)}${DRAFT}`;
  try {
    const handle = await open(draft, 'w');
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}
