/** Simulates a run, or a share of its ranges, into a folder: reads the counts that the folder has, simulates the others. */

import {
  BUDGET,
  EXECUTION,
  type ExecutionOptions,
  pickExecutionOptions,
  pickRunSpec,
  RUN,
  type SimulateOptions,
  type SimulationResult,
  simulate as simulateBattles,
} from '../../analysis/index.ts';
import { createConflictError, createOptionsCheck, createRequirementError, parseCount } from '../../core/index.ts';
import { checkStart, ThreadLease } from '../../engines/index.ts';
import { getBoundScenario, type Scenario } from '../../rules/index.ts';
import { flag, resolveOptions } from '../../rules/option-spec.ts';
import { getBattleCount, withToJson } from '../../stats/index.ts';
import { type BeginMode, beginFolder, lockFolder, makeFolder, OUT } from '../folder/begin-folder.ts';
import { checkStorable } from '../folder/manifest.ts';
import { checkShard, isInShard, type Shard } from '../folder/shard.ts';
import { countRanges, cutAt, type PrepareRunOptions, type Range, runSpec } from '../sweep/ranges.ts';
import { openSweep } from '../sweep/sweep.ts';
import { createStoreManifest, type StoreManifest, SWEEP_FOLDERS } from './manifest.ts';
import { RunStore, StoredPlayers } from './run.ts';
import { createSweepStore } from './sweep-store.ts';

/** Options of `simulate` with a folder for the counts. */
export interface StoredRunOptions extends PrepareRunOptions, ExecutionOptions {
  /** Folder for the counts, one file per range of battles: new, empty or, with `resume`, one in which the run was begun. */
  readonly out: string;
  /** Resumes the run in the folder; false by default. */
  readonly resume?: boolean | undefined;
}

/** Options of `simulate` for a share of a run. */
export interface ShardRunOptions extends Omit<StoredRunOptions, 'resume'> {
  /** The share: only its ranges of battles are simulated. */
  readonly shard: Shard;
}

const checkOptions = createOptionsCheck<Partial<StoredRunOptions & ShardRunOptions>>('simulate', {
  ...RUN,
  ...EXECUTION,
  rangeSize: { check: (value: number) => parseCount(value, 'rangeSize', 1) },
  out: OUT,
  resume: flag('resume the run that was begun in the folder'),
  shard: { check: checkShard },
});

/** A run in a folder: battles from..to-1, with a precision at most. */
export interface ResumableRun extends Range {
  readonly folder: string;
  readonly manifest: StoreManifest;
  /** Files of counts; with a precision, those written so far. */
  readonly parts: number;
  /** Digest of the complete run; undefined until then. */
  readonly digest: string | undefined;
}

/** Result of a run with a folder. `elapsedSeconds` is the time of the battles that this call simulated. */
export interface StoredSimulationResult extends SimulationResult {
  /** The folder; `battlesBefore` is the number of battles that it had before the call. */
  readonly store: ResumableRun & { readonly battlesBefore: number };
}

/** Result of a share of a run. */
export interface RunShardResult extends ResumableRun {
  readonly shard: Shard;
  /** Ranges of the share that the folder has now, had before the call, and that the share consists of. */
  readonly done: number;
  readonly doneBefore: number;
  readonly ranges: number;
  /** False if a signal ended the call early. */
  readonly complete: boolean;
  /** Battles that this call simulated, and their time. */
  readonly battles: number;
  readonly seconds: number;
}

/** Returns the expected manifest of a folder; without `rangeSize` the ranges are those that the folder has. */
function createExpectedRun(
  scenario: Scenario,
  { rangeSize, ...options }: PrepareRunOptions,
): (there?: StoreManifest) => StoreManifest {
  checkStorable(scenario, 'the');
  const cut = (size: number | undefined): StoreManifest =>
    createStoreManifest(openSweep(runSpec(scenario, { ...pickRunSpec(options), rangeSize: size }), 'run'));
  const due = cut(rangeSize);
  return (there) => (rangeSize === undefined && there !== undefined ? cut(there.sweep.rangeSize) : due);
}

async function beginRun(
  folder: string,
  due: ReturnType<typeof createExpectedRun>,
  begin: BeginMode,
): Promise<RunStore> {
  const { registry } = getBoundScenario(due().sweep.scenario);
  return new RunStore(
    await createSweepStore({ folder, manifest: await beginFolder(SWEEP_FOLDERS, folder, due, begin, registry) }),
  );
}

/** Opens the folder of a run for any number of processes, and creates it if it is not there. */
async function openRun(folder: string, scenario: Scenario, options: PrepareRunOptions): Promise<RunStore> {
  const due = createExpectedRun(scenario, options);
  await makeFolder(folder);
  return await beginRun(folder, due, 'either');
}

async function describeRun({ store, run }: RunStore): Promise<ResumableRun> {
  const { folder, manifest } = store;
  const table = manifest.complete ? store.tables.get(0) : undefined;
  const [row] = table === undefined ? [] : await store.rows(table, 0);
  return { folder, manifest, from: run.from, to: run.to, parts: countRanges(run), digest: row?.digest ?? undefined };
}

