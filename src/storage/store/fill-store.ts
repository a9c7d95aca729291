/** Fills the missing segments of a store, in this thread and others. */
import { setTimeout as wait } from 'node:timers/promises';
import { pause } from '#platform/pause';
import { BudgetError, GOLDEN_SECTION, RunError } from '../../core/index.ts';
import type { RunExecutor, ThreadPool } from '../../engines/index.ts';
import { getBoundScenario } from '../../rules/index.ts';
import { mapConcurrently } from '../folder/files.ts';
import { isInShard, type Shard } from '../folder/shard.ts';
import { hasSharedCells } from '../sweep/segments.ts';
import type { Sweep } from '../sweep/sweep.ts';
import { examineSegment, restoreCounts } from './examine-segment.ts';
import { removeParts } from './finish-store.ts';
import type { CountsSource } from './previous-counts.ts';
import {
  BATTLES,
  CellError,
  createBattleCounter,
  DONE,
  fillSegment,
  LOCAL_PLAYERS,
  type SegmentJob,
  type SegmentResult,
  type SegmentTask,
  STOP,
  WORDS,
} from './segment.ts';
import {
  createSweepStore,
  type EncodedPart,
  type FilledSegment,
  type FinishedSegment,
  removeContent,
  type SweepStore,
  writeParts,
} from './sweep-store.ts';

/** Milliseconds between two progress reports. */
const PROGRESS_EVERY = 100;

/** Milliseconds after which threads that did not stop are terminated. */
const STOP_MS = 300;

/** Factor of that time while all cells are done and the last parts are written. */
const WRITING_FACTOR = 30;

/**
 * CPU milliseconds of remaining segments that justify threads, and those of each: a thread takes 0.3 to 0.5 CPU seconds
 * to start and to compile its code.
 */
const [THREADS_PAY_MS, THREAD_MS] = [2500, 400];

/** CPU milliseconds of a cheap segment, and those after which the first one is no longer cheap. */
const [SEGMENT_MS, FIRST_SEGMENT_MS] = [20, 500];

/** Shards that only threads fill start one for eight segments, and all after so many CPU milliseconds. */
const SEGMENTS_PER_THREAD = 8;
const GROW_MS = 2000;

/** Returns the CPU milliseconds of this process since a measurement: on a busy machine, threads pay off no sooner. */
function computeCpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

/** Milliseconds between pauses in which this thread handles signals and messages. */
const PAUSE_EVERY = 20;

export interface FillProgress {
  /** Finished cells, and all cells. */
  readonly done: number;
  readonly cells: number;
  /** Cells that were there before. */
  readonly before: number;
  /** Battles simulated so far, in thousands, and those of all missing cells, if known. */
  readonly battles?: readonly [done: number, asked: number] | undefined;
}

export interface FillResult extends FillProgress {
  /** False if the signal aborted before the end. */
  readonly complete: boolean;
  /** Damaged parts whose segments were recomputed. */
  readonly mended: readonly string[];
}

/** Threads that fill segments; for cells that all threads simulate together, an executor of runs. */
export interface FillExecutor extends Pick<ThreadPool, 'workers' | 'play' | 'call' | 'end'> {
  /** True if the threads have started. */
  readonly isStarted?: boolean;
  /** Allows more threads. If present, they start as soon as they pay off, and this thread is one of the workers. */
  grow?(workers: number): void;
}

export interface FillOptions {
  readonly pool: FillExecutor;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: FillProgress) => void) | undefined;
  /** Source of earlier counts of a segment. */
  readonly known?: ((segment: number) => CountsSource) | undefined;
  /** Shard to fill and count; by default all segments. */
  readonly shard?: Shard | undefined;
  /** True for segments that are finished elsewhere, which count as done. */
  readonly isElsewhere?: ((segment: number) => boolean) | undefined;
  /**
   * Delivers the parts of each segment instead of writing them into the store's folder; after a failure, no further
   * segments start.
   */
  readonly deliver?: ((parts: readonly EncodedPart[]) => Promise<void>) | undefined;
  /** Receives the stored parts by segment. */
  readonly stored?: Map<number, FinishedSegment> | undefined;
}

/** Selects the segments of the shard. */
function selectSegments({ segments }: SweepStore, { shard }: FillOptions): number[] {
  const all = [...Array(segments).keys()];
  return shard === undefined ? all : all.filter((segment) => isInShard(shard, segment));
}

