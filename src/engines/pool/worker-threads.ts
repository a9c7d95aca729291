/** Threads, with the queue of waiting work, and the share of a call in the threads of the process. */

import { pause } from '#platform/pause';
import { countCores, startThreads } from '#platform/threads';
import { asyncDispose, parseCount, RunError, WORKERS_MAX } from '../../core/index.ts';
import type { ThreadGroup, ThreadTask } from '../../core/platform/types.ts';
import { ChunkQueue, isShared } from './chunk-queue.ts';
import { InFlightSet } from './in-flight-set.ts';
import { type Job, type JobResult, openRemoteSimulator, runJob } from './job.ts';
import type { RunRequest, RunRequestOptions, RunResult } from './run.ts';
import { type JobExecutor, Semaphore, scheduleRun, unrefTimer } from './run-scheduler.ts';

/** Waits for a promise; rejects after a number of milliseconds if `late` then returns an error. */
async function withTimeout<T>(ms: number, work: Promise<T>, late: () => RunError | undefined): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const alarm = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = late();
      if (error !== undefined) reject(error);
    }, ms);
  });
  try {
    return await Promise.race([work, alarm]);
  } finally {
    clearTimeout(timer);
  }
}

export interface WorkerThreadsOptions {
  readonly workers: number;
  readonly bootTimeoutMs: number;
  readonly worker?: URL | undefined;
}

/** A group of threads. */
export class WorkerThreads {
  readonly #bootTimeoutMs: number;
  readonly #threads: ThreadGroup;
  /** Limits jobs to the number of threads: a job that does not start at once has no thread. */
  readonly #window: Semaphore;
  /** Reason why an idle thread died. */
  #lastDeath: string | undefined;
  #isBroken = false;

  private constructor({ workers, bootTimeoutMs, worker }: WorkerThreadsOptions) {
    this.#bootTimeoutMs = bootTimeoutMs;
    this.#window = new Semaphore(workers);
    const onDeath = (why: string): void => {
      this.#lastDeath = why;
    };
    this.#threads = startThreads({ workers, bootTimeoutMs, worker, onDeath });
  }

  /**
   * Starts threads and waits until all of them are ready.
   * @throws RunError if one does not start in time
   */
  static async start(options: WorkerThreadsOptions): Promise<WorkerThreads> {
    const staff = new WorkerThreads(options);
    try {
      await staff.#probe(options.workers);
    } catch (error) {
      await staff.destroy();
      throw error instanceof RunError
        ? error
        : new RunError(`a thread did not start: ${String(error)}`, { cause: error });
    }
    return staff;
  }

  get workers(): number {
    return this.#threads.workers;
  }

  /** True if a job did not find a thread: dead threads cannot be replaced. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Increases the number of threads to this number: each starts on demand. */
  grow(workers: number): void {
    this.#window.grow(workers - this.workers);
    this.#threads.grow(workers);
  }

  /**
   * Creates an executor of runs in some or all of the threads.
   * @param end terminates its threads
   */
  createExecutor(workers: number = this.workers, end?: AbortSignal): JobExecutor {
    return {
      workers,
      isContended: () => this.#window.waitingCount > 0,
      perform: (offer) =>
        this.#window.runWithin(async () => {
          const job = offer();
          return job === undefined ? { ok: true } : this.#hand(job, end);
        }),
    };
  }

  /** Runs battles in the threads. */
  play(run: RunRequest, options: RunRequestOptions, workers?: number, end?: AbortSignal): Promise<RunResult> {
    return scheduleRun(run, this.createExecutor(workers, end), options);
  }

  /**
   * Performs another task in one of the threads, with at most one task per thread.
   * @param end terminates the thread of the task
   * @throws RunError if the thread dies
   */
  async call(task: ThreadTask, end?: AbortSignal): Promise<unknown> {
    try {
      return await this.#window.runWithin(() => this.#threads.perform(task, end));
    } catch (error) {
      throw error instanceof RunError ? error : new RunError(`a thread died: ${String(error)}`, { cause: error });
    }
  }

  /** Terminates the threads; pending work is rejected. */
  destroy(): Promise<void> {
    return this.#threads.destroy();
  }

  async #probe(workers: number): Promise<void> {
    const probes = Array.from({ length: workers }, () => this.#batchOf(null));
    await withTimeout(
      this.#bootTimeoutMs,
      Promise.all(probes),
      () => new RunError(`the threads did not start within ${String(this.#bootTimeoutMs)} ms`),
    );
  }

  /** Passes a job to a thread. Detects dead threads that cannot be replaced, for which it would wait forever. */
  async #hand(job: Job, end: AbortSignal | undefined): Promise<JobResult> {
    const ledger = new ChunkQueue(job.plan, job.memory);
    const late = (): RunError | undefined => {
      if (ledger.lastChunkOf(job.number) !== undefined) return undefined;
      this.#isBroken = true;
      const why = this.#lastDeath === undefined ? '' : `; the last one that died: ${this.#lastDeath}`;
      return new RunError(`no thread took a job within ${String(this.#bootTimeoutMs)} ms${why}`);
    };
    try {
      return (await withTimeout(this.#bootTimeoutMs, this.#batchOf(job, end), late)) ?? { ok: true };
    } catch (error) {
      if (error instanceof RunError) throw error;
      return { ok: false, message: String(error) };
    }
  }

  #batchOf(job: Job | null, end?: AbortSignal): Promise<JobResult | null> {
    const threads = this.#threads;
    if (job === null || threads.withThread === undefined || isShared(job.memory))
      return threads.perform({ name: 'batch', task: job }, end) as Promise<JobResult | null>;
    return threads.withThread((perform) =>
      runJob(job, pause, (setup) => openRemoteSimulator((task) => perform(task, end), setup)),
    );
  }
}

