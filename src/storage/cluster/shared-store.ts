/** Remote stores: folders and object stores that workers share, shards in an object store, and their merge. */

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError, RunError } from '../../core/index.ts';
import { createDraftPath, createTemporaryFolder, removeTemporaryFolder, writeDurably } from '../../core/node.ts';
import { checkStart, ThreadLease } from '../../engines/index.ts';
import { getBoundScenario, type SystemRegistry, toRegistry } from '../../rules/index.ts';
import { checkSameWork, makeFolder } from '../folder/begin-folder.ts';
import { describePart, mapConcurrently, PART_MAX } from '../folder/files.ts';
import { checkShard, countShardSegments, type Shard } from '../folder/shard.ts';
import { fillStore } from '../store/fill-store.ts';
import {
  checkSameStore,
  checkSweep,
  createPartNameParser,
  createStoreManifest,
  createTablePartName,
  FOLDERS,
  formatManifest,
  MANIFEST,
  MANIFEST_MAX,
  reopenManifest,
  type StoreManifest,
  SWEEP_FOLDERS,
} from '../store/manifest.ts';
import { type MergeOptions, type MergeResult, mergeStores } from '../store/merge-stores.ts';
import {
  checkBuild,
  createExpectedManifest,
  type ShardResult,
  type SweepExecutionOptions,
} from '../store/run-sweep.ts';
import { type EncodedPart, readSweepStore, type SweepStore } from '../store/sweep-store.ts';
import type { Sweep } from '../sweep/sweep.ts';
import { FolderParts, PartConflictError, PartMissingError, type PartStorage } from './part-storage.ts';
import type { S3Parts } from './s3-parts.ts';

export interface SharedStore {
  /** Kind of the location of parts. */
  readonly at: 'folder' | 'bucket';
  readonly parts: PartStorage;
  /**
   * Reads the manifest; undefined if there is none. @throws InputError or RunError if it is invalid or cannot be read
   */
  manifest(): Promise<StoreManifest | undefined>;
}

export function openSharedFolder(folder: string, registry: SystemRegistry): SharedStore {
  return { at: 'folder', parts: new FolderParts(folder), manifest: () => SWEEP_FOLDERS.find(folder, registry) };
}

export function openSharedBucket(parts: S3Parts, registry: SystemRegistry): SharedStore {
  const manifest = async (): Promise<StoreManifest | undefined> => {
    const bytes = await parts.read(MANIFEST, MANIFEST_MAX).catch((error: unknown) => {
      if (error instanceof PartMissingError) return undefined;
      throw error;
    });
    return bytes && (await SWEEP_FOLDERS.parse(bytes, createManifestUrl(parts), registry));
  };
  return { at: 'bucket', parts, manifest };
}

const createManifestUrl = ({ place }: S3Parts): string => `${place.url}/${MANIFEST}`;

/** Writes a manifest unless one exists. If several processes write at once, one wins and all use its manifest. */
async function putManifest(parts: S3Parts, manifest: StoreManifest, registry: SystemRegistry): Promise<StoreManifest> {
  const own = new TextEncoder().encode(formatManifest(manifest));
  try {
    await parts.put(MANIFEST, own);
    return manifest;
  } catch (error) {
    if (!(error instanceof PartConflictError)) throw error;
    return await SWEEP_FOLDERS.parse(await parts.read(MANIFEST, MANIFEST_MAX), createManifestUrl(parts), registry);
  }
}

/**
 * Writes the manifest of a store to a location, by which workers recognize the sweep.
 * @throws InputError if it has the manifest of another sweep or build; RunError if it cannot be reached
 */
export async function publishManifest({ folder, manifest, sweep }: SweepStore, parts: S3Parts): Promise<void> {
  const { registry } = getBoundScenario(sweep.spec.scenario);
  checkSameStore(
    folder,
    manifest,
    createManifestUrl(parts),
    await putManifest(parts, reopenManifest(manifest), registry),
  );
}

