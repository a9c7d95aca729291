/** Starts work in a folder, or resumes it. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { asyncDispose, checkText, InputError } from '../../core/index.ts';
import { createWriteError, isDraft, makeFolders, removeDrafts } from '../../core/node.ts';
import type { SystemRegistry } from '../../rules/index.ts';
import { createReadError } from './files.ts';
import { LOCK_NAME, lockStore, type StoreLock } from './lock.ts';
import type { FolderKind, ManifestBase } from './manifest.ts';

/** Check of the option `out`. */
export const OUT = { check: (value: unknown) => checkText('out', value, 'the path of a folder') };

/** @throws InputError if the folder cannot be created */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await makeFolders(folder);
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new InputError(folder, 'a folder, or a path where it can be created', why === 'EEXIST' ? 'a file' : why);
  }
}

/**
 * Takes the lock of a folder, and removes partly written files of killed processes.
 * @throws InputError, RunError as `lockStore`
 */
export async function lockFolder(
  { folders }: Pick<FolderKind<ManifestBase>, 'folders'>,
  folder: string,
): Promise<StoreLock> {
  const lock = await lockStore(folder);
  try {
    for (const each of ['.', ...folders]) await removeDrafts(join(folder, each), lock.now);
    return lock;
  } catch (error) {
    await lock[asyncDispose]();
    throw error;
  }
}

/** Creates a folder if it does not exist. @returns the names in it @throws RunError if it cannot be created or read */
async function makeAndList(folder: string): Promise<string[]> {
  await makeFolders(folder).catch((error: unknown) => {
    throw createWriteError(folder, error);
  });
  return await readdir(folder).catch((error: unknown) => {
    throw createReadError(folder, error);
  });
}

/** Rejects a folder without a manifest that contains anything else; creates the folders of parts. */
async function makePartFolders<M extends ManifestBase>(
  { file, folders, otherFiles }: FolderKind<M>,
  folder: string,
): Promise<void> {
  const own = [LOCK_NAME, ...folders, ...otherFiles];
  const stray = (await makeAndList(folder)).find((name) => !own.includes(name) && !isDraft(name));
  if (stray !== undefined) throw new InputError(folder, 'a new or an empty folder', `${stray} in it`);
  for (const name of folders) {
    // The origin of these parts is unknown.
    const part = (await makeAndList(join(folder, name))).sort().find((found) => !isDraft(found));
    if (part !== undefined)
      throw new InputError(folder, 'a new or an empty folder', `${name}/${part} without a ${file} in it`);
  }
}

/**
 * Creates a folder without parts. If several processes do so at once, one writes the manifest and all use it.
 * @throws InputError if the folder contains anything else
 */
export async function createWorkFolder<M extends ManifestBase>(
  kind: FolderKind<M>,
  folder: string,
  manifest: M,
  registry: SystemRegistry,
): Promise<M> {
  try {
    await makePartFolders(kind, folder);
  } catch (error) {
    // Another process may have been faster, and have stored a part already.
    const there = await kind.find(folder, registry);
    if (there === undefined) throw error;
    return there;
  }
  await kind.put(folder, manifest);
  return await kind.read(folder, registry);
}

/** Allowed state of a folder: empty or complete; unfinished; or any. */
export type BeginMode = 'new' | 'resume' | 'either';

/** Rejects a folder with different work, or work in another state than `begin` allows. */
export function checkSameWork<M extends ManifestBase>(
  kind: FolderKind<M>,
  folder: string,
  there: M,
  due: M,
  begin: BeginMode,
): void {
  kind.rejectChanges(folder, kind.changes(there, due), due);
  if (begin === 'new' && !there.complete)
    throw new InputError(
      folder,
      'a new or an empty folder',
      `an unfinished ${kind.thingOf(due)}; option resume continues it`,
    );
}

/**
 * Returns the manifest of the work in a folder; creates it if there is none.
 * @param due returns the expected manifest, from the existing one
 * @throws InputError if the folder contains something else, or does not fit
 * @throws RunError if its manifest is damaged, or cannot be written
 */
export async function beginFolder<M extends ManifestBase>(
  kind: FolderKind<M>,
  folder: string,
  due: (there: M | undefined) => M,
  begin: BeginMode,
  registry: SystemRegistry,
): Promise<M> {
  const there = await kind.find(folder, registry);
  const thing = kind.thingOf(due(there));
  if (there === undefined && begin === 'resume')
    throw new InputError(
      folder,
      `a ${thing} to resume`,
      `no ${kind.file} in it; without option resume, a new ${thing} starts there`,
    );
  const begun = there ?? (await createWorkFolder(kind, folder, due(undefined), registry));
  checkSameWork(kind, folder, begun, due(begun), there === undefined ? 'either' : begin);
  return begun;
}

/** Stored work of a folder. */
export interface StoredWork<M extends ManifestBase> {
  readonly folder: string;
  readonly manifest: M;
}

/** Steps of merging a kind of folder. */
export interface MergeSteps<M extends ManifestBase, R> {
  /** Rejects folders with different work. @param first reference for the others */
  readonly check: (first: StoredWork<M>, others: readonly StoredWork<M>[]) => void;
  /** Returns the manifest without any results. */
  readonly unfinished: (manifest: M) => M;
  /** Merges the existing pieces; `signal` also aborts when the lock is lost. */
  readonly join: (
    into: StoredWork<M>,
    others: readonly StoredWork<M>[],
    lock: StoreLock,
    signal: AbortSignal,
  ) => Promise<R>;
}

/**
 * Merges the pieces of several folders into one, under its lock. Without a manifest there, the first of the others
 * defines the work.
 * @throws InputError if a folder has none, another process is writing the folder, or their work differs
 * @throws RunError if a manifest is damaged, or the folder cannot be written
 */
export async function mergeFolders<M extends ManifestBase, R>(
  kind: FolderKind<M>,
  folder: string,
  others: readonly string[],
  { registry, signal }: { readonly registry: SystemRegistry; readonly signal: AbortSignal | undefined },
  { check, unfinished, join: joined }: MergeSteps<M, R>,
): Promise<R> {
  const own = await kind.find(folder, registry);
  const kept: StoredWork<M>[] = [];
  for (const other of others) kept.push({ folder: other, manifest: await kind.read(other, registry) });
  const there = own === undefined ? undefined : { folder, manifest: own };
  const first = there ?? kept[0] ?? { folder, manifest: await kind.read(folder, registry) };
  check(first, kept);
  await makeFolder(folder);
  await using lock = await lockFolder(kind, folder);
  const found = await kind.find(folder, registry);
  const manifest = found ?? (await createWorkFolder(kind, folder, unfinished(first.manifest), registry));
  return await joined({ folder, manifest }, kept, lock, lock.withLoss(signal));
}
