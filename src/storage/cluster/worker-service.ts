/** Worker: takes jobs of a queue until it is stopped, and runs them on the threads of this machine. */

import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { BudgetError, InputError, RulesError, RunError } from '../../core/index.ts';
import { chooseEngine, type PreparedRun, type ThreadPool } from '../../engines/index.ts';
import type { SystemRegistry } from '../../rules/index.ts';
import { createFreshJob, type SegmentResult } from '../store/segment.ts';
import { type FilledSegment, removeContent, type SweepStore } from '../store/sweep-store.ts';
import { computeBuildId, createBuilds, type WorkerBuild } from './build.ts';
import {
  type BattlesJob,
  type BattlesResult,
  type CellsJob,
  type CellsResult,
  type ClusterJob,
  type ClusterResult,
  type DeliveredSegment,
  getOrCreate,
  jobSchema,
  PlanCache,
  PlanError,
} from './job.ts';
import { PartConflictError, type PartStorage, QueueParts } from './part-storage.ts';
import { awaitBriefly, HEARTBEAT_MS, type RedisConnection, waitForAbort } from './redis-connection.ts';
import type { SharedStore } from './shared-store.ts';
import {
  buildQueueName,
  readQuarantine,
  removeRecord,
  type WorkerRecord,
  workerQueueName,
  writeHeartbeat,
} from './worker-registry.ts';

/** Runs jobs. */
export interface JobHandler {
  perform(job: ClusterJob): Promise<ClusterResult>;
}

/** Limits of a batch of delivered segments: their number, and about their total bytes. */
const DELIVERY_BATCH = { segments: 16, bytes: 2 ** 20 };

function isFullBatch(segments: readonly FilledSegment[]): boolean {
  const bytes = segments.flatMap(({ parts }) => parts).reduce((sum, part) => sum + part.bytes, 0);
  return segments.length >= DELIVERY_BATCH.segments || bytes >= DELIVERY_BATCH.bytes;
}

export interface LocalJobHandlerOptions {
  readonly redis: Redis;
  readonly registry: SystemRegistry;
  readonly pool: Pick<ThreadPool, 'call' | 'play'>;
  /** The name of the worker. */
  readonly worker: string;
  /** Empty folder that only this worker uses. */
  readonly scratch: string;
  /** Store that the coordinator can access too, for the parts of its sweep. */
  readonly store?: SharedStore | undefined;
}

export class LocalJobHandler implements JobHandler {
  readonly #options: LocalJobHandlerOptions;
  readonly #plans: PlanCache;
  readonly #prepared = new Map<string, Promise<PreparedRun>>();
  /** Plans whose sweep belongs to the shared store. */
  readonly #shared = new Set<string>();

  constructor(options: LocalJobHandlerOptions) {
    this.#options = options;
    this.#plans = new PlanCache(options.redis, options.registry, options.scratch);
  }

  async perform(job: ClusterJob): Promise<ClusterResult> {
    try {
      return await (job.kind === 'cells' ? this.#runCells(job) : this.#runBattles(job));
    } catch (error) {
      // Errors of the scenario are results; all others are due to this machine, and the job may succeed on another one.
      const blamed = [InputError, BudgetError, RulesError].some((known) => error instanceof known);
      if (!blamed) throw error;
      return { kind: 'refused', worker: this.#options.worker, fault: String(error) };
    }
  }

  async #runCells({ plan, segments, deliver }: CellsJob): Promise<CellsResult> {
    const store = await this.#plans.store(plan);
    const began = performance.now();
    const { worker } = this.#options;
    const done: DeliveredSegment[] = [];
    let [some, fault]: [FilledSegment[], string | undefined] = [[], undefined];
    let before = Promise.resolve();
    for (const segment of segments) {
      const played = await this.#play(store, segment);
      if (typeof played === 'string') {
        fault = played.slice(0, 10_000);
        break;
      }
      some.push(played);
      if (!isFullBatch(some)) continue;
      // Delivers the parts of earlier segments while the thread computes the next ones.
      await before;
      before = this.#deliverParts(store, plan, some, deliver, done);
      before.catch(() => undefined);
      some = [];
    }
    await before;
    await this.#deliverParts(store, plan, some, deliver, done);
    const ms = performance.now() - began;
    return { kind: 'cells', worker, ms, segments: done, ...(fault !== undefined && { fault }) };
  }

  /** Fills a segment, or returns why it cannot be filled. */
  async #play(store: SweepStore, segment: number): Promise<FilledSegment | string> {
    const result = await this.#options.pool.call<SegmentResult>('cells', createFreshJob(store, segment));
    if (!result.ok) {
      // The machine is at fault, not a cell: the job may succeed on another one.
      if (result.fault === 'run' && result.point === undefined) throw new RunError(result.message);
      return result.message;
    }
    if (result.filled === undefined) throw new RunError(`segment ${String(segment)} was not finished`);
    return result.filled;
  }

