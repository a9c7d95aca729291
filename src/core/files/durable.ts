/**
 * Which process has written something, told by a mark in a name: several write into one store, on several machines
 * perhaps, and what one of them has left behind may only be removed once it is no more.
 */

import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync, rmSync } from 'node:fs';
import { type FileHandle, link, lstat, mkdir, open, readdir, rename, rm, unlink } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { RunError } from '../errors.ts';

export interface FileWriter {
  /** For people: the name of its machine, or what of it a file's name can hold. */
  readonly host: string;
  /** Tells where process numbers mean the same: a machine since it was started, or a container of it. */
  readonly processNamespace: string;
  readonly pid: number;
  /** When the process began, in ticks since the machine did; 0 where that cannot be known. */
  readonly startTime: string;
}

function readOrEmpty(path: string, by: (path: string) => string = (at) => readFileSync(at, 'utf8')): string {
  try {
    return by(path);
  } catch {
    return '';
  }
}

/** /proc/<pid>/stat (proc(5)) from field 3 on; the name of the program before it may hold blanks and parentheses. */
function readProcessStat(pid: number | 'self'): string[] {
  const stat = readOrEmpty(`/proc/${String(pid)}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Field 22. */
function parseStartTime(stat: readonly string[]): string {
  const began = stat[19] ?? '';
  return /^\d{1,20}$/.test(began) ? began : '0';
}

/** Field 3: a process that has ended and that nobody has waited for; in containers it may stay so. */
const isZombie = ([state = '']: readonly string[]): boolean => ['Z', 'X'].includes(state);

let own: FileWriter | undefined;

/** This process. */
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

/** A mark that nobody else makes: the writer, and twelve random digits. */
export function createMark({ host, processNamespace, pid, startTime }: FileWriter = getOwnWriter()): string {
  return [host, processNamespace, String(pid), startTime, randomBytes(6).toString('hex')].join('-');
}

/** The writer of a mark; undefined for any other text. */
export function parseMark(mark: string): FileWriter | undefined {
  const [, host, place, pid, began] =
    /^(\w{1,24})-([0-9a-f]{8})-([1-9]\d{0,9})-(\d{1,20})-[0-9a-f]{12}$/.exec(mark) ?? [];
  if (host === undefined || place === undefined || pid === undefined || began === undefined) return undefined;
  return { host, processNamespace: place, pid: Number(pid), startTime: began };
}

/** Whether a writer is at work; of other places nothing can be known from here. */
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
 * Makes a temporary folder for this process alone. It is removed at the exit of the process at the latest; those of
 * processes that were killed are removed now.
 * @param kind lower-case letters: `warpool-<kind>-` begins its name
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

// Writes files that are there whole or not at all, whatever happens to process or machine meanwhile.

/** What the name of a file that is not whole ends in. */
const DRAFT = '.draft';

/** Milliseconds after which a draft is nobody's, if its writer cannot be asked: no file takes so long. */
const ABANDONED_AFTER = 3_600_000;

/** Characters of a file's own name that the name of its draft has. */
const NAME_LENGTH_MAX = 40;

/**
 * Where a file is written before it gets its name. Two writers of one file have two drafts, and readers of folders pass
 * over names that begin with a dot.
 */
export function createDraftPath(path: string): string {
  const name = basename(path).slice(0, NAME_LENGTH_MAX);
  return join(dirname(path), `.${name}.${createMark()}${DRAFT}`);
}

export function isDraft(name: string): boolean {
  return name.startsWith('.') && name.endsWith(DRAFT);
}

/** Who writes a draft; undefined if its name has no mark. */
const parseDraftWriter = (name: string): FileWriter | undefined =>
  parseMark(name.slice(0, -DRAFT.length).split('.').at(-1) ?? '');

/** True of a draft whose writer is no more. @param now by the clock of the files */
async function isAbandoned(path: string, now: number): Promise<boolean> {
  const writer = parseDraftWriter(basename(path));
  const state = writer === undefined ? 'unknown' : getWriterState(writer);
  if (state !== 'unknown') return state === 'gone';
  const found = await lstat(path).catch(() => undefined);
  return found !== undefined && now - found.mtimeMs > ABANDONED_AFTER;
}

/**
 * Removes drafts that killed processes have left in a folder. Those of living ones stay, and those of other machines
 * until they are old.
 * @param now by the clock of the files, which may be another machine's
 * @param of  the name of the one file whose drafts are meant, in a folder that is not ours; those without a mark stay
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

/** Makes sure that a file has its contents, a folder its names of files; not every system can. */
export async function syncPath(path: string): Promise<void> {
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
export function createWriteError(path: string, error: unknown): RunError {
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

/** What a system says that cannot give a file a second name here. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV', 'EACCES'];

/**
 * Gives a file a second name unless something has that already: two processes never take it from each other.
 * @returns 'there' if something has it, 'cannot' if files cannot have two names, or not two so far apart
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
 * Writes and flushes a file unless it is there; its name lasts when its folder is flushed, too.
 * @returns false if it was there, or another process was quicker; what it holds is not looked at
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

/** The same, and flushes the folder. @throws RunError if it cannot be written */
export async function writeDurablyIfAbsent(path: string, content: Uint8Array | string): Promise<boolean> {
  const isNew = await writeFlushedIfAbsent(path, content);
  if (isNew) await syncPath(dirname(path));
  return isNew;
}
