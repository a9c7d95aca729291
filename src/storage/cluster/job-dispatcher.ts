/**
 * Dispatcher of a coordinator: sends jobs and receives results.
 *
 * The queue is not the source of truth: jobs that the server has lost are sent again, jobs of an earlier coordinator of
 * the same work are removed, and a result counts only here.
 */

import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Queue, QueueEvents } from 'bullmq';
import type { z } from 'zod';
import { asyncDispose, RunError } from '../../core/index.ts';
import { computeBuildId, listBuildDifferences, type WorkerBuild } from './build.ts';
import { type ClusterJob, type ClusterResult, hashPlan, putPlan, resultSchema, workerName } from './job.ts';
import { awaitBriefly, type RedisConnection } from './redis-connection.ts';
import {
  buildQueueName,
  type CoordinatorRecord,
  isCancelled,
  listWorkers,
  removeRecord,
  type WorkerRecord,
  workerQueueName,
  writeHeartbeat,
} from './worker-registry.ts';

/** Milliseconds before the first notice, and between notices. */
const FIRST_NOTICE_MS = 6000;
const NOTICE_INTERVAL_MS = 60_000;

export class MissingWorkersNotice {
  readonly #where: string;
  readonly #build: WorkerBuild;
  readonly #onNote: ((text: string) => void) | undefined;
  #seen = performance.now();
  #reported = Number.NEGATIVE_INFINITY;

  constructor(where: string, build: WorkerBuild, onNote: ((text: string) => void) | undefined) {
    this.#where = where;
    this.#build = build;
    this.#onNote = onNote;
  }

  /**
   * @param someone true if a worker of this build is connected
   * @param all workers of any build
   */
  update(someone: boolean, all: readonly WorkerRecord[], now: number = performance.now()): void {
    if (someone) this.#seen = now;
    if (now - this.#seen < FIRST_NOTICE_MS || now - this.#reported < NOTICE_INTERVAL_MS) return;
    this.#reported = now;
    this.#onNote?.(`no worker of this build is connected to ${this.#where}; start workers with "warpool worker"`);
    for (const { id, builds } of all) {
      const nearest =
        builds.map((each) => listBuildDifferences(this.#build, each)).sort((a, b) => a.length - b.length)[0] ?? [];
      this.#onNote?.(`worker ${id} has another build (${nearest.join('; ')}); its results might differ`);
    }
  }
}

/** Attempts of a job that fails because of machines. */
const TRIES_MAX = 5;

/** Jobs in flight: for each thread one that runs and two that wait, and a minimum before any worker is connected. */
const JOBS_IN_FLIGHT = { perThread: 3, least: 4 };

/** Milliseconds for current jobs after a stop: schedulers kill a process 30 s after SIGTERM. */
const DRAIN_MS = 20_000;

/** Milliseconds for taking back jobs and unregistering the coordinator. */
const LEAVE_MS = 2000;

interface PendingJob {
  readonly job: ClusterJob;
  /** The only worker that may run it. */
  readonly only: string | undefined;
  readonly resolve: (result: ClusterResult | undefined) => void;
  readonly reject: (error: unknown) => void;
  tries: number;
  /** True once the server has confirmed it. */
  sent: boolean;
}

/** State of a job on the server. */
type JobRecord =
  | {
      readonly finishedOn?: number | undefined;
      readonly failedReason?: string | undefined;
      readonly processedBy?: string | undefined;
      readonly returnvalue: unknown;
    }
  | undefined;

/** Name of a worker that the server does not know. */
const UNNAMED = 'unnamed';

/** Describes the first problem of a result, without its content. */
function describeProblem({ issues: [issue] }: z.ZodError): string {
  return `${issue?.path.join('.') || 'result'}: ${issue?.message ?? 'not JSON'}`;
}

export interface JobDispatcherOptions {
  readonly link: RedisConnection;
  readonly build: WorkerBuild;
  readonly kind: 'sweep' | 'run';
  /** Shown in messages. */
  readonly name: string;
  /** Hash that all coordinators of the same work share, used in names. */
  readonly work: string;
  readonly signal?: AbortSignal | undefined;
  readonly onNote?: ((text: string) => void) | undefined;
}

export class JobDispatcher implements AsyncDisposable {
  readonly #options: JobDispatcherOptions;
  readonly #queue: Queue;
  readonly #events: QueueEvents;
  readonly #others = new Map<string, Queue>();
  readonly #pending = new Map<string, PendingJob>();
  readonly #plans = new Map<string, string>();
  readonly #facts: { -readonly [K in keyof CoordinatorRecord]: CoordinatorRecord[K] };
  readonly #closed = new AbortController();
  readonly #stop = new AbortController();
  #workers: WorkerRecord[] = [];
  #count = 0;
  #watching: Promise<void> = Promise.resolve();
  readonly #lonely: MissingWorkersNotice;
  #draining: Promise<void> | undefined;
  /** True if the work was canceled at the server. */
  cancelled = false;

  private constructor(options: JobDispatcherOptions) {
    this.#options = options;
    this.#lonely = new MissingWorkersNotice(options.link.serverName, options.build, options.onNote);
    const { link, build, kind, name, work } = options;
    const queue = buildQueueName(computeBuildId(build));
    this.#queue = link.queue(queue);
    this.#events = link.events(queue);
    const id = `${work.slice(0, 12)}-${randomBytes(4).toString('hex')}`;
    const base = { id, kind, name: name.slice(0, 200), host: hostname(), pid: process.pid, queue };
    this.#facts = { ...base, since: Date.now(), done: 0, again: 0 };
  }

  /** Opens a dispatcher, and removes jobs of an earlier one of the same work. */
  static async open(options: JobDispatcherOptions): Promise<JobDispatcher> {
    const desk = new JobDispatcher(options);
    await desk.#events.waitUntilReady();
    desk.#events.on('completed', ({ jobId, returnvalue }) => {
      desk.#handleResult(jobId, returnvalue);
    });
    desk.#events.on('failed', ({ jobId, failedReason }) => {
      desk.#handleFailure(jobId, failedReason);
    });
    await desk.#tidy();
    await desk.#look();
    desk.#watching = options.link.runHeartbeat(() => desk.#look(), desk.#closed.signal);
    const stop = (): void => void desk.drain();
    if (options.signal?.aborted === true) stop();
    options.signal?.addEventListener('abort', stop);
    options.link.rejected.addEventListener('abort', desk.#lose);
    return desk;
  }

