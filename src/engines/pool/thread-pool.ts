/** The threads of a pool, and the queue in which work waits for them. */

import { pause } from '#platform/pause';
import { countCores, startThreads } from '#platform/threads';
import { asyncDispose, createOptionsCheck, InputError, parseCount, RunError, WORKERS_MAX } from '../../core/index.ts';
import type { ThreadGroup, ThreadTask } from '../../core/platform/types.ts';
import { ChunkQueue, isShared } from './chunk-queue.ts';
import { type Job, type JobResult, openRemoteSimulator, runJob } from './job.ts';
import type { RunRequest, RunRequestOptions, RunResult } from './run.ts';
import { InFlightSet, type JobExecutor, Semaphore, scheduleRun, unrefTimer } from './run-scheduler.ts';

/** What `work` gives; rejects if it takes longer than so many milliseconds and `late` then gives an error. */
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

class WorkerThreads {
  readonly #bootTimeoutMs: number;
  readonly #threads: ThreadGroup;
  /** As many jobs as threads are with the threads: a job that does not begin at once has no thread. */
  readonly #window: Semaphore;
  /** Why a thread died that had no job. */
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
   * Starts threads and sees that each of them is up.
   * @throws RunError if one cannot be started in time
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

  /** Whether a job has found no thread: those that died cannot be replaced. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Lets there be so many threads, if there are fewer: each starts as soon as it is needed. */
  grow(workers: number): void {
    this.#window.grow(workers - this.workers);
    this.#threads.grow(workers);
  }

  /**
   * Some or all of the threads as those who play a run.
   * @param end ends the threads that play it, at once
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

  /**
   * Has a task of another kind done by one of the threads. As many are begun at once as there are threads.
   * @param end ends the thread that does it, at once
   * @throws RunError if the thread dies
   */
  async call(task: ThreadTask, end?: AbortSignal): Promise<unknown> {
    try {
      return await this.#window.runWithin(() => this.#threads.perform(task, end));
    } catch (error) {
      throw error instanceof RunError ? error : new RunError(`a thread died: ${String(error)}`, { cause: error });
    }
  }

  /** Ends the threads at once, whatever they do: what is under way is rejected. */
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

  /** Gives a job to a thread. It would wait for ever if threads die and cannot be replaced. */
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

// Threads that play runs.

/** The threads of a `ThreadPool`. */
export interface ThreadPoolOptions {
  /** Threads, 1..256; as many as there are cores unless said otherwise. */
  readonly workers?: number | undefined;
  /** Milliseconds within which a thread must be up, 1..600 000; 30 000 unless said otherwise. */
  readonly bootTimeoutMs?: number | undefined;
  /** The file that the threads run, if it is not the package's own: for tests, and for pages that refuse `blob:`. */
  readonly worker?: URL | undefined;
}

const checkOptions = createOptionsCheck<ThreadPoolOptions>('ThreadPool.create', {
  workers: true,
  bootTimeoutMs: true,
  worker: true,
});
const checkRunOptions = createOptionsCheck<RunRequestOptions>('ThreadPool.play', {
  signal: true,
  onProgress: true,
  chunk: true,
  prepared: true,
});

/** Milliseconds within which a thread must be up, unless said otherwise. */
const BOOT_MS = 30_000;

/** A pool of threads of its own; `await using` closes it. */
export class ThreadPool {
  readonly workers: number;
  readonly #staff: WorkerThreads;
  readonly #runs = new InFlightSet();
  #closing: Promise<void> | undefined;

  private constructor(staff: WorkerThreads) {
    if (!((staff as unknown) instanceof WorkerThreads))
      throw new InputError('new ThreadPool', 'a call of ThreadPool.create', 'new');
    this.workers = staff.workers;
    this.#staff = staff;
  }

  /**
   * Starts the threads and sees that each of them is up.
   * @throws InputError if an option is out of range
   * @throws RunError if a thread cannot be started in time
   */
  static async create(options: ThreadPoolOptions = {}): Promise<ThreadPool> {
    checkOptions(options);
    const { workers = countCores(), bootTimeoutMs = BOOT_MS, worker } = options;
    parseCount(workers, 'workers', 1, WORKERS_MAX);
    parseCount(bootTimeoutMs, 'bootTimeoutMs', 1, 600_000);
    return new ThreadPool(await WorkerThreads.start({ workers, bootTimeoutMs, worker }));
  }