  /** Delivers the parts of segments. @param done receives the reports */
  async #deliverParts(
    store: SweepStore,
    plan: string,
    segments: readonly FilledSegment[],
    deliver: CellsJob['deliver'],
    done: DeliveredSegment[],
  ): Promise<void> {
    const { parts: to, at } = await this.#place(store, plan, deliver);
    const failures = (await to?.putAll(segments.map(({ parts }) => parts))) ?? new Map<string, unknown>();
    for (const error of failures.values()) if (!(error instanceof PartConflictError)) throw error;
    for (const { facts, parts } of segments) {
      const conflict = parts.some(({ file }) => failures.has(file));
      done.push({ segment: facts.segment, parts: parts.map(removeContent), at, conflict });
    }
  }

  /** Returns the destination of the parts of a sweep. */
  async #place(
    store: SweepStore,
    plan: string,
    deliver: CellsJob['deliver'],
  ): Promise<{ readonly parts?: PartStorage; readonly at: DeliveredSegment['at'] }> {
    if (deliver === 'nowhere') return { at: 'nowhere' };
    const shared = deliver === 'any' ? await this.#openSharedStore(store, plan) : undefined;
    return shared ?? { parts: new QueueParts(this.#options.redis, plan), at: 'queue' };
  }

  /** Returns the shared store, if it belongs to this sweep. */
  async #openSharedStore({ manifest }: SweepStore, plan: string): Promise<SharedStore | undefined> {
    const { store } = this.#options;
    if (store === undefined) return undefined;
    if (!this.#shared.has(plan)) {
      const there = await store.manifest().catch(() => undefined);
      if (there?.sweepHash !== manifest.sweepHash) return undefined;
      this.#shared.add(plan);
    }
    return store;
  }

  async #runBattles({ plan, engine, seed, budget, of, from, to }: BattlesJob): Promise<BattlesResult> {
    const scenario = await this.#plans.scenario(plan);
    const run = { engine, scenario, seed: BigInt(seed), from, to, budget };
    const name = JSON.stringify([plan, engine, seed, budget, of]);
    const prepared = await getOrCreate(this.#prepared, name, () => chooseEngine({ ...run, from: 0, to: of }));
    const { counts, player, seconds, workers } = await this.#options.pool.play(run, { prepared });
    const metrics = counts.metrics.map(({ low, width, counts }) => ({ low, width, counts: Array.from(counts) }));
    const ms = 1000 * seconds * Math.max(1, workers);
    const { worker } = this.#options;
    return { kind: 'battles', worker, ms, player, outcomes: Array.from(counts.outcomes), metrics };
  }
}

/** Milliseconds for current jobs after a stop: schedulers kill a process 30 s after SIGTERM. */
const DRAIN_MS = 20_000;

/** Jobs in succession that may fail because of this machine, for example a full disk, before the worker stops. */
const FAILURES_MAX = 3;

export function createWorkerName(): string {
  const host = hostname()
    .replaceAll(/[^A-Za-z0-9]/g, '_')
    .slice(0, 40);
  return `${host || 'unnamed'}-${String(process.pid)}-${randomBytes(4).toString('hex')}`;
}

export interface WorkerServiceOptions {
  readonly link: RedisConnection;
  readonly registry: SystemRegistry;
  readonly performer: JobHandler;
  readonly worker: string;
  readonly threads: number;
  /** True if the worker writes parts into a shared store. */
  readonly store: boolean;
  readonly signal: AbortSignal;
  /** Stops after this number of seconds without a job. */
  readonly idle?: number | undefined;
  readonly onNote?: ((text: string) => void) | undefined;
}

export interface WorkerSummary {
  readonly jobs: number;
  readonly failed: number;
  /** Seconds that threads have worked. */
  readonly busy: number;
}

