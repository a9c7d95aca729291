/** Runs a sweep, or one shard of it, into a store. */

import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { THREADS } from '../../analysis/index.ts';
import { createOptionsCheck, InputError, version } from '../../core/index.ts';
import { makeFolders } from '../../core/node.ts';
import { checkStart, computeKernelHash, ThreadLease } from '../../engines/index.ts';
import { getBoundScenario, type SystemRegistry } from '../../rules/index.ts';
import { word } from '../../rules/option-spec.ts';
import { type BeginMode, beginFolder, createWorkFolder, lockFolder, makeFolder } from '../folder/begin-folder.ts';
import { checkShard, countShardSegments, type Shard } from '../folder/shard.ts';
import { countSegments } from '../sweep/segments.ts';
import { computeSweepHash, openSweep, type Sweep } from '../sweep/sweep.ts';
import { type FillOptions, type FillProgress, type FillResult, fillStore } from './fill-store.ts';
import { finishStore, repairStore } from './finish-store.ts';
import {
  checkSweep,
  createStoreManifest,
  EXTENSIONS_MAX,
  FOLDERS,
  HISTOGRAMS,
  MANIFEST,
  PREVIOUS,
  type StoreManifest,
  SWEEP_FOLDERS,
} from './manifest.ts';
import { locatePreviousCells } from './previous-counts.ts';
import { type FinishedSegment, readSweepStore, type SweepStore } from './sweep-store.ts';

/**
 * `new`: the folder is new or empty; `resume`: what is missing is played; `extend`: all cells get more battles;
 * `recompute`: the sweep file has changed, and cells that it has kept are not played again.
 */
export type SweepMode = 'new' | 'resume' | 'extend' | 'recompute';

/** The store as it is to be extended: with more battles in its manifest. */
async function extendStore(folder: string, manifest: StoreManifest, sweep: Sweep): Promise<StoreManifest> {
  const { battles = 0, precision } = sweep.spec;
  const before = openSweep(manifest.sweep, folder).battles;
  if (precision !== undefined)
    throw new InputError(
      folder,
      'cells of a fixed number of battles, to extend them',
      `a precision of ${String(precision)}`,
    );
  const due = createStoreManifest(sweep);
  const changes = SWEEP_FOLDERS.changes(manifest, due).filter(({ path }) => path !== 'battles');
  SWEEP_FOLDERS.rejectChanges(folder, changes, due);
  if (battles < before)
    throw new InputError('battles', `more than the ${String(before)} of each cell in ${folder}`, String(battles));
  if (battles === before) return manifest;
  if (!manifest.complete)
    throw new InputError(folder, 'a complete sweep to extend', 'an unfinished one; option resume finishes it');
  if (manifest.extended.length >= EXTENSIONS_MAX)
    throw new InputError(folder, `at most ${String(EXTENSIONS_MAX)} extensions`, 'one more');
  const { cells: _cells, rows: _rows, digest: _digest, parts = [], ...rest } = manifest;
  const more = { ...rest, sweep: { ...manifest.sweep, battles }, complete: false };
  // Counts are not written anew: until all are there, the manifest says what they were.
  const kept = {
    extended: [...manifest.extended, before],
    parts: parts.filter(({ file }) => file.startsWith(HISTOGRAMS)),
  };
  const next = { ...more, sweepHash: computeSweepHash(more.sweep), ...kept };
  await SWEEP_FOLDERS.write(folder, next);
  return next;
}

/** Puts the store aside, for its cells to be taken from there. Killed at any point, it can be done again. */
async function movePrevious(folder: string): Promise<void> {
  const aside = join(folder, PREVIOUS);
  await makeFolders(aside);
  // The manifest goes first: without it the folder is a store no more, and what is left of it belongs aside.
  const present = await readdir(folder);
  for (const name of [MANIFEST, ...FOLDERS]) {
    if (!present.includes(name)) continue;
    await rm(join(aside, name), { recursive: true, force: true });
    await rename(join(folder, name), join(aside, name));
  }
}

