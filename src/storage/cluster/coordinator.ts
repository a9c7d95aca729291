/** Asks the workers of a queue to play a sweep into a store, or whatever a run asks players for. */
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { InputError } from '../../core/index.ts';
import type { RunExecutor } from '../../engines/index.ts';
import { getBoundScenario, type Scenario } from '../../rules/index.ts';
import { hashScenario } from '../../stats/index.ts';
import { type FillResult, fillStore } from '../store/fill-store.ts';
import { SWEEP_FOLDERS } from '../store/manifest.ts';
import {
  type FillFunction,
  runSweepWith,
  type SweepMode,
  type SweepOptions,
  type SweepResult,
} from '../store/run-sweep.ts';
import type { SweepStore } from '../store/sweep-store.ts';
import { hasSharedCells } from '../sweep/segments.ts';
import { computeSweepHash, type Sweep } from '../sweep/sweep.ts';
import { createBuild } from './build.ts';
import { JobDispatcher } from './job-dispatcher.ts';
import type { RedisConnection } from './redis-connection.ts';
import { fillRemotely } from './remote-fill.ts';
import { RemoteRunExecutor } from './remote-run.ts';
import { type AuditedDispatch, WorkerAudit } from './remote-work.ts';
import type { S3Parts } from './s3-parts.ts';
import { publishManifest } from './shared-store.ts';

/** The share of what comes back that is played again unless said otherwise. */
const AUDIT_SHARE = 0.02;

export interface CoordinatorOptions {
  readonly link: RedisConnection;
  /** The share of what comes back that is played again elsewhere, 0..1; 0.02 unless said otherwise. */
  readonly audit?: number | undefined;
  /** Where workers may put parts that cannot see the folder. */
  readonly bucket?: S3Parts | undefined;
  readonly onNote?: ((text: string) => void) | undefined;
}

export interface QueueRunOptions extends CoordinatorOptions {
  /** Threads of this process, which decide who was right. */
  readonly workers?: number | string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a coordinator has to tell at its end. */
export interface QueueOutcome {
  /** Workers that were set aside. */
  readonly quarantined: readonly string[];
  /** Somebody has cancelled the work at the server. */
  readonly cancelled: boolean;
}

/** What is asked for, and a name that only the same work has: jobs that an earlier coordinator has left are found by it. */
interface WorkSubject {
  readonly kind: 'sweep' | 'run';
  readonly scenario: Scenario;
  readonly name: string;
  readonly work: readonly string[];
}

/** Opens a desk for what `act` has workers do. */
async function runWithDispatcher<T>(
  { kind, scenario, name, work }: WorkSubject,
  { link, audit = AUDIT_SHARE, workers, signal, onNote }: QueueRunOptions,
  act: (players: RemoteRunExecutor, asking: AuditedDispatch) => Promise<T>,
): Promise<{ readonly result: T } & QueueOutcome> {
  const build = await createBuild(scenario.system, getBoundScenario(scenario).registry);
  const hash = createHash('sha256').update(JSON.stringify(work)).digest('hex');
  await using desk = await link.unlessRejected(
    JobDispatcher.open({ link, build, kind, name, work: hash, signal, onNote }),
  );
  const trust = new WorkerAudit(link, audit, onNote);
  const asking = { desk, trust, workers };
  await using players = new RemoteRunExecutor(asking);
  const result = await link.unlessRejected(act(players, asking));
  return { result, quarantined: trust.quarantined, cancelled: desk.cancelled };
}

/** With a queue, the command that began a sweep goes on with it. */
async function chooseMode(folder: string, sweep: Sweep, mode: SweepMode): Promise<SweepMode> {
  if (mode === 'extend' || mode === 'recompute')
    throw new InputError('--queue', `nothing: --${mode} needs earlier results, which workers do not have`, 'both');
  if (mode === 'resume') return mode;
  const there = await SWEEP_FOLDERS.find(folder, getBoundScenario(sweep.spec.scenario).registry);
  return there !== undefined && !there.complete ? 'resume' : mode;
}

/** Long cells are played one after the other, each by all workers. */
async function fillLongCells(store: SweepStore, players: RemoteRunExecutor, watch: FillCallbacks): Promise<FillResult> {
  const pool = {
    workers: 1,
    play: players.play.bind(players),
    call: () => Promise.reject(new TypeError('long cells are played here')),
    end: () => Promise.resolve(),
  };
  return await fillStore(store, { pool, ...watch });
}

type FillCallbacks = Parameters<FillFunction>[1];

/**
 * Plays and solves all cells of a sweep into a folder, by the workers of a queue.
 * @throws as `sweepInto`, and RunError if jobs fail again and again
 */
export async function runSweepOnQueue(
  folder: string,
  sweep: Sweep,
  { mode = 'new', workers, signal, onProgress }: SweepOptions,
  { link, audit, bucket, onNote }: CoordinatorOptions,
): Promise<SweepResult & QueueOutcome> {
  let asked: QueueOutcome = { quarantined: [], cancelled: false };
  const { scenario, name = scenario.name ?? folder } = sweep.spec;
  const work = [hostname(), resolve(folder), computeSweepHash(sweep.spec)];
  const fill = async (store: SweepStore, watch: FillCallbacks): Promise<FillResult> => {
    if (bucket !== undefined) await publishManifest(store, bucket);
    const options = { link, audit, workers, signal: watch.signal, onNote };
    const { result, ...ended } = await runWithDispatcher(
      { kind: 'sweep', scenario, name, work },
      options,
      (players, asking) =>
        hasSharedCells(sweep)
          ? fillLongCells(store, players, watch)
          : fillRemotely(store, { ...watch, ...asking, link, bucket, onNote }),
    );
    asked = ended;
    return result;
  };
  const result = await runSweepWith(
    folder,
    sweep,
    { mode: await chooseMode(folder, sweep, mode), signal, onProgress },
    fill,
  );
  return { ...result, ...asked };
}

/**
 * Has workers play whatever `act` asks players for: `playOn(scenario, asked, (pool) => simulate(scenario, { pool }))`.
 * @throws whatever `act` throws
 */
export async function runOnQueue<T>(
  scenario: Scenario,
  options: QueueRunOptions,
  act: (players: RunExecutor) => Promise<T>,
): Promise<{ readonly result: T } & QueueOutcome> {
  const { name = scenario.system } = scenario;
  const work = [hostname(), String(process.pid), hashScenario(scenario)];
  return await runWithDispatcher({ kind: 'run', scenario, name, work }, options, act);
}
