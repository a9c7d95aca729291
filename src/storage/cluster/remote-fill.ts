/** Fills a store on the workers of a queue. */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { asyncDispose, InputError, RunError } from '../../core/index.ts';
import { ThreadLease } from '../../engines/index.ts';
import { createTasks, type FillOptions, type FillResult, throwSegmentError } from '../store/fill-store.ts';
import { createTablePartName } from '../store/manifest.ts';
import { createFreshJob, type SegmentResult } from '../store/segment.ts';
import { removeContent, type SweepStore, writeParts } from '../store/sweep-store.ts';
import { type CellsJob, createSweepPlan, type DeliveredPart } from './job.ts';
import { PartReceiver } from './part-receiver.ts';
import { QueueParts } from './part-storage.ts';
import type { RedisConnection } from './redis-connection.ts';
import { type AuditedDispatch, type JobReport, RemoteWork, type ReportedResult, WorkQueue } from './remote-work.ts';
import type { S3Parts } from './s3-parts.ts';

/**
 * Target time of a job on one thread, in milliseconds: long compared with sending it, short compared with a repetition.
 */
const JOB_MS = 2000;

/** Maximum segments of a job. */
const SEGMENTS_MAX = 64;

export interface RemoteFillOptions extends Omit<FillOptions, 'pool'>, AuditedDispatch {
  readonly link: RedisConnection;
  /** Object store into which workers write parts. */
  readonly bucket?: S3Parts | undefined;
  readonly onNote?: ((text: string) => void) | undefined;
}

class RemoteFillWork extends RemoteWork<number, readonly DeliveredPart[]> implements AsyncDisposable {
  readonly queue: WorkQueue<number, readonly DeliveredPart[]>;
  readonly #store: SweepStore;
  readonly #options: RemoteFillOptions;
  readonly #receiver: PartReceiver;
  readonly #plan: string;
  /** Segments to fill, and cells of the others. */
  readonly #due: number;
  readonly #before: number;
  readonly #cells: number;
  /** Destination of the workers' parts; `queue` once their stores have turned out to be unusable. */
  #deliver: 'any' | 'queue' = 'any';
  /** Estimated milliseconds per segment. */
  #ms = JOB_MS;
  readonly #pool: ThreadLease;