async function recomputeStore(folder: string, sweep: Sweep, registry: SystemRegistry): Promise<StoreManifest> {
  const manifest = await SWEEP_FOLDERS.find(folder, registry);
  const aside = await SWEEP_FOLDERS.find(join(folder, PREVIOUS), registry);
  if (manifest !== undefined && SWEEP_FOLDERS.changes(manifest, createStoreManifest(sweep)).length === 0)
    return manifest;
  const interrupted = aside !== undefined && manifest !== undefined && !manifest.complete;
  // What was put aside is worth more than what an unfinished second attempt has.
  if (interrupted)
    for (const name of [MANIFEST, ...FOLDERS]) await rm(join(folder, name), { recursive: true, force: true });
  else await movePrevious(folder);
  return await createWorkFolder(SWEEP_FOLDERS, folder, createStoreManifest(sweep), registry);
}

/** What a folder is to hold of a sweep: where it was extended, with the battles that its cells have got. */
export function createExpectedManifest(sweep: Sweep): (there: StoreManifest | undefined) => StoreManifest {
  const due = createStoreManifest(sweep);
  return (there) => {
    if (there === undefined || there.extended.length === 0) return due;
    return { ...due, sweep: { ...due.sweep, battles: there.sweep.battles } };
  };
}

/**
 * The caller holds the lock of the folder, unless it is a shard's (`either`): all of them write the same.
 * @returns the manifest of what is to be filled
 * @throws InputError if the folder holds something else, or does not fit the mode
 * @throws RunError if its manifest is damaged, or something cannot be written
 */
async function beginStore(folder: string, sweep: Sweep, mode: SweepMode | BeginMode): Promise<StoreManifest> {
  const { registry } = getBoundScenario(sweep.spec.scenario);
  if (mode === 'recompute') return await recomputeStore(folder, sweep, registry);
  if (mode === 'extend') return await extendStore(folder, await SWEEP_FOLDERS.read(folder, registry), sweep);
  return await beginFolder(SWEEP_FOLDERS, folder, createExpectedManifest(sweep), mode, registry);
}

/** Labels of axes may change at any time: the store has those of the sweep file that was used last. */
async function updateLabels(
  folder: string,
  manifest: StoreManifest,
  { spec: { axes } }: Sweep,
): Promise<StoreManifest> {
  if (JSON.stringify(manifest.sweep.axes) === JSON.stringify(axes)) return manifest;
  const next = { ...manifest, sweep: { ...manifest.sweep, axes } };
  await SWEEP_FOLDERS.write(folder, next);
  return next;
}

/** How `sweepInto` plays. */
export interface SweepOptions {
  /** What to do with a folder that has a sweep already; `new` unless said otherwise. */
  readonly mode?: SweepMode | undefined;
  /** Threads, 1..256; as many as there are cores unless said otherwise. */
  readonly workers?: number | string | undefined;
  /** Ends the sweep early; what was finished stays, and `resume` goes on. */
  readonly signal?: AbortSignal | undefined;
  /** Called about ten times a second. */
  readonly onProgress?: ((progress: FillProgress) => void) | undefined;
}

const MODE = word('what to do with a folder that has a sweep', ['new', 'resume', 'extend', 'recompute']);

const checkOptions = createOptionsCheck<SweepOptions>('sweepInto', {
  mode: MODE,
  ...THREADS,
  signal: true,
  onProgress: true,
});

/** A sweep that was played into a folder. */
export interface SweepResult extends FillProgress {
  readonly folder: string;
  /** Of the sweep as it stands in the store. */
  readonly manifest: StoreManifest;
  /** Parts of a complete store that were missing or damaged: their segments were played again. */
  readonly repaired: readonly string[];
  /** False if the signal came before all cells were there. */
  readonly complete: boolean;
  readonly elapsedSeconds: number;
}

/** Fills what a store does not have yet. */
export type FillFunction = (store: SweepStore, options: Omit<FillOptions, 'pool'>) => Promise<FillResult>;

