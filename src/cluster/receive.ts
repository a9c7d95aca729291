/** Takes parts from where workers have put them into the store of a coordinator. */
import { setTimeout as pause } from 'node:timers/promises';
import { tablePart } from '../store/files.ts';
import { hashesOf, partsDue, readFacts } from '../store/parts.ts';
import type { ReadStore } from '../store/reading.ts';
import { cellsOf } from '../sweep/segments.ts';
import type { CarriedParts } from './carried.ts';
import { FolderParts } from './folder.ts';
import type { PlayedPart, PlayedSegment } from './job.ts';
import { sha256Of } from './names.ts';
import type { Parts } from './parts.ts';

/** How often, and after how many milliseconds, it is looked again for a file that another machine has written. */
const LOOKS = 10;
const LOOK_EVERY = 500;

export interface ReceiverOptions {
  readonly store: ReadStore;
  /** Parts that go over the server. */
  readonly carried: CarriedParts;
  /** Parts that workers put into an object store. */
  readonly place?: Parts | undefined;
  readonly onNote?: ((text: string) => void) | undefined;
}

/** `wrong`: not what the worker says, or not what it was asked for; `missing`: not where it says, as seen from here. */
export type Taken = 'taken' | 'wrong' | 'missing';

export class Receiver {
  readonly #options: ReceiverOptions;
  readonly #parts: FolderParts;

  constructor(options: ReceiverOptions) {
    this.#options = options;
    this.#parts = new FolderParts(options.store.folder);
  }

  /** Sees to it that the parts of a segment are in the store, and are what the worker says and was asked for. */
  async take({ segment, parts, at, conflict }: PlayedSegment): Promise<Taken> {
    if (conflict || !this.#areDue(segment, parts)) return 'wrong';
    const { store, carried } = this.#options;
    try {
      for (const part of parts) {
        const taken = await this.#takePart(part, at);
        if (taken !== 'taken') return taken;
      }
      const { folder, manifest, sweep } = store;
      const part = { file: tablePart(segment), listed: undefined };
      await readFacts(folder, part, manifest.segmentSize, hashesOf(manifest, sweep));
      return 'taken';
    } catch (error) {
      // A store that cannot be written is told by the segment that is then played here.
      if (error instanceof Error) return 'wrong';
      throw error;
    } finally {
      if (at === 'queue') await carried.drop(parts.map(({ file }) => file));
    }
  }

  #areDue(segment: number, parts: readonly PlayedPart[]): boolean {
    const { manifest, sweep } = this.#options.store;
    const due = partsDue(manifest, sweep, segment, cellsOf(sweep, manifest.segmentSize, segment));
    return due.length === parts.length && due.every((file, f) => parts[f]?.file === file);
  }

  async #takePart(part: PlayedPart, at: PlayedSegment['at']): Promise<Taken> {
    if (at === 'folder') return await this.#find(part);
    if (at === 'queue') return await this.#keep(part, await this.#options.carried.read(part.file));
    const bytes = at === 'bucket' ? await this.#download(part) : undefined;
    return bytes === undefined ? 'missing' : await this.#keep(part, bytes);
  }

  async #keep({ file, sha256 }: PlayedPart, bytes: Uint8Array): Promise<Taken> {
    if (sha256Of(bytes) !== sha256) return 'wrong';
    await this.#parts.put(file, bytes);
    return 'taken';
  }

  /** A part of an object store; undefined if it is not there, or the store cannot be asked, which is told. */
  async #download({ file }: PlayedPart): Promise<Uint8Array | undefined> {
    try {
      return await this.#options.place?.read(file);
    } catch (error) {
      this.#options.onNote?.(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  async #find({ file, sha256 }: PlayedPart): Promise<Taken> {
    for (let look = 0; ; look++) {
      const there = await this.#parts.find(file);
      if (there?.sha256 === sha256) return 'taken';
      // Other machines see a new file of a network's folder later.
      if (look === LOOKS) return there === undefined ? 'missing' : 'wrong';
      await pause(LOOK_EVERY);
    }
  }
}
