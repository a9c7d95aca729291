/** Fills the segments of a store that are missing, on all threads. */
import { setTimeout as pause } from 'node:timers/promises';
import { BudgetError, RunError } from '../../core/index.ts';
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

/** Milliseconds between two reports of progress. */
const PROGRESS_EVERY = 100;

/** Milliseconds after which threads that did not stop are ended. */
const STOP_MS = 300;

/** How often they get as long again while all cells are done and the last ones are written. */
const WRITING_FACTOR = 30;

export interface FillProgress {
  /** Cells that are there, and all. */
  readonly done: number;
  readonly cells: number;
  /** Cells that were there before. */
  readonly before: number;
  /** Battles that were played so far, in thousands of them, and those of all missing cells, where that is known. */
  readonly battles?: readonly [done: number, asked: number] | undefined;
}

export interface FillResult extends FillProgress {
  /** False if the signal came before all was there. */
  readonly complete: boolean;
  /** Parts that were damaged: their segments were computed again. */
  readonly mended: readonly string[];
}

/** Those who fill: threads, or, for cells that all play together, whoever plays runs. */
export type FillExecutor = Pick<ThreadPool, 'workers' | 'play' | 'call' | 'end'>;

export interface FillOptions {
  readonly pool: FillExecutor;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: FillProgress) => void) | undefined;
  /** Where the cells of a segment may have been counted before. */
  readonly known?: ((segment: number) => CountsSource) | undefined;
  /** Whose segments alone are filled and counted; all of them unless it is given. */
  readonly shard?: Shard | undefined;
  /** True of segments that are finished in another place: they count as there. */
  readonly isElsewhere?: ((segment: number) => boolean) | undefined;
  /** Takes the parts of each segment, in the place of the store's folder; if that fails, no further ones are begun. */
  readonly deliver?: ((parts: readonly EncodedPart[]) => Promise<void>) | undefined;
  /** Gets what was stored of each segment, by segment. */
  readonly stored?: Map<number, FinishedSegment> | undefined;
}

/** The segments that are to be there in the end. */
function selectSegments({ segments }: SweepStore, { shard }: FillOptions): number[] {
  const all = [...Array(segments).keys()];
  return shard === undefined ? all : all.filter((segment) => isInShard(shard, segment));
}

/** The golden section: the parts of its multiples behind the point lie evenly, however many there are. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * The same in an order that is even over all of them: where cells cost more and more along an axis, those that are done
 * are at any moment like those that are left, and none of the dearest come together at the end.
 */
function scatterTasks<T>(tasks: readonly T[]): T[] {
  const places = tasks.map((task, t) => [(t * GOLDEN) % 1, task] as const);
  return places.sort(([a], [b]) => a - b).map(([, task]) => task);
}

/** What is to be filled of a store, and what was removed from it because it is damaged. */
export interface FillTasks {
  /** In the order in which they are best filled. */
  readonly tasks: readonly SegmentTask[];
  readonly mended: readonly string[];
}

/**
 * Examines every part of some segments: those that are missing, damaged, or have fewer battles than they should are to be
 * filled. Damaged parts are removed, with the rows of their segments.
 * @throws RunError if a part cannot be read for reasons of the system, or removed
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

/** Throws the same error as in the thread, with its class and its fields. */
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
  /** Tasks that are not done, and cells of those that are. */
  #left: number;
  #filled = 0;
  /** How often counts were restored. */
  #visit = 0;
  readonly #failures: unknown[] = [];
  readonly #count: (battles: number) => void;
  /** True if no cell was counted before: then the battles to play are known. */
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
    const asked = battles * (this.#cells - this.#before);
    const played = Math.min(asked, 1000 * Atomics.load(this.#words, BATTLES));
    return { done, cells: this.#cells, before: this.#before, ...(isKnown && { battles: [played, asked] as const }) };
  }

  /** What there is when nobody fills any more: cells of segments that were left are not. */
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
    // Threads look up between chunks of battles, but not while they solve. What only has to be written is waited for.
    const grace = (left: number): void => {
      late = setTimeout(() => {
        if (left > 0 && this.progress.done >= this.#cells) grace(left - 1);
        else void pool.end();
      }, STOP_MS);
    };
    if (signal?.aborted === true) stop();
    signal?.addEventListener('abort', stop);
    const timer = setInterval(() => onProgress?.(this.progress), PROGRESS_EVERY).unref();
    // While the parts that a thread has filled are written, it fills the next ones.
    const hands = hasSharedCells(this.#sweep) ? 1 : 2 * pool.workers;
    try {
      await Promise.all(Array.from({ length: hands }, () => this.#work()));
      onProgress?.(this.progress);
    } finally {
      clearInterval(timer);
      clearTimeout(late);
      signal?.removeEventListener('abort', stop);
    }
    if (this.#failures.length > 0) throw this.#failures[0];
  }

  async #work(): Promise<void> {
    for (;;) {
      const task = this.#stopped ? undefined : this.#tasks.shift();
      if (task === undefined) return;
      try {
        const filled = await this.#fill(await this.#whole(task));
        if (filled === undefined) continue;
        await this.#deliver(filled);
        this.#left--;
        this.#filled += filled.facts.cells;
      } catch (error) {
        if (this.#stopped) continue;
        // What others have begun they finish; nothing more is begun.
        this.#failures.push(error);
        this.#tasks.length = 0;
      }
    }
  }

  #fill(task: SegmentTask): Promise<FilledSegment | undefined> {
    return hasSharedCells(this.#sweep) ? this.#fillHere(task) : this.#fillThere(task);
  }

  /** The task, once the store has the counts of its segment from before the last extension again. */
  async #whole(task: SegmentTask): Promise<SegmentTask> {
    const { manifest } = this.#store;
    const [last] = manifest.extended.slice(-1);
    if (last === undefined || task.known.from !== 'nowhere' || this.#store.countCells(task.segment) === 0) return task;
    const { pool: players, signal } = this.#options;
    const stopped = (): boolean => this.#stopped;
    await restoreCounts(this.#store, task.segment, { players, signal, stopped, onCell: () => undefined });
    // Threads have seen the folder without what was restored.
    this.#visit++;
    return { ...task, known: { from: 'store', below: last } };
  }

  /** One cell after the other, each by all threads. */
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

  async #deliver({ facts, parts }: FilledSegment): Promise<void> {
    const { deliver, stored } = this.#options;
    await (deliver === undefined ? writeParts(this.#store.folder, parts) : deliver(parts));
    stored?.set(facts.segment, { facts, parts: parts.map(removeContent) });
  }

  /** A thread that died is replaced, and its segment given to another once. */
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
 * Plays and solves whatever the store does not have yet; segments that were not finished when the signal came are left.
 * @throws InputError if the scenario of a cell is refused; the store keeps what it has
 * @throws RunError or BudgetError if a cell could not be played or solved
 */
export async function fillStore(store: SweepStore, options: FillOptions): Promise<FillResult> {
  const segments = selectSegments(store, options);
  const here = segments.filter((segment) => options.isElsewhere?.(segment) !== true);
  const filling = new StoreFill(store, segments, await createTasks(store, here, options.known), options);
  await filling.run();
  return filling.result;
}
