/** Writes files that are there whole or not at all, whatever happens to process or machine meanwhile. */
import { type FileHandle, link, lstat, open, readdir, rename, rm, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { RunError } from '../errors.ts';
import { newMark, stateOf, writerOf } from './writer.ts';

/** What the name of a file that is not whole ends in. */
const DRAFT = '.draft';

/** Milliseconds after which a draft is nobody's, if its writer cannot be asked: no file takes so long. */
const AGED = 3_600_000;

/** Characters of a file's own name that the name of its draft has. */
const NAME = 40;

/**
 * Where a file is written before it gets its name. Two writers of one file have two drafts, and readers of folders pass
 * over names that begin with a dot.
 */
export function draftOf(path: string): string {
  const name = basename(path).slice(0, NAME);
  return join(dirname(path), `.${name}.${newMark()}${DRAFT}`);
}

export function isDraft(name: string): boolean {
  return name.startsWith('.') && name.endsWith(DRAFT);
}

/** True of a draft whose writer is no more. @param now by the clock of the files */
async function isLeft(path: string, now: number): Promise<boolean> {
  const mark = basename(path).slice(0, -DRAFT.length).split('.').at(-1) ?? '';
  const writer = writerOf(mark);
  const state = writer === undefined ? 'unknown' : stateOf(writer);
  if (state !== 'unknown') return state === 'gone';
  const found = await lstat(path).catch(() => undefined);
  return found !== undefined && now - found.mtimeMs > AGED;
}

/**
 * Removes drafts that killed processes have left in a folder. Those of living ones stay, and those of other machines
 * until they are old.
 * @param now by the clock of the files, which may be another machine's
 */
export async function removeDrafts(folder: string, now: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter(isDraft)) {
    const path = join(folder, name);
    if (await isLeft(path, now)) await rm(path, { recursive: true, force: true });
  }
}

/** Makes sure that a file has its contents, a folder its names of files; not every system can. */
export async function sync(path: string): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path);
    await handle.sync();
  } catch {
    // Where folders cannot be opened, as on Windows, a rename is as durable as it gets.
  } finally {
    await handle?.close();
  }
}

async function write(draft: string, content: Uint8Array | string): Promise<void> {
  const handle = await open(draft, 'wx');
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** What to say of a file that could not be written. */
export function unwritable(path: string, error: unknown): RunError {
  const why = error instanceof Error ? error.message : String(error);
  // Errors of the system name the call and the draft as well: `EROFS: read-only file system, open '...'`.
  const system = error instanceof Error && 'syscall' in error;
  return new RunError(`${path} cannot be written: ${system ? (why.split(', ')[0] ?? why) : why}`, { cause: error });
}

/**
 * Writes under another name, flushes to disk and renames. (The library `atomically` does as much, but ends the process
 * at the first signal, and a command that is interrupted still has something to say.)
 * @throws RunError if it cannot be written
 */
export async function writeDurably(path: string, content: Uint8Array | string): Promise<void> {
  const draft = draftOf(path);
  try {
    await write(draft, content);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw unwritable(path, error);
  }
  await sync(dirname(path));
}

/** What a system says that cannot give a file a second name here. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV', 'EACCES'];

/**
 * Gives a file a second name unless something has that already: two processes never take it from each other.
 * @returns 'there' if something has it, 'cannot' if files cannot have two names, or not two so far apart
 */
export async function linked(from: string, path: string): Promise<'linked' | 'there' | 'cannot'> {
  try {
    await link(from, path);
    return 'linked';
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'EEXIST') return 'there';
    if (NO_LINKS.includes(code)) return 'cannot';
    throw error;
  }
}

/**
 * Writes and flushes a file unless it is there; its name lasts when its folder is flushed, too.
 * @returns false if it was there, or another process was quicker; what it holds is not looked at
 * @throws RunError if it cannot be written
 */
export async function putFlushed(path: string, content: Uint8Array | string): Promise<boolean> {
  const draft = draftOf(path);
  try {
    await write(draft, content);
    const done = await linked(draft, path);
    if (done === 'there') return false;
    if (done === 'cannot') {
      if ((await lstat(path).catch(() => undefined)) !== undefined) return false;
      await rename(draft, path);
    }
  } catch (error) {
    throw unwritable(path, error);
  } finally {
    await unlink(draft).catch(() => undefined);
  }
  return true;
}

/** The same, and flushes the folder. @throws RunError if it cannot be written */
export async function putDurably(path: string, content: Uint8Array | string): Promise<boolean> {
  const isNew = await putFlushed(path, content);
  if (isNew) await sync(dirname(path));
  return isNew;
}