/** Time limit for the start of a thread in milliseconds. */
const BOOT_MS = 30_000;

// The threads of the process, for all calls without a pool. They start on demand, up to the largest requested number,
// and end a second after their last use.

/** Milliseconds after the last use until the threads end. */
const IDLE_MS = 1000;

let sharedThreads: Promise<WorkerThreads> | undefined;
/** The same threads, once they are ready. */
let startedThreads: WorkerThreads | undefined;
let userCount = 0;
let idleTimer: NodeJS.Timeout | undefined;

/** Acquires the threads of the process, with at least this number. */
async function acquireThreads(workers: number): Promise<WorkerThreads> {
  const starting = sharedThreads ?? WorkerThreads.start({ workers, bootTimeoutMs: BOOT_MS });
  sharedThreads = starting;
  try {
    const ready = await starting;
    if (ready.isBroken) throw new RunError('the threads of another call died and could not be replaced');
    ready.grow(workers);
    if (sharedThreads === starting) startedThreads = ready;
    return ready;
  } catch (error) {
    // Lets the next call try again.
    if (sharedThreads === starting) endThreads();
    throw error;
  }
}

function endThreads(): void {
  const result = sharedThreads;
  [sharedThreads, startedThreads] = [undefined, undefined];
  // Callers that waited for threads that did not start have received the error.
  result?.then((ready) => ready.destroy()).catch(() => undefined);
}

function addUser(): void {
  userCount++;
  clearTimeout(idleTimer);
}

function removeUser(): void {
  userCount--;
  if (userCount === 0) idleTimer = unrefTimer(setTimeout(endThreads, IDLE_MS));
}

/**
 * Share of a call in the threads of the process. It has the methods of a `ThreadPool`, and does not take threads from
 * the work of others.
 */
export class ThreadLease implements AsyncDisposable {
  /** Maximum number of threads of the call. */
  readonly workers: number;
  readonly #window: Semaphore;
  readonly #work = new InFlightSet();
  readonly #end = new AbortController();
  #staff: Promise<WorkerThreads> | undefined;
  /** Maximum number of threads of tasks. */
  #limit: number;
  /** Number of threads that this call has acquired. */
  #acquired = 0;

  /**
   * Does not start threads.
   * @param workers 1..256; default: the number of cores
   * @param first maximum number of threads of tasks, until `grow`; default: `workers`
   * @throws InputError if it is out of range
   */
  constructor(workers: number | string = countCores(), first = WORKERS_MAX) {
    this.workers = parseCount(workers, 'workers', 1, WORKERS_MAX);
    this.#limit = Math.max(1, Math.min(this.workers, first));
    this.#window = new Semaphore(this.#limit);
  }

  /** Increases the maximum number of threads of tasks to this number. */
  grow(workers: number): void {
    this.#window.grow(workers - this.#limit);
    this.#limit = Math.max(workers, this.#limit);
  }

  /** True if the threads have started. */
  get isStarted(): boolean {
    return startedThreads !== undefined && startedThreads.workers >= this.workers;
  }

  /** Starts the threads if necessary. @throws RunError if one does not start in time */
  async start(): Promise<void> {
    await this.#open();
  }

  /**
   * Runs battles, in turn with other runs.
   * @throws InputError if the run is out of range
   * @throws RunError if battles failed at the second attempt, too
   */
  play(run: RunRequest, options: RunRequestOptions = {}): Promise<RunResult> {
    return this.#untilEnd(async () => {
      const ready = await this.#open(this.workers);
      return await ready.play(run, options, this.workers, this.#end.signal);
    });
  }

  /**
   * Performs another task in one of the threads.
   * @throws RunError if the thread dies
   */
  call<R>(name: string, task: unknown): Promise<R> {
    return this.#untilEnd(() =>
      this.#window.runWithin(async () => {
        const ready = await this.#open();
        return (await ready.call({ name, task }, this.#end.signal)) as R;
      }),
    );
  }

  /** Terminates pending work with its threads: it is rejected. Work of others continues. */
  end(): Promise<void> {
    this.#end.abort();
    return Promise.resolve();
  }

  /** Waits for pending work, and releases the share. */
  async [asyncDispose](): Promise<void> {
    await this.#work.waitForAll();
    if (this.#staff !== undefined) removeUser();
    this.#staff = undefined;
  }

  #open(threads = this.#limit): Promise<WorkerThreads> {
    if (this.#staff === undefined) addUser();
    else if (threads <= this.#acquired) return this.#staff;
    this.#acquired = threads;
    this.#staff = acquireThreads(threads);
    return this.#staff;
  }

  async #untilEnd<R>(work: () => Promise<R>): Promise<R> {
    const { signal } = this.#end;
    const ended = (): RunError => new RunError('the work was canceled');
    if (signal.aborted) throw ended();
    let stop: () => void = () => undefined;
    const end = new Promise<never>((_, reject) => {
      stop = () => {
        reject(ended());
      };
      signal.addEventListener('abort', stop);
    });
    try {
      return await Promise.race([this.#work.add(work()), end]);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }
}
