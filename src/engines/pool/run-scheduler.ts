import { pause } from '#platform/pause';
import { RunError } from '../../core/index.ts';
import { type Counts, createEmptyCounts, getBattleCount, mergeCounts } from '../../stats/index.ts';
import { chooseEngine } from './choose-engine.ts';
import { type BattleRange, ChunkQueue } from './chunk-queue.ts';
import { computeNextChunkMax, type Job, type JobResult, planChunks, runJob } from './job.ts';
import {
  checkRun,
  findEngineForm,
  type PreparedRun,
  type Progress,
  type RunRequest,
  type RunRequestOptions,
  type RunResult,
  type SimulatorSetup,
} from './run.ts';
import { isPortable } from './simulator.ts';

/** Limits concurrency; waiting acts continue in the order of their arrival. */
export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(size: number) {
    this.#free = size;
  }

  /** Number of waiting acts. */
  get waitingCount(): number {
    return this.#waiting.length;
  }

  async runWithin<T>(act: () => Promise<T>): Promise<T> {
    if (this.#free === 0) await new Promise<void>((enter) => this.#waiting.push(enter));
    else this.#free--;
    try {
      return await act();
    } finally {
      this.#leave();
    }
  }

  /** Increases the limit. */
  grow(by: number): void {
    for (let more = 0; more < by; more++) this.#leave();
  }

  #leave(): void {
    const enter = this.#waiting.shift();
    if (enter === undefined) this.#free++;
    else enter();
  }
}

/** Unreferences a timer, so that it does not keep the process alive; in browsers a timer is a number. */
export function unrefTimer<T extends { unref(): unknown } | number>(timer: T): T {
  if (typeof timer === 'object') timer.unref();
  return timer;
}

// Schedules a run: dispatches its jobs, replaces those that die, and merges their counts.

/** Milliseconds between two reports of progress, and the maximum time before other jobs get a turn. */
const PROGRESS_EVERY = 100;

/**
 * Maximum number of threads that may die before a job starts. An error can reach a thread after its job is finished and
 * the next one is on its way.
 */
const START_RETRIES_MAX = 8;

type JobSuccess = Extract<JobResult, { ok: true }>;

/** Executor of jobs. */
export interface JobExecutor {
  /** Number of concurrent jobs; 0: one, in the calling thread. */
  readonly workers: number;
  /**
   * Runs the job that `offer` returns as soon as a worker is free, or nothing if it returns none. The death of a worker
   * is a result.
   * @throws RunError if no worker is left
   */
  perform(offer: () => Job | undefined): Promise<JobResult>;
  /** Returns true if other jobs wait. */
  isContended?(): boolean;
}

class RunScheduler {
  readonly queue: ChunkQueue;
  readonly counts: Counts;
  /** Seconds of simulation in all threads together. */
  busy = 0;
  readonly #setup: SimulatorSetup;
  readonly #executor: JobExecutor;
  #began: number | undefined;
  #failures: unknown[] = [];
  readonly #stopped: Promise<void>;
  #halt: () => void = () => undefined;

  constructor({ setup, shape }: PreparedRun, ledger: ChunkQueue, executor: JobExecutor) {
    this.queue = ledger;
    this.counts = createEmptyCounts(shape);
    this.#setup = setup;
    this.#executor = executor;
    this.#stopped = new Promise((resolve) => {
      this.#halt = resolve;
    });
  }

  /** Runs all chunks of the queue; returns the duration. */
  async play(): Promise<number> {
    const first = this.queue.plan.jobs / 2;
    await Promise.all(Array.from({ length: first }, (_, j) => this.#runPart(j + 1, j + 1 + first)));
    const seconds = this.#began === undefined ? 0 : (performance.now() - this.#began) / 1000;
    if (this.#failures.length > 0) throw this.#failures[0];
    const { plan, claimedTo } = this.queue;
    const counted = getBattleCount(this.counts);
    if (counted !== claimedTo - plan.from) {
      throw new RunError(
        `battles ${formatRange(plan.from, claimedTo)} were simulated, but ${String(counted)} were counted`,
      );
    }
    return seconds;
  }

  /** Ends the run as soon as the running jobs are finished; waiting ones do not start. */
  stop(): void {
    this.queue.stop();
    this.#halt();
  }

  /** Ends the run with this error as soon as the running jobs are finished. */
  fail(error: unknown): void {
    this.#failures.push(error);
    this.stop();
  }

  /** Lets waiting jobs have a turn: the leg ends with the running chunks, if there are any. */
  yieldThreads(): void {
    if (this.#executor.isContended?.() === true && this.queue.done > 0)
      this.queue.requestChunkSize(this.queue.plan.chunk);
  }

  async #runPart(number: number, heir: number): Promise<void> {
    try {
      const { counts, busy = 0 } = await this.#runWithReplacement(number, heir);
      this.busy += busy;
      if (counts !== undefined) mergeCounts(this.counts, counts);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Returns the counts of a job, or, if it died, those of its replacement, which repeats its chunks. */
  async #runWithReplacement(number: number, heir: number): Promise<JobSuccess> {
    const first = await this.#runJob(number);
    if (first.ok) return first;
    this.queue.reassign(number, heir);
    const second = await this.#perform(heir, () => this.#createJob(heir));
    if (second.ok) return second;
    throw this.#createFailure(this.queue.lastChunkOf(heir) ?? this.queue.lastChunkOf(number), second.message);
  }

  /** Runs a job if chunks are left when a worker is free; after a stop nothing waits for it. */
  async #runJob(number: number): Promise<JobResult> {
    let begins = false;
    const playing = this.#perform(number, () => {
      begins = this.queue.hasFreeChunks;
      return begins ? this.#createJob(number) : undefined;
    });
    const stopped = this.#stopped.then((): Promise<JobResult> | JobResult => (begins ? playing : { ok: true }));
    return await Promise.race([playing, stopped]);
  }

  /** Runs a job, in another thread if its thread died before it started, which is not a failure of the job. */
  async #perform(number: number, offer: () => Job | undefined): Promise<JobResult> {
    for (let spare = START_RETRIES_MAX; ; spare--) {
      const result = await this.#executor.perform(offer);
      if (result.ok || spare === 0 || this.queue.lastChunkOf(number) !== undefined) return result;
    }
  }

  #createJob(number: number): Job {
    this.#began ??= performance.now();
    return { setup: this.#setup, plan: this.queue.plan, memory: this.queue.memory, number };
  }

  #createFailure(range: BattleRange | undefined, cause: string): RunError {
    const { from, count } = range ?? { from: this.queue.plan.from, count: this.queue.plan.chunk };
    return new RunError(
      `battles ${formatRange(from, from + count)} could not be simulated; the second attempt failed with ${cause}`,
    );
  }
}

