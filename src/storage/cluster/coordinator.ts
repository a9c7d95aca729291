/** Runs sweeps and runs on the workers of a queue. */
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { createConflictError } from '../../core/index.ts';
import type { RunExecutor } from '../../engines/index.ts';
import { getBoundScenario, type Scenario } from '../../rules/index.ts';
import { hashScenario } from '../../stats/index.ts';
import { type FillResult, fillStore } from '../store/fill-store.ts';
import { SWEEP_FOLDERS } from '../store/manifest.ts';
import {
  type FillFunction,
  runSweepWith,
  type SweepExecutionOptions,
  type SweepMode,
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

/** Default share of results that are repeated as a check. */
const AUDIT_SHARE = 0.02;

export interface CoordinatorOptions {
  readonly link: RedisConnection;
  /** Share of results that are repeated elsewhere as a check, 0..1; default: 0.02. */
  readonly audit?: number | undefined;
  /** Object store for parts of workers that cannot access the folder. */
  readonly bucket?: S3Parts | undefined;
  readonly onNote?: ((text: string) => void) | undefined;
}

export interface QueueRunOptions extends CoordinatorOptions {
  /** Threads of this process, which decide between differing results. */
  readonly workers?: number | string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Summary of a coordinator. */
export interface QueueOutcome {
  /** Workers that were set aside. */
  readonly quarantined: readonly string[];
  /** True if the work was canceled at the server. */
  readonly cancelled: boolean;
}

/** Requested work, and a name that identifies it: it finds jobs of an earlier coordinator of the same work. */
interface WorkSubject {
  readonly kind: 'sweep' | 'run';
  readonly scenario: Scenario;
  readonly name: string;
  readonly work: readonly string[];
}

/** Opens a dispatcher for `act`. */
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

/** Resumes an unfinished sweep by default: with a queue, the same command starts and continues it. */
async function chooseMode(folder: string, sweep: Sweep, mode: SweepMode): Promise<SweepMode> {
  if (mode === 'extend' || mode === 'recompute')
    throw createConflictError('--queue', `--${mode}, which needs earlier results that workers do not have`);
  if (mode === 'resume') return mode;
  const there = await SWEEP_FOLDERS.find(folder, getBoundScenario(sweep.spec.scenario).registry);
  return there !== undefined && !there.complete ? 'resume' : mode;
}

/** Simulates long cells one after the other, each on all workers. */
async function fillLongCells(store: SweepStore, players: RemoteRunExecutor, watch: FillCallbacks): Promise<FillResult> {
  const pool = {
    workers: 1,
    play: players.play.bind(players),
    call: () => Promise.reject(new TypeError('long cells are simulated here')),
    end: () => Promise.resolve(),
  };
  return await fillStore(store, { pool, ...watch });
}

type FillCallbacks = Parameters<FillFunction>[1];

/**
 * Simulates and solves all cells of a sweep into a folder, on the workers of a queue.
 * @throws as `runSweep`, and RunError if jobs fail repeatedly
 */
export async function runSweepOnQueue(
  folder: string,
  sweep: Sweep,
  { mode = 'new', workers, signal, onProgress }: SweepExecutionOptions & { readonly mode?: SweepMode | undefined },
  { link, audit, bucket, onNote }: CoordinatorOptions,
): Promise<SweepResult & QueueOutcome> {
  let requested: QueueOutcome = { quarantined: [], cancelled: false };
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
    requested = ended;
    return result;
  };
  const result = await runSweepWith(
    folder,
    sweep,
    { mode: await chooseMode(folder, sweep, mode), signal, onProgress },
    fill,
  );
  return { ...result, ...requested };
}

/**
 * Runs the battles of `act` on workers: `runOnQueue(scenario, options, (pool) => simulate(scenario, { pool }))`.
 * @throws errors of `act`
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
