/** Threads that play runs. */
import { cores } from '#platform/threads';
import { parseCount } from '../../core/chance/stream.ts';
import { RunError } from '../../core/errors.ts';
import { WORKERS_MAX } from '../../core/limits.ts';
import { optionsOf } from '../../core/names.ts';
import { conduct } from './conduct.ts';
import type { PlayOptions, Run, RunResult } from './run.ts';
import { Staff } from './staff.ts';
import { UnderWay } from './window.ts';

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

/** Milliseconds within which a thread must be up, unless said otherwise. */
export const BOOT_MS = 30_000;

/** A pool of threads of its own; `await using` closes it. */
export class Pool {
  readonly workers: number;
  readonly #staff: Staff;
  readonly #runs = new UnderWay();
  #closing: Promise<void> | undefined;

  private constructor(staff: Staff) {
    this.workers = staff.workers;
    this.#staff = staff;
  }

  /**
   * Starts the threads and sees that each of them is up.
   * @throws InputError if an option is out of range
   * @throws RunError if a thread cannot be started in time
   */
  static async create(options: PoolOptions = {}): Promise<Pool> {
    checkOptions(options);
    const { workers = cores(), bootTimeoutMs = BOOT_MS, worker } = options;
    parseCount(workers, 'workers', 1, WORKERS_MAX);
    parseCount(bootTimeoutMs, 'bootTimeoutMs', 1, 600_000);
    return new Pool(await Staff.start({ workers, bootTimeoutMs, worker }));
  }

  /**
   * Plays a run. Several may be under way at once; they take turns.
   * @throws InputError if the run is out of range
   * @throws RunError if the pool is closed, or some battles could not be played at the second attempt either
   */
  async play(run: Run, options: PlayOptions = {}): Promise<RunResult> {
    checkPlaying(options);
    this.#checkOpen();
    return await this.#runs.watch(conduct(run, this.#staff.crew(), options));
  }

  /**
   * Has a task of another kind done by one of the threads. As many are begun at once as there are threads.
   * @param name the file of workers/ that does it, whose export has the same name
   * @throws RunError if the thread dies
   */
  async call<R>(name: string, task: unknown): Promise<R> {
    this.#checkOpen();
    return (await this.#runs.watch(this.#staff.call({ name, task }))) as R;
  }

  /** Waits for the runs under way and ends the threads. */
  close(): Promise<void> {
    this.#closing ??= this.#runs.done().then(() => this.#staff.destroy());
    return this.#closing;
  }

  /** Ends the threads at once, whatever they do: what is under way is rejected. */
  end(): Promise<void> {
    this.#closing ??= this.#staff.destroy();
    return this.#closing;
  }

  /** As `close`: for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #checkOpen(): void {
    if (this.#closing !== undefined) throw new RunError('the pool is closed');
  }
}
