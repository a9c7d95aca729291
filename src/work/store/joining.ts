/** Takes the parts of other stores into one, segment by segment; at most one part is in memory at a time. */

import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { linked, putDurably, unwritable, writeDurably } from '../../core/files/durable.ts';
import { type Fault, faultOf } from '../folder/faults.ts';
import { bytesOf, PART_MAX, partNow, type StoredPart, withFile } from '../folder/regular.ts';
import { segmentsOf } from '../sweep/segments.ts';
import { hashesOf, histogramsDue, type Part, readFacts, soundPart } from './parts.ts';
import type { ReadStore } from './reading.ts';
import type { FinishedSegment, SegmentFacts } from './segment.ts';

const isThere = async (path: string): Promise<boolean> => (await lstat(path).catch(() => undefined)) !== undefined;

export class Joining {
  readonly #store: ReadStore;
  readonly #hashes: ReadonlyMap<string, number>;
  /** Segments that are finished in the store and sound. */
  readonly there = new Map<number, SegmentFacts>();
  readonly faults: Fault[] = [];
  /** Files of which two stores have different versions, both undamaged. */
  readonly disputed = new Set<string>();
  /** Parts that were taken, and the stores that they came from. */
  readonly #taken = new Map<string, string>();

  /** @param store into which parts are taken; those that it has stay */
  constructor(store: ReadStore) {
    this.#store = store;
    this.#hashes = hashesOf(store.manifest, store.sweep);
  }

  /** Parts that were taken from other stores. */
  get taken(): number {
    return this.#taken.size;
  }

  get segments(): number {
    return segmentsOf(this.#store.sweep, this.#store.manifest.segmentSize);
  }

  /** What an act gives; if it fails for what a file holds, that is a fault. */
  async #attempt<T>(where: string, act: () => Promise<T>): Promise<T | undefined> {
    try {
      return await act();
    } catch (error) {
      const fault = faultOf(where, error);
      if (!this.faults.some((known) => known.where === where && known.what === fault.what)) this.faults.push(fault);
      return undefined;
    }
  }

  /** The parts of a segment that has rows of so many cells; undefined if one is missing or damaged. */
  async #soundParts(store: ReadStore, rows: Part, facts: SegmentFacts): Promise<StoredPart[] | undefined> {
    const { folder, manifest, sweep, parts } = store;
    const { segment, battles, cells } = facts;
    const counts = new Map(parts.histograms.get(segment)?.map((part) => [part.file, part]));
    const due = cells === 0 ? [] : histogramsDue(manifest, sweep, segment, battles);
    const sound: StoredPart[] = [];
    for (const part of [...due.map((file) => counts.get(file) ?? { file, listed: undefined }), rows]) {
      const found = await this.#attempt(join(folder, part.file), () => soundPart(folder, part));
      if (found === undefined) return undefined;
      sound.push(found);
    }
    return sound;
  }

  /** A segment of a store; undefined if it is not finished there, or damaged. */
  async #finished(store: ReadStore, segment: number): Promise<FinishedSegment | undefined> {
    const { folder, manifest, sweep } = store;
    const rows = store.parts.tables.get(segment);
    if (rows === undefined) return undefined;
    const { segmentSize: size } = manifest;
    const facts = await this.#attempt(join(folder, rows.file), () => readFacts(folder, rows, size, this.#hashes));
    // Rows of fewer battles are those before an extension.
    if (facts === undefined || facts.battles !== sweep.battles) return undefined;
    const parts = await this.#soundParts(store, rows, facts);
    return parts && { facts, parts };
  }

  /** Puts a part into the store. @returns false if there is one already */
  async #put(from: string, { file }: StoredPart): Promise<boolean> {
    const path = join(this.#store.folder, file);
    const source = join(from, file);
    const done = await linked(source, path).catch((error: unknown) => {
      throw unwritable(path, error);
    });
    if (done !== 'cannot') return done === 'linked';
    return await putDurably(path, await this.#bytes(from, file));
  }

  #bytes(folder: string, file: string): Promise<Uint8Array> {
    return withFile(folder, file, PART_MAX, (opened) => bytesOf(opened, 0, opened.size));
  }

  /** True if the part of the store is older: its rows are those before an extension. */
  async #isOlder(file: string, { battles, segment }: SegmentFacts): Promise<boolean> {
    const { folder, manifest, parts } = this.#store;
    const own = parts.tables.get(segment);
    if (own?.file !== file) return false;
    const facts = await readFacts(folder, own, manifest.segmentSize, this.#hashes).catch(() => undefined);
    return facts !== undefined && facts.battles < battles;
  }

  /** Compares a part with the one that the store has. @returns true if it is the same now */
  async #same(from: string, part: StoredPart, facts: SegmentFacts): Promise<boolean> {
    const { folder } = this.#store;
    const { file, sha256 } = part;
    const own = await partNow(folder, file).catch(() => undefined);
    if (own?.sha256 === sha256) return true;
    if (await this.#isOlder(file, facts)) {
      await writeDurably(join(folder, file), await this.#bytes(from, file));
      return true;
    }
    const where = join(folder, file);
    const sound = await this.#attempt(where, () => soundPart(folder, { file, listed: undefined }));
    if (sound === undefined) return false;
    this.disputed.add(file);
    const [one, other] = [join(this.#taken.get(file) ?? folder, file), join(from, file)];
    this.faults.push({ where: one, what: `${other} differs from it: SHA-256 ${sound.sha256} and ${sha256}` });
    return false;
  }

  /** Takes a segment from another store. */
  async take(other: ReadStore, segment: number): Promise<void> {
    const found = await this.#finished(other, segment);
    if (found === undefined) return;
    for (const part of found.parts) {
      const path = join(this.#store.folder, part.file);
      const put = !(await isThere(path)) && (await this.#put(other.folder, part));
      if (put) this.#taken.set(part.file, other.folder);
      else if (!(await this.#same(other.folder, part, found.facts))) return;
    }
    this.there.set(segment, found.facts);
  }

  /** Looks whether a segment of the store itself is finished. @param store with the parts that it has now */
  async check(store: ReadStore, segment: number): Promise<void> {
    if (this.there.has(segment)) return;
    const found = await this.#finished(store, segment);
    if (found !== undefined) this.there.set(segment, found.facts);
  }
}