/**
 * Plays and solves all cells of a sweep into a folder.
 * @param folder new or empty, or one that a sweep was begun in (see `mode`)
 * @throws InputError if the folder does not fit, another process fills it, the scenario of a cell is refused, or its
 *   system was not loaded from a file: threads load it again, and the store keeps its hash
 * @throws BudgetError, RunError if a cell could not be solved or played; the store keeps what it has
 * @throws RunError if the store is damaged or cannot be written
 */
export async function sweepInto(folder: string, sweep: Sweep, options: SweepOptions = {}): Promise<SweepResult> {
  checkOptions(options);
  const { workers, ...rest } = options;
  return await runSweepWith(folder, sweep, rest, async (store, watch) => {
    await using pool = new ThreadLease(workers);
    return await fillStore(store, { pool, ...watch });
  });
}

/** The same, filled by somebody else than threads of this process. */
export async function runSweepWith(
  folder: string,
  sweep: Sweep,
  { mode = 'new', signal, onProgress }: Omit<SweepOptions, 'workers'>,
  fill: FillFunction,
): Promise<SweepResult> {
  checkStart(signal);
  checkSweep(sweep);
  const { registry } = getBoundScenario(sweep.spec.scenario);
  const began = performance.now();
  if (mode === 'new' || mode === 'recompute') await makeFolder(folder);
  else await SWEEP_FOLDERS.read(folder, registry, `; without option ${mode} the sweep begins there`);
  const repaired =
    mode === 'extend' ? await repairBeforeExtension(folder, registry, { signal, onProgress }, fill) : undefined;
  if (repaired?.complete === false) return repaired;
  await using lock = await lockFolder(SWEEP_FOLDERS, folder);
  const begun = await updateLabels(folder, await beginStore(folder, sweep, mode), sweep);
  const { manifest, files } = begun.complete ? await repairStore(folder, begun, lock) : { manifest: begun, files: [] };
  const before = [...(repaired?.repaired ?? []), ...files];
  const elapsed = (): number => (performance.now() - began) / 1000;
  if (manifest.complete) {
    const { cells = 0 } = manifest;
    const all = { done: cells, cells, before: cells };
    return { folder, manifest, repaired: before, complete: true, ...all, elapsedSeconds: elapsed() };
  }
  const store = await readSweepStore(folder, registry);
  const known = await locatePreviousCells(store, registry);
  const stop = lock.withLoss(signal);
  const stored = new Map<number, FinishedSegment>();
  const filled = await fill(store, { signal: stop, onProgress, known, stored });
  await lock.check();
  const mended = [...before, ...filled.mended];
  if (!filled.complete) return { folder, manifest, ...filled, repaired: mended, elapsedSeconds: elapsed() };
  const finished = await finishStore(await readSweepStore(folder, registry), lock, stored);
  return { folder, manifest: finished, ...filled, repaired: mended, elapsedSeconds: elapsed() };
}

/** Repairs a complete store before its manifest says that it is extended: afterwards damage costs more. */
async function repairBeforeExtension(
  folder: string,
  registry: SystemRegistry,
  options: Omit<SweepOptions, 'workers'>,
  fill: FillFunction,
): Promise<SweepResult | undefined> {
  const { complete, sweep } = await SWEEP_FOLDERS.read(folder, registry);
  if (!complete) return undefined;
  return await runSweepWith(folder, openSweep(sweep, folder), { ...options, mode: 'resume' }, fill);
}

/** A store that is ready for shards. */
export interface Prepared {
  readonly folder: string;
  readonly manifest: StoreManifest;
  /** Runs of cells that are played and stored together, dealt out to shards: more shards than these have nothing to do. */
  readonly segments: number;
}

/** How `prepareSweep` takes a folder that is not empty. */
export interface PrepareOptions {
  /** As of `sweepInto`; a folder that is prepared already, or half filled, is left as it is. */
  readonly mode?: SweepMode | undefined;
}

const checkPrepareOptions = createOptionsCheck<PrepareOptions>('prepareSweep', { mode: MODE });