/** Creates an empty local store in a folder of this process. @throws InputError if the location has another sweep */
async function createScratchStore(folder: string, parts: S3Parts, sweep: Sweep): Promise<SweepStore> {
  const { registry } = getBoundScenario(sweep.spec.scenario);
  const { url } = parts.place;
  const manifest = await putManifest(parts, createStoreManifest(sweep), registry);
  checkSameWork(SWEEP_FOLDERS, url, manifest, createExpectedManifest(sweep)(manifest), 'resume');
  checkBuild(manifest, createManifestUrl(parts));
  if (manifest.extended.length > 0)
    throw new InputError(
      url,
      'a sweep without an extension, whose earlier counts are not available here',
      'an extended one',
    );
  for (const name of FOLDERS) await mkdir(join(folder, name));
  await SWEEP_FOLDERS.write(folder, reopenManifest(manifest));
  return await readSweepStore(folder, registry);
}

/** Adds advice to the error of a conflicting part. */
function toMergeError(error: unknown): unknown {
  if (!(error instanceof PartConflictError)) return error;
  const advice = 'two machines or builds disagree, or it was changed; remove the wrong one';
  return new RunError(`${error.message}; ${advice}`, { cause: error });
}

async function fillAndDeliver(store: SweepStore, parts: S3Parts, shard: Shard, options: SweepExecutionOptions) {
  const { workers, signal, onProgress } = options;
  const { files } = await parts.list();
  const isElsewhere = (segment: number): boolean =>
    files.has(createTablePartName(segment)) && store.due(segment).every((file) => files.has(file));
  const deliver = async (filled: readonly EncodedPart[]): Promise<void> => {
    for (const { file, content } of filled) await parts.put(file, content);
  };
  await using pool = new ThreadLease(workers, 1);
  return await fillStore(store, { pool, signal, onProgress, shard, isElsewhere: isElsewhere, deliver });
}

/**
 * Simulates and solves one shard of a sweep into an object store, like `runSweep` into a folder. Existing parts are
 * neither recomputed nor overwritten. The local disk only has the manifest.
 * @throws InputError if the location has another sweep, build or rules
 * @throws BudgetError, RunError if a cell cannot be solved or simulated, a part exists with other bytes, or the store
 * cannot be reached; finished parts remain
 */
export async function deliverShard(
  parts: S3Parts,
  sweep: Sweep,
  shard: Shard,
  options: SweepExecutionOptions = {},
): Promise<ShardResult> {
  checkShard(shard);
  checkStart(options.signal);
  checkSweep(sweep);
  const began = performance.now();
  const { url } = parts.place;
  const folder = await createTemporaryFolder('shard');
  try {
    const store = await createScratchStore(folder, parts, sweep);
    const filled = await fillAndDeliver(store, parts, shard, options);
    const { manifest } = store;
    const segments = countShardSegments(shard, store.segments);
    const elapsedSeconds = (performance.now() - began) / 1000;
    return { folder: url, manifest, shard, segments, ...filled, elapsedSeconds };
  } catch (error) {
    throw toMergeError(error);
  } finally {
    await removeTemporaryFolder(folder);
  }
}

/**
 * Segments that are fetched concurrently, because latency matters more than size. Segments with larger parts are
 * fetched one by one: each is held in memory.
 */
const CONCURRENT_SEGMENTS = 4;
const CONCURRENT_BYTES_MAX = 2 ** 24;

export interface FetchOptions extends MergeOptions {
  /** Called for each location with objects that are not parts. */
  readonly onNote?: ((text: string) => void) | undefined;
}

/** Local folder, and the origin of its content. */
interface CopyOrigin {
  readonly folder: string;
  readonly url: string;
}

/** Replaces folders in a text by their origins. */
function replaceFolders(text: string, copies: readonly CopyOrigin[]): string {
  return copies.reduce((reported, { folder, url }) => reported.replaceAll(folder, url), text);
}

/** Runs `act` with copies; errors that name copies name their origins instead. */
async function runWithOrigins<T>(copies: readonly CopyOrigin[], act: () => Promise<T>): Promise<T> {
  const addReport = (text: string): string => replaceFolders(text, copies);
  try {
    return await act();
  } catch (error) {
    if (error instanceof InputError)
      throw new InputError(addReport(error.place), addReport(error.expected), addReport(error.found));
    throw error instanceof RunError ? new RunError(addReport(error.message), { cause: error }) : error;
  }
}

/** Remote location whose parts are copied into a folder of the store, so that they can be hard-linked from there. */
interface PartsCopy extends CopyOrigin {
  readonly parts: S3Parts;
}

/** The folder counts as a draft of the store: it is skipped, and removed if this process dies. */
function createCopy(store: string, parts: S3Parts): PartsCopy {
  return { parts, folder: createDraftPath(join(store, 'fetched')), url: parts.place.url };
}

