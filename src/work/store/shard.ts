/** Sweeps in shards: each of several processes plays some of the segments, on machines that know nothing of each other. */
import { join } from 'node:path';
import { InputError } from '../../core/errors.ts';
import { optionsOf } from '../../core/names.ts';
import { version } from '../../core/version.ts';
import { kernelHash } from '../../engines/kernel/kernel.ts';
import { Lease } from '../../engines/pool/pool.ts';
import { checkSignal } from '../../engines/pool/run.ts';
import { opened } from '../../rules/opened.ts';
import { lockFolder, makeFolder } from '../folder/begin.ts';
import { checkStorable } from '../folder/rules.ts';
import { checkShard, ownSegments, type Shard } from '../folder/shard.ts';
import { segmentsOf } from '../sweep/segments.ts';
import type { Sweep } from '../sweep/sweep.ts';
import { beginStore, type Mode } from './begin.ts';
import { MANIFEST } from './files.ts';
import { type FillProgress, fillStore } from './fill.ts';
import { type Manifest, SWEEPS } from './manifest.ts';
import { readStore } from './reading.ts';
import { cellsAside } from './reuse.ts';

/** A store that is ready for shards. */
export interface Prepared {
  readonly folder: string;
  readonly manifest: Manifest;
  /** Runs of cells that are played and stored together, dealt out to shards: more shards than these have nothing to do. */
  readonly segments: number;
}

/** How `prepareSweep` takes a folder that is not empty. */
export interface PrepareOptions {
  /** As of `sweepInto`; a folder that is prepared already, or half filled, is left as it is. */
  readonly mode?: Mode | undefined;
}

const checkPreparing = optionsOf<PrepareOptions>('prepareSweep', { mode: true });

/**
 * Makes a store ready for shards: its folders and its manifest, and no cell.
 * @param folder new or empty, or one that a sweep was begun in (see `mode`)
 * @throws InputError if the folder does not fit, or another process fills it
 * @throws RunError if the store is damaged or cannot be written
 */
export async function prepareSweep(folder: string, sweep: Sweep, options: PrepareOptions = {}): Promise<Prepared> {
  checkPreparing(options);
  checkStorable(sweep.spec.scenario, 'the sweep’s');
  const { mode = 'new' } = options;
  await makeFolder(folder);
  await using _lock = await lockFolder(SWEEPS, folder);
  const manifest = await beginStore(folder, sweep, mode === 'new' ? 'either' : mode);
  return { folder, manifest, segments: segmentsOf(sweep, manifest.segmentSize) };
}

/** How `sweepShard` plays. */
export interface ShardOptions {
  /** Threads, 1..256; as many as there are cores unless said otherwise. */
  readonly workers?: number | undefined;
  /** Ends the shard early; what was finished stays, and the same call goes on. */
  readonly signal?: AbortSignal | undefined;
  /** Called about ten times a second. */
  readonly onProgress?: ((progress: FillProgress) => void) | undefined;
}

const checkOptions = optionsOf<ShardOptions>('sweepShard', { workers: true, signal: true, onProgress: true });

/** What came of a shard; all numbers are of its own cells. */
export interface ShardResult extends FillProgress {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly shard: Shard;
  /** Segments of the shard. */
  readonly segments: number;
  /** False if the signal came before all its cells were there. */
  readonly complete: boolean;
  readonly elapsedSeconds: number;
}

/** Refuses a store that another build of warpool has begun: its battles, or the bytes of its parts, may differ. */
export function checkBuild({ kernels, warpool }: Manifest, folder: string): void {
  const path = join(folder, MANIFEST);
  if (warpool !== version())
    throw new InputError(
      path,
      `warpool ${version()}, as this is: all shards must be of one build`,
      `warpool ${warpool}`,
    );
  const other = Object.entries(kernels).find(([name, hash]) => kernelHash(name) !== hash);
  if (other === undefined) return;
  const [name, hash] = other;
  throw new InputError(path, `the kernel "${name}" of this build, with hash ${kernelHash(name)}`, hash);
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
  checkOptions(options);
  checkShard(shard);
  const { workers, signal, onProgress } = options;
  checkSignal(signal);
  checkStorable(sweep.spec.scenario, 'the sweep’s');
  const began = performance.now();
  const { registry } = opened(sweep.spec.scenario);
  await makeFolder(folder);
  await beginStore(folder, sweep, 'either');
  const store = await readStore(folder, registry);
  const { manifest } = store;
  checkBuild(manifest, folder);
  const known = await cellsAside(folder, store.sweep, manifest.segmentSize, registry);
  await using pool = new Lease(workers);
  const filled = await fillStore(store, { pool, signal, onProgress, known, shard });
  const segments = ownSegments(shard, segmentsOf(store.sweep, manifest.segmentSize));
  return { folder, manifest, shard, segments, ...filled, elapsedSeconds: (performance.now() - began) / 1000 };
}
