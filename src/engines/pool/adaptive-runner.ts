/** Runs battles without a pool of the caller: in the calling thread, and in threads of the process if they pay off. */

import { pause } from '#platform/pause';
import { countCores } from '#platform/threads';
import { asyncDispose, parseCount, WORKERS_MAX } from '../../core/index.ts';
import { toPortable } from '../../rules/index.ts';
import { type Counts, getBattleCount, mergeCounts } from '../../stats/index.ts';
import { chooseEngine } from './choose-engine.ts';
import { InFlightSet } from './in-flight-set.ts';
import {
  checkRun,
  type PreparedRun,
  type Progress,
  type RunRequest,
  type RunRequestOptions,
  type RunResult,
} from './run.ts';
import { runInCallingThread } from './run-scheduler.ts';
import { isPortable } from './simulator.ts';
import { ThreadLease } from './worker-threads.ts';

/** Battles that are simulated first to measure the pace: at most 0.1 seconds or a few times that. */
const TRIAL_BATTLES = { kernel: 2 ** 14, automaton: 2 ** 14, reference: 2 ** 9, sampled: 2 ** 16 };

/** Growth of a leg at which rules that were not compiled are explored again. */
const RECOMPILE_FACTOR = 2;

/**
 * Duration of a run in one thread for which starting threads pays off: two of them start in 0.05 s and then save half.
 */
const START_THREADS_SECONDS = 0.1;

/**
 * Threshold for threads that have already started: they get a job within 0.1 milliseconds, and each opens a simulator.
 */
const USE_THREADS_SECONDS = 0.02;

/** Duration of a local slice while threads start. */
const LOCAL_SLICE_SECONDS = 0.02;

/** Counts of no battles. */
const NO_COUNTS: Counts = { outcomes: new Float64Array(), metrics: [] };

export interface RunThreadsOptions extends RunRequestOptions {
  /** Maximum number of threads of the process, 1..256; default: the number of cores. */
  readonly workers?: number | undefined;
}

/** Executor of runs: a pool, or the calling thread. */
export interface RunExecutor {
  /** Number of threads, if known. */
  readonly workers?: number;
  play(run: RunRequest, options?: RunRequestOptions): Promise<RunResult>;
}

export interface RunLegsOptions extends RunThreadsOptions {
  /** Executor to use instead of the threads of the process. */
  readonly pool?: RunExecutor | undefined;
}

/** Adapts options to a part of a run: progress refers to the whole, with `before` and `after` outside of the part. */
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

/** Joins two parts of a run. */
function joinResults(first: RunResult, rest: RunResult): RunResult {
  mergeCounts(first.counts, rest.counts);
  return { ...rest, counts: first.counts, from: first.from, seconds: first.seconds + rest.seconds };
}

/** Selects the engine of a run, and again for much longer legs if compiling did not pay off before. */
class EngineSelector {
  readonly #run: RunRequest;
  readonly #options: RunLegsOptions;
  #prepared: PreparedRun | undefined;
  #due = 0;

  constructor(run: RunRequest, options: RunLegsOptions) {
    this.#run = run;
    this.#options = options;
  }

  /** Returns the prepared run for a leg of this size. */
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

/** Runs the parts of a run in sequence: locally while that is faster, then in threads of the process. */
class AdaptiveRunner {
  readonly #run: RunRequest;
  #prepared: PreparedRun;
  readonly #hired: RunExecutor | undefined;
  readonly #lease: ThreadLease;
  #isLeased = false;
  /** Seconds of one thread per battle, from the last local slice, without the work of other calls. */
  #pace = 0;

  constructor(run: RunRequest, { workers, pool }: RunLegsOptions, prepared: PreparedRun) {
    this.#run = run;
    this.#prepared = prepared;
    this.#hired = pool;
    this.#lease = new ThreadLease(workers);
    this.#pace = prepared.pace ?? 0;
  }

