/** Threads that play runs. */
import { pause } from '#platform/pause';
import { cores, startThreads } from '#platform/threads';
import { parseCount } from '../chance/seed.ts';
import { RunError } from '../errors.ts';
import type { Threads } from '../platform/types.ts';
import { optionsOf } from '../scenario/options.ts';
import { conduct } from './conduct.ts';
import { distantPlayer } from './distant.ts';
import { type Job, type JobResult, playJob } from './job.ts';
import { isShared, Ledger } from './ledger.ts';
import type { PlayOptions, Run, RunResult } from './run.ts';
import { Window } from './window.ts';

/** The threads of a `Pool`. */
export interface PoolOptions {
  /** Threads, 1..256; as many as there are cores unless said otherwise. */
  readonly workers?: number | undefined;
  /** Milliseconds within which a thread must be up, 1..600 000; 30 000 unless said otherwise. */
  readonly bootTimeoutMs?: number | undefined;
  /** The file that the threads run, if it is not the package's own: for tests, and for pages that refuse `blob:`. */
  readonly worker?: URL | undefined;
}

const checkOptions = optionsOf<PoolOptions>('Pool.create', { workers: true, bootTimeoutMs: true, worker: true });
const checkPlaying = optionsOf<PlayOptions>('Pool.play', {
  signal: true,
  onProgress: true,
  chunk: true,
  prepared: true,
});

/** What `work` gives; rejects if it takes longer than so many milliseconds and `late` then gives an error. */
async function within<T>(ms: number, work: Promise<T>, late: () => RunError | undefined): Promise<T> {
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

/** A pool of threads; `await using` closes it. */
export class Pool {
  readonly workers: number;
  readonly #bootTimeoutMs: number;
  readonly #threads: Threads;
  /** As many jobs as threads are with the threads: a job that does not begin at once has no thread. */
  readonly #window: Window;
  readonly #runs = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;
  /** Why a thread died that had no job. */
  #lastDeath: string | undefined;

  private constructor(workers: number, bootTimeoutMs: number, worker: URL | undefined) {
    this.workers = workers;
    this.#bootTimeoutMs = bootTimeoutMs;
    this.#window = new Window(workers);
    const onDeath = (why: string): void => {
      this.#lastDeath = why;
    };
    this.#threads = startThreads({ workers, bootTimeoutMs, worker, onDeath });
  }

  /**
   * Starts the threads and sees that each of them is up.
   * @throws InputError if an option is out of range
   * @throws RunError if a thread cannot be started in time
   */
  static async create(options: PoolOptions = {}): Promise<Pool> {
    checkOptions(options);
    const { workers = cores(), bootTimeoutMs = 30_000, worker } = options;
    parseCount(workers, 'workers', 1, 256);
    parseCount(bootTimeoutMs, 'bootTimeoutMs', 1, 600_000);
    const pool = new Pool(workers, bootTimeoutMs, worker);
    try {
      await pool.#probe();
    } catch (error) {
      await pool.#destroy();
      throw error instanceof RunError
        ? error
        : new RunError(`a thread did not start: ${String(error)}`, { cause: error });
    }
    return pool;
  }

  /**
   * Plays a run. Several may be under way at once; they share the threads in the order they came.
   * @throws InputError if the run is out of range
   * @throws RunError if the pool is closed, or some battles could not be played at the second attempt either
   */
  async play(run: Run, options: PlayOptions = {}): Promise<RunResult> {
    checkPlaying(options);
    if (this.#closing !== undefined) throw new RunError('the pool is closed');
    const playing = conduct(run, { workers: this.workers, perform: (offer) => this.#perform(offer) }, options);
    this.#runs.add(playing);
    try {
      return await playing;
    } finally {
      this.#runs.delete(playing);
    }
  }

  /**
   * Has a task of another kind done by one of the threads. As many are begun at once as there are threads.
   * @param name the file of workers/ that does it, whose export has the same name
   * @throws RunError if the thread dies
   */
  call<R>(name: string, task: unknown): Promise<R> {
    if (this.#closing !== undefined) return Promise.reject(new RunError('the pool is closed'));
    const calling = this.#window.hold(() => this.#threads.perform({ name, task }));
    this.#runs.add(calling);
    const done = (): boolean => this.#runs.delete(calling);
    calling.then(done, done);
    return calling.catch((error: unknown) => {
      throw error instanceof RunError ? error : new RunError(`a thread died: ${String(error)}`, { cause: error });
    }) as Promise<R>;
  }

  /** Waits for the runs under way and ends the threads. */
  close(): Promise<void> {
    this.#closing ??= Promise.allSettled(this.#runs).then(() => this.#destroy());
    return this.#closing;
  }

  /** Ends the threads at once, whatever they do: what is under way is rejected. */
  end(): Promise<void> {
    this.#closing ??= this.#destroy();
    return this.#closing;
  }

  /** As `close`: for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #probe(): Promise<void> {
    const probes = Array.from({ length: this.workers }, () => this.#batchOf(null));
    await within(
      this.#bootTimeoutMs,
      Promise.all(probes),
      () => new RunError(`the threads were not up after ${String(this.#bootTimeoutMs)} ms`),
    );
  }

  #perform(offer: () => Job | undefined): Promise<JobResult> {
    return this.#window.hold(async () => {
      const job = offer();
      return job === undefined ? { ok: true } : this.#hand(job);
    });
  }

  /** Gives a job to a thread. It would wait for ever if threads die and cannot be replaced. */
  async #hand(job: Job): Promise<JobResult> {
    const ledger = new Ledger(job.cut, job.memory);
    const late = (): RunError | undefined => {
      if (ledger.at(job.number) !== undefined) return undefined;
      const why = this.#lastDeath === undefined ? '' : `; the last to die ended with ${this.#lastDeath}`;
      return new RunError(`no thread took a job within ${String(this.#bootTimeoutMs)} ms${why}`);
    };
    try {
      return (await within(this.#bootTimeoutMs, this.#batchOf(job), late)) ?? { ok: true };
    } catch (error) {
      if (error instanceof RunError) throw error;
      return { ok: false, message: String(error) };
    }
  }

  #batchOf(job: Job | null): Promise<JobResult | null> {
    const threads = this.#threads;
    if (job === null || threads.lend === undefined || isShared(job.memory))
      return threads.perform({ name: 'batch', task: job }) as Promise<JobResult | null>;
    return threads.lend((perform) => playJob(job, pause, (setup) => distantPlayer(perform, setup)));
  }

  #destroy(): Promise<void> {
    return this.#threads.destroy();
  }
}
