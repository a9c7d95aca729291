/**
 * Creates folders level by level: the recursive mode of Node never ends if the system denies the existence of a folder
 * although its parent exists, as /proc does.
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
    // The folder may have existed, or another process may have created it.
    if (!(await isFolder(path))) throw error;
  }
}

/**
 * Creates a folder and its missing parents.
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
    // Makes the name durable.
    await syncPath(dirname(path));
  }
}

// Writes files that a user has named: atomically, and never over an input.

/** Files that identify a store or a resumable run: its manifest and the folder of its parts. */
const STORES = [
  { manifest: 'manifest.json', parts: 'table' },
  { manifest: 'run.json', parts: 'tallies' },
] as const;

/** Entries of such a folder that belong to it. */
const STORE_ENTRIES = new Set(['manifest.json', 'table', 'histograms', 'run.json', 'tallies', 'lock', '.previous']);

/** Levels of parent folders that may be a store; parts that were put aside are deepest, `.previous/table/part-...`. */
const STORE_DEPTH_MAX = 3;

const exists = async (path: string): Promise<boolean> => (await lstat(path).catch(() => undefined)) !== undefined;

async function isStore(folder: string): Promise<boolean> {
  for (const { manifest, parts } of STORES)
    if ((await exists(join(folder, manifest))) && (await exists(join(folder, parts)))) return true;
  return false;
}

/** Resolves the links of a path, whether the file exists or not. */
async function realPath(path: string): Promise<string> {
  const whole = resolve(path);
  const folder = dirname(whole);
  const isInRealPath = async (): Promise<string> => join(await realpath(folder).catch(() => folder), basename(whole));
  return await realpath(whole).catch(isInRealPath);
}

/** @throws InputError if a path is a file of a store or of a resumable run, or in one of their folders */
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

/** @throws InputError if the path of a folder, or one of its parents, is a file */
export async function checkOutputFolder(path: string, place: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined && dirname(path) !== path) await checkOutputFolder(dirname(path), place);
  else if (found?.isDirectory() === false) throw new InputError(place, 'a folder', `the file "${path}"`);
}

/**
 * Checks an output path before any work is done.
 * @param place name of the path in messages
 * @param reads files that the command reads
 * @throws InputError if it is one of these, a folder, or a file of a store or of a resumable run
 */
export async function checkOutput(path: string, place: string, reads: readonly string[] = []): Promise<void> {
  if (path === '') throw new InputError(place, 'a path', '""');
  const target = await realPath(path);
  await rejectStoreFile(place, target);
  if ((await stat(target).catch(() => undefined))?.isDirectory())
    throw new InputError(place, 'a file', `the folder "${path}"`);
  for (const read of reads)
    if ((await realPath(read)) === target) throw new InputError(place, 'a file that is not an input', `"${path}"`);
}

/** Returns true for a device, a pipe or a socket, which a file must not replace. */
async function isStream(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

/**
 * Writes to the path of a user: a file atomically, also behind a link, in a folder that is created if necessary; to a
 * device or a pipe directly.
 * @param write writes a file or a stream at this path
 * @throws InputError if it is a file of a store or of a resumable run
 * @throws RunError if it cannot be written, and such errors of `write`
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

/** Writes content to the path of a user. @throws RunError if it cannot be written */
export async function writeText(path: string, content: Uint8Array | string): Promise<void> {
  await writeOutput(path, (to) => writeFile(to, content));
}

/** Writes content to a file of a folder. @throws RunError if it cannot be written */
export async function writeInto(folder: string, name: string, content: Uint8Array | string): Promise<void> {
  await writeText(join(folder, name), content);
}
