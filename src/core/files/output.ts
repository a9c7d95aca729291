/**
 * Makes folders, level by level: Node's own way to make several at once goes on for ever where the system says that
 * there is no such folder although the one above it is there, as /proc does.
 */

import { lstat, mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { InputError, OutputClosedError, RunError } from '../errors.ts';
import { createDraftPath, createWriteError, removeDrafts, syncPath } from './durable.ts';

const isFolder = async (path: string): Promise<boolean> =>
  await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

async function makeFolder(path: string): Promise<void> {
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
  for (const path of missing.reverse()) {
    await makeFolder(path);
    // After a power failure the name is there.
    await syncPath(dirname(path));
  }
}

// Files that a user has named to be written: whole or not at all, and never a file that is somebody's source.

/** What tells a store or a kept run: its manifest and the folder of its parts. */
const STORES = [
  { manifest: 'manifest.json', parts: 'table' },
  { manifest: 'run.json', parts: 'tallies' },
] as const;

/** Names in such a folder that are its own. */
const STORE_ENTRIES = new Set(['manifest.json', 'table', 'histograms', 'run.json', 'tallies', 'lock', '.previous']);

/** Folders above a file that may be its store: parts that were put aside lie deepest, `.previous/table/part-...`. */
const STORE_DEPTH_MAX = 3;

const exists = async (path: string): Promise<boolean> => (await lstat(path).catch(() => undefined)) !== undefined;

async function isStore(folder: string): Promise<boolean> {
  for (const { manifest, parts } of STORES)
    if ((await exists(join(folder, manifest))) && (await exists(join(folder, parts)))) return true;
  return false;
}

/** A path without links, be the file there or not. */
async function realPath(path: string): Promise<string> {
  const whole = resolve(path);
  const folder = dirname(whole);
  const inReal = async (): Promise<string> => join(await realpath(folder).catch(() => folder), basename(whole));
  return await realpath(whole).catch(inReal);
}

/** @throws InputError if a path is that of a file of a store or of a kept run, or of one in their folders */
async function rejectStoreFile(path: string, target: string): Promise<void> {
  let rest = basename(target);
  let folder = dirname(target);
  for (let up = 0; up < STORE_DEPTH_MAX; up++) {
    if (STORE_ENTRIES.has(rest.split(/[\\/]/)[0] ?? '') && (await isStore(folder)))
      throw new InputError(path, 'a file that is not part of a store', `${rest} of the store ${folder}`);
    rest = join(basename(folder), rest);
    folder = dirname(folder);
  }
}

/**
 * Refuses, before any work is done, a path at which a command must not write.
 * @param place what messages call the path
 * @param reads files that the command reads
 * @throws InputError if it is one of these, or a file of a store or of a kept run
 */
export async function checkOutput(path: string, place: string, reads: readonly string[] = []): Promise<void> {
  const target = await realPath(path);
  await rejectStoreFile(place, target);
  for (const read of reads)
    if ((await realPath(read)) === target) throw new InputError(place, 'a file that is not an input', `"${path}"`);
}

/** True of a device, a pipe or a socket: a file in its place would remove it. */
async function isStream(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

/**
 * Writes where a user has said: a file whole or not at all, also behind a link, in a folder that is made if there is
 * none; into a device or a pipe as it comes.
 * @param write fills a file or a stream of this path
 * @throws InputError if it is a file of a store or of a kept run
 * @throws RunError if it cannot be written, and whatever of that kind `write` throws
 */
export async function writeOutput(path: string, write: (to: string) => Promise<void>): Promise<void> {
  const target = await realPath(path);
  await rejectStoreFile(path, target);
  const stream = await isStream(target);
  const to = stream ? target : createDraftPath(target);
  try {
    if (!stream) {
      await makeFolders(dirname(target));
      await removeDrafts(dirname(target), Date.now(), basename(target));
    }
    await write(to);
    if (stream) return;
    await syncPath(to);
    await rename(to, target);
    await syncPath(dirname(target));
  } catch (error) {
    if (stream && (error as NodeJS.ErrnoException).code === 'EPIPE')
      throw new OutputClosedError(`${path}: the reader has closed the pipe`, { cause: error });
    throw error instanceof RunError ? error : createWriteError(path, error);
  } finally {
    if (!stream) await rm(to, { force: true }).catch(() => undefined);
  }
}

/** The same of a content that is there. @throws RunError if it cannot be written */
export async function writeText(path: string, content: Uint8Array | string): Promise<void> {
  await writeOutput(path, (to) => writeFile(to, content));
}

/** The same, in a folder. @throws RunError if it cannot be written */
export async function writeInto(folder: string, name: string, content: Uint8Array | string): Promise<void> {
  await writeText(join(folder, name), content);
}
