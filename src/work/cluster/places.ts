/**
 * Stores that lie elsewhere: folders and object stores that workers share, shards that are played into an object store,
 * and the merge of shards that lie there.
 */

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError, RunError } from '../../core/index.ts';
import { draftOf, makeTemporary, removeTemporary, writeDurably } from '../../core/node.ts';
import { checkStart, Lease } from '../../engines/index.ts';
import { opened, type Registry, registryOf } from '../../rules/index.ts';
import { checkSame, makeFolder } from '../folder/begin.ts';
import { PART_MAX, partNow, together } from '../folder/files.ts';
import { checkShard, ownSegments, type Shard } from '../folder/shard.ts';
import { fillStore } from '../store/fill.ts';
import {
  checkAlike,
  checkSweep,
  FOLDERS,
  MANIFEST,
  MANIFEST_MAX,
  type Manifest,
  manifestText,
  namesIn,
  newManifest,
  SWEEPS,
  tablePart,
  unfinished,
} from '../store/manifest.ts';
import { type Merged, type MergeOptions, mergeStores } from '../store/merge.ts';
import { type EncodedPart, type ReadStore, readStore } from '../store/parts.ts';
import { checkBuild, dueOf, type ShardOptions, type ShardResult } from '../store/sweep.ts';
import type { Sweep } from '../sweep/sweep.ts';
import { FolderParts, PartConflict, PartMissing, type Parts } from './parts.ts';
import type { S3Parts } from './s3.ts';

export interface SharedStore {
  /** What a coordinator is told of where parts are. */
  readonly at: 'folder' | 'bucket';
  readonly parts: Parts;
  /** The manifest; undefined while there is none. @throws InputError or RunError if it is none, or cannot be read */
  manifest(): Promise<Manifest | undefined>;
}

export function sharedFolder(folder: string, registry: Registry): SharedStore {
  return { at: 'folder', parts: new FolderParts(folder), manifest: () => SWEEPS.find(folder, registry) };
}

export function sharedBucket(parts: S3Parts, registry: Registry): SharedStore {
  const manifest = async (): Promise<Manifest | undefined> => {
    const bytes = await parts.read(MANIFEST, MANIFEST_MAX).catch((error: unknown) => {
      if (error instanceof PartMissing) return undefined;
      throw error;
    });
    return bytes && (await SWEEPS.parse(bytes, manifestAt(parts), registry));
  };
  return { at: 'bucket', parts, manifest };
}

const manifestAt = ({ place }: S3Parts): string => `${place.url}/${MANIFEST}`;

/** The manifest of a place, put there unless there is one. Of several writers one is quicker, and all go on with its. */
async function putManifest(parts: S3Parts, manifest: Manifest, registry: Registry): Promise<Manifest> {
  const own = new TextEncoder().encode(manifestText(manifest));
  try {
    await parts.put(MANIFEST, own);
    return manifest;
  } catch (error) {
    if (!(error instanceof PartConflict)) throw error;
    return await SWEEPS.parse(await parts.read(MANIFEST, MANIFEST_MAX), manifestAt(parts), registry);
  }
}

/**
 * Puts the manifest of a store into a place, by which workers know that parts of its sweep belong there.
 * @throws InputError if it has that of another sweep or build; RunError if it cannot be reached
 */
export async function announce({ folder, manifest, sweep }: ReadStore, parts: S3Parts): Promise<void> {
  const { registry } = opened(sweep.spec.scenario);
  checkAlike(folder, manifest, manifestAt(parts), await putManifest(parts, unfinished(manifest), registry));
}

/** A store without parts, to fill: a folder of this process alone. @throws InputError if the place is of another sweep */
async function beginHere(folder: string, parts: S3Parts, sweep: Sweep): Promise<ReadStore> {
  const { registry } = opened(sweep.spec.scenario);
  const { url } = parts.place;
  const manifest = await putManifest(parts, newManifest(sweep), registry);
  checkSame(SWEEPS, url, manifest, dueOf(sweep)(manifest), 'resume');
  checkBuild(manifest, manifestAt(parts));
  if (manifest.extended.length > 0)
    throw new InputError(url, 'a sweep that was not extended: its counts are not at hand here', 'one that was');
  for (const name of FOLDERS) await mkdir(join(folder, name));
  await SWEEPS.write(folder, unfinished(manifest));
  return await readStore(folder, registry);
}