/**
 * Makes a store ready for shards: its folders and its manifest, and no cell.
 * @param folder new or empty, or one that a sweep was begun in (see `mode`)
 * @throws InputError if the folder does not fit, or another process fills it
 * @throws RunError if the store is damaged or cannot be written
 */
export async function prepareSweep(folder: string, sweep: Sweep, options: PrepareOptions = {}): Promise<Prepared> {
  checkPrepareOptions(options);
  checkSweep(sweep);
  const { mode = 'new' } = options;
  await makeFolder(folder);
  await using _lock = await lockFolder(SWEEP_FOLDERS, folder);
  const manifest = await beginStore(folder, sweep, mode === 'new' ? 'either' : mode);
  return { folder, manifest, segments: countSegments(sweep, manifest.segmentSize) };
}

/** How `sweepShard` plays. */
export interface ShardOptions {
  /** Threads, 1..256; as many as there are cores unless said otherwise. */
  readonly workers?: number | string | undefined;
  /** Ends the shard early; what was finished stays, and the same call goes on. */
  readonly signal?: AbortSignal | undefined;
  /** Called about ten times a second. */
  readonly onProgress?: ((progress: FillProgress) => void) | undefined;
}

const checkShardOptions = createOptionsCheck<ShardOptions>('sweepShard', {
  ...THREADS,
  signal: true,
  onProgress: true,
});

/** What came of a shard; all numbers are of its own cells. */
export interface ShardResult extends FillProgress {
  readonly folder: string;
  readonly manifest: StoreManifest;
  readonly shard: Shard;
  /** Segments of the shard. */
  readonly segments: number;
  /** False if the signal came before all its cells were there. */
  readonly complete: boolean;
  readonly elapsedSeconds: number;
}

/** Refuses a store that another build of warpool has begun: its battles, or the bytes of its parts, may differ. */
export function checkBuild({ kernels, warpool }: StoreManifest, path: string): void {
  if (warpool !== version())
    throw new InputError(
      path,
      `warpool ${version()}, as this is: all shards must be of one build`,
      `warpool ${warpool}`,
    );
  const other = Object.entries(kernels).find(([name, hash]) => computeKernelHash(name) !== hash);
  if (other === undefined) return;
  const [name, hash] = other;
  throw new InputError(path, `the kernel "${name}" of this build, with hash ${computeKernelHash(name)}`, hash);
}

/**
 * Plays and solves one shard of a sweep into a store: a folder that all shards share, or one of its own, which
 * `mergeStores` joins with the others. It takes no lock: any number of shards fill a store at the same time, and one that
 * is played twice writes the same bytes twice. The store is complete once `mergeStores` has said so.
 * @param folder prepared by `prepareSweep`, begun by another shard, or new
 * @throws InputError if the store is of another sweep, build or rules, or the scenario of a cell is refused
 * @throws BudgetError, RunError if a cell could not be solved or played; the store keeps what it has
 * @throws RunError if a part of the shard is damaged, or the store cannot be written
 */
export async function sweepShard(
  folder: string,
  sweep: Sweep,
  shard: Shard,
  options: ShardOptions = {},
): Promise<ShardResult> {
  checkShardOptions(options);
  checkShard(shard);
  const { workers, signal, onProgress } = options;
  checkStart(signal);
  checkSweep(sweep);
  const began = performance.now();
  const { registry } = getBoundScenario(sweep.spec.scenario);
  await makeFolder(folder);
  await beginStore(folder, sweep, 'either');
  const store = await readSweepStore(folder, registry);
  const { manifest } = store;
  checkBuild(manifest, join(folder, MANIFEST));
  const known = await locatePreviousCells(store, registry);
  await using pool = new ThreadLease(workers);
  const filled = await fillStore(store, { pool, signal, onProgress, known, shard });
  const segments = countShardSegments(shard, store.segments);
  return { folder, manifest, shard, segments, ...filled, elapsedSeconds: (performance.now() - began) / 1000 };
}
