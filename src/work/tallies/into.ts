/** Plays one run, however long, into a folder. */

import { parseCount } from '../../core/chance/stream.ts';
import { InputError } from '../../core/errors.ts';
import { optionsOf } from '../../core/names.ts';
import type { Players } from '../../engines/pool/own.ts';
import { Lease } from '../../engines/pool/pool.ts';
import { checkSignal, type Progress } from '../../engines/pool/run.ts';
import type { Scenario } from '../../rules/system.ts';
import { RUN } from '../../studies/asked.ts';
import { type SimulationResult, simulate } from '../../studies/simulate.ts';
import { lockFolder, makeFolder } from '../folder/begin.ts';
import type { Lock } from '../folder/lock.ts';
import { partNow, type StoredPart } from '../folder/regular.ts';
import type { Shard } from '../folder/shard.ts';
import { beginRun, newRun, optionsOfRun, type PrepareRunOptions, RUNS, type RunManifest } from './manifest.ts';
import { StoredPlayers } from './players.ts';
import { rangesIn } from './ranges.ts';
import { playRanges, rangesOf, type ShardProgress } from './shard.ts';
import { RunStore } from './store.ts';

/** What is kept, with the options of `simulate` that say what is played. */
export interface KeptOptions extends PrepareRunOptions {
  /** Threads, 1..256; as many as there are cores unless said otherwise. */
  readonly workers?: number | undefined;
  /** Players to use instead of threads of its own: a `Pool`. */
  readonly pool?: Players | undefined;
  /** Steps that the exact law may take from which the engine `sampled` draws. */
  readonly budget?: number | undefined;
  /** Ends it early; ranges that were finished stay. */
  readonly signal?: AbortSignal | undefined;
  /** Called about ten times a second, with battles that are not there yet. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** How `simulateInto` plays, and what it does with a folder that has a run. */
export interface SimulateIntoOptions extends KeptOptions {
  /** `resume` goes on with a folder in which the run was begun; `new` unless said otherwise. */
  readonly mode?: 'new' | 'resume' | undefined;
}

/** How `simulateShard` plays. */
export interface SimulateShardOptions extends KeptOptions {
  readonly shard: Shard;
}

const CUT = { ...RUN, rangeSize: true } as const;
const KEPT = { ...CUT, workers: true, pool: true, budget: true, signal: true, onProgress: true } as const;

const checkInto = optionsOf<SimulateIntoOptions>('simulateInto', { ...KEPT, mode: true });
const checkPrepare = optionsOf<PrepareRunOptions>('prepareRun', CUT);
const checkShard = optionsOf<SimulateShardOptions>('simulateShard', { ...KEPT, shard: true });

/** A run in a folder. */
export interface KeptRun {
  readonly folder: string;
  readonly manifest: RunManifest;
  /** Parts of its tally; with a precision, so far. */
  readonly parts: number;
}

export interface KeptResult extends KeptRun {
  /** What `simulate` gives; its time is that of the battles that were not there. */
  readonly result: SimulationResult;
  /** Battles that were there before. */
  readonly before: number;
}

export interface RunShardResult extends KeptRun, ShardProgress {
  readonly shard: Shard;
}

/** Writes down what came of a run whose parts are all there. @throws RunError if the lock is lost */
export async function finishRun(
  { folder, run }: RunStore,
  result: SimulationResult,
  files: readonly string[],
  lock: Lock,
): Promise<RunManifest> {
  const parts: StoredPart[] = [];
  for (const file of files) parts.push(await partNow(folder, file));
  const finished = { ...run, complete: true, end: result.to, digest: result.digest, parts };
  await lock.check();
  await RUNS.write(folder, finished);
  return finished;
}

/**
 * Plays a run into a folder, range by range: the tally of each is a file. Killed at any point, it has lost at most the
 * range under way. The result is that of `simulate` with the same options, digest included.
 * @param folder new or empty, or one in which the run was begun
 * @throws InputError if an option is out of range, the folder does not fit, another process plays into it, or the system
 *   was given as a value
 * @throws RunError if battles could not be played, a part is damaged, or something cannot be written
 */
export async function simulateInto(
  folder: string,
  scenario: Scenario,
  options: SimulateIntoOptions = {},
): Promise<KeptResult> {
  checkInto(options);
  const { mode = 'new', workers, budget, signal, onProgress, pool, ...asked } = options;
  checkSignal(signal);
  const due = newRun(scenario, asked);
  await makeFolder(folder);
  await using lock = await lockFolder(RUNS, folder);
  const manifest = await beginRun(folder, due, mode, asked.rangeSize !== undefined);
  const store = new RunStore(folder, manifest);
  await using threads = new Lease(workers);
  const players = new StoredPlayers(store, pool ?? threads);
  const stop = lock.orLost(signal);
  const watch = { budget, signal: stop, onProgress, pool: players };
  const result = await simulate(scenario, { ...optionsOfRun(due), ...watch });
  await lock.check();
  const { files, before } = players;
  const finished = result.complete && !manifest.complete ? await finishRun(store, result, files, lock) : manifest;
  return { folder, manifest: finished, result, before, parts: files.length };
}

/**
 * Makes a folder ready for a run that several processes are to play, and plays nothing.
 * @throws InputError if an option is out of range, or the folder holds something else
 */
export async function prepareRun(
  folder: string,
  scenario: Scenario,
  options: PrepareRunOptions = {},
): Promise<KeptRun> {
  checkPrepare(options);
  const due = newRun(scenario, options);
  await makeFolder(folder);
  const manifest = await beginRun(folder, due, 'either', options.rangeSize !== undefined);
  return { folder, manifest, parts: rangesIn(manifest) };
}

/**
 * Plays a share of the ranges of a run: `shard` of as many as there are. It takes no lock: any number of processes may
 * play into one folder, or each into one of its own, which `mergeRun` puts together.
 * @throws InputError if an option is out of range, the folder does not fit, or the run has a precision: then nobody knows
 *   beforehand how many ranges it has
 * @throws RunError if battles could not be played, or something cannot be written
 */
export async function simulateShard(
  folder: string,
  scenario: Scenario,
  options: SimulateShardOptions,
): Promise<RunShardResult> {
  checkShard(options);
  const { shard, workers, budget, signal, onProgress, pool, ...asked } = options;
  checkSignal(signal);
  parseCount(shard.of, 'shard.of', 1);
  parseCount(shard.index, 'shard.index', 1, shard.of);
  if (asked.precision !== undefined)
    throw new InputError('precision', 'a number of battles, to play a share of them', String(asked.precision));
  const { manifest, parts } = await prepareRun(folder, scenario, asked);
  const store = new RunStore(folder, manifest);
  await using threads = new Lease(workers);
  const players = pool ?? threads;
  const played = await playRanges(store, rangesOf(store, shard), players, { budget, signal, onProgress });
  return { folder, manifest, parts, shard, ...played };
}
