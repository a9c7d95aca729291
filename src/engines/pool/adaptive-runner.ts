/** Plays a run without a pool that is there already: in the calling thread, and with the threads of the process if that pays. */

import { pause } from '#platform/pause';
import { countCores } from '#platform/threads';
import { asyncDispose, parseCount, WORKERS_MAX } from '../../core/index.ts';
import { toPortable } from '../../rules/index.ts';
import { type Counts, getBattleCount, mergeCounts } from '../../stats/index.ts';
import { chooseEngine } from './choose-engine.ts';
import {
  checkRun,
  type PreparedRun,
  type Progress,
  type RunRequest,
  type RunRequestOptions,
  type RunResult,
} from './run.ts';
import { InFlightSet, runInCallingThread } from './run-scheduler.ts';
import { isPortable } from './simulator.ts';
import { ThreadLease } from './thread-pool.ts';

/** Battles that are played first, to see how long the others will take: at most some tenths of a second. */
const TRIAL_BATTLES = { kernel: 2 ** 14, automaton: 2 ** 14, reference: 2 ** 9, sampled: 2 ** 16 };

/** Rules that were not compiled are looked at again for a leg of so many times as many battles. */
const RECOMPILE_FACTOR = 2;

/** Seconds of one thread for which it pays to start threads: two of them are up in 0.05 s and then save half. */
const START_THREADS_SECONDS = 0.1;

/** The same of threads that are up: a job is with them in a tenth of a millisecond, and each opens a player. */
const USE_THREADS_SECONDS = 0.02;

/** Seconds that are played here at once while threads start. */
const LOCAL_SLICE_SECONDS = 0.02;

/** A tally of no battle. */
const NO_COUNTS: Counts = { outcomes: new Float64Array(), metrics: [] };

export interface RunThreadsOptions extends RunRequestOptions {
  /** Threads of the process that may play it at once, 1..256; as many as there are cores unless said otherwise. */
  readonly workers?: number | undefined;
}

/** Those who play runs: a pool, or the calling thread. */
export interface RunExecutor {
  /** Threads that it has, if it is known. */
  readonly workers?: number;
  play(run: RunRequest, options?: RunRequestOptions): Promise<RunResult>;
}

export interface RunLegsOptions extends RunThreadsOptions {
  /** Players to use instead of the threads of the process. */
  readonly pool?: RunExecutor | undefined;
}

/** The options for a part of a run: progress is told of the whole, of which `before` and `after` are not in the part. */
function withTotalProgress<O extends RunRequestOptions>(options: O, before: number, after: number): O {
  const { onProgress } = options;
  if (onProgress === undefined) return options;
  return {
    ...options,
    onProgress: ({ done, total }: Progress) => {
      onProgress({ done: before + done, total: before + total + after });
    },
  };
}

/** Both parts of a run as one. */
function joinResults(first: RunResult, rest: RunResult): RunResult {
  mergeCounts(first.tally, rest.tally);
  return { ...rest, tally: first.tally, from: first.from, seconds: first.seconds + rest.seconds };
}

/** Makes a run ready, and anew for much longer legs if its rules were not worth compiling before. */
class EngineSelector {
  readonly #run: RunRequest;
  readonly #options: RunLegsOptions;
  #prepared: PreparedRun | undefined;
  #due = 0;

  constructor(run: RunRequest, options: RunLegsOptions) {
    this.#run = run;
    this.#options = options;
  }

  /** What a leg of so many battles is played with. */
  async select(due: number): Promise<PreparedRun> {
    const before = this.#prepared ?? this.#options.prepared;
    const asWritten = this.#run.engine === 'kernel' && before?.setup.form === 'reference';
    if (before !== undefined && !(asWritten && due >= RECOMPILE_FACTOR * this.#due)) return before;
    this.#due = due;
    this.#prepared = await chooseEngine(this.#run, {
      signal: this.#options.signal,
      threads: this.#threads,
      minBattles: due,
    });
    return this.#prepared;
  }

  get #threads(): number | undefined {
    const { workers, pool } = this.#options;
    if (pool !== undefined) return pool.workers;
    return toPortable(this.#run.scenario) === undefined ? 1 : (workers ?? countCores());
  }
}

/** Plays the parts of one run, one after the other: here while that is quicker, then with the threads of the process. */
class AdaptiveRunner {
  readonly #run: RunRequest;
  #prepared: PreparedRun;
  readonly #hired: RunExecutor | undefined;
  readonly #lease: ThreadLease;
  #isLeased = false;
  /** Of one thread and one battle, from what was played here last: what other calls did meanwhile is no part of it. */
  #pace = 0;

  constructor(run: RunRequest, { workers, pool }: RunLegsOptions, prepared: PreparedRun) {
    this.#run = run;
    this.#prepared = prepared;
    this.#hired = pool;
    this.#lease = new ThreadLease(workers);
    this.#pace = prepared.pace ?? 0;
  }

