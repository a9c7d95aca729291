/** Storage of parts on their way from workers: one interface for folders, object stores and the server of the queue. */

import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { Redis } from 'ioredis';
import { describeFound, InputError, RunError } from '../../core/index.ts';
import { syncPath, writeFlushedIfAbsent } from '../../core/node.ts';

import {
  hashFile as hashOf,
  mapConcurrently,
  type OpenedFile,
  PART_MAX,
  readBytes,
  withFile,
} from '../folder/files.ts';
import { FOLDERS, parsePartName } from '../store/manifest.ts';
import type { EncodedPart } from '../store/sweep-store.ts';
import { PREFIX } from './redis-connection.ts';

/** In hexadecimal. */
export function hashSha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** File name, perhaps in a folder: no name leads elsewhere, or has a meaning for a shell, a file system or a URL. */
const NAME = /^(?:[a-z]{1,32}\/)?[a-z][a-z0-9]{0,31}(?:-[a-z0-9]{1,16}){0,4}\.[a-z]{1,16}$/;

/** True if a part can have this name; the manifest decides whether it belongs to the sweep. */
export function isPartName(file: string): boolean {
  return NAME.test(file);
}

/** @throws InputError if no part can have this name */
export function checkPartName(file: string): void {
  if (!isPartName(file)) throw new InputError('a part', 'a name such as table/part-00012.parquet', describeFound(file));
}

export interface PartStorage {
  /** Returns size and hash of a part; undefined if it does not exist. */
  find(file: string): Promise<{ readonly bytes: number; readonly sha256: string } | undefined>;
  /** @throws RunError if it has more bytes than `most` */
  read(file: string, most?: number): Promise<Uint8Array>;
  /** Writes a part unless it exists. @throws PartConflict if it exists with other bytes */
  put(file: string, bytes: Uint8Array): Promise<void>;
  /**
   * Writes the parts of several segments concurrently; those of one segment in order, up to the first failure.
   * @returns errors by file
   */
  putAll(segments: readonly (readonly EncodedPart[])[]): Promise<ReadonlyMap<string, unknown>>;
}

/** A part is not there. */
export class PartMissingError extends RunError {}

/** Error for a part that exists with other bytes: one of two workers is wrong. */
export class PartConflictError extends RunError {}

/** Implements `putAll` by `put`, for storage that writes one part at a time. */
export async function putOneByOne(to: Pick<PartStorage, 'put'>, segments: readonly (readonly EncodedPart[])[]) {
  const failures = new Map<string, unknown>();
  const put = async ({ file, content }: EncodedPart): Promise<boolean> => {
    await to.put(file, content).catch((error: unknown) => failures.set(file, error));
    return !failures.has(file);
  };
  await mapConcurrently(segments, async (parts) => {
    for (const part of parts) if (!(await put(part))) return;
  });
  return failures;
}

/** Maximum bytes of a part. */
const QUEUE_PART_BYTES_MAX: number = 2 ** 24;

/** Seconds. */
const PART_TTL = 3600;

function checkSize(file: string, { length }: Uint8Array): void {
  if (length <= QUEUE_PART_BYTES_MAX) return;
  const [size, most] = [length, QUEUE_PART_BYTES_MAX].map((count) => String(Math.ceil(count / 2 ** 20)));
  throw new RunError(
    `${file} has ${String(size)} MiB, but the queue transfers at most ${String(most)}: start workers with --store`,
  );
}

export class QueueParts implements PartStorage {
  readonly #redis: Redis;
  readonly #plan: string;

  /** @param plan hash of the plan of the parts */
  constructor(redis: Redis, plan: string) {
    this.#redis = redis;
    this.#plan = plan;
  }

  async find(file: string): Promise<{ readonly bytes: number; readonly sha256: string } | undefined> {
    const bytes = await this.#get(file);
    return bytes && { bytes: bytes.length, sha256: hashSha256(bytes) };
  }

  /** @throws RunError if it does not exist, or is too large */
  async read(file: string, most = QUEUE_PART_BYTES_MAX): Promise<Uint8Array> {
    const bytes = await this.#get(file, most);
    if (bytes === undefined) throw new RunError(`${file} is no longer on the server`);
    return bytes;
  }

