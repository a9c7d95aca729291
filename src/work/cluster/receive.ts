/** Takes parts from where workers have put them into the store of a coordinator. */
import { setTimeout as pause } from 'node:timers/promises';
import { tablePart } from '../store/manifest.ts';
import {
  type EncodedPart,
  type FilledSegment,
  type FinishedSegment,
  type ReadStore,
  withoutContent,
} from '../store/parts.ts';
import type { PlayedPart, PlayedSegment } from './job.ts';
import { type CarriedParts, FolderParts, PartMissing, type Parts, sha256Of } from './parts.ts';

/** How often, and after how many milliseconds, it is looked again for a file that another machine has written. */
const LOOKS = 10;
const LOOK_EVERY = 500;

/** Bytes of segments that are taken together: they are held in memory. */
const BATCH = 2 ** 22;

export interface ReceiverOptions {
  readonly store: ReadStore;
  /** Parts that go over the server. */
  readonly carried: CarriedParts;
  /** Parts that workers put into an object store. */
  readonly place?: Parts | undefined;
  readonly onNote?: ((text: string) => void) | undefined;
}

/** `wrong`: not what the worker says, or not what it was asked for; `missing`: not where it says, as seen from here. */
type Fault = 'wrong' | 'missing';

/** A segment whose parts are in the store; or why they are not. */
export type Taken = FinishedSegment | Fault;

/** Segments one after the other, so many at a time as may be in memory; at least one. */
function* batchesOf(played: readonly PlayedSegment[]): Generator<PlayedSegment[]> {
  let [some, bytes]: [PlayedSegment[], number] = [[], 0];
  for (const each of played) {
    const more = each.parts.reduce((sum, part) => sum + part.bytes, 0);
    if (some.length > 0 && bytes + more > BATCH) {
      yield some;
      [some, bytes] = [[], 0];
    }
    some.push(each);
    bytes += more;
  }
  if (some.length > 0) yield some;
}

export class Receiver {
  readonly #options: ReceiverOptions;
  readonly #parts: FolderParts;

  constructor(options: ReceiverOptions) {
    this.#options = options;
    this.#parts = new FolderParts(options.store.folder);
  }

  /**
   * Sees to it that the parts of segments are in the store, and are what the worker says and was asked for.
   * @param played each segment once
   * @returns what came of each, by segment
   */
  async take(played: readonly PlayedSegment[]): Promise<ReadonlyMap<number, Taken>> {
    const taken = new Map<number, Taken>();
    for (const some of batchesOf(played))
      for (const [segment, what] of await this.#takeTogether(some)) taken.set(segment, what);
    return taken;
  }

  async #takeTogether(played: readonly PlayedSegment[]): Promise<[segment: number, taken: Taken][]> {
    const { carried } = this.#options;
    const over = played.flatMap(({ at, parts }) => (at === 'queue' ? parts : []));
    const come = await carried.readAll(over);
    const found = await Promise.all(played.map((each) => this.#find(each, come)));
    // What workers have put into the folder is there.
    const failed = await this.#parts.putAll(
      found.flatMap((each, p) => (typeof each === 'string' || played[p]?.at === 'folder' ? [] : [each.parts])),
    );
    await carried.drop(over.map(({ file }) => file));
    return played.map(({ segment }, p) => {
      const each = found[p] ?? 'wrong';
      if (typeof each === 'string') return [segment, each];
      // A store that cannot be written is told by the segment that is then played here.
      if (each.parts.some(({ file }) => failed.has(file))) return [segment, 'wrong'];
      return [segment, { facts: each.facts, parts: each.parts.map(withoutContent) }];
    });
  }

  /** The parts of a segment, if they are what they should be. @param come those that went over the server */
  async #find(played: PlayedSegment, come: ReadonlyMap<string, Uint8Array>): Promise<FilledSegment | Fault> {
    const { segment, parts, at, conflict } = played;
    if (conflict || !this.#areDue(segment, parts)) return 'wrong';
    const found: EncodedPart[] = [];
    for (const part of parts) {
      const content = at === 'queue' ? (come.get(part.file) ?? 'wrong') : await this.#read(part, at);
      if (typeof content === 'string') return content;
      if (sha256Of(content) !== part.sha256) return 'wrong';
      found.push({ ...part, bytes: content.length, content });
    }
    const rows = found.at(-1)?.content ?? new Uint8Array();
    try {
      return { facts: await this.#options.store.factsFrom(rows, tablePart(segment)), parts: found };
    } catch {
      return 'wrong';
    }
  }

  #areDue(segment: number, parts: readonly PlayedPart[]): boolean {
    const due = this.#options.store.due(segment);
    return due.length === parts.length && due.every((file, f) => parts[f]?.file === file);
  }

  async #read(part: PlayedPart, at: PlayedSegment['at']): Promise<Uint8Array | Fault> {
    if (at === 'folder') return await this.#look(part);
    const bytes = at === 'bucket' ? await this.#download(part) : undefined;
    return bytes ?? 'missing';
  }

  /** A part of an object store; undefined if it is not there, or the store cannot be asked, which is told. */
  async #download({ file, bytes }: PlayedPart): Promise<Uint8Array | undefined> {
    try {
      return await this.#options.place?.read(file, bytes);
    } catch (error) {
      this.#options.onNote?.(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  /** A part that another machine has written into the store. */
  async #look({ file, bytes, sha256 }: PlayedPart): Promise<Uint8Array | Fault> {
    for (let look = 0; ; look++) {
      const there = await this.#parts
        .read(file, bytes)
        .catch((error: unknown): Fault => (error instanceof PartMissing ? 'missing' : 'wrong'));
      // Other machines see a new file of a network's folder later.
      if (look === LOOKS || (there instanceof Uint8Array && sha256Of(there) === sha256)) return there;
      await pause(LOOK_EVERY);
    }
  }
}