/** Creates the folder of a run that several processes will simulate, or leaves one as it is. */
export async function createRunStore(
  scenario: Scenario,
  folder: string,
  options: PrepareRunOptions,
): Promise<ResumableRun> {
  return await describeRun(await openRun(folder, scenario, options));
}

async function simulateRun(scenario: Scenario, options: StoredRunOptions): Promise<StoredSimulationResult> {
  const { out: folder, resume = false, ...run } = options;
  const execution = pickExecutionOptions(run);
  checkStart(execution.signal);
  const due = createExpectedRun(scenario, run);
  await makeFolder(folder);
  await using lock = await lockFolder(SWEEP_FOLDERS, folder);
  const store = await beginRun(folder, due, resume ? 'resume' : 'new');
  await using threads = new ThreadLease(execution.workers);
  const players = new StoredPlayers(store, execution.pool ?? threads);
  const signal = lock.withLoss(execution.signal);
  const result = await simulateBattles(scenario, { ...pickRunSpec(run), ...execution, signal, pool: players });
  await lock.check();
  const { before: battlesBefore, parts } = players;
  const { manifest: there } = store.store;
  const manifest = result.complete && !there.complete ? await store.finish(result, lock) : there;
  const { from, to } = store.run;
  const digest = manifest.complete ? result.digest : undefined;
  const stored = { ...result, store: { folder, manifest, from, to, digest, battlesBefore, parts } };
  return withToJson(stored, () => result.toJSON());
}

async function simulateShard(scenario: Scenario, options: ShardRunOptions): Promise<RunShardResult> {
  const { out: folder, shard, precision, engine = 'kernel' } = options;
  const { pool, ...execution } = pickExecutionOptions(options);
  checkStart(execution.signal);
  const { budget } = resolveOptions({ budget: BUDGET }, execution);
  if (precision !== undefined)
    throw createConflictError('precision', 'shard: the number of ranges must be known before the first battle');
  const store = await openRun(folder, scenario, options);
  const { run } = store;
  const due = [...cutAt(run, run)].filter((_, range) => isInShard(shard, range));
  await using threads = new ThreadLease(execution.workers);
  const players = new StoredPlayers(store, pool ?? threads);
  const whole = { engine, scenario, seed: BigInt(store.store.sweep.spec.seed), from: run.from, to: run.to, budget };
  const { counts, complete, seconds } = await players.playRanges(whole, due, execution);
  const { parts: done, read: before } = players;
  const battles = getBattleCount(counts) - players.before;
  return {
    ...(await describeRun(store)),
    shard,
    done,
    doneBefore: before,
    ranges: due.length,
    complete,
    battles,
    seconds,
  };
}

const NEEDS_FOLDER = ['resume', 'shard', 'rangeSize'] as const;

/**
 * Simulates battles `from`..`from + battles - 1` of run `seed`. The result depends only on scenario, seed and range: threads,
 * engine and machine change only the time. Concurrent calls share the threads of the process.
 *
 * With `out`, the counts of each range of battles are a file in a folder. A process that is killed loses at most the current
 * range, and `resume` continues. The result equals that without a folder, digest included. With `shard`, only the ranges of
 * the share are simulated, without a lock: any number of processes may fill one folder, or each its own, which `mergeStores`
 * joins.
 * @param scenario from `loadScenario`, `parseScenario` or `validateScenario`
 * @throws InputError if an option is out of range, the folder does not fit or is in use, a stored run has a system that was
 *   given as a value, or a shard has a precision
 * @throws BudgetError if the engine is `sampled` or `automaton`, and the scenario is too large for it
 * @throws RunError if battles cannot be simulated, a part is damaged, or a file cannot be written
 * @throws AbortError if the signal aborts before the first battles are finished
 */
export function simulate(scenario: Scenario, options: ShardRunOptions): Promise<RunShardResult>;
export function simulate(scenario: Scenario, options: StoredRunOptions): Promise<StoredSimulationResult>;
export function simulate(scenario: Scenario, options?: SimulateOptions): Promise<SimulationResult>;
export async function simulate(
  scenario: Scenario,
  options: SimulateOptions | StoredRunOptions | ShardRunOptions = {},
): Promise<SimulationResult | RunShardResult> {
  const all: Partial<StoredRunOptions & ShardRunOptions> = options;
  checkOptions(all);
  const { out, resume, shard } = all;
  if (out === undefined) {
    const needing = NEEDS_FOLDER.find((name) => all[name] !== undefined);
    if (needing !== undefined) throw createRequirementError(needing, 'out');
    return await simulateBattles(scenario, { ...pickRunSpec(options), ...pickExecutionOptions(options) });
  }
  if (shard === undefined) return await simulateRun(scenario, { ...all, out });
  if (resume !== undefined) throw createConflictError('resume', 'shard, which always resumes');
  return await simulateShard(scenario, { ...all, out, shard });
}