/** Formats battles from..to-1. */
function formatRange(from: number, to: number): string {
  return `${String(from)}..${String(to - 1)}`;
}

/** Lets the caller observe and stop a leg; returns a function that ends that. */
function followLeg(conductor: RunScheduler, run: RunRequest, { signal, onProgress }: RunRequestOptions): () => void {
  const { queue } = conductor;
  const stop = (): void => {
    conductor.stop();
  };
  const report = (): void => {
    conductor.yieldThreads();
    try {
      onProgress?.(computeProgress(run, queue));
    } catch (error) {
      conductor.fail(error);
    }
  };
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop);
  const timer = unrefTimer(setInterval(report, PROGRESS_EVERY));
  return () => {
    clearInterval(timer);
    signal?.removeEventListener('abort', stop);
  };
}

/** Computes the progress; earlier legs are finished. */
function computeProgress({ from, to }: RunRequest, { plan, done }: ChunkQueue): Progress {
  return { done: plan.from - from + done, total: to - from };
}

/** Result of a leg. */
interface LegResult {
  readonly counts: Counts;
  /** One past the last simulated battle. */
  readonly to: number;
  readonly seconds: number;
  readonly busy: number;
  /** True if a signal ended the leg. */
  readonly stopped: boolean;
  /** Maximum battles of chunks of the next leg. */
  readonly most: number;
}

async function runLeg(
  run: RunRequest,
  { to: from, most: before }: Pick<LegResult, 'to' | 'most'>,
  prepared: PreparedRun,
  executor: JobExecutor,
  options: RunRequestOptions,
): Promise<LegResult> {
  const ledger = new ChunkQueue(planChunks({ ...run, from }, Math.max(1, executor.workers), options.chunk, before));
  const conductor = new RunScheduler(prepared, ledger, executor);
  const release = followLeg(conductor, run, options);
  try {
    const seconds = await conductor.play();
    options.onProgress?.(computeProgress(run, ledger));
    const { claimedTo: to, stopped, requestedChunkSize } = ledger;
    const { counts, busy } = conductor;
    return { counts, to, seconds, busy, stopped, most: computeNextChunkMax(before, requestedChunkSize) };
  } finally {
    release();
  }
}

/** One job at a time: concurrent ones would each need a kernel, and none would finish sooner. */
const localTurns = new Semaphore(1);

/** Executor in the calling thread. */
export const LOCAL_EXECUTOR: JobExecutor = {
  workers: 0,
  isContended: () => localTurns.waitingCount > 0,
  perform: (offer) =>
    localTurns.runWithin(async () => {
      const job = offer();
      return job === undefined ? { ok: true } : runJob(job, pause);
    }),
};

/**
 * Runs battles in a worker pool, or locally if other threads cannot load the rules.
 * @throws InputError if the run is out of range
 * @throws RunError if battles failed at the second attempt, too
 */
export async function scheduleRun(
  run: RunRequest,
  executor: JobExecutor,
  options: RunRequestOptions,
): Promise<RunResult> {
  checkRun(run, options);
  const prepared =
    options.prepared ?? (await chooseEngine(run, { signal: options.signal, threads: Math.max(1, executor.workers) }));
  const used = isPortable(prepared.setup) ? executor : LOCAL_EXECUTOR;
  const start = { to: run.from, most: Number.POSITIVE_INFINITY };
  let leg = await runLeg(run, start, prepared, used, options);
  const { counts } = leg;
  let { seconds, busy } = leg;
  while (!leg.stopped && leg.to < run.to) {
    leg = await runLeg(run, leg, prepared, used, options);
    mergeCounts(counts, leg.counts);
    seconds += leg.seconds;
    busy += leg.busy;
  }
  const { to } = leg;
  const { setup, why } = prepared;
  return {
    counts,
    from: run.from,
    to,
    complete: to === run.to,
    player: findEngineForm(setup),
    why,
    seconds,
    busy,
    workers: used.workers,
  };
}

// Runs battles in the calling thread: for small runs that do not justify threads.

/**
 * Runs battles without threads. Timers and signals are handled between chunks.
 * @throws InputError if the run is out of range
 * @throws RunError if battles failed at the second attempt, too
 */
export async function runInCallingThread(run: RunRequest, options: RunRequestOptions = {}): Promise<RunResult> {
  return scheduleRun(run, LOCAL_EXECUTOR, options);
}