  /** Battles that are played to see how long they take, if nobody knows. */
  get trialBattles(): number {
    const isKnown = this.#hired !== undefined || this.#pace > 0;
    return isKnown ? Number.POSITIVE_INFINITY : TRIAL_BATTLES[this.#run.engine];
  }

  /** Goes on with what was made ready for the next leg. */
  setPrepared(prepared: PreparedRun): void {
    if (prepared === this.#prepared) return;
    this.#prepared = prepared;
    this.#pace = prepared.pace ?? 0;
  }

  /** Plays battles from..to-1 of the run. */
  async play(from: number, to: number, options: RunRequestOptions): Promise<RunResult> {
    if (this.#hired !== undefined) return await this.#by(this.#hired, from, to, options);
    if (!this.#isLeased && !this.#pays(to - from)) return await this.#here(from, to, options);
    this.#isLeased = true;
    const played = this.#lease.isStarted ? undefined : await this.#meanwhile(from, to, options);
    if (played?.complete === false || played?.to === to) return played;
    const rest = await this.#by(this.#lease, played?.to ?? from, to, options);
    return played === undefined ? rest : joinResults(played, rest);
  }

  async [asyncDispose](): Promise<void> {
    await this.#lease[asyncDispose]();
  }

  /** Whether threads are worth their start for so many battles; those that cannot load the rules are worth nothing. */
  #pays(battles: number): boolean {
    const least = this.#lease.isStarted ? USE_THREADS_SECONDS : START_THREADS_SECONDS;
    return this.#pace * battles >= least && isPortable(this.#prepared.setup);
  }

  /** Plays here while threads start, so that nobody waits for them, and a signal is heard: undefined if they were quick. */
  async #meanwhile(from: number, to: number, options: RunRequestOptions): Promise<RunResult | undefined> {
    const started = this.#lease.start();
    const starting = new InFlightSet();
    starting.add(started).catch(() => undefined);
    await pause();
    let played: RunResult | undefined;
    while (starting.isActive && played?.to !== to) {
      const next = played?.to ?? from;
      const count = Math.max(1, Math.round(LOCAL_SLICE_SECONDS / this.#pace));
      const part = await this.#here(next, Math.min(to, next + count), options);
      played = played === undefined ? part : joinResults(played, part);
      if (!part.complete) return played;
    }
    if (played?.to !== to) await started;
    return played;
  }

  async #here(from: number, to: number, options: RunRequestOptions): Promise<RunResult> {
    const result = await this.#by({ play: runInCallingThread }, from, to, options);
    this.#pace = (result.busy ?? 0) / Math.max(1, result.to - result.from);
    return result;
  }

  async #by(players: RunExecutor, from: number, to: number, options: RunRequestOptions): Promise<RunResult> {
    const { from: first, to: last } = this.#run;
    const watch = { ...withTotalProgress(options, from - first, last - to), prepared: this.#prepared };
    return await players.play({ ...this.#run, from, to }, watch);
  }
}

/**
 * Says how many battles of a run the next look is after, by the tally of those before it; undefined ends the run. It is
 * asked with an empty tally first, and must depend on tallies alone.
 */
export type NextAnalysis = (tally: Counts) => number | undefined;

/** Numbers of battles at which a run is looked at, ascending, until it is enough at one of them. */
export function scheduleAnalyses(looks: readonly number[], enough: (tally: Counts) => boolean): NextAnalysis {
  return (tally) => {
    const battles = getBattleCount(tally);
    return battles > 0 && enough(tally) ? undefined : looks.find((look) => look > battles);
  };
}

/**
 * Plays a run until it is enough, leg by leg. Its beginning is always played in the calling thread; the time that this
 * takes says whether threads are worth their start for a leg. Who plays what changes no result.
 * @param next says where the legs end
 * @throws InputError if the run is out of range
 * @throws BudgetError if endings are to be drawn and there is no exact law
 * @throws RunError if some battles could not be played at the second attempt either
 */
export async function runLegs(run: RunRequest, next: NextAnalysis, options: RunLegsOptions = {}): Promise<RunResult> {
  checkRun(run, options);
  const { workers, signal, onProgress, chunk } = options;
  const watch = { signal, onProgress, chunk };
  if (workers !== undefined) parseCount(workers, 'workers', 1, WORKERS_MAX);
  let end = run.from + (next(NO_COUNTS) ?? 0);
  const readying = new EngineSelector(run, options);
  await using troupe = new AdaptiveRunner(run, options, await readying.select(end - run.from));
  let played = await troupe.play(run.from, Math.min(end, run.from + troupe.trialBattles), watch);
  while (played.complete) {
    if (played.to === end) {
      const look = next(played.tally);
      if (look === undefined) return played;
      end = run.from + look;
      troupe.setPrepared(await readying.select(end - played.to));
    }
    if (signal?.aborted === true) return { ...played, complete: false };
    played = joinResults(played, await troupe.play(played.to, end, watch));
  }
  return played;
}

/** Plays a run here, or with threads if they pay. */
export async function runBattles(run: RunRequest, options: RunLegsOptions = {}): Promise<RunResult> {
  return runLegs(
    run,
    scheduleAnalyses([run.to - run.from], () => true),
    options,
  );
}
