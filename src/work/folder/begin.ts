/** Begins work in a folder, or goes on with what was begun there. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../../core/errors.ts';
import { isDraft, removeDrafts } from '../../core/files/durable.ts';
import { makeFolders } from '../../core/files/output.ts';
import type { Registry } from '../../rules/registry.ts';
import { LOCK, type Lock, lockStore } from './lock.ts';
import type { Kind, MadeBy } from './manifest.ts';

/** @throws InputError if there can be none */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await makeFolders(folder);
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new InputError(folder, 'a folder, or a place where one can be made', why === 'EEXIST' ? 'a file' : why);
  }
}

/**
 * Takes the lock of a folder, and removes what killed processes have left half written.
 * @throws InputError, RunError as `lockStore`
 */
export async function lockFolder({ folders }: Pick<Kind<MadeBy>, 'folders'>, folder: string): Promise<Lock> {
  const lock = await lockStore(folder);
  try {
    for (const each of ['.', ...folders]) await removeDrafts(join(folder, each), lock.now);
    return lock;
  } catch (error) {
    await lock[Symbol.asyncDispose]();
    throw error;
  }
}

/** Refuses a folder with anything else than this work has before its manifest is there; makes the folders of parts. */
async function makeEmpty<M extends MadeBy>({ file, folders, beside }: Kind<M>, folder: string): Promise<void> {
  await makeFolders(folder);
  const own = [LOCK, ...folders, ...beside];
  const stray = (await readdir(folder)).find((name) => !own.includes(name) && !isDraft(name));
  if (stray !== undefined) throw new InputError(folder, 'a new or an empty folder', `${stray} in it`);
  for (const name of folders) {
    await makeFolders(join(folder, name));
    // Whose parts these are nobody can tell.
    const part = (await readdir(join(folder, name))).sort().find((found) => !isDraft(found));
    if (part !== undefined)
      throw new InputError(folder, 'a new or an empty folder', `${name}/${part} without a ${file} in it`);
  }
}

/**
 * Makes a folder without parts. Of several processes that do so at once one writes the manifest, and all go on with that.
 * @throws InputError if the folder has anything else in it
 */
export async function newFolder<M extends MadeBy>(
  kind: Kind<M>,
  folder: string,
  manifest: M,
  registry: Registry,
): Promise<M> {
  try {
    await makeEmpty(kind, folder);
  } catch (error) {
    // Another process may have been quicker, and have stored a part since.
    const there = await kind.find(folder, registry);
    if (there === undefined) throw error;
    return there;
  }
  await kind.put(folder, manifest);
  return await kind.read(folder, registry);
}

/** What a folder may hold: nothing yet, or all of it; what is not finished; either of them. */
export type Begin = 'new' | 'resume' | 'either';

/** Refuses what is there unless it is what was asked for, and may be gone on with. */
export function checkSame<M extends MadeBy>(kind: Kind<M>, folder: string, there: M, due: M, begin: Begin): void {
  kind.refuseChanged(folder, kind.changes(there, due));
  if (begin === 'new' && !there.complete)
    throw new InputError(folder, 'a new or an empty folder', `an unfinished ${kind.thing}; --resume goes on with it`);
}

/**
 * The manifest of the work in a folder, which is begun there if there is none.
 * @param due what it is to be, given what is there
 * @throws InputError if the folder holds something else, or does not fit
 * @throws RunError if its manifest is damaged, or cannot be written
 */
export async function beginFolder<M extends MadeBy>(
  kind: Kind<M>,
  folder: string,
  due: (there: M | undefined) => M,
  begin: Begin,
  registry: Registry,
): Promise<M> {
  const there = await kind.find(folder, registry);
  if (there === undefined && begin === 'resume')
    throw new InputError(folder, `a ${kind.thing} to go on with`, `no ${kind.file} in it`);
  const begun = there ?? (await newFolder(kind, folder, due(undefined), registry));
  checkSame(kind, folder, begun, due(begun), there === undefined ? 'either' : begin);
  return begun;
}