  /** Number of battles that measure the pace, if it is unknown. */
  get trialBattles(): number {
    const isKnown = this.#hired !== undefined || this.#pace > 0;
    return isKnown ? Number.POSITIVE_INFINITY : TRIAL_BATTLES[this.#run.engine];
  }

  /** Continues with the setup of the next leg. */
  setPrepared(prepared: PreparedRun): void {
    if (prepared === this.#prepared) return;
    this.#prepared = prepared;
    this.#pace = prepared.pace ?? 0;
  }

  /** Runs battles from..to-1. */
  async play(from: number, to: number, options: RunRequestOptions): Promise<RunResult> {
    if (this.#hired !== undefined) return await this.#runOnThreads(this.#hired, from, to, options);
    if (!this.#isLeased && !this.#areThreadsWorthwhile(to - from)) return await this.#runLocally(from, to, options);
    this.#isLeased = true;
    const played = this.#lease.isStarted ? undefined : await this.#runWhileStarting(from, to, options);
    if (played?.complete === false || played?.to === to) return played;
    const rest = await this.#runOnThreads(this.#lease, played?.to ?? from, to, options);
    return played === undefined ? rest : joinResults(played, rest);
  }

  async [asyncDispose](): Promise<void> {
    await this.#lease[asyncDispose]();
  }

  /** Returns true if threads pay off for a number of battles; threads that cannot load the rules do not. */
  #areThreadsWorthwhile(battles: number): boolean {
    const least = this.#lease.isStarted ? USE_THREADS_SECONDS : START_THREADS_SECONDS;
    return this.#pace * battles >= least && isPortable(this.#prepared.setup);
  }

  /**
   * Runs battles locally while threads start, so that no time is lost and signals are handled: undefined if they
   * started quickly.
   */
  async #runWhileStarting(from: number, to: number, options: RunRequestOptions): Promise<RunResult | undefined> {
    const started = this.#lease.start();
    const starting = new InFlightSet();
    starting.add(started).catch(() => undefined);
    await pause();
    let played: RunResult | undefined;
    while (starting.isActive && played?.to !== to) {
      const next = played?.to ?? from;
      const count = Math.max(1, Math.round(LOCAL_SLICE_SECONDS / this.#pace));
      const part = await this.#runLocally(next, Math.min(to, next + count), options);
      played = played === undefined ? part : joinResults(played, part);
      if (!part.complete) return played;
    }
    if (played?.to !== to) await started;
    return played;
  }

  async #runLocally(from: number, to: number, options: RunRequestOptions): Promise<RunResult> {
    const result = await this.#runOnThreads({ play: runInCallingThread }, from, to, options);
    this.#pace = (result.busy ?? 0) / Math.max(1, result.to - result.from);
    return result;
  }

  async #runOnThreads(players: RunExecutor, from: number, to: number, options: RunRequestOptions): Promise<RunResult> {
    const { from: first, to: last } = this.#run;
    const watch = { ...withTotalProgress(options, from - first, last - to), prepared: this.#prepared };
    return await players.play({ ...this.#run, from, to }, watch);
  }
}

/**
 * Returns the number of battles at the next interim analysis, by the counts so far; undefined ends the run. It is first
 * called with empty counts, and must depend only on counts.
 */
export type NextAnalysis = (counts: Counts) => number | undefined;

/** Schedules interim analyses at ascending numbers of battles, until `enough` is true at one of them. */
export function scheduleAnalyses(analyses: readonly number[], enough: (counts: Counts) => boolean): NextAnalysis {
  return (counts) => {
    const battles = getBattleCount(counts);
    return battles > 0 && enough(counts) ? undefined : analyses.find((analysis) => analysis > battles);
  };
}

/**
 * Runs battles leg by leg until the schedule ends. The beginning always runs in the calling thread; its duration
 * decides whether threads pay off for a leg. The choice of engine and threads does not change results.
 * @param next returns the end of the next leg
 * @throws InputError if the run is out of range
 * @throws BudgetError if the engine is `sampled` and there is no exact distribution
 * @throws RunError if battles failed at the second attempt, too
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
      const analysis = next(played.counts);
      if (analysis === undefined) return played;
      end = run.from + analysis;
      troupe.setPrepared(await readying.select(end - played.to));
    }
    if (signal?.aborted === true) return { ...played, complete: false };
    played = joinResults(played, await troupe.play(played.to, end, watch));
  }
  return played;
}

/** Runs battles locally, or in threads if they pay off. */
export async function runBattles(run: RunRequest, options: RunLegsOptions = {}): Promise<RunResult> {
  return runLegs(
    run,
    scheduleAnalyses([run.to - run.from], () => true),
    options,
  );
}
