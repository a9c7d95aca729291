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

/** Lets so many acts be under way at once; the others wait in the order they came. */
export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(size: number) {
    this.#free = size;
  }

  /** How many wait. */
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

  /** Lets so many more be under way. */
  grow(by: number): void {
    for (let more = 0; more < by; more++) this.#leave();
  }

  #leave(): void {
    const enter = this.#waiting.shift();
    if (enter === undefined) this.#free++;
    else enter();
  }
}

/** What is under way. */
export class InFlightSet {
  readonly #all = new Set<Promise<unknown>>();

  async add<T>(work: Promise<T>): Promise<T> {
    this.#all.add(work);
    try {
      return await work;
    } finally {
      this.#all.delete(work);
    }
  }

  /** Whether there is any. */
  get isActive(): boolean {
    return this.#all.size > 0;
  }

  /** Waits until all of it is done, in whatever way. */
  async waitForAll(): Promise<void> {
    await Promise.allSettled(this.#all);
  }
}

/** A timer that keeps no process alive; in browsers a timer is a number. */
export function unrefTimer(timer: NodeJS.Timeout): NodeJS.Timeout {
  if (typeof timer === 'object') timer.unref();
  return timer;
}

// Conducts a run: hands out its jobs, replaces those that die, and merges what they count.

/** Milliseconds between two reports of progress; others who wait for a thread wait as long until they have a turn. */
const PROGRESS_EVERY = 100;

/**
 * Threads that may die with a job before it began. An error can reach a thread when the job that caused it is done and the
 * next is on its way.
 */
const START_RETRIES_MAX = 8;

type JobSuccess = Extract<JobResult, { ok: true }>;

/** Those who play jobs. */
export interface JobExecutor {
  /** Jobs that can be played at once; 0: one, in the calling thread. */
  readonly workers: number;
  /**
   * As soon as somebody is free, plays the job that `offer` gives, or nothing if it gives none. The
   * death of the player is a result.
   * @throws RunError if nobody is left to play
   */
  perform(offer: () => Job | undefined): Promise<JobResult>;
  /** Whether somebody waits. */
  isContended?(): boolean;
}

class RunScheduler {
  readonly queue: ChunkQueue;
  readonly tally: Counts;
  /** Seconds that were spent on battles, in all threads together. */
  busy = 0;
  readonly #setup: SimulatorSetup;
  readonly #crew: JobExecutor;
  #began: number | undefined;
  #failures: unknown[] = [];
  readonly #stopped: Promise<void>;
  #halt: () => void = () => undefined;

  constructor({ setup, shape }: PreparedRun, ledger: ChunkQueue, crew: JobExecutor) {
    this.queue = ledger;
    this.tally = createEmptyCounts(shape);
    this.#setup = setup;
    this.#crew = crew;
    this.#stopped = new Promise((resolve) => {
      this.#halt = resolve;
    });
  }

  /** Plays all that the ledger has; returns how long it took. */
  async play(): Promise<number> {
    const first = this.queue.plan.jobs / 2;
    await Promise.all(Array.from({ length: first }, (_, j) => this.#part(j + 1, j + 1 + first)));
    const seconds = this.#began === undefined ? 0 : (performance.now() - this.#began) / 1000;
    if (this.#failures.length > 0) throw this.#failures[0];
    const { plan, claimedTo } = this.queue;
    const counted = getBattleCount(this.tally);
    if (counted !== claimedTo - plan.from) {
      throw new RunError(
        `battles ${formatRange(plan.from, claimedTo)} were simulated, but ${String(counted)} were counted`,
      );
    }
    return seconds;
  }

  /** The run ends as soon as the jobs under way are done; those that wait for a thread are not begun. */
  stop(): void {
    this.queue.stop();
    this.#halt();
  }

  /** The run ends with this error as soon as the jobs under way are done. */
  fail(error: unknown): void {
    this.#failures.push(error);
    this.stop();
  }

  /** Lets others have a turn who wait for the threads: the leg ends with the chunks under way, of which there are some. */
  yieldThreads(): void {
    if (this.#crew.isContended?.() === true && this.queue.done > 0) this.queue.requestChunkSize(this.queue.plan.chunk);
  }

  async #part(number: number, heir: number): Promise<void> {
    try {
      const { tally, busy = 0 } = await this.#counted(number, heir);
      this.busy += busy;
      if (tally !== undefined) mergeCounts(this.tally, tally);
    } catch (error) {
      this.fail(error);
    }
  }

  /** What a job counted, or, if it died, what its heir counted, who plays its chunks again. */
  async #counted(number: number, heir: number): Promise<JobSuccess> {
    const first = await this.#begun(number);
    if (first.ok) return first;
    this.queue.reassign(number, heir);
    const second = await this.#perform(heir, () => this.#job(heir));
    if (second.ok) return second;
    throw this.#hopeless(this.queue.lastChunkOf(heir) ?? this.queue.lastChunkOf(number), second.message);
  }

  /** Has a job played, if there is anything left to play when its turn comes; nobody waits for that once the run is stopped. */
  async #begun(number: number): Promise<JobResult> {
    let begins = false;
    const playing = this.#perform(number, () => {
      begins = this.queue.hasFreeChunks;
      return begins ? this.#job(number) : undefined;
    });
    const stopped = this.#stopped.then((): Promise<JobResult> | JobResult => (begins ? playing : { ok: true }));
    return await Promise.race([playing, stopped]);
  }

  /** Has a job played, by another thread if the one that was to do it died before it began: that was no fault of the job. */
  async #perform(number: number, offer: () => Job | undefined): Promise<JobResult> {
    for (let spare = START_RETRIES_MAX; ; spare--) {
      const result = await this.#crew.perform(offer);
      if (result.ok || spare === 0 || this.queue.lastChunkOf(number) !== undefined) return result;
    }
  }

  #job(number: number): Job {
    this.#began ??= performance.now();
    return { setup: this.#setup, plan: this.queue.plan, memory: this.queue.memory, number };
  }

  #hopeless(range: BattleRange | undefined, cause: string): RunError {
    const { from, count } = range ?? { from: this.queue.plan.from, count: this.queue.plan.chunk };
    return new RunError(
      `battles ${formatRange(from, from + count)} could not be simulated; the second attempt failed with ${cause}`,
    );
  }
}

