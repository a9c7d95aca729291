/**
 * Completion of a store: once all cells are stored, its manifest gets their summary. Repair of a complete store whose
 * files differ from its manifest: damaged segments are simulated again.
 */

import { createHash } from 'node:crypto';
import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RunError } from '../../core/index.ts';
import { createWriteError } from '../../core/node.ts';
import { createReadError, describePart, isDamage, mapConcurrently, type StoredPart } from '../folder/files.ts';
import type { StoreLock } from '../folder/lock.ts';
import {
  createTablePartName,
  FOLDERS,
  PREVIOUS,
  parsePartName,
  reopenManifest,
  type StoreManifest,
  SWEEP_FOLDERS,
} from './manifest.ts';
import type { FinishedSegment, PartFile, SegmentInfo, SweepStore } from './sweep-store.ts';

/** True if a part is missing or differs from its entry. @throws RunError if it cannot be read */
async function isDamaged(folder: string, { file, bytes, sha256 }: StoredPart): Promise<boolean> {
  try {
    const found = await describePart(folder, file);
    return found.bytes !== bytes || found.sha256 !== sha256;
  } catch (error) {
    if (!isDamage(error)) throw error;
    return true;
  }
}

/** Rejects links in place of folders: nothing behind a link may be removed. */
async function checkFolders(folder: string): Promise<void> {
  for (const name of FOLDERS) {
    const path = join(folder, name);
    const found = await lstat(path).catch((error: unknown) => {
      throw createReadError(path, error);
    });
    if (!found.isDirectory()) throw new RunError(`${path} cannot be read: it is not a folder`);
  }
}

/**
 * Removes damaged parts of a store. @throws RunError if a folder of the store is missing or a link, or a part cannot be
 * removed
 */
export async function removeParts(folder: string, files: readonly string[]): Promise<void> {
  if (files.length > 0) await checkFolders(folder);
  for (const file of files) {
    const path = join(folder, file);
    await rm(path, { force: true }).catch((error: unknown) => {
      throw createWriteError(path, error);
    });
  }
}

/** Lists the damaged parts and the rows of their segments; rows first, because rows claim that their counts exist. */
function listFilesToRebuild(damaged: readonly string[]): string[] {
  const rows = damaged.map((file) => createTablePartName(parsePartName(file)?.segment ?? 0));
  return [...new Set([...rows, ...damaged])];
}

/** Result of `repairStore`. */
export interface RepairedStore {
  readonly manifest: StoreManifest;
  /** Parts that were missing or damaged; they are removed, and their segments must be filled again. */
  readonly files: readonly string[];
}

/**
 * Compares all parts of a complete store with its manifest, by size and SHA-256. If some differ, it removes them and
 * the rows of their segments, and marks the store as unfinished. It can be repeated after a kill at any point.
 * @param lock of the store, held by the caller
 * @throws RunError if a folder of the store is missing or a link, or something cannot be removed or written
 */
export async function repairStore(folder: string, manifest: StoreManifest, lock: StoreLock): Promise<RepairedStore> {
  const { parts = [] } = manifest;
  const states = await mapConcurrently(parts, (part) => isDamaged(folder, part));
  const damaged = parts.filter((_, p) => states[p] === true).map(({ file }) => file);
  if (damaged.length === 0) return { manifest, files: [] };
  await lock.check();
  await removeParts(folder, listFilesToRebuild(damaged));
  const left = reopenManifest(manifest, damaged);
  await SWEEP_FOLDERS.write(folder, left);
  return { manifest: left, files: damaged };
}

/** Computes the SHA-256 over the digests of all segments. */
export function computeStoreDigest(facts: Iterable<SegmentInfo>): string {
  const hash = createHash('sha256');
  for (const { digest } of facts) hash.update(`${digest}\n`);
  return hash.digest('hex');
}

/** Returns a finished segment. @param stored by this process, so not read again */
async function findFinished(
  store: SweepStore,
  rows: PartFile,
  stored: FinishedSegment | undefined,
): Promise<FinishedSegment> {
  const { facts, parts: known } = stored ?? (await store.readFinished(rows));
  const { segment, cells } = facts;
  const has = store.has(segment);
  const found: StoredPart[] = [];
  for (const file of store.due(segment, cells)) {
    const there = file === rows.file || has(file) ? known.find((part) => part.file === file) : undefined;
    found.push(there ?? (await store.verifyCounts(segment, file)));
  }
  return { facts, parts: found };
}

/** Lists all parts of a store in the order of its manifest: those of `table/` last. */
function listParts({ folder, manifest }: SweepStore, segments: readonly FinishedSegment[]): StoredPart[] {
  const found = [
    ...segments.flatMap(({ parts }) => parts.slice(0, -1)),
    ...segments.flatMap(({ parts }) => parts.slice(-1)),
  ];
  const before = new Map(manifest.parts?.map((part) => [part.file, part]));
  const changed = found.find(({ file, sha256 }) => before.has(file) && before.get(file)?.sha256 !== sha256);
  if (changed === undefined) return found;
  throw new RunError(`${join(folder, changed.file)}: its SHA-256 has changed since the extension`);
}

/**
 * @param store with its current parts
 * @param stored parts that this process has stored, by segment
 * @throws RunError if a segment is missing, a part is damaged, or the lock is lost
 */
export async function finishStore(
  store: SweepStore,
  lock: StoreLock,
  stored: ReadonlyMap<number, FinishedSegment> = new Map(),
): Promise<StoreManifest> {
  const { folder, manifest, tables, segments: due } = store;
  if (tables.size !== due)
    throw new RunError(
      `${folder} has ${String(tables.size)} of ${String(due)} segments; option resume simulates the others`,
    );
  const segments = await mapConcurrently(tables, ([segment, part]) => findFinished(store, part, stored.get(segment)));
  const parts = listParts(store, segments);
  const all = segments.map(({ facts }) => facts);
  const sum = (of: 'cells' | 'rows'): number => all.reduce((total, each) => total + each[of], 0);
  const size = { cells: sum('cells'), rows: sum('rows') };
  const { parts: _before, ...rest } = manifest;
  const finished = { ...rest, complete: true, ...size, digest: computeStoreDigest(all), parts };
  await lock.check();
  await SWEEP_FOLDERS.write(folder, finished);
  await rm(join(folder, PREVIOUS), { recursive: true, force: true });
  return finished;
}