/** The error of a part that is there otherwise, with what it means. */
function told(error: unknown): unknown {
  if (!(error instanceof PartConflict)) return error;
  const advice = 'two machines or builds disagree, or somebody has changed it; remove the one that is wrong';
  return new RunError(`${error.message}; ${advice}`, { cause: error });
}

async function fillAndDeliver(store: ReadStore, parts: S3Parts, shard: Shard, options: ShardOptions) {
  const { workers, signal, onProgress } = options;
  const { files } = await parts.list();
  const elsewhere = (segment: number): boolean =>
    files.has(tablePart(segment)) && store.due(segment).every((file) => files.has(file));
  const deliver = async (filled: readonly EncodedPart[]): Promise<void> => {
    for (const { file, content } of filled) await parts.put(file, content);
  };
  await using pool = new Lease(workers);
  return await fillStore(store, { pool, signal, onProgress, shard, elsewhere, deliver });
}

/**
 * Plays and solves one shard of a sweep into an object store: what `sweepShard` does into a folder. Parts that are there
 * are not played again, and never overwritten. On the disk here lies the manifest alone.
 * @throws InputError if the place has another sweep, or one of another build or other rules
 * @throws BudgetError, RunError if a cell could not be solved or played, or a part is there with other bytes, or the
 *   store cannot be reached; what was finished stays there
 */
export async function deliverShard(
  parts: S3Parts,
  sweep: Sweep,
  shard: Shard,
  options: ShardOptions = {},
): Promise<ShardResult> {
  checkShard(shard);
  checkStart(options.signal);
  checkSweep(sweep);
  const began = performance.now();
  const { url } = parts.place;
  const folder = await makeTemporary('shard');
  try {
    const store = await beginHere(folder, parts, sweep);
    const filled = await fillAndDeliver(store, parts, shard, options);
    const { manifest } = store;
    const segments = ownSegments(shard, store.segments);
    const elapsedSeconds = (performance.now() - began) / 1000;
    return { folder: url, manifest, shard, segments, ...filled, elapsedSeconds };
  } catch (error) {
    throw told(error);
  } finally {
    await removeTemporary(folder);
  }
}

/**
 * Segments that are fetched at the same time: answers of stores are slow more often than their bytes are many. Where parts
 * are larger than so many bytes, one at a time: each is held in memory.
 */
const AT_ONCE = 4;
const SMALL = 2 ** 24;

export interface FetchOptions extends MergeOptions {
  /** Told of each place: what lies there and is no part. */
  readonly onNote?: ((text: string) => void) | undefined;
}

/** A folder of this process, and where what lies in it comes from. */
interface Copied {
  readonly folder: string;
  readonly url: string;
}

/** A text that names the origins in the place of the folders. */
function retoldText(text: string, copies: readonly Copied[]): string {
  return copies.reduce((told, { folder, url }) => told.replaceAll(folder, url), text);
}

/** Does something with copies; errors that name them name their origins. */
async function retold<T>(copies: readonly Copied[], act: () => Promise<T>): Promise<T> {
  const told = (text: string): string => retoldText(text, copies);
  try {
    return await act();
  } catch (error) {
    if (error instanceof InputError) throw new InputError(told(error.place), told(error.expected), told(error.found));
    throw error instanceof RunError ? new RunError(told(error.message), { cause: error }) : error;
  }
}

/** A place whose parts are copied into a folder of the store: linked from there, they take room once. */
interface Copy extends Copied {
  readonly parts: S3Parts;
}

/** The folder counts as a draft of the store: it is passed over, and removed should this process die. */
function copyOf(store: string, parts: S3Parts): Copy {
  return { parts, folder: draftOf(join(store, 'fetched')), url: parts.place.url };
}

