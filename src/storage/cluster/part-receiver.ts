/** Receives parts from workers into the store of a coordinator. */
import { setTimeout as pause } from 'node:timers/promises';
import { createTablePartName } from '../store/manifest.ts';
import {
  type EncodedPart,
  type FilledSegment,
  type FinishedSegment,
  removeContent,
  type SweepStore,
} from '../store/sweep-store.ts';
import type { DeliveredPart, DeliveredSegment } from './job.ts';
import { FolderParts, hashSha256, PartMissingError, type PartStorage, type QueueParts } from './part-storage.ts';

/** Attempts to find a file of another machine, and milliseconds between them. */
const READ_TRIES = 10;
const READ_RETRY_MS = 500;

/** Bytes of segments that are received together, limited by memory. */
const BATCH_BYTES = 2 ** 22;

export interface PartReceiverOptions {
  readonly store: SweepStore;
  /** Parts transferred through the server. */
  readonly queueParts: QueueParts;
  /** Object store into which workers write parts. */
  readonly bucketParts?: PartStorage | undefined;
  readonly onNote?: ((text: string) => void) | undefined;
}

/**
 * `wrong`: differs from the worker's report or from the job; `missing`: not at the reported location, as seen from
 * here.
 */
type PartFault = 'wrong' | 'missing';

/** Received segment, or why its parts are not in the store. */
export type ReceivedSegment = FinishedSegment | PartFault;

/** Yields batches of segments that fit into memory; each has at least one. */
function* splitBatches(played: readonly DeliveredSegment[]): Generator<DeliveredSegment[]> {
  let [some, bytes]: [DeliveredSegment[], number] = [[], 0];
  for (const each of played) {
    const more = each.parts.reduce((sum, part) => sum + part.bytes, 0);
    if (some.length > 0 && bytes + more > BATCH_BYTES) {
      yield some;
      [some, bytes] = [[], 0];
    }
    some.push(each);
    bytes += more;
  }
  if (some.length > 0) yield some;
}

export class PartReceiver {
  readonly #options: PartReceiverOptions;
  readonly #parts: FolderParts;

  constructor(options: PartReceiverOptions) {
    this.#options = options;
    this.#parts = new FolderParts(options.store.folder);
  }

  /**
   * Receives the parts of segments into the store, and checks them against the worker's report and the job.
   * @param played each segment once
   * @returns results by segment
   */
  async receive(played: readonly DeliveredSegment[]): Promise<ReadonlyMap<number, ReceivedSegment>> {
    const taken = new Map<number, ReceivedSegment>();
    for (const some of splitBatches(played))
      for (const [segment, what] of await this.#takeTogether(some)) taken.set(segment, what);
    return taken;
  }

  async #takeTogether(played: readonly DeliveredSegment[]): Promise<[segment: number, taken: ReceivedSegment][]> {
    const { queueParts } = this.#options;
    const over = played.flatMap(({ at, parts }) => (at === 'queue' ? parts : []));
    const come = await queueParts.readAll(over);
    const found = await Promise.all(played.map((each) => this.#find(each, come)));
    // Parts that workers wrote into the folder are already in place.
    const failed = await this.#parts.putAll(
      found.flatMap((each, p) => (typeof each === 'string' || played[p]?.at === 'folder' ? [] : [each.parts])),
    );
    await queueParts.drop(over.map(({ file }) => file));
    return played.map(({ segment }, p) => {
      const each = found[p] ?? 'wrong';
      if (typeof each === 'string') return [segment, each];
      // If the store cannot be written, filling the segment here reports the error.
      if (each.parts.some(({ file }) => failed.has(file))) return [segment, 'wrong'];
      return [segment, { facts: each.facts, parts: each.parts.map(removeContent) }];
    });
  }

  /** Finds the valid parts of a segment. @param come parts received through the server */
  async #find(played: DeliveredSegment, come: ReadonlyMap<string, Uint8Array>): Promise<FilledSegment | PartFault> {
    const { segment, parts, at, conflict } = played;
    if (conflict || !this.#areDue(segment, parts)) return 'wrong';
    const found: EncodedPart[] = [];
    for (const part of parts) {
      const content = at === 'queue' ? (come.get(part.file) ?? 'wrong') : await this.#read(part, at);
      if (typeof content === 'string') return content;
      if (hashSha256(content) !== part.sha256) return 'wrong';
      found.push({ ...part, bytes: content.length, content });
    }
    const rows = found.at(-1)?.content ?? new Uint8Array();
    try {
      return { facts: await this.#options.store.parseInfo(rows, createTablePartName(segment)), parts: found };
    } catch {
      return 'wrong';
    }
  }

  #areDue(segment: number, parts: readonly DeliveredPart[]): boolean {
    const due = this.#options.store.due(segment);
    return due.length === parts.length && due.every((file, f) => parts[f]?.file === file);
  }

  async #read(part: DeliveredPart, at: DeliveredSegment['at']): Promise<Uint8Array | PartFault> {
    if (at === 'folder') return await this.#look(part);
    const bytes = at === 'bucket' ? await this.#download(part) : undefined;
    return bytes ?? 'missing';
  }

  /** Downloads a part from the object store; undefined, with a note, if it is missing or the request fails. */
  async #download({ file, bytes }: DeliveredPart): Promise<Uint8Array | undefined> {
    try {
      return await this.#options.bucketParts?.read(file, bytes);
    } catch (error) {
      this.#options.onNote?.(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  /** Reads a part that another machine has written into the store. */
  async #look({ file, bytes, sha256 }: DeliveredPart): Promise<Uint8Array | PartFault> {
    for (let analysis = 0; ; analysis++) {
      const there = await this.#parts
        .read(file, bytes)
        .catch((error: unknown): PartFault => (error instanceof PartMissingError ? 'missing' : 'wrong'));
      // On network file systems, new files become visible late.
      if (analysis === READ_TRIES || (there instanceof Uint8Array && hashSha256(there) === sha256)) return there;
      await pause(READ_RETRY_MS);
    }
  }
}
