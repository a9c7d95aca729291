/** Parts that go through the server itself, where no folder is shared. They stay for an hour, or until they are taken. */
import type { Redis } from 'ioredis';
import { RunError } from '../../core/errors.ts';
import type { EncodedPart } from '../store/segment.ts';
import { PREFIX } from './link.ts';
import { sha256Of } from './names.ts';
import { PartConflict, type Parts } from './parts.ts';

/** The most bytes of a part. */
const CARRIED_MAX: number = 2 ** 24;

/** Seconds. */
const KEPT = 3600;

function checkSize(file: string, { length }: Uint8Array): void {
  if (length <= CARRIED_MAX) return;
  const [size, most] = [length, CARRIED_MAX].map((count) => String(Math.ceil(count / 2 ** 20)));
  throw new RunError(
    `${file} has ${String(size)} MiB, and at most ${String(most)} go through the queue: give workers --store`,
  );
}

export class CarriedParts implements Parts {
  readonly #redis: Redis;
  readonly #plan: string;

  /** @param plan the hash of the plan that the parts are of */
  constructor(redis: Redis, plan: string) {
    this.#redis = redis;
    this.#plan = plan;
  }

  async find(file: string): Promise<{ readonly bytes: number; readonly sha256: string } | undefined> {
    const bytes = await this.#get(file);
    return bytes && { bytes: bytes.length, sha256: sha256Of(bytes) };
  }

  /** @throws RunError if it is not there, or too large */
  async read(file: string, most = CARRIED_MAX): Promise<Uint8Array> {
    const bytes = await this.#get(file, most);
    if (bytes === undefined) throw new RunError(`${file} is no more on the server`);
    return bytes;
  }

  /** Parts that have at most as many bytes as is said, asked for at once. @returns those that are there, by file */
  async readAll(parts: readonly { readonly file: string; readonly bytes: number }[]): Promise<Map<string, Uint8Array>> {
    const pipeline = this.#redis.pipeline();
    for (const { file, bytes } of parts) pipeline.getrangeBuffer(this.#key(file), 0, Math.min(bytes, CARRIED_MAX));
    const answers = parts.length === 0 ? [] : await pipeline.exec();
    const found = new Map<string, Uint8Array>();
    for (const [p, { file, bytes: most }] of parts.entries()) {
      // What breaks off with the connection is asked for once more, by itself.
      const [, bytes] = answers?.[p] ?? [];
      const read = bytes instanceof Uint8Array ? bytes : await this.#get(file, most).catch(() => undefined);
      if (read !== undefined && read.length > 0 && read.length <= most) found.set(file, read);
    }
    return found;
  }

  async put(file: string, bytes: Uint8Array): Promise<void> {
    checkSize(file, bytes);
    const done = await this.#redis.set(this.#key(file), Buffer.from(bytes), 'EX', KEPT, 'NX');
    if (done === null) await this.#compare(file, bytes);
  }

  /** All at once: here nothing is read before it is told that it is there. */
  async putAll(segments: readonly (readonly EncodedPart[])[]): Promise<Map<string, unknown>> {
    const parts = segments.flat();
    const pipeline = this.#redis.pipeline();
    const sent = parts.filter(({ bytes }) => bytes <= CARRIED_MAX);
    for (const { file, content } of sent) pipeline.set(this.#key(file), Buffer.from(content), 'EX', KEPT, 'NX');
    const answers = sent.length === 0 ? [] : await pipeline.exec();
    const set = new Set(sent.filter((_, s) => answers?.[s]?.[1] === 'OK'));
    const failures = new Map<string, unknown>();
    // What is there already, is too large, or broke off with the connection.
    for (const part of parts.filter((each) => !set.has(each)))
      await this.put(part.file, part.content).catch((error: unknown) => failures.set(part.file, error));
    return failures;
  }

  async #compare(file: string, bytes: Uint8Array): Promise<void> {
    const there = await this.find(file);
    if (there === undefined) await this.put(file, bytes);
    else if (there.sha256 !== sha256Of(bytes)) throw new PartConflict(`${file} is there with other bytes`);
  }

  /** Removes parts that were taken, or must not be. */
  async drop(files: readonly string[]): Promise<void> {
    if (files.length > 0) await this.#redis.del(...files.map((file) => this.#key(file)));
  }

  /** What is there may be anybody's: no more is fetched than what shows that it is too large. */
  async #get(file: string, most = CARRIED_MAX): Promise<Uint8Array | undefined> {
    const bytes = await this.#redis.getrangeBuffer(this.#key(file), 0, most);
    if (bytes.length > most) throw new RunError(`${file} on the server has more than ${String(most)} bytes`);
    return bytes.length === 0 ? undefined : bytes;
  }

  #key(file: string): string {
    return `${PREFIX}:part:${this.#plan}:${file}`;
  }
}
