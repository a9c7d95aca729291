/** Runs a sweep, or one shard of it, into a store. */

import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { THREADS } from '../../analysis/index.ts';
import { createConflictError, createOptionsCheck, InputError, version } from '../../core/index.ts';
import { makeFolders } from '../../core/node.ts';
import { checkStart, computeKernelHash, ThreadLease } from '../../engines/index.ts';
import { getBoundScenario, type SystemRegistry } from '../../rules/index.ts';
import { flag, type OptionSpecs } from '../../rules/option-spec.ts';
import { type BeginMode, beginFolder, createWorkFolder, lockFolder, makeFolder, OUT } from '../folder/begin-folder.ts';
import { checkShard, countShardSegments, type Shard } from '../folder/shard.ts';
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
 * `new`: the folder is new or empty; `resume`: computes missing segments; `extend`: simulates more battles per cell;
 * `recompute`: the sweep file has changed, and unchanged cells are reused.
 */
export type SweepMode = 'new' | 'resume' | 'extend' | 'recompute';

/** Creates the manifest of an extended store, with more battles. */
async function extendStore(folder: string, manifest: StoreManifest, sweep: Sweep): Promise<StoreManifest> {
  const { battles = 0, precision } = sweep.spec;
  const before = openSweep(manifest.sweep, folder).battles;
  if (precision !== undefined)
    throw new InputError(
      folder,
      'cells of a fixed number of battles, to extend them',
      `a precision of ${String(precision)}`,
    );
  if (manifest.sweep.exact === 'instead')
    throw new InputError(folder, 'cells that are all simulated, to extend them', 'exact: instead');
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
  // Counts are replaced one by one; until all are replaced, `extended` has the earlier number of battles.
  const kept = {
    extended: [...manifest.extended, before],
    parts: parts.filter(({ file }) => file.startsWith(HISTOGRAMS)),
  };
  const next = { ...more, sweepHash: computeSweepHash(more.sweep), ...kept };
  await SWEEP_FOLDERS.write(folder, next);
  return next;
}

/** Moves the store aside, so that its cells can be reused. After a kill at any point, it can be repeated. */
async function movePrevious(folder: string): Promise<void> {
  const aside = join(folder, PREVIOUS);
  await makeFolders(aside);
  // The manifest is moved first: without it the folder is no store, and its other files are moved on the next attempt.
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
  // The store that was moved aside is more complete than the one of an unfinished second attempt.
  if (interrupted)
    for (const name of [MANIFEST, ...FOLDERS]) await rm(join(folder, name), { recursive: true, force: true });
  else await movePrevious(folder);
  return await createWorkFolder(SWEEP_FOLDERS, folder, createStoreManifest(sweep), registry);
}

/** Creates the expected manifest of a folder; after an extension, with the number of battles of its cells. */
export function createExpectedManifest(sweep: Sweep): (there: StoreManifest | undefined) => StoreManifest {
  const due = createStoreManifest(sweep);
  return (there) => {
    if (there === undefined || there.extended.length === 0) return due;
    return { ...due, sweep: { ...due.sweep, battles: there.sweep.battles } };
  };
}

/**
 * Creates or opens a store. The caller holds the lock of the folder, except for a shard (`either`), because all shards
 * write the same manifest.
 * @returns the manifest of the store
 * @throws InputError if the folder holds something else, or does not fit the mode
 * @throws RunError if its manifest is damaged, or something cannot be written
 */
export async function beginStore(folder: string, sweep: Sweep, mode: SweepMode | BeginMode): Promise<StoreManifest> {
  const { registry } = getBoundScenario(sweep.spec.scenario);
  if (mode === 'recompute') return await recomputeStore(folder, sweep, registry);
  if (mode === 'extend') return await extendStore(folder, await SWEEP_FOLDERS.read(folder, registry), sweep);
  return await beginFolder(SWEEP_FOLDERS, folder, createExpectedManifest(sweep), mode, registry);
}

/** Updates the labels of axes, which may change at any time, to the labels of the sweep file. */
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

const MODES = ['resume', 'extend', 'recompute'] as const;

/** Treatment of a folder with an earlier sweep: at most one of these options. */
export interface StoreModeOptions {
  /** Computes only missing segments; false by default. */
  readonly resume?: boolean | undefined;
  /** Simulates more battles of each cell, up to the number of the sweep; false by default. */
  readonly extend?: boolean | undefined;
  /** Replaces the sweep by a changed one, and reuses unchanged cells; false by default. */
  readonly recompute?: boolean | undefined;
}

/** Declarations of these options. */
export const MODE = {
  resume: flag('resume an unfinished sweep'),
  extend: flag('simulate more battles of each cell, up to --battles'),
  recompute: flag('update the results after a change of the sweep file'),
} as const satisfies OptionSpecs;

/** @throws InputError if there are several; `nameOf` writes the name of an option in the message */
export function getSweepMode(options: StoreModeOptions, nameOf = (name: string): string => name): SweepMode {
  const [mode, other] = MODES.filter((name) => options[name] === true);
  if (mode !== undefined && other !== undefined) throw createConflictError(nameOf(other), nameOf(mode));
  return mode ?? 'new';
}

/** Execution of a sweep or of a shard. */
export interface SweepExecutionOptions {
  /** Threads, 1..256; by default the number of cores. */
  readonly workers?: number | string | undefined;
  /** Ends the call early; finished segments are kept, and the same call with `resume` continues. */
  readonly signal?: AbortSignal | undefined;
  /** Called about ten times a second. */
  readonly onProgress?: ((progress: FillProgress) => void) | undefined;
}

