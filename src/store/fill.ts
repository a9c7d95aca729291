/** Fills the segments of a store that are missing, on all threads. */
import { setTimeout } from 'node:timers/promises';
import { BudgetError, RunError } from '../errors.ts';
import type { Pool } from '../pool/pool.ts';
import { cellsOf, segmentsOf, sharesCells } from '../sweep/segments.ts';
import type { Sweep } from '../sweep/sweep.ts';
import { type Known, knownCounts } from './earlier.ts';
import { factsOf } from './finish.ts';
import { DONE, type SegmentJob, type SegmentResult, STOP, WORDS } from './job.ts';
import type { Manifest } from './manifest.ts';
import { CellError, fillSegment } from './segment.ts';

/** Milliseconds between two reports of progress. */
const PROGRESS_EVERY = 100;

export interface FillProgress {
  /** Cells that are there, and all. */
  readonly done: number;
  readonly cells: number;
  /** Cells that were there before. */
  readonly before: number;
}

export interface FillOptions {
  readonly pool: Pool;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: FillProgress) => void) | undefined;
  /** Where the cells of a segment may have been counted before. */
  readonly known?: ((segment: number) => Known) | undefined;
}

interface Task {
  readonly segment: number;
  readonly known: Known;
}

/** Segments that are missing, or have fewer battles than they should. */
async function tasksOf(folder: string, manifest: Manifest, sweep: Sweep, known: FillOptions['known']): Promise<Task[]> {
  const facts = await factsOf(folder);
  return Array.from({ length: segmentsOf(sweep, manifest.segmentSize) }, (_, segment) => segment).flatMap((segment) => {
    const there = facts.get(segment);
    if (there?.battles === sweep.battles) return [];
    const extended: Known | undefined = there && { from: 'store', below: there.battles };
    return [{ segment, known: extended ?? known?.(segment) ?? { from: 'nowhere' } }];
  });
}

class Filling {
  readonly #folder: string;
  readonly #manifest: Manifest;
  readonly #sweep: Sweep;
  readonly #options: FillOptions;
  readonly #memory = new SharedArrayBuffer(4 * WORDS);
  readonly #words = new Int32Array(this.#memory);
  readonly #cells: number;
  readonly #before: number;
  readonly #tasks: Task[];
  readonly #failures: unknown[] = [];

  constructor(folder: string, manifest: Manifest, sweep: Sweep, tasks: readonly Task[], options: FillOptions) {
    this.#folder = folder;
    this.#manifest = manifest;
    this.#sweep = sweep;
    this.#options = options;
    this.#tasks = [...tasks];
    const size = manifest.segmentSize;
    const count = (segments: Iterable<number>): number => {
      let cells = 0;
      for (const segment of segments) cells += cellsOf(sweep, size, segment);
      return cells;
    };
    this.#cells = count(Array(segmentsOf(sweep, size)).keys());
    this.#before = this.#cells - count(tasks.map(({ segment }) => segment));
  }

  get progress(): FillProgress {
    const done = Math.min(this.#cells, this.#before + Atomics.load(this.#words, DONE));
    return { done, cells: this.#cells, before: this.#before };
  }

  async run(): Promise<void> {
    const { signal, onProgress, pool } = this.#options;
    const stop = (): void => void Atomics.store(this.#words, STOP, 1);
    if (signal?.aborted === true) stop();
    signal?.addEventListener('abort', stop);
    const timer = setInterval(() => onProgress?.(this.progress), PROGRESS_EVERY).unref();
    const hands = sharesCells(this.#sweep) ? 1 : pool.workers;
    try {
      await Promise.all(Array.from({ length: hands }, () => this.#work()));
      onProgress?.(this.progress);
    } finally {
      clearInterval(timer);
      signal?.removeEventListener('abort', stop);
    }
    if (this.#failures.length > 0) throw this.#failures[0];
  }

  async #work(): Promise<void> {
    for (;;) {
      const task = Atomics.load(this.#words, STOP) === 1 ? undefined : this.#tasks.shift();
      if (task === undefined) return;
      try {
        await (sharesCells(this.#sweep) ? this.#fillHere(task) : this.#fillThere(task));
      } catch (error) {
        // What others have begun they finish; nothing more is begun.
        this.#failures.push(error);
        this.#tasks.length = 0;
      }
    }
  }

  /** One cell after the other, each by all threads. */
  async #fillHere({ segment, known }: Task): Promise<void> {
    const { pool: players, signal } = this.#options;
    const { segmentSize: size, sweepHash: hash } = this.#manifest;
    const folder = this.#folder;
    try {
      await fillSegment(this.#sweep, segment, {
        folder,
        hash,
        size,
        players,
        signal,
        known: knownCounts(folder, segment, this.#sweep, known),
        stopped: () => Atomics.load(this.#words, STOP) === 1,
        onCell: () => void Atomics.add(this.#words, DONE, 1),
      });
    } catch (error) {
      if (signal?.aborted !== true) throw error instanceof CellError ? error.cause : error;
    }
  }

  async #fillThere({ segment, known }: Task): Promise<void> {
    const job = { folder: this.#folder, hash: this.#manifest.sweepHash, segment, memory: this.#memory, known };
    const result = await this.#call(job);
    if (!result.ok) this.#blame(result);
  }

  /** A thread that died is replaced, and its segment given to another once. */
  async #call(job: SegmentJob): Promise<SegmentResult> {
    const { pool } = this.#options;
    try {
      return await pool.call<SegmentResult>('cells', job);
    } catch {
      await setTimeout(10);
      return await pool.call<SegmentResult>('cells', job);
    }
  }

  #blame({ point, fault, suggested, message }: Extract<SegmentResult, { ok: false }>): never {
    // The same error as in the thread, with its class and its fields.
    if (fault === 'input' && point !== undefined) this.#sweep.cell(point);
    const where = point === undefined ? '' : `cell ${String(point)}: `;
    const text = message.replace(/^\w*Error: /, '');
    throw fault === 'budget' ? new BudgetError(where + text, { suggested }) : new RunError(where + text);
  }
}

/**
 * Plays and solves whatever the store does not have yet; segments that were not finished when the signal came are left.
 * @throws InputError if the scenario of a cell is refused; the store keeps what it has
 * @throws RunError or BudgetError if a cell could not be played or solved
 */
export async function fillStore(
  folder: string,
  manifest: Manifest,
  sweep: Sweep,
  options: FillOptions,
): Promise<FillProgress> {
  const tasks = await tasksOf(folder, manifest, sweep, options.known);
  const filling = new Filling(folder, manifest, sweep, tasks, options);
  await filling.run();
  return filling.progress;
}
