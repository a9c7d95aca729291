/** A store whose manifest says that all is there, and whose files are not as it says: what is damaged is played again. */
import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RunError } from '../../core/errors.ts';
import { unwritable } from '../../core/files/durable.ts';
import type { Lock } from '../folder/lock.ts';
import { partNow, type StoredPart, unreadable } from '../folder/regular.ts';
import { together } from '../folder/together.ts';
import { FOLDERS, partName, tablePart } from './files.ts';
import { type Manifest, SWEEPS } from './manifest.ts';

/** What a system says of a file that is not there, or is a link, a device or a pipe. Other errors say nothing of its content. */
const NO_FILE = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'];

/** True of a part that is missing or not as it is listed. @throws RunError if the system cannot read it */
async function isDamaged(folder: string, { file, bytes, sha256 }: StoredPart): Promise<boolean> {
  try {
    const found = await partNow(folder, file);
    return found.bytes !== bytes || found.sha256 !== sha256;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (cause instanceof Error && 'code' in cause && !NO_FILE.includes(String(cause.code))) throw error;
    return true;
  }
}

/** What lies behind a link is not the store's: nothing is removed there. */
async function checkFolders(folder: string): Promise<void> {
  for (const name of FOLDERS) {
    const path = join(folder, name);
    const found = await lstat(path).catch((error: unknown) => {
      throw unreadable(path, error);
    });
    if (!found.isDirectory()) throw new RunError(`${path} cannot be read: it is no folder of the store`);
  }
}

/** The damaged parts and the rows of their segments; rows first, since rows say that their counts are there. */
function filesToPlayAgain(damaged: readonly string[]): string[] {
  const rows = damaged.map((file) => tablePart(partName(file)?.segment ?? 0));
  return [...new Set([...rows, ...damaged])];
}

/** A manifest of which not all is there: it lists the sound counts of before the last extension, which are never written anew. */
function unfinished(manifest: Manifest, damaged: readonly string[]): Manifest {
  const { cells: _cells, rows: _rows, digest: _digest, parts = [], ...rest } = manifest;
  const last = manifest.extended.at(-1);
  if (last === undefined) return { ...rest, complete: false };
  const isKept = ({ file }: StoredPart): boolean =>
    Number(partName(file)?.counts?.to) <= last && !damaged.includes(file);
  return { ...rest, complete: false, parts: parts.filter(isKept) };
}

/** What `mendStore` leaves to be filled. */
export interface Mended {
  readonly manifest: Manifest;
  /** Parts that were missing or damaged: they are gone, and their segments are to be filled again. */
  readonly files: readonly string[];
}

/**
 * Compares all parts of a complete store with its manifest, by size and SHA-256. If some differ, these and the rows of
 * their segments are removed and the store is unfinished again. Killed at any point, it can be done again.
 * @param lock of the store, which the caller holds
 * @throws RunError if a folder of the store is missing or a link, or something cannot be removed or written
 */
export async function mendStore(folder: string, manifest: Manifest, lock: Lock): Promise<Mended> {
  const { parts = [] } = manifest;
  const states = await together(parts, (part) => isDamaged(folder, part));
  const damaged = parts.filter((_, p) => states[p] === true).map(({ file }) => file);
  if (damaged.length === 0) return { manifest, files: [] };
  await checkFolders(folder);
  await lock.check();
  for (const file of filesToPlayAgain(damaged)) {
    const path = join(folder, file);
    await rm(path, { force: true }).catch((error: unknown) => {
      throw unwritable(path, error);
    });
  }
  const left = unfinished(manifest, damaged);
  await SWEEPS.write(folder, left);
  return { manifest: left, files: damaged };
}