/** Options of `runSweep`. */
export interface RunSweepOptions extends StoreModeOptions, SweepExecutionOptions {
  /** Folder of the store: new, empty or, with one of `resume`, `extend` and `recompute`, a store of the sweep. */
  readonly out: string;
}

/** Options of `runSweep` for one shard. */
export interface RunShardOptions extends SweepExecutionOptions {
  /** Folder of the store: the one of all shards, or one for this shard; `createStore` prepares it, or the first shard. */
  readonly out: string;
  /** The shard: only its segments are computed. */
  readonly shard: Shard;
}

const checkOptions = createOptionsCheck<RunSweepOptions & Partial<RunShardOptions>>('runSweep', {
  ...MODE,
  ...THREADS,
  signal: true,
  onProgress: true,
  out: { required: true, ...OUT },
  shard: { check: checkShard },
});

/** Result of a sweep. */
export interface SweepResult extends FillProgress {
  readonly folder: string;
  /** Manifest of the store. */
  readonly manifest: StoreManifest;
  /** Missing or damaged parts of a complete store, whose segments were computed again. */
  readonly repaired: readonly string[];
  /** False if the signal came before all cells were complete. */
  readonly complete: boolean;
  readonly elapsedSeconds: number;
}

/** Fills the missing segments of a store. */
export type FillFunction = (store: SweepStore, options: Omit<FillOptions, 'pool'>) => Promise<FillResult>;

/**
 * Simulates or solves all cells of a sweep, or only the cells of one shard, into a store.
 *
 * A shard takes no lock: any number of shards fill a store at the same time, and a shard that is computed twice writes the
 * same bytes twice. `mergeStores` completes a store that shards have filled.
 * @throws InputError if an option is out of range, the folder does not fit or is in use, the scenario of a cell is rejected,
 *   or its system was not loaded from a file; for a shard also if the store is of another build
 * @throws BudgetError, RunError if a cell cannot be solved or simulated; the store keeps its finished segments
 * @throws RunError if the store is damaged or cannot be written
 */
export function runSweep(sweep: Sweep, options: RunShardOptions): Promise<ShardResult>;
export function runSweep(sweep: Sweep, options: RunSweepOptions): Promise<SweepResult>;
export async function runSweep(
  sweep: Sweep,
  options: RunSweepOptions | RunShardOptions,
): Promise<SweepResult | ShardResult> {
  const all: RunSweepOptions & Partial<RunShardOptions> = options;
  checkOptions(all);
  const { out, shard, workers, signal, onProgress } = all;
  const mode = getSweepMode(all);
  if (shard === undefined)
    return await runSweepWith(out, sweep, { mode, signal, onProgress }, async (store, watch) => {
      await using pool = new ThreadLease(workers, 1);
      return await fillStore(store, { pool, ...watch });
    });
  if (mode !== 'new') throw createConflictError(mode, 'shard');
  return await runSweepShard(out, sweep, shard, { workers, signal, onProgress });
}

/** Options of `runSweepWith`: treatment of the folder, and listeners. */
export interface FillRequest extends Omit<SweepExecutionOptions, 'workers'> {
  readonly mode: SweepMode;
}

/** Runs a sweep into a folder; `fill` computes its segments: threads of this process, or workers of a queue. */
export async function runSweepWith(
  folder: string,
  sweep: Sweep,
  { mode, signal, onProgress }: FillRequest,
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
  const computeElapsed = (): number => (performance.now() - began) / 1000;
  if (manifest.complete) {
    const { cells = 0 } = manifest;
    const all = { done: cells, cells, before: cells };
    return { folder, manifest, repaired: before, complete: true, ...all, elapsedSeconds: computeElapsed() };
  }
  const store = await readSweepStore(folder, registry);
  const known = await locatePreviousCells(store, registry);
  const stop = lock.withLoss(signal);
  const stored = new Map<number, FinishedSegment>();
  const filled = await fill(store, { signal: stop, onProgress, known, stored });
  await lock.check();
  const mended = [...before, ...filled.mended];
  if (!filled.complete) return { folder, manifest, ...filled, repaired: mended, elapsedSeconds: computeElapsed() };
  const finished = await finishStore(await readSweepStore(folder, registry), lock, stored);
  return { folder, manifest: finished, ...filled, repaired: mended, elapsedSeconds: computeElapsed() };
}

/** Repairs a complete store before its extension, because later repairs need more computations. */
async function repairBeforeExtension(
  folder: string,
  registry: SystemRegistry,
  options: Omit<FillRequest, 'mode'>,
  fill: FillFunction,
): Promise<SweepResult | undefined> {
  const { complete, sweep } = await SWEEP_FOLDERS.read(folder, registry);
  if (!complete) return undefined;
  return await runSweepWith(folder, openSweep(sweep, folder), { ...options, mode: 'resume' }, fill);
}

/** Result of a shard; all numbers count only its own cells. */
export interface ShardResult extends FillProgress {
  readonly folder: string;
  readonly manifest: StoreManifest;
  readonly shard: Shard;
  /** Segments of the shard. */
  readonly segments: number;
  /** False if the signal came before all cells of the shard were complete. */
  readonly complete: boolean;
  readonly elapsedSeconds: number;
}

/** Rejects a store of another build of warpool, whose battles or bytes of parts may differ. */
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

async function runSweepShard(
  folder: string,
  sweep: Sweep,
  shard: Shard,
  { workers, signal, onProgress }: SweepExecutionOptions,
): Promise<ShardResult> {
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
  const segments = countShardSegments(shard, store.segments);
  await using pool = new ThreadLease(workers, 1);
  const filled = await fillStore(store, { pool, signal, onProgress, known, shard });
  return { folder, manifest, shard, segments, ...filled, elapsedSeconds: (performance.now() - began) / 1000 };
}
