/** The threads of a pool, and the queue in which work waits for them. */
import { pause } from '#platform/pause';
import { startThreads } from '#platform/threads';
import { RunError } from '../../core/errors.ts';
import type { Threads, ThreadTask } from '../../core/platform/types.ts';
import type { Crew } from './conduct.ts';
import { distantPlayer } from './distant.ts';
import { type Job, type JobResult, playJob } from './job.ts';
import { isShared, Ledger } from './ledger.ts';
import { Window } from './window.ts';

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

export interface StaffOptions {
  readonly workers: number;
  readonly bootTimeoutMs: number;
  readonly worker?: URL | undefined;
}

export class Staff {
  readonly #bootTimeoutMs: number;
  readonly #threads: Threads;
  /** As many jobs as threads are with the threads: a job that does not begin at once has no thread. */
  readonly #window: Window;
  /** Why a thread died that had no job. */
  #lastDeath: string | undefined;
  #isBroken = false;

  private constructor({ workers, bootTimeoutMs, worker }: StaffOptions) {
    this.#bootTimeoutMs = bootTimeoutMs;
    this.#window = new Window(workers);
    const onDeath = (why: string): void => {
      this.#lastDeath = why;
    };
    this.#threads = startThreads({ workers, bootTimeoutMs, worker, onDeath });
  }

  /**
   * Starts threads and sees that each of them is up.
   * @throws RunError if one cannot be started in time
   */
  static async start(options: StaffOptions): Promise<Staff> {
    const staff = new Staff(options);
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
  crew(workers: number = this.workers, end?: AbortSignal): Crew {
    return {
      workers,
      crowded: () => this.#window.waiting > 0,
      perform: (offer) =>
        this.#window.hold(async () => {
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
      return await this.#window.hold(() => this.#threads.perform(task, end));
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
    await within(
      this.#bootTimeoutMs,
      Promise.all(probes),
      () => new RunError(`the threads were not up after ${String(this.#bootTimeoutMs)} ms`),
    );
  }

  /** Gives a job to a thread. It would wait for ever if threads die and cannot be replaced. */
  async #hand(job: Job, end: AbortSignal | undefined): Promise<JobResult> {
    const ledger = new Ledger(job.cut, job.memory);
    const late = (): RunError | undefined => {
      if (ledger.at(job.number) !== undefined) return undefined;
      this.#isBroken = true;
      const why = this.#lastDeath === undefined ? '' : `; the last to die ended with ${this.#lastDeath}`;
      return new RunError(`no thread took a job within ${String(this.#bootTimeoutMs)} ms${why}`);
    };
    try {
      return (await within(this.#bootTimeoutMs, this.#batchOf(job, end), late)) ?? { ok: true };
    } catch (error) {
      if (error instanceof RunError) throw error;
      return { ok: false, message: String(error) };
    }
  }

  #batchOf(job: Job | null, end?: AbortSignal): Promise<JobResult | null> {
    const threads = this.#threads;
    if (job === null || threads.lend === undefined || isShared(job.memory))
      return threads.perform({ name: 'batch', task: job }, end) as Promise<JobResult | null>;
    return threads.lend((perform) =>
      playJob(job, pause, (setup) => distantPlayer((task) => perform(task, end), setup)),
    );
  }
}