  /**
   * Plays a run. Several may be under way at once; they take turns.
   * @throws InputError if the run is out of range
   * @throws RunError if the pool is closed, or some battles could not be played at the second attempt either
   */
  async play(run: RunRequest, options: RunRequestOptions = {}): Promise<RunResult> {
    checkRunOptions(options);
    this.#checkOpen();
    return await this.#runs.add(scheduleRun(run, this.#staff.createExecutor(), options));
  }

  /**
   * Has a task of another kind done by one of the threads. As many are begun at once as there are threads.
   * @param name the file of workers/ that does it, whose export has the same name
   * @throws RunError if the thread dies
   */
  async call<R>(name: string, task: unknown): Promise<R> {
    this.#checkOpen();
    return (await this.#runs.add(this.#staff.call({ name, task }))) as R;
  }

  /** Waits for the runs under way and ends the threads. */
  close(): Promise<void> {
    this.#closing ??= this.#runs.waitForAll().then(() => this.#staff.destroy());
    return this.#closing;
  }

  /** Ends the threads at once, whatever they do: what is under way is rejected. */
  end(): Promise<void> {
    this.#closing ??= this.#staff.destroy();
    return this.#closing;
  }

  /** As `close`: for `await using`. */
  [asyncDispose](): Promise<void> {
    return this.close();
  }

  #checkOpen(): void {
    if (this.#closing !== undefined) throw new RunError('the pool is closed');
  }
}

// The threads of the process, for all calls that bring none along. They are started when somebody first needs them, as
// many as the call that wants most of them, and ended when nobody has needed them for a second.

/** Milliseconds without a user after which the threads are ended. */
const IDLE_MS = 1000;

let sharedThreads: Promise<WorkerThreads> | undefined;
/** The same, once they are up. */
let startedThreads: WorkerThreads | undefined;
let userCount = 0;
let idleTimer: NodeJS.Timeout | undefined;

/** The threads of the process, of which there are to be so many. */
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
    // The next call tries anew.
    if (sharedThreads === starting) endThreads();
    throw error;
  }
}

function endThreads(): void {
  const ending = sharedThreads;
  [sharedThreads, startedThreads] = [undefined, undefined];
  // Who has waited for threads that did not start has been told so.
  ending?.then((ready) => ready.destroy()).catch(() => undefined);
}

function addUser(): void {
  userCount++;
  clearTimeout(idleTimer);
}

function removeUser(): void {
  userCount--;
  if (userCount === 0) idleTimer = unrefTimer(setTimeout(endThreads, IDLE_MS));
}

/** A call's share in the threads of the process. It has the methods of a `ThreadPool`, and takes no thread from others' work. */
export class ThreadLease implements AsyncDisposable {
  /** Threads that work for the call at once. */
  readonly workers: number;
  readonly #window: Semaphore;
  readonly #work = new InFlightSet();
  readonly #end = new AbortController();
  #staff: Promise<WorkerThreads> | undefined;

  /**
   * Starts nothing yet.
   * @param workers 1..256; as many as there are cores unless said otherwise
   * @throws InputError if it is out of range
   */
  constructor(workers: number | string = countCores()) {
    this.workers = parseCount(workers, 'workers', 1, WORKERS_MAX);
    this.#window = new Semaphore(this.workers);
  }

  /** Whether the threads are there. */
  get isStarted(): boolean {
    return startedThreads !== undefined && startedThreads.workers >= this.workers;
  }

  /** Starts the threads, if nobody has. @throws RunError if one cannot be started in time */
  async start(): Promise<void> {
    await this.#open();
  }

  /**
   * Plays a run, by turns with those of others.
   * @throws InputError if the run is out of range
   * @throws RunError if some battles could not be played at the second attempt either
   */
  play(run: RunRequest, options: RunRequestOptions = {}): Promise<RunResult> {
    return this.#untilEnd(async () => {
      const ready = await this.#open();
      return await scheduleRun(run, ready.createExecutor(this.workers, this.#end.signal), options);
    });
  }

  /**
   * Has a task of another kind done by one of the threads.
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

  /** Ends what is under way at once, with the threads that do it: it is rejected. Others' work goes on. */
  end(): Promise<void> {
    this.#end.abort();
    return Promise.resolve();
  }

  /** Waits for what is under way, and gives the share back. */
  async [asyncDispose](): Promise<void> {
    await this.#work.waitForAll();
    if (this.#staff !== undefined) removeUser();
    this.#staff = undefined;
  }

  #open(): Promise<WorkerThreads> {
    if (this.#staff === undefined) {
      addUser();
      this.#staff = acquireThreads(this.workers);
    }
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
