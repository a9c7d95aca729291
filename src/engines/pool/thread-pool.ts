/** Threads that simulate runs. Their code is loaded with the first of them. */

import { countCores } from '#platform/threads';
import { asyncDispose, createOptionsCheck, InputError, parseCount, RunError, WORKERS_MAX } from '../../core/index.ts';
import { InFlightSet } from './in-flight-set.ts';
import type { RunRequest, RunRequestOptions, RunResult } from './run.ts';
import type { WorkerThreads } from './worker-threads.ts';

/** The threads of a `ThreadPool`. */
export interface ThreadPoolOptions {
  /** Number of threads, 1..256; default: the number of cores. */
  readonly workers?: number | undefined;
  /** Time limit for the start of a thread in milliseconds, 1..600 000; default 30 000. */
  readonly bootTimeoutMs?: number | undefined;
  /** Worker file, if it is not the one of the package: for tests, and for pages that block `blob:`. */
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

/** A separate pool of threads; `await using` closes it. */
export class ThreadPool {
  readonly workers: number;
  readonly #staff: WorkerThreads;
  readonly #runs = new InFlightSet();
  #closing: Promise<void> | undefined;

  private constructor(staff: WorkerThreads) {
    if (!('createExecutor' in Object(staff)))
      throw new InputError('new ThreadPool', 'a call of ThreadPool.create', 'new');
    this.workers = staff.workers;
    this.#staff = staff;
  }

  /**
   * Starts the threads and waits until all of them are ready.
   * @throws InputError if an option is out of range
   * @throws RunError if a thread does not start in time
   */
  static async create(options: ThreadPoolOptions = {}): Promise<ThreadPool> {
    checkOptions(options);
    const { workers = countCores(), bootTimeoutMs = 30_000, worker } = options;
    parseCount(workers, 'workers', 1, WORKERS_MAX);
    parseCount(bootTimeoutMs, 'bootTimeoutMs', 1, 600_000);
    const { WorkerThreads } = await import('./worker-threads.ts');
    return new ThreadPool(await WorkerThreads.start({ workers, bootTimeoutMs, worker }));
  }

  /**
   * Runs battles. Concurrent runs take turns.
   * @throws InputError if the run is out of range
   * @throws RunError if the pool is closed, or battles failed at the second attempt, too
   */
  async play(run: RunRequest, options: RunRequestOptions = {}): Promise<RunResult> {
    checkRunOptions(options);
    this.#checkOpen();
    return await this.#runs.add(this.#staff.play(run, options));
  }

  /**
   * Performs another task in one of the threads, with at most one task per thread.
   * @param name file of workers/ whose export has the same name
   * @throws RunError if the thread dies
   */
  async call<R>(name: string, task: unknown): Promise<R> {
    this.#checkOpen();
    return (await this.#runs.add(this.#staff.call({ name, task }))) as R;
  }

  /** Waits for pending runs and ends the threads. */
  close(): Promise<void> {
    this.#closing ??= this.#runs.waitForAll().then(() => this.#staff.destroy());
    return this.#closing;
  }

  /** Terminates the threads; pending work is rejected. */
  end(): Promise<void> {
    this.#closing ??= this.#staff.destroy();
    return this.#closing;
  }

  /** Closes the pool, for `await using`. */
  [asyncDispose](): Promise<void> {
    return this.close();
  }

  #checkOpen(): void {
    if (this.#closing !== undefined) throw new RunError('the pool is closed');
  }
}