  /** Reads parts, each up to its declared size, in one request. @returns existing parts, by file */
  async readAll(parts: readonly { readonly file: string; readonly bytes: number }[]): Promise<Map<string, Uint8Array>> {
    const pipeline = this.#redis.pipeline();
    for (const { file, bytes } of parts)
      pipeline.getrangeBuffer(this.#createKey(file), 0, Math.min(bytes, QUEUE_PART_BYTES_MAX));
    const answers = parts.length === 0 ? [] : await pipeline.exec();
    const found = new Map<string, Uint8Array>();
    for (const [p, { file, bytes: most }] of parts.entries()) {
      // Reads that fail with the connection are repeated one by one.
      const [, bytes] = answers?.[p] ?? [];
      const read = bytes instanceof Uint8Array ? bytes : await this.#get(file, most).catch(() => undefined);
      if (read !== undefined && read.length > 0 && read.length <= most) found.set(file, read);
    }
    return found;
  }

  async put(file: string, bytes: Uint8Array): Promise<void> {
    checkSize(file, bytes);
    const done = await this.#redis.set(this.#createKey(file), Buffer.from(bytes), 'EX', PART_TTL, 'NX');
    if (done === null) await this.#compare(file, bytes);
  }

  /** Writes all parts at once: readers learn of a part only later. */
  async putAll(segments: readonly (readonly EncodedPart[])[]): Promise<Map<string, unknown>> {
    const parts = segments.flat();
    const pipeline = this.#redis.pipeline();
    const sent = parts.filter(({ bytes }) => bytes <= QUEUE_PART_BYTES_MAX);
    for (const { file, content } of sent)
      pipeline.set(this.#createKey(file), Buffer.from(content), 'EX', PART_TTL, 'NX');
    const answers = sent.length === 0 ? [] : await pipeline.exec();
    const set = new Set(sent.filter((_, s) => answers?.[s]?.[1] === 'OK'));
    const failures = new Map<string, unknown>();
    // Parts that exist, are too large, or failed with the connection.
    for (const part of parts.filter((each) => !set.has(each)))
      await this.put(part.file, part.content).catch((error: unknown) => failures.set(part.file, error));
    return failures;
  }

  async #compare(file: string, bytes: Uint8Array): Promise<void> {
    const there = await this.find(file);
    if (there === undefined) await this.put(file, bytes);
    else if (there.sha256 !== hashSha256(bytes)) throw new PartConflictError(`${file} exists with other bytes`);
  }

  /** Removes parts that were received or rejected. */
  async drop(files: readonly string[]): Promise<void> {
    if (files.length > 0) await this.#redis.del(...files.map((file) => this.#createKey(file)));
  }

  /** Reads an untrusted value: at most one byte more than allowed. */
  async #get(file: string, most = QUEUE_PART_BYTES_MAX): Promise<Uint8Array | undefined> {
    const bytes = await this.#redis.getrangeBuffer(this.#createKey(file), 0, most);
    if (bytes.length > most) throw new RunError(`${file} on the server has more than ${String(most)} bytes`);
    return bytes.length === 0 ? undefined : bytes;
  }

  #createKey(file: string): string {
    return `${PREFIX}:part:${this.#plan}:${file}`;
  }
}

/** Converts the error of a missing file; other files that are not regular files are other errors. */
function toPartError(error: unknown): unknown {
  const cause = error instanceof RunError ? error.cause : undefined;
  const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
  return error instanceof RunError && isMissing ? new PartMissingError(error.message, { cause }) : error;
}

export class FolderParts implements PartStorage {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async find(file: string): Promise<{ readonly bytes: number; readonly sha256: string } | undefined> {
    try {
      return await this.#open(file, PART_MAX, async (opened) => {
        return { bytes: opened.size, sha256: await hashOf(opened) };
      });
    } catch (error) {
      if (error instanceof PartMissingError) return undefined;
      throw error;
    }
  }

  /** @throws PartMissing if it does not exist; RunError if it is too large, or not a regular file */
  async read(file: string, most = PART_MAX): Promise<Uint8Array> {
    return await this.#open(file, most, (opened) => readBytes(opened, 0, opened.size));
  }

  async put(file: string, bytes: Uint8Array): Promise<void> {
    await this.#putFlushed(file, bytes);
    await syncPath(join(this.#folder, dirname(file)));
  }

  /** Writes all of `histograms/` before `table/`; flushes each folder once. */
  async putAll(segments: readonly (readonly EncodedPart[])[]): Promise<Map<string, unknown>> {
    const failures = new Map<string, unknown>();
    for (const folder of FOLDERS) {
      const whole = segments.filter((parts) => !parts.some(({ file }) => failures.has(file)));
      const here = whole.flat().filter(({ file }) => dirname(file) === folder);
      const put = async ({ file, content }: EncodedPart): Promise<void> => {
        await this.#putFlushed(file, content).catch((error: unknown) => failures.set(file, error));
      };
      await Promise.all(here.map(put));
      if (here.length > 0) await syncPath(join(this.#folder, folder));
    }
    return failures;
  }

  async #putFlushed(file: string, bytes: Uint8Array): Promise<void> {
    this.#check(file);
    if (await writeFlushedIfAbsent(join(this.#folder, file), bytes)) return;
    const there = await this.find(file);
    if (there?.sha256 !== hashSha256(bytes)) throw new PartConflictError(`${file} exists with other bytes`);
  }

  async #open<T>(file: string, most: number, act: (opened: OpenedFile) => Promise<T>): Promise<T> {
    this.#check(file);
    try {
      return await withFile(this.#folder, file, most, act);
    } catch (error) {
      throw toPartError(error);
    }
  }

  /** Accepts only names of parts as paths, because names come from other machines. */
  #check(file: string): void {
    if (parsePartName(file) === undefined) throw new TypeError(`${JSON.stringify(file)} is not the name of a part`);
  }
}
