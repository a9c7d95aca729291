/** Fills a store by the workers of a queue. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError, RunError } from '../../core/errors.ts';
import { Lease } from '../../engines/pool/pool.ts';
import { blame, type FillOptions, type FillProgress, type FillResult, type Task, tasksOf, writeParts } from '../store/fill.ts';
import { tablePart, histogramsDue } from '../store/manifest.ts';
import { type ReadStore, type FinishedSegment, withoutContent } from '../store/parts.ts';
import { jobAnew, type SegmentResult } from '../store/segment.ts';
import { cellsOf, segmentsOf } from '../sweep/sweep.ts';
import { type Desk, keepBusy } from './desk.ts';
import { type CellsJob, type CellsResult, type PlayedPart, type PlayedSegment, sweepPlan } from './job.ts';
import type { Link } from './link.ts';
import { CarriedParts } from './parts.ts';
import { Receiver, type Taken } from './receive.ts';
import type { S3Parts } from './s3.ts';
import { Audit, type Claim, type Trust } from './trust.ts';

/** Milliseconds of one thread that a job should take: long against what sending it costs, short against a restart. */
const DUE = 2000;

/** The most segments of a job. */
const SEGMENTS_MAX = 64;

export interface RemoteFill extends Omit<FillOptions, 'pool'> {
  readonly link: Link;
  readonly desk: Desk;
  readonly trust: Trust;
  /** Where parts lie that workers have put into an object store. */
  readonly place?: S3Parts | undefined;
  /** Threads of this process, which decide who was right. */
  readonly workers?: number | undefined;
  readonly onNote?: ((text: string) => void) | undefined;
}

const same = (a: readonly PlayedPart[], b: readonly PlayedPart[]): boolean =>
  a.length === b.length &&
  a.every(({ file, sha256 }) => b.some((part) => part.file === file && part.sha256 === sha256));

class RemoteFilling implements AsyncDisposable {
  readonly #store: ReadStore;
  readonly #options: RemoteFill;
  readonly #receiver: Receiver;
  readonly #plan: string;
  /** Segments that nobody plays. */
  readonly #tasks: number[];
  readonly #before: number;
  readonly #cells: number;
  #done: number;
  /** Segments that are not there. */
  #left: number;
  readonly #there = new Set<number>();
  /** Where workers put parts: no more into their stores once those have turned out not to be of use. */
  #deliver: 'any' | 'queue' = 'any';
  /** Segments that are there and that only one worker has played, by worker. */
  readonly #unchecked = new Map<string, Set<number>>();
  /** Milliseconds that a segment takes, about. */
  #ms = DUE;
  readonly #pool: Lease;
  readonly #audit: Audit<number, readonly PlayedPart[]>;