/**
 * Reorders tasks evenly: if the cost of cells rises along an axis, finished cells are always representative of the
 * rest, and the most expensive ones do not come together at the end.
 */
function scatterTasks<T>(tasks: readonly T[]): T[] {
  const places = tasks.map((task, t) => [(t * GOLDEN_SECTION) % 1, task] as const);
  return places.sort(([a], [b]) => a - b).map(([, task]) => task);
}

/** Missing segments of a store, and the damaged files that were removed. */
export interface FillTasks {
  /** In the order of filling. */
  readonly tasks: readonly SegmentTask[];
  readonly mended: readonly string[];
}

/**
 * Examines every part of some segments and returns those that are missing, damaged, or need more battles. Removes
 * damaged parts and the rows of their segments.
 * @throws RunError if a part cannot be read or removed
 */
export async function createTasks(
  store: SweepStore,
  segments: readonly number[],
  known: FillOptions['known'],
): Promise<FillTasks> {
  const found = await mapConcurrently(segments, (segment) => examineSegment(store, segment));
  const mended = found.flatMap(({ damaged }) => damaged);
  await removeParts(store.folder, mended);
  const { battles } = store.sweep;
  const tasks = found.flatMap(({ segment, facts, soundBattles }): SegmentTask[] => {
    if (facts?.battles === battles) return [];
    const start = facts?.battles ?? soundBattles;
    if (start !== undefined) return [{ segment, known: { from: 'store', below: start } }];
    return [{ segment, known: known?.(segment) ?? { from: 'nowhere' } }];
  });
  return { tasks: scatterTasks(tasks), mended };
}

/** Throws the error of a thread again, with its class and fields. */
export function throwSegmentError(
  sweep: Sweep,
  { point, fault, suggested, message }: Extract<SegmentResult, { ok: false }>,
): never {
  if (fault === 'input' && point !== undefined) sweep.cell(point);
  const where = point === undefined ? '' : `cell ${String(point)}: `;
  const text = message.replace(/^\w*Error: /, '');
  throw fault === 'budget' ? new BudgetError(where + text, { suggested }) : new RunError(where + text);
}

class StoreFill {
  readonly #store: SweepStore;
  readonly #sweep: Sweep;
  readonly #options: FillOptions;
  readonly #others = new Map<string, Promise<SweepStore>>();
  readonly #memory = new SharedArrayBuffer(4 * WORDS);
  readonly #words = new Int32Array(this.#memory);
  readonly #cells: number;
  readonly #before: number;
  readonly #tasks: SegmentTask[];
  /** Unfinished tasks, and the cells of finished ones. */
  #left: number;
  #filled = 0;
  /** Number of restorations. */
  #visit = 0;
  readonly #failures: unknown[] = [];
  readonly #count: (battles: number) => void;
  /** True if no cell has earlier counts: then the number of battles is known. */
  readonly #fresh: boolean;

  readonly #mended: readonly string[];
  /** True if this thread is one of the workers. */
  #isLocal: boolean;
  readonly #began = process.cpuUsage();
  /** Segments filled in this thread before others started, and CPU milliseconds of the process. */
  #local = { segments: 0, ms: 0 };
  /** Requested threads, and what they and this thread do. */
  #threads = 0;
  readonly #running: Promise<void>[] = [];