function checkDuplicates(copies: readonly PartsCopy[]): void {
  const twice = copies.find(({ url }, c) => copies.findIndex((other) => other.url === url) < c);
  if (twice !== undefined) throw new InputError(twice.url, 'a location that is listed once', 'it twice');
}

/** Groups the files of a listing that are parts of a sweep by segment; other names are dropped here. */
function groupBySegment({ manifest, sweep }: SweepStore, files: Iterable<string>) {
  const nameOf = createPartNameParser(manifest, sweep);
  const own = new Map<number, string[]>();
  const strays: string[] = [];
  for (const file of files) {
    const name = nameOf(file);
    if (name !== undefined) own.set(name.segment, [...(own.get(name.segment) ?? []), file]);
    else if (file !== MANIFEST) strays.push(file);
  }
  return { own, strays };
}

/** True if the store has all these parts with the hashes that their writers declared. */
async function hasParts(store: string, parts: S3Parts, files: readonly string[]): Promise<boolean> {
  for (const file of files) {
    const own = await describePart(store, file).catch(() => undefined);
    if (own === undefined || (await parts.find(file))?.sha256 !== own.sha256) return false;
  }
  return true;
}

async function openCopy(store: string, { parts, folder }: PartsCopy, options: FetchOptions): Promise<SweepStore> {
  const registry = toRegistry(options.systems);
  await mkdir(folder);
  for (const name of FOLDERS) await mkdir(join(folder, name));
  await writeFile(join(folder, MANIFEST), await parts.read(MANIFEST, MANIFEST_MAX));
  const copy = await readSweepStore(folder, registry);
  const own = await SWEEP_FOLDERS.find(store, registry);
  if (own !== undefined) checkSameStore(store, own, join(folder, MANIFEST), copy.manifest);
  return copy;
}

async function fetchParts(store: string, { parts, folder, url }: PartsCopy, copy: SweepStore, options: FetchOptions) {
  const { signal, onProgress, onNote } = options;
  const listing = await parts.list();
  const { own, strays } = groupBySegment(copy, listing.files.keys());
  const others = [...strays, ...listing.strays];
  if (others.length > 0)
    onNote?.(`${url} has objects that are not part of this sweep: ${others.slice(0, 3).join(', ')}`);
  let done = 0;
  const isLarge = [...listing.files.values()].some((bytes) => bytes > CONCURRENT_BYTES_MAX);
  const [atOnce, most] = isLarge ? [1, PART_MAX] : [CONCURRENT_SEGMENTS, CONCURRENT_BYTES_MAX];
  const fetchSegment = async (files: readonly string[]): Promise<void> => {
    if (!(await hasParts(store, parts, files)))
      for (const file of files) await writeDurably(join(folder, file), await parts.read(file, most));
    onProgress?.({ done: ++done, cells: own.size, before: 0 });
  };
  await mapConcurrently(own.values(), fetchSegment, { concurrency: atOnce, signal });
}

/**
 * Merges stores like `mergeStores`, from folders and object stores. Parts that the store has with the declared hash are
 * not fetched; fetched parts are checked like untrusted files.
 * @throws InputError, RunError as `mergeStores`, and RunError if an object store cannot be reached
 */
export async function mergeRemoteStores(
  folder: string,
  others: readonly (string | S3Parts)[],
  options: FetchOptions = {},
): Promise<MergeResult> {
  const { onNote: _told, ...merging } = options;
  await makeFolder(folder);
  const copies = others.map((other) => (typeof other === 'string' ? other : createCopy(folder, other)));
  const fetched = copies.filter((copy) => typeof copy !== 'string');
  checkDuplicates(fetched);
  const folders = copies.map((copy) => (typeof copy === 'string' ? copy : copy.folder));
  try {
    return await runWithOrigins(fetched, async () => {
      for (const copy of fetched) await fetchParts(folder, copy, await openCopy(folder, copy, options), options);
      const merged = await mergeStores(folder, folders, merging);
      const addReport = (text: string): string => replaceFolders(text, fetched);
      return {
        ...merged,
        faults: merged.faults.map(({ where, what }) => ({ where: addReport(where), what: addReport(what) })),
      };
    });
  } finally {
    for (const copy of fetched) await rm(copy.folder, { recursive: true, force: true });
  }
}