function checkTwice(copies: readonly Copy[]): void {
  const twice = copies.find(({ url }, c) => copies.findIndex((other) => other.url === url) < c);
  if (twice !== undefined) throw new InputError(twice.url, 'each place once', 'it a second time');
}

/** The files of a listing that are parts of a sweep, by segment; names that are none go no further than this. */
function partsBySegment({ manifest, sweep }: ReadStore, files: Iterable<string>) {
  const nameOf = namesIn(manifest, sweep);
  const own = new Map<number, string[]>();
  const strays: string[] = [];
  for (const file of files) {
    const name = nameOf(file);
    if (name !== undefined) own.set(name.segment, [...(own.get(name.segment) ?? []), file]);
    else if (file !== MANIFEST) strays.push(file);
  }
  return { own, strays };
}

/** True if the store has all these parts with the hashes that their writers have said. */
async function isHere(store: string, parts: S3Parts, files: readonly string[]): Promise<boolean> {
  for (const file of files) {
    const own = await partNow(store, file).catch(() => undefined);
    if (own === undefined || (await parts.find(file))?.sha256 !== own.sha256) return false;
  }
  return true;
}

async function openCopy(store: string, { parts, folder }: Copy, options: FetchOptions): Promise<ReadStore> {
  const registry = registryOf(options.systems);
  await mkdir(folder);
  for (const name of FOLDERS) await mkdir(join(folder, name));
  await writeFile(join(folder, MANIFEST), await parts.read(MANIFEST, MANIFEST_MAX));
  const copy = await readStore(folder, registry);
  const own = await SWEEPS.find(store, registry);
  if (own !== undefined) checkAlike(store, own, join(folder, MANIFEST), copy.manifest);
  return copy;
}

async function fetchParts(store: string, { parts, folder, url }: Copy, copy: ReadStore, options: FetchOptions) {
  const { signal, onProgress, onNote } = options;
  const listing = await parts.list();
  const { own, strays } = partsBySegment(copy, listing.files.keys());
  const others = [...strays, ...listing.strays];
  if (others.length > 0) onNote?.(`${url} has what is no part of this sweep: ${others.slice(0, 3).join(', ')}`);
  let done = 0;
  const isLarge = [...listing.files.values()].some((bytes) => bytes > SMALL);
  const [atOnce, most] = isLarge ? [1, PART_MAX] : [AT_ONCE, SMALL];
  const fetchSegment = async (files: readonly string[]): Promise<void> => {
    if (!(await isHere(store, parts, files)))
      for (const file of files) await writeDurably(join(folder, file), await parts.read(file, most));
    onProgress?.({ done: ++done, cells: own.size, before: 0 });
  };
  await together(own.values(), fetchSegment, { atOnce, signal });
}

/**
 * `mergeStores` with folders and places in object stores. A part that the store has already is not fetched if its hash
 * is the one that its writer has said; all that is fetched is checked as files of strangers are.
 * @throws InputError, RunError as `mergeStores`, and RunError if an object store cannot be reached
 */
export async function mergeFetched(
  folder: string,
  others: readonly (string | S3Parts)[],
  options: FetchOptions = {},
): Promise<Merged> {
  const { onNote: _told, ...merging } = options;
  await makeFolder(folder);
  const copies = others.map((other) => (typeof other === 'string' ? other : copyOf(folder, other)));
  const fetched = copies.filter((copy) => typeof copy !== 'string');
  checkTwice(fetched);
  const folders = copies.map((copy) => (typeof copy === 'string' ? copy : copy.folder));
  try {
    return await retold(fetched, async () => {
      for (const copy of fetched) await fetchParts(folder, copy, await openCopy(folder, copy, options), options);
      const merged = await mergeStores(folder, folders, merging);
      const told = (text: string): string => retoldText(text, fetched);
      return { ...merged, faults: merged.faults.map(({ where, what }) => ({ where: told(where), what: told(what) })) };
    });
  } finally {
    for (const copy of fetched) await rm(copy.folder, { recursive: true, force: true });
  }
}