  constructor(store: ReadStore, tasks: readonly Task[], plan: string, options: RemoteFill) {
    const { manifest, sweep } = store;
    this.#store = store;
    this.#options = options;
    this.#pool = new Lease(options.workers);
    this.#plan = plan;
    const { link, place, onNote } = options;
    this.#receiver = new Receiver({ store, carried: new CarriedParts(link.redis, plan), place, onNote });
    this.#tasks = tasks.map(({ segment }) => segment);
    this.#left = tasks.length;
    const all = segmentsOf(sweep, manifest.segmentSize);
    this.#cells = this.#sum(Array(all).keys());
    this.#before = this.#cells - this.#sum(this.#tasks);
    this.#done = this.#before;
    this.#audit = new Audit<number, readonly PlayedPart[]>(options.desk, options.trust, {
      ask: (segment, worker) => this.#ask(segment, worker),
      here: (segment) => this.#here(segment),
      same,
      confirm: (segment) => {
        this.#confirm(segment);
      },
      undo: (worker) => this.#undo(worker),
      wrong: (segment) => `segment ${String(segment)} of the sweep is not what it says`,
    });
  }

  get #progress(): FillProgress {
    return { done: this.#done, cells: this.#cells, before: this.#before };
  }

  async run(): Promise<FillResult> {
    const { desk, onProgress } = this.#options;
    onProgress?.(this.#progress);
    await keepBusy(desk, () => {
      while (!desk.stopped && this.#tasks.length > 0) {
        const segments = this.#tasks.splice(0, this.#size).filter((segment) => !this.#there.has(segment));
        if (segments.length > 0) return this.#have(segments);
      }
      return undefined;
    });
    return { ...this.#progress, complete: this.#left === 0 };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool[Symbol.asyncDispose]();
  }

  /** Segments of the next job: so many that it takes its time, and towards the end so few that all have something. */
  get #size(): number {
    const even = Math.ceil(this.#tasks.length / (2 * Math.max(1, this.#options.desk.threads)));
    return Math.max(1, Math.min(SEGMENTS_MAX, Math.round(DUE / this.#ms), even));
  }

  #sum(segments: Iterable<number>): number {
    const { manifest, sweep } = this.#store;
    let cells = 0;
    for (const segment of segments) cells += cellsOf(sweep, manifest.segmentSize, segment);
    return cells;
  }

  async #have(segments: readonly number[]): Promise<void> {
    const { desk, trust } = this.#options;
    const job: CellsJob = { kind: 'cells', plan: this.#plan, segments: [...segments], deliver: this.#deliver };
    const result = await desk.submit(job);
    const told = result?.kind === 'cells' && trust.believes(result.worker) ? result : undefined;
    if (result?.kind === 'refused' || told?.fault !== undefined) {
      // What cannot be is seen here, with the same error as without a queue.
      const first = segments.find((segment) => !told?.segments.some((played) => played.segment === segment));
      if (first !== undefined) await this.#audit.settle(first, []);
    }
    const came = new Map(told?.segments.map((played) => [played.segment, played]));
    if (told !== undefined && came.size > 0) this.#ms = 0.8 * this.#ms + (0.2 * told.ms) / came.size;
    const asked = segments.flatMap((segment) => came.get(segment) ?? []);
    const taken = await this.#receiver.take(asked);
    for (const segment of segments) {
      const played = came.get(segment);
      if (told !== undefined && played !== undefined) await this.#accept(told, played, taken.get(segment));
      else if (!this.#there.has(segment)) this.#tasks.push(segment);
    }
    this.#options.onProgress?.(this.#progress);
  }

  #note(finished: FinishedSegment): void {
    const { segment } = finished.facts;
    this.#options.stored?.set(segment, finished);
    if (this.#there.has(segment)) return;
    this.#there.add(segment);
    this.#left--;
    this.#done += this.#sum([segment]);
  }

  /** Takes what a worker has played, and has some of it played again. */
  async #accept({ worker }: CellsResult, played: PlayedSegment, taken: Taken | undefined): Promise<void> {
    const { segment, parts } = played;
    if (taken === 'missing') {
      this.#distrustStores(`what worker ${worker} puts into its --store is not seen here`);
      this.#tasks.push(segment);
      return;
    }
    if (taken === undefined || taken === 'wrong') {
      await this.#audit.settle(segment, [{ worker, said: parts }]);
      return;
    }
    this.#note(taken);
    const unchecked = this.#unchecked.get(worker) ?? new Set();
    this.#unchecked.set(worker, unchecked.add(segment));
    await this.#audit.look(segment, worker, parts);
  }

  #distrustStores(why: string): void {
    if (this.#deliver === 'queue') return;
    this.#deliver = 'queue';
    this.#options.onNote?.(`${why}: parts go through the queue`);
  }

  async #ask(segment: number, worker: string): Promise<Claim<readonly PlayedPart[]> | undefined> {
    const job: CellsJob = { kind: 'cells', plan: this.#plan, segments: [segment], deliver: 'nowhere' };
    const result = await this.#options.desk.submit(job, worker);
    const again = result?.kind === 'cells' ? result.segments.find((played) => played.segment === segment) : undefined;
    return again && { worker, said: again.parts };
  }

  #confirm(segment: number): void {
    for (const segments of this.#unchecked.values()) segments.delete(segment);
  }

  /** Plays a segment here, whose parts take the place of all others. */
  async #here(segment: number): Promise<readonly PlayedPart[]> {
    const truth = await this.#playHere(segment);
    this.#note(truth);
    this.#confirm(segment);
    return truth.parts;
  }

  async #playHere(segment: number): Promise<FinishedSegment> {
    const result = await this.#pool.call<SegmentResult>('cells', jobAnew(this.#store, segment));
    if (!result.ok) blame(this.#store.sweep, result);
    if (result.filled === undefined) throw new RunError(`segment ${String(segment)} was left`);
    const { facts, parts } = result.filled;
    await writeParts(this.#store.folder, parts);
    return { facts, parts: parts.map(withoutContent) };
  }

  /** Takes out of the store what nobody but this worker has played. */
  async #undo(worker: string): Promise<void> {
    const { folder, manifest, sweep } = this.#store;
    const segments = [...(this.#unchecked.get(worker) ?? [])];
    this.#unchecked.delete(worker);
    // Nothing is removed from a bucket, and nothing there is overwritten.
    if (this.#options.place !== undefined)
      this.#distrustStores(`${this.#options.place.place.url} may have parts of worker ${worker} that are wrong`);
    for (const segment of segments) {
      // Without its part of table/ a segment is not there.
      for (const file of [tablePart(segment), ...histogramsDue(manifest, sweep, segment)])
        await rm(join(folder, file), { force: true });
      this.#there.delete(segment);
      this.#left++;
      this.#done -= this.#sum([segment]);
      this.#tasks.push(segment);
    }
  }
}

/**
 * Has all segments played that a store does not have yet.
 * @throws InputError if the sweep goes on from counts that workers do not have
 * @throws InputError, BudgetError or RunError as without a queue
 */
export async function fillRemotely(store: ReadStore, options: RemoteFill): Promise<FillResult> {
  const segments = Array.from(Array(segmentsOf(store.sweep, store.manifest.segmentSize)).keys());
  const tasks = await tasksOf(store, segments, options.known);
  if (tasks.some(({ known }) => known.from === 'store')) {
    const found = 'one whose cells get more battles; finish it without --on';
    throw new InputError(store.folder, 'a sweep whose cells are played from their first battle', found);
  }
  const plan = await options.desk.plan(sweepPlan(store.manifest));
  await using filling = new RemoteFilling(store, tasks, plan, options);
  return await filling.run();
}