  /** True once no more jobs are sent. */
  get stopped(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Connected workers of this build. */
  get workers(): readonly WorkerRecord[] {
    return this.#workers;
  }

  get threads(): number {
    return this.#workers.reduce((sum, { threads }) => sum + threads, 0);
  }

  /** Target number of jobs in flight. */
  get capacity(): number {
    return Math.max(JOBS_IN_FLIGHT.least, JOBS_IN_FLIGHT.perThread * this.threads);
  }

  /** Writes a plan to the server and renews it. @returns its hash */
  async plan(text: string): Promise<string> {
    const hash = hashPlan(text);
    if (!this.#plans.has(hash)) await putPlan(this.#options.link.redis, text);
    this.#plans.set(hash, text);
    return hash;
  }

  /** Releases a plan that is no longer needed. */
  forget(hash: string): void {
    this.#plans.delete(hash);
  }

  /**
   * Submits a job.
   * @param only the worker that must run it
   * @returns undefined if it was abandoned: because of a stop, or because that worker is gone
   * @throws RunError if it has failed too often
   */
  async submit(job: ClusterJob, only?: string): Promise<ClusterResult | undefined> {
    if (this.stopped) return undefined;
    return await new Promise((resolve, reject) => {
      this.#send({ job, only, resolve, reject, tries: 0, sent: false });
    });
  }

  /** Sends no more jobs, takes back waiting ones, and gives running ones some time. */
  drain(): Promise<void> {
    this.#draining ??= this.#drain();
    return this.#draining;
  }

  async [asyncDispose](): Promise<void> {
    const { link } = this.#options;
    link.rejected.removeEventListener('abort', this.#lose);
    for (const id of this.#pending.keys()) this.#end(id)?.resolve(undefined);
    if (link.isAnswering) await awaitBriefly(this.#leave(), LEAVE_MS);
    this.#closed.abort();
    await this.#watching;
  }

  /** The server has rejected this user: results of current jobs cannot arrive. */
  readonly #lose = (): void => {
    this.#stop.abort();
    for (const id of this.#pending.keys()) this.#end(id)?.reject(this.#options.link.rejected.reason);
  };

  async #leave(): Promise<void> {
    await this.#tidy();
    await removeRecord(this.#options.link.redis, 'session', this.#facts.id);
  }

  #queueOf(only: string | undefined): Queue {
    if (only === undefined) return this.#queue;
    const known = this.#others.get(only) ?? this.#options.link.queue(workerQueueName(only));
    this.#others.set(only, known);
    return known;
  }

  #send(pending: PendingJob): void {
    const id = `${this.#facts.id}-${String(this.#count++)}`;
    this.#pending.set(id, pending);
    pending.tries++;
    this.#queueOf(pending.only)
      .add(pending.job.kind, pending.job, { jobId: id })
      .then(() => {
        pending.sent = true;
      })
      .catch((error: unknown) => {
        this.#end(id)?.reject(new RunError(`a job could not be sent: ${String(error)}`, { cause: error }));
      });
  }

  #end(id: string): PendingJob | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }

  #handleResult(id: string, value: unknown): void {
    const pending = this.#end(id);
    if (pending === undefined) return;
    const { success, data, error } = resultSchema.safeParse(value);
    if (success) {
      this.#remove(id, pending);
      this.#facts.done++;
      pending.resolve(data);
    } else void this.#handleMalformed(id, pending, describeProblem(error));
  }

  /** Handles a malformed result: its worker counts as one that rejects its work. */
  async #handleMalformed(id: string, pending: PendingJob, problem: string): Promise<void> {
    const job: JobRecord = await this.#queueOf(pending.only)
      .getJob(id)
      .catch(() => undefined);
    this.#remove(id, pending);
    const name = workerName.safeParse(job?.processedBy);
    const worker = name.success ? name.data : UNNAMED;
    pending.resolve({ kind: 'refused', worker, fault: `malformed answer (${problem})` });
  }

  #remove(id: string, { only }: PendingJob): void {
    this.#queueOf(only)
      .remove(id)
      .catch(() => undefined);
  }