  constructor(store: SweepStore, segments: readonly number[], { tasks, mended }: FillTasks, options: FillOptions) {
    this.#store = store;
    this.#mended = mended;
    this.#sweep = store.sweep;
    this.#options = options;
    this.#tasks = [...tasks];
    this.#left = tasks.length;
    this.#count = createBattleCounter(this.#words);
    this.#fresh = tasks.every(({ known }) => known.from === 'nowhere');
    const count = (several: readonly number[]): number =>
      several.reduce((cells, segment) => cells + store.countCells(segment), 0);
    this.#cells = count(segments);
    this.#before = this.#cells - count(tasks.map(({ segment }) => segment));
    const { isCustom } = getBoundScenario(this.#sweep.spec.scenario);
    this.#isLocal = options.pool.grow !== undefined && !isCustom && store.manifest.extended.length === 0;
  }

  get #stopped(): boolean {
    return Atomics.load(this.#words, STOP) === 1;
  }

  get progress(): FillProgress {
    const done = Math.min(this.#cells, this.#before + Atomics.load(this.#words, DONE));
    const { battles, spec } = this.#sweep;
    const isKnown = battles > 0 && spec.precision === undefined && this.#fresh;
    const requested = battles * (this.#cells - this.#before);
    const played = Math.min(requested, 1000 * Atomics.load(this.#words, BATTLES));
    return {
      done,
      cells: this.#cells,
      before: this.#before,
      ...(isKnown && { battles: [played, requested] as const }),
    };
  }

  /** Returns the result so far; cells of abandoned segments do not count. */
  get result(): FillResult {
    const done = this.#before + this.#filled;
    const complete = this.#left === 0;
    return { done, cells: this.#cells, before: this.#before, complete, mended: this.#mended };
  }

  async run(): Promise<void> {
    const { signal, onProgress, pool } = this.#options;
    const isShared = hasSharedCells(this.#sweep);
    let late: NodeJS.Timeout | undefined;
    const stop = (): void => {
      Atomics.store(this.#words, STOP, 1);
      grace(WRITING_FACTOR);
    };
    // Threads check the flag between chunks of battles, but not while they solve. Writing is always awaited.
    const grace = (left: number): void => {
      late = setTimeout(() => {
        if (left > 0 && this.progress.done >= this.#cells) grace(left - 1);
        else void pool.end();
      }, STOP_MS);
    };
    if (signal?.aborted === true) stop();
    signal?.addEventListener('abort', stop);
    const timer = setInterval(() => {
      onProgress?.(this.progress);
      if (!isShared) this.#startThreads();
    }, PROGRESS_EVERY).unref();
    try {
      if (isShared) this.#running.push(this.#runTasks((task) => this.#fillHere(task, pool)));
      else {
        if (this.#isLocal) this.#running.push(this.#runLocalTasks());
        this.#startThreads();
      }
      for (const running of this.#running) await running;
      onProgress?.(this.progress);
    } finally {
      clearInterval(timer);
      clearTimeout(late);
      signal?.removeEventListener('abort', stop);
    }
    if (this.#failures.length > 0) throw this.#failures[0];
  }

  /** Returns the number of threads that the remaining segments justify. */
  #countThreads(): number {
    const { pool, shard } = this.#options;
    const most = pool.workers - (this.#isLocal ? 1 : 0);
    const [elapsed, left] = [computeCpuMs(this.#began), this.#tasks.length];
    if (pool.grow === undefined) return most;
    if (left === 0) return 0;
    if (pool.isStarted === true) return Math.min(most, left);
    const { segments, ms } = this.#local;
    if (!this.#isLocal)
      return Math.min(most, shard === undefined || elapsed > GROW_MS ? left : Math.ceil(left / SEGMENTS_PER_THREAD));
    if (segments === 0 && elapsed > FIRST_SEGMENT_MS) return Math.min(most, left);
    // Compiling code takes as long as two segments.
    const rest = left * (segments === 0 ? SEGMENT_MS : ms / (segments + 2));
    return rest < THREADS_PAY_MS ? 0 : Math.min(most, left, Math.floor(rest / THREAD_MS));
  }

  #startThreads(): void {
    const threads = this.#countThreads();
    if (threads <= this.#threads) return;
    this.#options.pool.grow?.(threads);
    // While parts of a thread are written, it fills the next segments.
    for (let each = 2 * this.#threads; each < 2 * threads; each++)
      this.#running.push(this.#runTasks((task) => this.#fillThere(task)));
    this.#threads = threads;
  }

  /** Fills segments, while `isActive`. */
  async #runTasks(
    fill: (task: SegmentTask) => Promise<FilledSegment | undefined>,
    isActive = (): boolean => true,
  ): Promise<void> {
    for (;;) {
      const task = this.#stopped || !isActive() ? undefined : this.#tasks.shift();
      if (task === undefined) return;
      try {
        const filled = await fill(await this.#restoreTask(task));
        if (filled === undefined) continue;
        await this.#deliverSegment(filled);
        this.#left--;
        this.#filled += filled.facts.cells;
      } catch (error) {
        if (this.#stopped) continue;
        // Started segments finish; no further ones start.
        this.#failures.push(error);
        this.#tasks.length = 0;
      }
    }
  }

  /**
   * Fills segments in this thread, and starts the threads that the rest justifies. Threads fill those with cells that
   * take long to solve or fail: they can be terminated, and describe errors.
   */
  async #runLocalTasks(): Promise<void> {
    const fill = async (task: SegmentTask): Promise<FilledSegment | undefined> => {
      const began = process.cpuUsage();
      try {
        return await this.#fillHere(task, LOCAL_PLAYERS, 'briefly');
      } catch {
        this.#isLocal = false;
        this.#tasks.unshift(task);
        return undefined;
      } finally {
        if (this.#threads === 0)
          this.#local = { segments: this.#local.segments + 1, ms: this.#local.ms + computeCpuMs(began) };
        this.#startThreads();
      }
    };
    await this.#runTasks(fill, () => this.#isLocal);
  }

  /** Returns the task, after restoring the counts of its segment from before the last extension if needed. */
  async #restoreTask(task: SegmentTask): Promise<SegmentTask> {
    const { manifest } = this.#store;
    const [last] = manifest.extended.slice(-1);
    if (last === undefined || task.known.from !== 'nowhere' || this.#store.countCells(task.segment) === 0) return task;
    const { pool: players, signal } = this.#options;
    const isStopped = (): boolean => this.#stopped;
    await restoreCounts(this.#store, task.segment, { players, signal, stopped: isStopped, onCell: () => undefined });
    // Threads have listed the folder before the restoration.
    this.#visit++;
    return { ...task, known: { from: 'store', below: last } };
  }

  /** Simulates one cell after the other by an executor of runs. */
  async #fillHere(task: SegmentTask, players: RunExecutor, solves?: 'briefly'): Promise<FilledSegment | undefined> {
    const { signal } = this.#options;
    let [cells, paused] = [0, performance.now()];
    try {
      const store = this.#visit === 0 ? this.#store : await createSweepStore(this.#store);
      return await fillSegment(store, task, this.#others, {
        players,
        solves,
        signal,
        stopped: () => this.#stopped,
        onCell: async () => {
          Atomics.add(this.#words, DONE, 1);
          cells++;
          if (performance.now() - paused < PAUSE_EVERY) return;
          await pause();
          paused = performance.now();
        },
        onBattles: this.#count,
      });
    } catch (error) {
      Atomics.sub(this.#words, DONE, cells);
      if (signal?.aborted !== true) throw error instanceof CellError ? error.cause : error;
      return undefined;
    }
  }

  async #fillThere({ segment, known }: SegmentTask): Promise<FilledSegment | undefined> {
    const { folder, manifest } = this.#store;
    const { module } = getBoundScenario(this.#sweep.spec.scenario);
    const [hash, visit] = [manifest.sweepHash, this.#visit];
    const job = { folder, hash, module, visit, segment, memory: this.#memory, known };
    const result = await this.#call(job);
    if (!result.ok) throwSegmentError(this.#sweep, result);
    return result.filled;
  }

  async #deliverSegment({ facts, parts }: FilledSegment): Promise<void> {
    const { deliver, stored } = this.#options;
    await (deliver === undefined ? writeParts(this.#store.folder, parts) : deliver(parts));
    stored?.set(facts.segment, { facts, parts: parts.map(removeContent) });
  }

  /** Calls a thread; replaces a thread that died, and repeats its segment once. */
  async #call(job: SegmentJob): Promise<SegmentResult> {
    const { pool } = this.#options;
    try {
      return await pool.call<SegmentResult>('cells', job);
    } catch (error) {
      if (this.#stopped) throw error;
      await wait(10);
      return await pool.call<SegmentResult>('cells', job);
    }
  }
}

/**
 * Simulates and solves all missing cells of a store; segments that are unfinished when the signal aborts are abandoned.
 * @throws InputError if the scenario of a cell is rejected; the store keeps its parts
 * @throws RunError or BudgetError if a cell cannot be simulated or solved
 */
export async function fillStore(store: SweepStore, options: FillOptions): Promise<FillResult> {
  const segments = selectSegments(store, options);
  const here = segments.filter((segment) => options.isElsewhere?.(segment) !== true);
  const filling = new StoreFill(store, segments, await createTasks(store, here, options.known), options);
  await filling.run();
  return filling.result;
}