/** Battles from..to-1, for people. */
function formatRange(from: number, to: number): string {
  return `${String(from)}..${String(to - 1)}`;
}

/** Lets the caller follow and stop a leg; returns what ends that. */
function followLeg(conductor: RunScheduler, run: RunRequest, { signal, onProgress }: RunRequestOptions): () => void {
  const { queue } = conductor;
  const stop = (): void => {
    conductor.stop();
  };
  const tell = (): void => {
    conductor.yieldThreads();
    try {
      onProgress?.(computeProgress(run, queue));
    } catch (error) {
      conductor.fail(error);
    }
  };
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop);
  const timer = unrefTimer(setInterval(tell, PROGRESS_EVERY));
  return () => {
    clearInterval(timer);
    signal?.removeEventListener('abort', stop);
  };
}

/** Earlier legs are done. */
function computeProgress({ from, to }: RunRequest, { plan, done }: ChunkQueue): Progress {
  return { done: plan.from - from + done, total: to - from };
}

/** What came of a leg. */
interface LegResult {
  readonly tally: Counts;
  /** One past the last battle played. */
  readonly to: number;
  readonly seconds: number;
  readonly busy: number;
  /** The leg was ended by a signal. */
  readonly stopped: boolean;
  /** The most battles of the next leg's chunks. */
  readonly most: number;
}

async function runLeg(
  run: RunRequest,
  { to: from, most: before }: Pick<LegResult, 'to' | 'most'>,
  prepared: PreparedRun,
  crew: JobExecutor,
  options: RunRequestOptions,
): Promise<LegResult> {
  const ledger = new ChunkQueue(planChunks({ ...run, from }, Math.max(1, crew.workers), options.chunk, before));
  const conductor = new RunScheduler(prepared, ledger, crew);
  const release = followLeg(conductor, run, options);
  try {
    const seconds = await conductor.play();
    options.onProgress?.(computeProgress(run, ledger));
    const { claimedTo: to, stopped, requestedChunkSize } = ledger;
    const { tally, busy } = conductor;
    return { tally, to, seconds, busy, stopped, most: computeNextChunkMax(before, requestedChunkSize) };
  } finally {
    release();
  }
}

/** One job at a time: many at once would each need a kernel of its own, and none would be done sooner. */
const localTurns = new Semaphore(1);

/** The calling thread. */
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
 * Plays a run with a crew, or here if no other thread can load its rules.
 * @throws InputError if the run is out of range
 * @throws RunError if some battles could not be played at the second attempt either
 */
export async function scheduleRun(
  run: RunRequest,
  executor: JobExecutor,
  options: RunRequestOptions,
): Promise<RunResult> {
  checkRun(run, options);
  const prepared =
    options.prepared ?? (await chooseEngine(run, { signal: options.signal, threads: Math.max(1, executor.workers) }));
  const crew = isPortable(prepared.setup) ? executor : LOCAL_EXECUTOR;
  const start = { to: run.from, most: Number.POSITIVE_INFINITY };
  let leg = await runLeg(run, start, prepared, crew, options);
  const { tally } = leg;
  let { seconds, busy } = leg;
  while (!leg.stopped && leg.to < run.to) {
    leg = await runLeg(run, leg, prepared, crew, options);
    mergeCounts(tally, leg.tally);
    seconds += leg.seconds;
    busy += leg.busy;
  }
  const { to } = leg;
  const { setup, why } = prepared;
  return {
    tally,
    from: run.from,
    to,
    complete: to === run.to,
    player: findEngineForm(setup),
    why,
    seconds,
    busy,
    workers: crew.workers,
  };
}

// Plays in the calling thread: for runs so small that threads would cost more than they give.

/**
 * Plays a run without threads. Timers and signals are heard between chunks.
 * @throws InputError if the run is out of range
 * @throws RunError if some battles could not be played at the second attempt either
 */
export async function runInCallingThread(run: RunRequest, options: RunRequestOptions = {}): Promise<RunResult> {
  return scheduleRun(run, LOCAL_EXECUTOR, options);
}
