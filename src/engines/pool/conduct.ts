import { pause } from '#platform/pause';
import { battlesIn, emptyTally, mergeTally, type Tally } from '../../answers/index.ts';
import { RunError } from '../../core/index.ts';
import { cutLeg, type Job, type JobResult, nextMost, playJob } from './job.ts';
import { type BattleRange, Ledger } from './ledger.ts';
import { isPortable } from './player.ts';
import {
  checkRun,
  formOf,
  type PlayOptions,
  type PreparedRun,
  type Progress,
  type Run,
  type RunResult,
  type Setup,
} from './run.ts';
import { prepare } from './setup.ts';

/** Lets so many acts be under way at once; the others wait in the order they came. */
export class Window {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(size: number) {
    this.#free = size;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  async hold<T>(act: () => Promise<T>): Promise<T> {
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
export class UnderWay {
  readonly #all = new Set<Promise<unknown>>();

  async watch<T>(work: Promise<T>): Promise<T> {
    this.#all.add(work);
    try {
      return await work;
    } finally {
      this.#all.delete(work);
    }
  }

  /** Whether there is any. */
  get goesOn(): boolean {
    return this.#all.size > 0;
  }

  /** Waits until all of it is done, in whatever way. */
  async done(): Promise<void> {
    await Promise.allSettled(this.#all);
  }
}

/** A timer that keeps no process alive; in browsers a timer is a number. */
export function idly(timer: NodeJS.Timeout): NodeJS.Timeout {
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
const UNBEGUN = 8;

type Done = Extract<JobResult, { ok: true }>;

/** Those who play jobs. */
export interface Crew {
  /** Jobs that can be played at once; 0: one, in the calling thread. */
  readonly workers: number;
  /**
   * As soon as somebody is free, plays the job that `offer` gives, or nothing if it gives none. The
   * death of the player is a result.
   * @throws RunError if nobody is left to play
   */
  perform(offer: () => Job | undefined): Promise<JobResult>;
  /** Whether somebody waits. */
  crowded?(): boolean;
}

class Conductor {
  readonly ledger: Ledger;
  readonly tally: Tally;
  /** Seconds that were spent on battles, in all threads together. */
  busy = 0;
  readonly #setup: Setup;
  readonly #crew: Crew;
  #began: number | undefined;
  #failures: unknown[] = [];
  readonly #stopped: Promise<void>;
  #halt: () => void = () => undefined;

  constructor({ setup, shape }: PreparedRun, ledger: Ledger, crew: Crew) {
    this.ledger = ledger;
    this.tally = emptyTally(shape);
    this.#setup = setup;
    this.#crew = crew;
    this.#stopped = new Promise((resolve) => {
      this.#halt = resolve;
    });
  }

  /** Plays all that the ledger has; returns how long it took. */
  async play(): Promise<number> {
    const first = this.ledger.cut.jobs / 2;
    await Promise.all(Array.from({ length: first }, (_, j) => this.#part(j + 1, j + 1 + first)));
    const seconds = this.#began === undefined ? 0 : (performance.now() - this.#began) / 1000;
    if (this.#failures.length > 0) throw this.#failures[0];
    const { cut, claimedTo } = this.ledger;
    const counted = battlesIn(this.tally);
    if (counted !== claimedTo - cut.from) {
      throw new RunError(`battles ${interval(cut.from, claimedTo)} were played, but ${String(counted)} were counted`);
    }
    return seconds;
  }

  /** The run ends as soon as the jobs under way are done; those that wait for a thread are not begun. */
  stop(): void {
    this.ledger.stop();
    this.#halt();
  }

  /** The run ends with this error as soon as the jobs under way are done. */
  fail(error: unknown): void {
    this.#failures.push(error);
    this.stop();
  }

  /** Lets others have a turn who wait for the threads: the leg ends with the chunks under way, of which there are some. */
  giveWay(): void {
    if (this.#crew.crowded?.() === true && this.ledger.done > 0) this.ledger.want(this.ledger.cut.chunk);
  }

  async #part(number: number, heir: number): Promise<void> {
    try {
      const { tally, busy = 0 } = await this.#counted(number, heir);
      this.busy += busy;
      if (tally !== undefined) mergeTally(this.tally, tally);
    } catch (error) {
      this.fail(error);
    }
  }

  /** What a job counted, or, if it died, what its heir counted, who plays its chunks again. */
  async #counted(number: number, heir: number): Promise<Done> {
    const first = await this.#begun(number);
    if (first.ok) return first;
    this.ledger.bequeath(number, heir);
    const second = await this.#perform(heir, () => this.#job(heir));
    if (second.ok) return second;
    throw this.#hopeless(this.ledger.at(heir) ?? this.ledger.at(number), second.message);
  }

  /** Has a job played, if there is anything left to play when its turn comes; nobody waits for that once the run is stopped. */
  async #begun(number: number): Promise<JobResult> {
    let begins = false;
    const playing = this.#perform(number, () => {
      begins = this.ledger.open;
      return begins ? this.#job(number) : undefined;
    });
    const stopped = this.#stopped.then((): Promise<JobResult> | JobResult => (begins ? playing : { ok: true }));
    return await Promise.race([playing, stopped]);
  }