class WorkerService {
  readonly #options: WorkerServiceOptions;
  readonly #facts: { -readonly [K in keyof WorkerRecord]: WorkerRecord[K] };
  readonly #end = new AbortController();
  /** Reason of the end, unless it was a signal or idleness. */
  #failure: Error | undefined;
  #row = 0;
  #under = 0;
  #last = performance.now();

  constructor(options: WorkerServiceOptions, builds: WorkerBuild[]) {
    this.#options = options;
    const { worker: id, threads, store } = options;
    const base = { id, host: hostname(), pid: process.pid, threads, store, builds };
    this.#facts = { ...base, since: Date.now(), jobs: 0, failed: 0, busy: 0 };
  }

  async run(): Promise<WorkerSummary> {
    const { link, worker, threads, signal } = this.#options;
    const names = [
      ...this.#facts.builds.map((build) => buildQueueName(computeBuildId(build))),
      workerQueueName(worker),
    ];
    await link.unlessRejected(writeHeartbeat(link.redis, 'worker', this.#facts));
    const takers = names.map((name) => link.worker(name, worker, threads, (data) => this.#perform(data)));
    const closed = new AbortController();
    const watching = Promise.all([link.runHeartbeat(() => this.#look(), closed.signal), this.#wait(closed.signal)]);
    await waitForAbort(AbortSignal.any([signal, this.#end.signal, link.rejected]));
    await Promise.race([awaitBriefly(Promise.all(takers.map((taker) => taker.close())), DRAIN_MS), link.waitForLoss()]);
    closed.abort();
    await watching;
    if (link.isAnswering) {
      await awaitBriefly(removeRecord(link.redis, 'worker', worker));
      await awaitBriefly(link.queue(workerQueueName(worker)).obliterate({ force: true }));
    }
    link.rejected.throwIfAborted();
    if (this.#failure !== undefined) throw this.#failure;
    const { jobs, failed, busy } = this.#facts;
    return { jobs, failed, busy: busy / 1000 };
  }

  /** Writes a heartbeat, and stops if a coordinator has excluded the worker. Waits while the server is away. */
  async #look(): Promise<void> {
    const { link, worker } = this.#options;
    await writeHeartbeat(link.redis, 'worker', this.#facts);
    const why = await readQuarantine(link.redis, worker);
    if (why !== null) this.#stop(new RunError(`excluded by a coordinator: ${why}`));
  }

  /** Stops after being idle for too long. */
  async #wait(closed: AbortSignal): Promise<void> {
    const { idle = Number.POSITIVE_INFINITY } = this.#options;
    while (!closed.aborted) {
      await pause(HEARTBEAT_MS, undefined, { signal: closed }).catch(() => undefined);
      if (this.#under === 0 && performance.now() - this.#last > 1000 * idle) this.#stop();
    }
  }

  #stop(failure?: Error): void {
    this.#failure ??= failure;
    this.#end.abort();
  }

  async #perform(data: unknown): Promise<unknown> {
    const { success, data: job } = jobSchema.safeParse(data);
    if (!success) throw new RunError('this is not a job of warpool');
    this.#under++;
    try {
      const result = await this.#options.performer.perform(job);
      this.#facts.jobs++;
      this.#row = 0;
      if (result.kind !== 'refused') this.#facts.busy += result.ms;
      return result;
    } catch (error) {
      this.#handleFailure(error);
      throw error;
    } finally {
      this.#under--;
      this.#last = performance.now();
    }
  }

  #handleFailure(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    this.#facts.failed++;
    // Once the server has rejected this worker, its threads end and the job with them.
    if (this.#options.link.rejected.aborted) return;
    this.#options.onNote?.(`a job failed: ${text}`);
    if (error instanceof PlanError) return;
    if (++this.#row >= FAILURES_MAX)
      this.#stop(new RunError(`${String(FAILURES_MAX)} jobs failed in succession; the last: ${text}`));
  }
}

/**
 * Runs jobs until the signal aborts, the worker is idle for too long, or it is excluded; current jobs are finished
 * first.
 * @throws RunError if it was excluded, or several jobs in succession failed because of this machine
 */
export async function runWorkerService(options: WorkerServiceOptions): Promise<WorkerSummary> {
  return await new WorkerService(options, await createBuilds(options.registry)).run();
}
