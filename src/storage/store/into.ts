/** Plays one run, however long, or a share of its ranges, into a folder: what is there is read, what is not is played. */

import {
  BUDGET,
  EXECUTION,
  type ExecutionOptions,
  pickExecutionOptions,
  pickRunSpec,
  RUN,
  type SimulationResult,
  simulate,
} from '../../analysis/index.ts';
import { createOptionsCheck, InputError } from '../../core/index.ts';
import { checkStart, ThreadLease } from '../../engines/index.ts';
import { getBoundScenario, type Scenario } from '../../rules/index.ts';
import { resolveOptions, word } from '../../rules/option-spec.ts';
import { getBattleCount } from '../../stats/index.ts';
import { type BeginMode, beginFolder, lockFolder, makeFolder } from '../folder/begin-folder.ts';
import { checkStorable } from '../folder/manifest.ts';
import { checkShard, isInShard, type Shard } from '../folder/shard.ts';
import { cutAt, type PrepareRunOptions, type Range, rangesIn, runSpec } from '../sweep/ranges.ts';
import { openSweep } from '../sweep/sweep.ts';
import { createStoreManifest, type StoreManifest, SWEEP_FOLDERS } from './manifest.ts';
import { RunStore, StoredPlayers } from './run.ts';
import { createSweepStore } from './sweep-store.ts';

/** What is kept, and how it is played: the options of `simulate`. */
export interface KeptOptions extends PrepareRunOptions, ExecutionOptions {}

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
const KEPT = { ...CUT, ...EXECUTION } as const;

const checkInto = createOptionsCheck<SimulateIntoOptions>('simulateInto', {
  ...KEPT,
  mode: word('what a folder may hold', ['new', 'resume']),
});
const checkPrepare = createOptionsCheck<PrepareRunOptions>('prepareRun', CUT);
const checkSharding = createOptionsCheck<SimulateShardOptions>('simulateShard', {
  ...KEPT,
  shard: { required: true, check: checkShard },
});

/** A run in a folder: battles from..to-1, with a precision at most. */
export interface KeptRun extends Range {
  readonly folder: string;
  readonly manifest: StoreManifest;
  /** Parts of its counts; with a precision, so far. */
  readonly parts: number;
  /** Of the whole, once it is complete. */
  readonly digest: string | undefined;
}

/** A run in a folder, with what came of it. */
export interface KeptResult extends KeptRun {
  /** What `simulate` gives; its time is that of the battles that were not there. */
  readonly result: SimulationResult;
  /** Battles that were there before. */
  readonly battlesBefore: number;
}

/** What came of a share of a run. */
export interface RunShardResult extends KeptRun {
  readonly shard: Shard;
  /** Ranges of the share that are there, and those that were before. */
  readonly done: number;
  readonly doneBefore: number;
  readonly ranges: number;
  /** False if a signal came before all of them were. */
  readonly complete: boolean;
  /** Battles that were played, and the time that took. */
  readonly battles: number;
  readonly seconds: number;
}

/** What a folder is to hold of a run: one that does not say how it is cut is cut as it is there. */
function dueOf(
  scenario: Scenario,
  { rangeSize, ...options }: PrepareRunOptions,
): (there?: StoreManifest) => StoreManifest {
  checkStorable(scenario, 'the');
  const cut = (size: number | undefined): StoreManifest =>
    createStoreManifest(openSweep(runSpec(scenario, { ...pickRunSpec(options), rangeSize: size }), 'run'));
  const due = cut(rangeSize);
  return (there) => (rangeSize === undefined && there !== undefined ? cut(there.sweep.rangeSize) : due);
}

async function beginRun(folder: string, due: ReturnType<typeof dueOf>, begin: BeginMode): Promise<RunStore> {
  const { registry } = getBoundScenario(due().sweep.scenario);
  return new RunStore(
    await createSweepStore({ folder, manifest: await beginFolder(SWEEP_FOLDERS, folder, due, begin, registry) }),
  );
}

/** The same, of any number of processes. */
async function prepared(folder: string, scenario: Scenario, options: PrepareRunOptions): Promise<RunStore> {
  const due = dueOf(scenario, options);
  await makeFolder(folder);
  return await beginRun(folder, due, 'either');
}

async function keptRun({ store, run }: RunStore): Promise<KeptRun> {
  const { folder, manifest } = store;
  const table = manifest.complete ? store.tables.get(0) : undefined;
  const [row] = table === undefined ? [] : await store.rows(table, 0);
  return { folder, manifest, from: run.from, to: run.to, parts: rangesIn(run), digest: row?.digest ?? undefined };
}

/**
 * Plays a run into a folder, range by range: the counts of each are a file. Killed at any point, it has lost at most the
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
  const { mode = 'new' } = options;
  const execution = pickExecutionOptions(options);
  checkStart(execution.signal);
  const due = dueOf(scenario, options);
  await makeFolder(folder);
  await using lock = await lockFolder(SWEEP_FOLDERS, folder);
  const store = await beginRun(folder, due, mode);
  await using threads = new ThreadLease(execution.workers);
  const players = new StoredPlayers(store, execution.pool ?? threads);
  const signal = lock.withLoss(execution.signal);
  const result = await simulate(scenario, { ...pickRunSpec(options), ...execution, signal, pool: players });
  await lock.check();
  const { before, parts } = players;
  const { manifest: there } = store.store;
  const manifest = result.complete && !there.complete ? await store.finish(result, lock) : there;
  const { from, to } = store.run;
  return {
    folder,
    manifest,
    from,
    to,
    digest: manifest.complete ? result.digest : undefined,
    result,
    battlesBefore: before,
    parts,
  };
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
  return await keptRun(await prepared(folder, scenario, options));
}

/**
 * Plays a share of the ranges of a run: `shard` of as many as there are. It takes no lock: any number of processes may
 * play into one folder, or each into one of its own, which `mergeStores` puts together.
 * @throws InputError if an option is out of range, the folder does not fit, or the run has a precision: then nobody knows
 *   beforehand how many ranges it has
 * @throws RunError if battles could not be played, or something cannot be written
 */
export async function simulateShard(
  folder: string,
  scenario: Scenario,
  options: SimulateShardOptions,
): Promise<RunShardResult> {
  checkSharding(options);
  const { shard, precision, engine = 'kernel' } = options;
  const { pool, ...execution } = pickExecutionOptions(options);
  checkStart(execution.signal);
  const { budget } = resolveOptions({ budget: BUDGET }, execution);
  if (precision !== undefined)
    throw new InputError('precision', 'a number of battles, to play a share of them', String(precision));
  const store = await prepared(folder, scenario, options);
  const { run } = store;
  const due = [...cutAt(run, run)].filter((_, range) => isInShard(shard, range));
  await using threads = new ThreadLease(execution.workers);
  const players = new StoredPlayers(store, pool ?? threads);
  const whole = { engine, scenario, seed: BigInt(store.store.sweep.spec.seed), from: run.from, to: run.to, budget };
  const { tally, complete, seconds } = await players.playRanges(whole, due, execution);
  const { parts: done, read: before } = players;
  const battles = getBattleCount(tally) - players.before;
  return { ...(await keptRun(store)), shard, done, doneBefore: before, ranges: due.length, complete, battles, seconds };
}
