/** Joins the parts that shards have stored, says what is missing, and completes the store when nothing is. */

import { realpath } from 'node:fs/promises';
import { InputError } from '../../core/errors.ts';
import { optionsOf } from '../../core/names.ts';
import { checkSignal } from '../../engines/pool/run.ts';
import { registryOf, type SystemsLike } from '../../rules/index.ts';
import type { Registry } from '../../rules/registry.ts';
import { lockFolder, makeFolder, newFolder } from '../folder/begin.ts';
import type { Fault } from '../folder/faults.ts';
import type { Lock } from '../folder/lock.ts';
import { checkShard, shardOf } from '../folder/shard.ts';
import { cellsOf } from '../sweep/segments.ts';
import { finishStore } from './finish.ts';
import { Joining } from './joining.ts';
import { checkAlike, type Manifest, SWEEPS, unfinished } from './manifest.ts';
import { type ReadStore, readStore } from './reading.ts';
import { checkBuild } from './shard.ts';

/** How `mergeStores` merges. */
export interface MergeOptions {
  /** How many shards there were; then it is told which ones have something missing. */
  readonly shards?: number | undefined;
  /** Systems that the stores can be of: those of `loadScenario`. */
  readonly systems?: SystemsLike | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called after each segment that was looked at. */
  readonly onProgress?: ((progress: { done: number; cells: number; before: number }) => void) | undefined;
}

const checkOptions = optionsOf<MergeOptions>('mergeStores', {
  shards: true,
  systems: true,
  signal: true,
  onProgress: true,
});

/** What is not there yet. */
export interface Missing {
  /** Runs of segments, each from one to another that is missing as well. */
  readonly segments: readonly (readonly [from: number, to: number])[];
  readonly cells: number;
  /** Shards that have something missing, 1..n; undefined unless it was said how many there are. */
  readonly shards: readonly number[] | undefined;
}

/** Shards put together, and what is missing. */
export interface Merged {
  readonly folder: string;
  /** Complete if nothing is missing. */
  readonly manifest: Manifest;
  /** Of the sweep. */
  readonly cells: number;
  readonly segments: number;
  /** Cells that are there, all their parts undamaged. */
  readonly done: number;
  /** Parts that were taken from other folders. */
  readonly taken: number;
  readonly missing: Missing;
  /** Parts that are damaged, and those that differ from folder to folder. */
  readonly faults: readonly Fault[];
  /** True if all cells are there and no two folders disagree: then the store is finished. */
  readonly complete: boolean;
}

/** Runs of numbers that ascend. */
function runsOf(numbers: readonly number[]): (readonly [number, number])[] {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs;
}

/** @throws InputError if a folder is given twice */
async function checkFolders(folders: readonly string[]): Promise<void> {
  const seen = new Set<string>();
  for (const folder of folders) {
    const path = await realpath(folder).catch(() => folder);
    if (seen.has(path)) throw new InputError(folder, 'each folder once', 'it a second time');
    seen.add(path);
  }
}

/** The other stores, of which none can differ from the first one. */
async function readOthers(folder: string, others: readonly string[], registry: Registry): Promise<ReadStore[]> {
  const own = await SWEEPS.find(folder, registry);
  const stores: ReadStore[] = [];
  for (const other of others) stores.push(await readStore(other, registry));
  const first = own === undefined ? stores[0] : { folder, manifest: own };
  if (first !== undefined) checkBuild(first.manifest, first.folder);
  for (const other of stores) if (first) checkAlike(first.folder, first.manifest, other.folder, other.manifest);
  return stores;
}

interface Looking extends Pick<MergeOptions, 'onProgress'> {
  readonly signal: AbortSignal;
  readonly registry: Registry;
}

/** Looks at every segment: of the other stores first, then of the store itself. */
async function lookAtAll(
  joining: Joining,
  folder: string,
  others: readonly ReadStore[],
  options: Looking,
): Promise<void> {
  const { signal, onProgress, registry } = options;
  const cells = others.reduce((sum, { parts }) => sum + parts.tables.size, joining.segments);
  let done = 0;
  const looked = (): void => onProgress?.({ done: ++done, cells, before: 0 });
  for (const other of others) {
    for (const segment of other.parts.tables.keys()) {
      if (signal.aborted) return;
      await joining.take(other, segment);
      looked();
    }
  }
  const store = await readStore(folder, registry);
  for (let segment = 0; segment < joining.segments; segment++) {
    if (signal.aborted) return;
    await joining.check(store, segment);
    looked();
  }
}

function missingOf({ sweep, manifest }: ReadStore, { there, segments }: Joining, shards: number | undefined): Missing {
  const missing = Array.from({ length: segments }, (_, segment) => segment).filter((segment) => !there.has(segment));
  const cells = missing.reduce((sum, segment) => sum + cellsOf(sweep, manifest.segmentSize, segment), 0);
  const own = new Set(shards === undefined ? [] : missing.map((segment) => shardOf(segment, shards)));
  return {
    segments: runsOf(missing),
    cells,
    shards: shards === undefined ? undefined : [...own].sort((a, b) => a - b),
  };
}

async function merged(folder: string, others: readonly ReadStore[], lock: Lock, options: MergeOptions) {
  const { shards, onProgress, signal } = options;
  const registry = registryOf(options.systems);
  const store = await readStore(folder, registry);
  const joining = new Joining(store);
  const stop = lock.orLost(signal);
  await lookAtAll(joining, folder, others, { onProgress, signal: stop, registry });
  await lock.check();
  const missing = missingOf(store, joining, shards);
  const { segments, taken, faults, disputed, there } = joining;
  const complete = missing.segments.length === 0 && disputed.size === 0;
  const finish = complete && !store.manifest.complete;
  const manifest = finish ? await finishStore(await readStore(folder, registry), lock) : store.manifest;
  const done = [...there.values()].reduce((sum, { cells }) => sum + cells, 0);
  return { folder, manifest, cells: done + missing.cells, segments, done, taken, missing, faults, complete };
}

/**
 * Takes the parts of other stores into one and finishes it when all is there: its files are then those of a sweep on one
 * machine, byte by byte. Parts are linked where the file system can do that, and copied elsewhere. What two folders
 * have is compared by SHA-256; a part that is damaged is left where it is.
 * @param folder which shards have filled, or a new one for what is in others
 * @param others folders that other shards have filled; they are not changed
 * @throws InputError if a folder is no store, or another process fills it, or they are of different sweeps, builds or rules
 * @throws RunError if a manifest is damaged, or the store cannot be written
 */
export async function mergeStores(
  folder: string,
  others: readonly string[] = [],
  options: MergeOptions = {},
): Promise<Merged> {
  checkOptions(options);
  checkSignal(options.signal);
  if (options.shards !== undefined) checkShard({ index: 1, of: options.shards }, 'shards');
  const registry = registryOf(options.systems);
  await checkFolders([folder, ...others]);
  const stores = await readOthers(folder, others, registry);
  const [first] = stores;
  if (first === undefined) await SWEEPS.read(folder, registry);
  else await makeFolder(folder);
  await using lock = await lockFolder(SWEEPS, folder);
  if (first !== undefined && (await SWEEPS.find(folder, registry)) === undefined)
    await newFolder(SWEEPS, folder, unfinished(first.manifest), registry);
  return await merged(folder, stores, lock, options);
}