  #handleFailure(id: string, reason: string): void {
    const pending = this.#end(id);
    if (pending === undefined) return;
    this.#remove(id, pending);
    this.#resubmit(pending, reason);
  }

  #resubmit(pending: PendingJob, reason: string): void {
    this.#options.onNote?.(`a job failed and is sent again: ${reason}`);
    this.#facts.again++;
    if (this.stopped || pending.only !== undefined) pending.resolve(undefined);
    else if (pending.tries >= TRIES_MAX)
      pending.reject(new RunError(`a job has failed ${String(TRIES_MAX)} times; the last time: ${reason}`));
    else
      setTimeout(() => {
        if (this.#closed.signal.aborted || this.stopped) pending.resolve(undefined);
        else this.#send({ ...pending, sent: false });
      }, 200 * pending.tries);
  }

  /**
   * Removes jobs of this work that wait or are done, whatever coordinator sent them; running ones end by themselves.
   */
  async #tidy(): Promise<void> {
    const mine = `${this.#facts.id.slice(0, 12)}-`;
    const jobs = await this.#queue.getJobs(['waiting', 'delayed', 'completed', 'failed'], 0, -1);
    const old = jobs.map((job) => (job as { id?: string } | undefined)?.id ?? '').filter((id) => id.startsWith(mine));
    await Promise.all(old.map((id) => this.#queue.remove(id).catch(() => 0)));
  }

  async #look(): Promise<void> {
    const { link, build } = this.#options;
    await writeHeartbeat(link.redis, 'session', this.#facts);
    for (const text of this.#plans.values()) await putPlan(link.redis, text);
    const all = await listWorkers(link.redis);
    this.#workers = all.filter(({ builds }) => builds.some((each) => listBuildDifferences(build, each).length === 0));
    this.#lonely.update(this.#workers.length > 0, all);
    if (await isCancelled(link.redis, this.#facts.id)) {
      this.cancelled = true;
      void this.drain();
    }
    await Promise.all([...this.#pending].map(([id, pending]) => this.#check(id, pending)));
  }

  /** Checks a job without a result, which may have arrived while the server was away. */
  async #check(id: string, pending: PendingJob): Promise<void> {
    if (!pending.sent) return;
    const queue = this.#queueOf(pending.only);
    const job: JobRecord = await queue.getJob(id);
    if (this.#pending.get(id) !== pending) return;
    const isGone = pending.only !== undefined && !this.#workers.some((worker) => worker.id === pending.only);
    if (job?.finishedOn !== undefined && job.failedReason === undefined) this.#handleResult(id, job.returnvalue);
    else if (job?.finishedOn !== undefined) this.#handleFailure(id, job.failedReason ?? '');
    else if (isGone) this.#end(id)?.resolve(undefined);
    else if (job === undefined) {
      this.#end(id);
      this.#resubmit(pending, 'the server no longer has it');
    }
  }

  async #drain(): Promise<void> {
    this.#stop.abort();
    const { link } = this.#options;
    const waiting = [...this.#pending].map(async ([id, { only }]) => {
      const removed = await this.#queueOf(only)
        .remove(id)
        .catch(() => 0);
      if (removed === 1) this.#end(id)?.resolve(undefined);
    });
    if (link.isAnswering) await awaitBriefly(Promise.all(waiting), LEAVE_MS);
    const until = performance.now() + DRAIN_MS;
    while (link.isAnswering && this.#pending.size > 0 && performance.now() < until) await pause(100);
    for (const id of this.#pending.keys()) this.#end(id)?.resolve(undefined);
  }
}
