/**
 * Identifies the writers of files by marks in their names. Several processes, possibly on several machines, write to
 * one store; the leftovers of a process may only be removed after it has ended.
 */

import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync, rmSync } from 'node:fs';
import { type FileHandle, link, lstat, mkdir, open, readdir, rename, rm, unlink } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { RunError } from '../errors.ts';

export interface FileWriter {
  /** Name of the machine, as far as a file name can contain it; for display. */
  readonly host: string;
  /** Scope of process numbers: a machine since its start, or one of its containers. */
  readonly processNamespace: string;
  readonly pid: number;
  /** Start time of the process, in ticks since the start of the machine; 0 if it is unknown. */
  readonly startTime: string;
}

function readOrEmpty(path: string, by: (path: string) => string = (at) => readFileSync(at, 'utf8')): string {
  try {
    return by(path);
  } catch {
    return '';
  }
}

/**
 * Reads /proc/<pid>/stat (proc(5)) from field 3 on; the preceding name of the program may contain blanks and
 * parentheses.
 */
function readProcessStat(pid: number | 'self'): string[] {
  const stat = readOrEmpty(`/proc/${String(pid)}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Parses field 22. */
function parseStartTime(stat: readonly string[]): string {
  const began = stat[19] ?? '';
  return /^\d{1,20}$/.test(began) ? began : '0';
}

/** Field 3: an ended process whose parent has not waited for it; in containers it may remain. */
const isZombie = ([state = '']: readonly string[]): boolean => ['Z', 'X'].includes(state);

let own: FileWriter | undefined;

/** Returns the mark of this process. */
export function getOwnWriter(): FileWriter {
  if (own !== undefined) return own;
  const where = [
    hostname(),
    readOrEmpty('/proc/sys/kernel/random/boot_id'),
    readOrEmpty('/proc/self/ns/pid', (at) => readlinkSync(at)),
  ];
  own = {
    host:
      hostname()
        .replaceAll(/[^A-Za-z0-9]/g, '_')
        .slice(0, 24) || 'unnamed',
    processNamespace: createHash('sha256').update(JSON.stringify(where)).digest('hex').slice(0, 8),
    pid: process.pid,
    startTime: parseStartTime(readProcessStat('self')),
  };
  return own;
}

/** Creates a unique mark: the writer, and twelve random digits. */
export function createMark({ host, processNamespace, pid, startTime }: FileWriter = getOwnWriter()): string {
  return [host, processNamespace, String(pid), startTime, randomBytes(6).toString('hex')].join('-');
}

/** Parses the writer of a mark; undefined for any other text. */
export function parseMark(mark: string): FileWriter | undefined {
  const [, host, place, pid, began] =
    /^(\w{1,24})-([0-9a-f]{8})-([1-9]\d{0,9})-(\d{1,20})-[0-9a-f]{12}$/.exec(mark) ?? [];
  if (host === undefined || place === undefined || pid === undefined || began === undefined) return undefined;
  return { host, processNamespace: place, pid: Number(pid), startTime: began };
}

/** Returns the state of a writer; unknown for writers on other machines. */
export function getWriterState({ processNamespace, pid, startTime }: FileWriter): 'alive' | 'gone' | 'unknown' {
  if (processNamespace !== getOwnWriter().processNamespace) return 'unknown';
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: there is such a process, of another user.
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return 'gone';
  }
  const stat = readProcessStat(pid);
  if (isZombie(stat)) return 'gone';
  const now = parseStartTime(stat);
  // Another process that has got the same number.
  return startTime !== '0' && now !== '0' && now !== startTime ? 'gone' : 'alive';
}

/** Temporary folders of this process. */
const temporary = new Set<string>();

function removeAllTemporary(): void {
  for (const folder of temporary) rmSync(folder, { recursive: true, force: true });
}

/**
 * Creates a temporary folder of this process. It is removed at the exit of the process; folders of killed processes are
 * removed now.
 * @param kind lower-case letters: `warpool-<kind>-` is the prefix of its name
 */
export async function createTemporaryFolder(kind: string): Promise<string> {
  for (const name of await readdir(tmpdir())) {
    const writer = parseMark(/^warpool-[a-z]+-(.*)$/.exec(name)?.[1] ?? '');
    if (writer === undefined || getWriterState(writer) !== 'gone') continue;
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
  }
  const folder = join(tmpdir(), `warpool-${kind}-${createMark()}`);
  await mkdir(folder);
  if (temporary.size === 0) process.once('exit', removeAllTemporary);
  temporary.add(folder);
  return folder;
}

/** Removes a temporary folder of this process. */
export async function removeTemporaryFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  temporary.delete(folder);
  if (temporary.size === 0) process.off('exit', removeAllTemporary);
}

// Writes files atomically and durably, in spite of crashes of the process or the machine.

/** Suffix of incomplete files. */
const DRAFT = '.draft';

/** Milliseconds after which a draft is abandoned, if the state of its writer is unknown: no file takes that long. */
const ABANDONED_AFTER = 3_600_000;

/** Maximum number of characters of the file name in the name of its draft. */
const NAME_LENGTH_MAX = 40;

/**
 * Creates the path of a file until it is complete. Two writers of one file have different drafts, and readers of
 * folders ignore names with a leading dot.
 */
export function createDraftPath(path: string): string {
  const name = basename(path).slice(0, NAME_LENGTH_MAX);
  return join(dirname(path), `.${name}.${createMark()}${DRAFT}`);
}

export function isDraft(name: string): boolean {
  return name.startsWith('.') && name.endsWith(DRAFT);
}

/** Parses the writer of a draft; undefined if its name has no mark. */
const parseDraftWriter = (name: string): FileWriter | undefined =>
  parseMark(name.slice(0, -DRAFT.length).split('.').at(-1) ?? '');

/** Returns true for a draft whose writer has ended. @param now by the clock of the files */
async function isAbandoned(path: string, now: number): Promise<boolean> {
  const writer = parseDraftWriter(basename(path));
  const state = writer === undefined ? 'unknown' : getWriterState(writer);
  if (state !== 'unknown') return state === 'gone';
  const found = await lstat(path).catch(() => undefined);
  return found !== undefined && now - found.mtimeMs > ABANDONED_AFTER;
}

/**
 * Removes drafts of killed processes from a folder. Drafts of living processes stay, and those of other machines until
 * they are old.
 * @param now by the clock of the files, which may be on another machine
 * @param of name of the only file whose drafts are removed, in a folder with other contents; drafts without a mark
 *   stay
 */
export async function removeDrafts(folder: string, now: number, of?: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const isMeant = (name: string): boolean =>
    of === undefined || (name.startsWith(`.${of.slice(0, NAME_LENGTH_MAX)}.`) && parseDraftWriter(name) !== undefined);
  for (const name of names.filter((each) => isDraft(each) && isMeant(each))) {
    const path = join(folder, name);
    if (await isAbandoned(path, now)) await rm(path, { recursive: true, force: true });
  }
}

/** Flushes a file, or the entries of a folder; not every system supports that. */
export async function syncPath(path: string): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path);
    await handle.sync();
  } catch {
    // If folders cannot be opened, as on Windows, a rename cannot be made more durable.
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

/** Creates the error of a file that could not be written. */
export function createWriteError(path: string, error: unknown): RunError {
  const why = error instanceof Error ? error.message : String(error);
  // Errors of the system include the call and the draft: `EROFS: read-only file system, open '...'`.
  const system = error instanceof Error && 'syscall' in error;
  return new RunError(`${path} cannot be written: ${system ? (why.split(', ')[0] ?? why) : why}`, { cause: error });
}

/**
 * Writes to a draft, flushes it to disk and renames it. (The library `atomically` is similar, but ends the process at
 * the first signal, before an interrupted command can report.)
 * @throws RunError if it cannot be written
 */
export async function writeDurably(path: string, content: Uint8Array | string): Promise<void> {
  const draft = createDraftPath(path);
  try {
    await write(draft, content);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw createWriteError(path, error);
  }
  await syncPath(dirname(path));
}

/** Error codes of file systems without hard links. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV', 'EACCES'];

/**
 * Links a file to another name unless that exists: two processes cannot overwrite each other.
 * @returns 'there' if the name exists, 'cannot' if hard links are not supported there
 */
export async function linkFile(from: string, path: string): Promise<'linked' | 'there' | 'cannot'> {
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
 * Writes and flushes a file unless it exists; its name is durable after a flush of its folder.
 * @returns false if it existed, or another process was faster; its content is not checked
 * @throws RunError if it cannot be written
 */
export async function writeFlushedIfAbsent(path: string, content: Uint8Array | string): Promise<boolean> {
  const draft = createDraftPath(path);
  try {
    await write(draft, content);
    const done = await linkFile(draft, path);
    if (done === 'there') return false;
    if (done === 'cannot') {
      if ((await lstat(path).catch(() => undefined)) !== undefined) return false;
      await rename(draft, path);
    }
  } catch (error) {
    throw createWriteError(path, error);
  } finally {
    await unlink(draft).catch(() => undefined);
  }
  return true;
}

/** Writes a file unless it exists, and flushes its folder. @throws RunError if it cannot be written */
export async function writeDurablyIfAbsent(path: string, content: Uint8Array | string): Promise<boolean> {
  const isNew = await writeFlushedIfAbsent(path, content);
  if (isNew) await syncPath(dirname(path));
  return isNew;
}
