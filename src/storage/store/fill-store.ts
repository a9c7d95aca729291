/** Fills the missing segments of a store, on all threads. */
import { setTimeout as pause } from 'node:timers/promises';
import { BudgetError, GOLDEN_SECTION, RunError } from '../../core/index.ts';
import type { ThreadPool } from '../../engines/index.ts';
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
export type FillExecutor = Pick<ThreadPool, 'workers' | 'play' | 'call' | 'end'>;

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
    const timer = setInterval(() => onProgress?.(this.progress), PROGRESS_EVERY).unref();
    // While parts of a thread are written, it fills the next segments.
    const hands = hasSharedCells(this.#sweep) ? 1 : 2 * pool.workers;
    try {
      await Promise.all(Array.from({ length: hands }, () => this.#runTasks()));
      onProgress?.(this.progress);
    } finally {
      clearInterval(timer);
      clearTimeout(late);
      signal?.removeEventListener('abort', stop);
    }
    if (this.#failures.length > 0) throw this.#failures[0];
  }

  async #runTasks(): Promise<void> {
    for (;;) {
      const task = this.#stopped ? undefined : this.#tasks.shift();
      if (task === undefined) return;
      try {
        const filled = await this.#fill(await this.#restoreTask(task));
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

  #fill(task: SegmentTask): Promise<FilledSegment | undefined> {
    return hasSharedCells(this.#sweep) ? this.#fillHere(task) : this.#fillThere(task);
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

  /** Simulates one cell after the other, each on all threads. */
  async #fillHere(task: SegmentTask): Promise<FilledSegment | undefined> {
    const { pool: players, signal } = this.#options;
    try {
      const store = this.#visit === 0 ? this.#store : await createSweepStore(this.#store);
      return await fillSegment(store, task, this.#others, {
        players,
        signal,
        stopped: () => this.#stopped,
        onCell: () => void Atomics.add(this.#words, DONE, 1),
        onBattles: this.#count,
      });
    } catch (error) {
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
      await pause(10);
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
