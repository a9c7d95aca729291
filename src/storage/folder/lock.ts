/**
 * Lock of a store: one process at a time writes it.
 *
 * The lock is a folder, `lock`, with one file in it, whose name is the mark of its holder. A process creates such a
 * folder under a unique name and renames it to `lock`: that succeeds if there is none, or an empty one, and only for
 * one process (rename(2); an NFS server does it in one step too). The file of a dead holder is removed by its unique
 * name, so however many processes find it at once, only one gets the lock.
 *
 * On the machine of the holder, its death is known at once. On other machines the lock is a lease: the holder rewrites
 * its file regularly and counts as dead after a minute without a write. Ages are compared by the times of files, so by
 * one clock.
 */

import { lstat, mkdir, open, readdir, rename, rm, rmdir, unlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { asyncDispose, InputError, RunError } from '../../core/index.ts';
import {
  createDraftPath,
  createMark,
  createWriteError,
  getOwnWriter,
  getWriterState,
  parseMark,
} from '../../core/node.ts';

export const LOCK_NAME = 'lock';

/** Milliseconds for which a holder on another machine counts as alive. */
const LEASE_MS = 60_000;

/** Attempts while locks of dead or exiting processes are in the way. */
const ATTEMPTS_MAX = 20;

const findErrorCode = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Ignores errors that mean that another process has already done this. */
async function ignoreErrors(codes: readonly string[], act: Promise<unknown>): Promise<void> {
  await act.catch((error: unknown) => {
    if (!codes.includes(findErrorCode(error))) throw error;
  });
}

/**
 * Returns the time of the last write, by the clock of the file server. NFS asks its server anew when a file is opened.
 */
async function readWriteTime(path: string): Promise<number> {
  const handle = await open(path, 'r');
  try {
    return (await handle.stat()).mtimeMs;
  } finally {
    await handle.close();
  }
}

/** Writes the file of a lock; its content is only informative. */
async function writeLockFile(path: string, flags: 'wx' | 'r+'): Promise<void> {
  const { host, pid } = getOwnWriter();
  const handle = await open(path, flags);
  try {
    await handle.writeFile(`${JSON.stringify({ host, pid, at: new Date().toISOString() })}\n`);
  } finally {
    await handle.close();
  }
}

function createHeldError(folder: string, who: string): InputError {
  return new InputError(folder, 'a store that no other process is writing', who);
}

/**
 * Returns a description of the holder of this lock file; undefined if it is no longer held. @param now time by the
 * clock of the files
 */
async function findHolder(folder: string, name: string, now: number): Promise<string | undefined> {
  const writer = parseMark(name);
  const state = writer === undefined ? 'unknown' : getWriterState(writer);
  if (state === 'gone') return undefined;
  const who = writer === undefined ? 'an unknown process' : `process ${String(writer.pid)} on ${writer.host}`;
  if (state === 'alive') return writer?.pid === process.pid ? 'this process' : who;
  const found = await lstat(join(folder, LOCK_NAME, name)).catch(() => undefined);
  if (found === undefined) return undefined;
  if (!found.isFile()) return `${LOCK_NAME}/${name}, which is not a lock of a process`;
  const silent = now - (await readWriteTime(join(folder, LOCK_NAME, name)));
  if (silent > LEASE_MS) return undefined;
  // The clock was set back, or the store was copied: from now on the lock is valid for as long as any other.
  const isAhead = silent < -LEASE_MS;
  if (isAhead) await utimes(join(folder, LOCK_NAME, name), now / 1000, now / 1000).catch(() => undefined);
  const left = Math.ceil((LEASE_MS - (isAhead ? 0 : silent)) / 1000);
  return `${who} (if it has ended, its lock expires in ${String(left)} s)`;
}

/** Removes the lock of a dead process. @throws InputError if a living process holds it */
async function clearStaleLock(folder: string, now: number): Promise<void> {
  const lock = join(folder, LOCK_NAME);
  let names: string[];
  try {
    names = await readdir(lock);
  } catch (error) {
    if (findErrorCode(error) === 'ENOENT') return;
    throw findErrorCode(error) === 'ENOTDIR'
      ? createHeldError(folder, `a file ${LOCK_NAME}; remove it if there is no such process`)
      : error;
  }
  for (const name of names) {
    const holder = await findHolder(folder, name, now);
    if (holder !== undefined) throw createHeldError(folder, holder);
    await ignoreErrors(['ENOENT'], unlink(join(lock, name)));
  }
  // For systems on which a rename does not replace empty folders, such as Windows.
  await rmdir(lock).catch(() => undefined);
}

/** Error codes of a rename onto an existing lock; Windows replaces no folder at all. */
const LOCK_EXISTS_CODES = [
  'ENOTEMPTY',
  'EEXIST',
  'ENOTDIR',
  'ENOENT',
  ...(process.platform === 'win32' ? ['EPERM'] : []),
];

/** True if the prepared folder has become the lock. */
async function takeLock(ready: string, lock: string, name: string): Promise<boolean> {
  try {
    await rename(ready, lock);
    return true;
  } catch (error) {
    if (!LOCK_EXISTS_CODES.includes(findErrorCode(error))) throw error;
    // Over NFS, a successful rename may report that its source is missing.
    return (await lstat(join(lock, name)).catch(() => undefined)) !== undefined;
  }
}

/** Lock that is held until it is disposed of. */
export class StoreLock implements AsyncDisposable {
  /** Aborted if another process has taken the lock because it considered this one dead. */
  readonly lost: AbortSignal;
  /** Time at which it was taken, by the clock of the files. */
  readonly now: number;
  readonly #folder: string;
  readonly #file: string;
  readonly #loss = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #renewing: Promise<void> = Promise.resolve();

  constructor(folder: string, name: string, now: number) {
    this.lost = this.#loss.signal;
    this.now = now;
    this.#folder = folder;
    this.#file = join(folder, LOCK_NAME, name);
    this.#timer = setInterval(() => {
      this.#renewing = this.#renew();
    }, LEASE_MS / 4).unref();
  }

  /** Returns a signal that aborts with `signal` or when the lock is lost. */
  withLoss(signal: AbortSignal | undefined): AbortSignal {
    return AbortSignal.any([this.lost, ...(signal === undefined ? [] : [signal])]);
  }

  /** @throws RunError if the lock is lost: then another process writes the store */
  async check(): Promise<void> {
    await this.#renew();
    if (this.lost.aborted) throw new RunError(`${this.#folder}: another process has taken its lock`);
  }

  async [asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing;
    await rm(this.#file, { force: true }).catch(() => undefined);
    await rmdir(join(this.#folder, LOCK_NAME)).catch(() => undefined);
  }

  async #renew(): Promise<void> {
    try {
      await writeLockFile(this.#file, 'r+');
    } catch (error) {
      // Other errors, such as a full disk, may be temporary.
      if (['ENOENT', 'ENOTDIR'].includes(findErrorCode(error))) this.#loss.abort();
    }
  }
}

/** Creates the folder that becomes the lock. @returns the time by the clock of the files */
async function prepareLockFolder(ready: string, name: string): Promise<number> {
  await mkdir(ready);
  await writeLockFile(join(ready, name), 'wx');
  return await readWriteTime(join(ready, name));
}

/**
 * Takes the lock of a store; the lock of a dead process is ignored.
 * @throws InputError if a process, this one included, holds it
 * @throws RunError if the store cannot be written
 */
export async function lockStore(folder: string): Promise<StoreLock> {
  const [ready, name] = [createDraftPath(join(folder, LOCK_NAME)), createMark()];
  try {
    const now = await prepareLockFolder(ready, name);
    for (let turn = 0; turn < ATTEMPTS_MAX; turn++) {
      if (await takeLock(ready, join(folder, LOCK_NAME), name)) return new StoreLock(folder, name, now);
      await clearStaleLock(folder, now);
      if (turn > 0) await setTimeout(turn);
    }
    throw createHeldError(folder, 'several processes that compete for its lock');
  } catch (error) {
    await rm(ready, { recursive: true, force: true }).catch(() => undefined);
    throw error instanceof InputError ? error : createWriteError(join(folder, LOCK_NAME), error);
  }
}