  constructor(store: SweepStore, segments: readonly number[], plan: string, options: RemoteFillOptions) {
    super(options);
    this.#store = store;
    this.#options = options;
    this.#pool = new ThreadLease(options.workers);
    this.#plan = plan;
    const { link, bucket, onNote } = options;
    this.#receiver = new PartReceiver({
      store,
      queueParts: new QueueParts(link.redis, plan),
      bucketParts: bucket,
      onNote,
    });
    this.queue = new WorkQueue((segment) => segment, segments);
    this.#due = segments.length;
    this.#cells = this.#sum([...Array(store.segments).keys()]);
    this.#before = this.#cells - this.#sum(segments);
  }

  get result(): Omit<FillResult, 'mended'> {
    const done = this.#before + this.#sum(this.queue.done().map(({ piece }) => piece));
    return { done, cells: this.#cells, before: this.#before, complete: this.queue.size === this.#due };
  }

  async [asyncDispose](): Promise<void> {
    await this.#pool[asyncDispose]();
  }

  /**
   * Chooses the segments of the next job: enough for its target time, but fewer at the end so that all workers are
   * busy.
   */
  protected nextPieces(): number[] {
    const even = Math.ceil(this.queue.waiting / (2 * Math.max(1, this.dispatcher.threads)));
    const size = Math.max(1, Math.min(SEGMENTS_MAX, Math.round(JOB_MS / this.#ms), even));
    return Array.from({ length: size }, () => this.queue.next()).filter((segment) => segment !== undefined);
  }

  protected async submit(
    segments: readonly number[],
  ): Promise<JobReport<number, readonly DeliveredPart[]> | undefined> {
    const result = await this.dispatcher.submit(this.#createJob(segments, this.#deliver));
    if (result?.kind === 'refused') return { ...result, said: new Map(), rejected: true };
    if (result?.kind !== 'cells' || !this.#options.trust.isTrusted(result.worker)) return undefined;
    const { worker, fault, ms } = result;
    const came = new Map(result.segments.map((played) => [played.segment, played]));
    if (came.size > 0) this.#ms = 0.8 * this.#ms + (0.2 * ms) / came.size;
    const requested = segments.flatMap((segment) => came.get(segment) ?? []);
    const taken = await this.#receiver.receive(requested);
    if ([...taken.values()].includes('missing'))
      this.#distrustStores(`the --store of worker ${worker} is not visible here`);
    const said = new Map<number, { said: readonly DeliveredPart[]; good: boolean; damaged: boolean }>();
    for (const { segment, parts, conflict } of requested) {
      const found = taken.get(segment) ?? 'wrong';
      if (found === 'missing') continue;
      const good = found !== 'wrong';
      if (good) this.#options.stored?.set(segment, found);
      said.set(segment, { said: parts, good, damaged: !good && !conflict });
    }
    return { worker, fault: came.size < segments.length ? fault : undefined, said };
  }

  protected async repeatBy(
    segment: number,
    worker: string,
  ): Promise<ReportedResult<readonly DeliveredPart[]> | undefined> {
    const result = await this.dispatcher.submit(this.#createJob([segment], 'nowhere'), worker);
    const again = result?.kind === 'cells' ? result.segments.find((played) => played.segment === segment) : undefined;
    return again && { worker, result: again.parts };
  }

  /** Fills a segment here and replaces all of its parts. */
  protected async computeLocally(segment: number): Promise<readonly DeliveredPart[]> {
    const result = await this.#pool.call<SegmentResult>('cells', createFreshJob(this.#store, segment));
    if (!result.ok) throwSegmentError(this.#store.sweep, result);
    if (result.filled === undefined) throw new RunError(`segment ${String(segment)} was not finished`);
    const { facts, parts } = result.filled;
    await writeParts(this.#store.folder, parts);
    const truth = { facts, parts: parts.map(removeContent) };
    this.#options.stored?.set(segment, truth);
    return truth.parts;
  }

  protected isSameResult(a: readonly DeliveredPart[], b: readonly DeliveredPart[]): boolean {
    const has = ({ file, sha256 }: DeliveredPart): boolean =>
      b.some((part) => part.file === file && part.sha256 === sha256);
    return a.length === b.length && a.every(has);
  }

  protected describeError(segment: number): string {
    return `its results of segment ${String(segment)} are wrong`;
  }

  /** Removes segments from the store. */
  protected override async discard(segments: readonly number[], worker: string): Promise<void> {
    const { folder } = this.#store;
    // Nothing is removed from a bucket, and nothing there is overwritten.
    if (this.#options.bucket !== undefined)
      this.#distrustStores(`${this.#options.bucket.place.url} may have wrong parts of worker ${worker}`);
    for (const segment of segments) {
      // Without its part in table/, a segment does not exist.
      for (const file of [createTablePartName(segment), ...this.#store.listExpectedCounts(segment)])
        await rm(join(folder, file), { force: true });
    }
  }

  protected override reportProgress(): void {
    this.#options.onProgress?.(this.result);
  }

  override async run(): Promise<void> {
    this.reportProgress();
    await super.run();
  }

  #createJob(segments: readonly number[], deliver: CellsJob['deliver']): CellsJob {
    return { kind: 'cells', plan: this.#plan, segments: [...segments], deliver };
  }

  #sum(segments: readonly number[]): number {
    return segments.reduce((cells, segment) => cells + this.#store.countCells(segment), 0);
  }

  #distrustStores(why: string): void {
    if (this.#deliver === 'queue') return;
    this.#deliver = 'queue';
    this.#options.onNote?.(`${why}: parts go through the queue`);
  }
}

/**
 * Fills all missing segments of a store on workers.
 * @throws InputError if the sweep is being extended from counts that workers do not have
 * @throws InputError, BudgetError or RunError as without a queue
 */
export async function fillRemotely(store: SweepStore, options: RemoteFillOptions): Promise<FillResult> {
  const { tasks, mended } = await createTasks(store, [...Array(store.segments).keys()], options.known);
  if (tasks.length > 0 && store.manifest.extended.length > 0) {
    const found = 'one that is being extended; finish it without --queue';
    throw new InputError(store.folder, 'a sweep that is not being extended', found);
  }
  const plan = await options.desk.plan(createSweepPlan(store.manifest));
  const segments = tasks.map(({ segment }) => segment);
  await using filling = new RemoteFillWork(store, segments, plan, options);
  await filling.run();
  return { ...filling.result, mended };
}