  /** Has a job played, by another thread if the one that was to do it died before it began: that was no fault of the job. */
  async #perform(number: number, offer: () => Job | undefined): Promise<JobResult> {
    for (let spare = UNBEGUN; ; spare--) {
      const result = await this.#crew.perform(offer);
      if (result.ok || spare === 0 || this.ledger.at(number) !== undefined) return result;
    }
  }

  #job(number: number): Job {
    this.#began ??= performance.now();
    return { setup: this.#setup, cut: this.ledger.cut, memory: this.ledger.memory, number };
  }

  #hopeless(range: BattleRange | undefined, cause: string): RunError {
    const { from, count } = range ?? { from: this.ledger.cut.from, count: this.ledger.cut.chunk };
    return new RunError(
      `battles ${interval(from, from + count)} could not be played; the second attempt ended with ${cause}`,
    );
  }
}

/** Battles from..to-1, for people. */
function interval(from: number, to: number): string {
  return `${String(from)}..${String(to - 1)}`;
}

/** Lets the caller follow and stop a leg; returns what ends that. */
function attend(conductor: Conductor, run: Run, { signal, onProgress }: PlayOptions): () => void {
  const { ledger } = conductor;
  const stop = (): void => {
    conductor.stop();
  };
  const tell = (): void => {
    conductor.giveWay();
    try {
      onProgress?.(progressOf(run, ledger));
    } catch (error) {
      conductor.fail(error);
    }
  };
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop);
  const timer = idly(setInterval(tell, PROGRESS_EVERY));
  return () => {
    clearInterval(timer);
    signal?.removeEventListener('abort', stop);
  };
}

/** Earlier legs are done. */
function progressOf({ from, to }: Run, { cut, done }: Ledger): Progress {
  return { done: cut.from - from + done, asked: to - from };
}

/** What came of a leg. */
interface Leg {
  readonly tally: Tally;
  /** One past the last battle played. */
  readonly to: number;
  readonly seconds: number;
  readonly busy: number;
  /** The leg was ended by a signal. */
  readonly stopped: boolean;
  /** The most battles of the next leg's chunks. */
  readonly most: number;
}

async function playLeg(
  run: Run,
  { to: from, most: before }: Pick<Leg, 'to' | 'most'>,
  prepared: PreparedRun,
  crew: Crew,
  options: PlayOptions,
): Promise<Leg> {
  const ledger = new Ledger(cutLeg({ ...run, from }, Math.max(1, crew.workers), options.chunk, before));
  const conductor = new Conductor(prepared, ledger, crew);
  const release = attend(conductor, run, options);
  try {
    const seconds = await conductor.play();
    options.onProgress?.(progressOf(run, ledger));
    const { claimedTo: to, stopped, wanted } = ledger;
    const { tally, busy } = conductor;
    return { tally, to, seconds, busy, stopped, most: nextMost(before, wanted) };
  } finally {
    release();
  }
}

/** One job at a time: many at once would each need a kernel of its own, and none would be done sooner. */
const turns = new Window(1);

/** The calling thread. */
export const HERE: Crew = {
  workers: 0,
  crowded: () => turns.waiting > 0,
  perform: (offer) =>
    turns.hold(async () => {
      const job = offer();
      return job === undefined ? { ok: true } : playJob(job, pause);
    }),
};

/**
 * Plays a run with a crew, or here if no other thread can load its rules.
 * @throws InputError if the run is out of range
 * @throws RunError if some battles could not be played at the second attempt either
 */
export async function conduct(run: Run, asked: Crew, options: PlayOptions): Promise<RunResult> {
  checkRun(run, options);
  const prepared =
    options.prepared ?? (await prepare(run, { signal: options.signal, threads: Math.max(1, asked.workers) }));
  const crew = isPortable(prepared.setup) ? asked : HERE;
  const start = { to: run.from, most: Number.POSITIVE_INFINITY };
  let leg = await playLeg(run, start, prepared, crew, options);
  const { tally } = leg;
  let { seconds, busy } = leg;
  while (!leg.stopped && leg.to < run.to) {
    leg = await playLeg(run, leg, prepared, crew, options);
    mergeTally(tally, leg.tally);
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
    player: formOf(setup),
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
export async function playHere(run: Run, options: PlayOptions = {}): Promise<RunResult> {
  return conduct(run, HERE, options);
}
