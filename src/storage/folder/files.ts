/**
 * Reads files of a store, which may be untrusted: only regular files within the store, no links, nothing that blocks or
 * never ends, and never more bytes than a file may have.
 */
import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { RunError } from '../../core/index.ts';

/** Maximum bytes of a part: some million rows. */
export const PART_MAX: number = 2 ** 29;

/** Bytes per read. */
const READ_BYTES = 2 ** 20;

/** Does not follow links; opening a pipe does not wait for its other end. Undefined on systems without these flags. */
const FLAGS: Partial<typeof constants> = constants;
const READ_FLAGS = constants.O_RDONLY | (FLAGS.O_NOFOLLOW ?? 0) | (FLAGS.O_NONBLOCK ?? 0);

/** Used part of a `FileHandle`: published declarations must not use types of Node. */
interface ReadHandle {
  read(bytes: Uint8Array, at: number, length: number, from: number): Promise<{ readonly bytesRead: number }>;
  close(): Promise<void>;
}

/** File opened for reading. */
export interface OpenedFile {
  readonly handle: ReadHandle;
  readonly size: number;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it is missing',
  ENOTDIR: 'it is missing',
  ELOOP: 'it is a link',
  EISDIR: 'it is a folder',
  ENXIO: 'it is not a regular file',
};

/** @throws RunError that names the file */
export function createReadError(path: string, error: unknown): RunError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const why = REASONS[code] ?? (error instanceof Error ? error.message : String(error));
  return new RunError(`${path} cannot be read: ${why}`, { cause: error });
}

/** Error codes for a missing file, a link, a device or a pipe. */
const NO_FILE_CODES = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EISDIR'];

/** True if the content of a file is at fault; false if the system could not read it, so its content is unknown. */
export function isDamage(error: unknown): boolean {
  const cause = error instanceof RunError ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
  return error instanceof RunError && (code === undefined || NO_FILE_CODES.includes(code));
}

function findProblem(file: Stats, most: number): string | undefined {
  if (file.isSymbolicLink()) return 'it is a link';
  if (file.isDirectory()) return 'it is a folder';
  if (!file.isFile()) return 'it is not a regular file';
  return file.size > most ? `it has ${String(file.size)} bytes; at most ${String(most)} are allowed` : undefined;
}

function checkFile(file: Stats, most: number): void {
  const wrong = findProblem(file, most);
  if (wrong !== undefined) throw new Error(wrong);
}

async function openFile(path: string, most: number): Promise<OpenedFile> {
  checkFile(await lstat(path), most);
  const handle = await open(path, READ_FLAGS);
  try {
    const file = await handle.stat();
    checkFile(file, most);
    return { handle, size: file.size };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Opens a file of a store for `act`.
 * @param file its path from the store, at most one folder deep
 * @param most maximum number of bytes
 * @throws RunError that names the file
 */
export async function withFile<T>(
  store: string,
  file: string,
  most: number,
  act: (file: OpenedFile) => Promise<T>,
): Promise<T> {
  const path = join(store, file);
  try {
    const folder = dirname(file);
    if (folder !== '.' && !(await lstat(join(store, folder))).isDirectory())
      throw new Error(`${folder} is not a folder of the store`);
    const found = await openFile(path, most);
    try {
      return await act(found);
    } finally {
      await found.handle.close();
    }
  } catch (error) {
    throw error instanceof RunError ? error : createReadError(path, error);
  }
}

/** Reads bytes from..to-1 of a file. */
export async function readBytes({ handle }: OpenedFile, from: number, to: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(to - from);
  for (let at = 0; at < bytes.length; ) {
    const { bytesRead } = await handle.read(bytes, at, bytes.length - at, from + at);
    if (bytesRead === 0) throw new Error('it was truncated while it was read');
    at += bytesRead;
  }
  return bytes;
}

/** Computes the SHA-256 of a file, in hexadecimal, chunk by chunk. */
export async function hashFile(file: OpenedFile): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < file.size; at += READ_BYTES)
    hash.update(await readBytes(file, at, Math.min(file.size, at + READ_BYTES)));
  return hash.digest('hex');
}

/** File entry of a manifest. */
export interface StoredPart {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Describes the current file of a part. @throws RunError if it is missing or not a regular file */
export function describePart(folder: string, file: string): Promise<StoredPart> {
  return withFile(folder, file, PART_MAX, async (opened) => ({
    file,
    bytes: opened.size,
    sha256: await hashFile(opened),
  }));
}

/** Lists the names in a folder of a store, sorted; empty if the folder is missing. */
async function listNames(store: string, folder: string): Promise<string[]> {
  try {
    return (await readdir(join(store, folder))).sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code))) return [];
    throw error;
  }
}

/** Hidden files are skipped by readers of a folder, except by those that ask for all `*.parquet`. */
const isHidden = (name: string): boolean => name.startsWith('.') && !name.endsWith('.parquet');

/** Lists the visible files in some folders of a store. */
export async function listFiles(store: string, folders: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const folder of folders) {
    const names = await listNames(store, folder);
    files.push(...names.filter((name) => !isHidden(name)).map((name) => `${folder}/${name}`));
  }
  return files;
}

/** Number of files read concurrently: one part of each is in memory. */
const CONCURRENCY = 8;

export interface ConcurrencyOptions {
  readonly concurrency?: number | undefined;
  /** Starts no further items after the abort; their results are then missing. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs `act` for each item, several at a time. After a failure, no further items start, and running ones finish.
 * @returns results in the order of `items`
 * @throws the first error
 */
export async function mapConcurrently<T, R>(
  items: Iterable<T>,
  act: (item: T) => Promise<R>,
  { concurrency = CONCURRENCY, signal }: ConcurrencyOptions = {},
): Promise<R[]> {
  const waiting = [...items].entries();
  const results: R[] = [];
  const failures: unknown[] = [];
  const hand = async (): Promise<void> => {
    for (const [i, item] of waiting) {
      if (signal?.aborted === true || failures.length > 0) return;
      try {
        results[i] = await act(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, hand));
  if (failures.length > 0) throw failures[0];
  return results;
}
