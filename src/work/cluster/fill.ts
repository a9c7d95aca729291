/** Fills a store by the workers of a queue. */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { asyncDispose, InputError, RunError } from '../../core/index.ts';
import { Lease } from '../../engines/index.ts';
import { blame, type FillOptions, type FillResult, tasksOf } from '../store/fill.ts';
import { tablePart } from '../store/manifest.ts';
import { type ReadStore, withoutContent, writeParts } from '../store/parts.ts';
import { jobAnew, type SegmentResult } from '../store/segment.ts';
import { type CellsJob, type PlayedPart, sweepPlan } from './job.ts';
import type { Link } from './link.ts';
import { CarriedParts } from './parts.ts';
import { Receiver } from './receive.ts';
import type { S3Parts } from './s3.ts';
import { type Asking, type Claim, type JobAnswer, PieceLedger, RemoteWork } from './trust.ts';

/** Milliseconds of one thread that a job should take: long against what sending it costs, short against a restart. */
const DUE = 2000;

/** The most segments of a job. */
const SEGMENTS_MAX = 64;

export interface RemoteFill extends Omit<FillOptions, 'pool'>, Asking {
  readonly link: Link;
  /** Where parts lie that workers have put into an object store. */
  readonly place?: S3Parts | undefined;
  readonly onNote?: ((text: string) => void) | undefined;
}

class RemoteFilling extends RemoteWork<number, readonly PlayedPart[]> implements AsyncDisposable {
  readonly ledger: PieceLedger<number, readonly PlayedPart[]>;
  readonly #store: ReadStore;
  readonly #options: RemoteFill;
  readonly #receiver: Receiver;
  readonly #plan: string;
  /** Segments that are to be played, and cells of the others. */
  readonly #due: number;
  readonly #before: number;
  readonly #cells: number;
  /** Where workers put parts: no more into their stores once those have turned out not to be of use. */
  #deliver: 'any' | 'queue' = 'any';
  /** Milliseconds that a segment takes, about. */
  #ms = DUE;
  readonly #pool: Lease;

  constructor(store: ReadStore, segments: readonly number[], plan: string, options: RemoteFill) {
    super(options);
    this.#store = store;
    this.#options = options;
    this.#pool = new Lease(options.workers);
    this.#plan = plan;
    const { link, place, onNote } = options;
    this.#receiver = new Receiver({ store, carried: new CarriedParts(link.redis, plan), place, onNote });
    this.ledger = new PieceLedger((segment) => segment, segments);
    this.#due = segments.length;
    this.#cells = this.#sum([...Array(store.segments).keys()]);
    this.#before = this.#cells - this.#sum(segments);
  }

  get result(): Omit<FillResult, 'mended'> {
    const done = this.#before + this.#sum(this.ledger.done().map(({ piece }) => piece));
    return { done, cells: this.#cells, before: this.#before, complete: this.ledger.size === this.#due };
  }

  async [asyncDispose](): Promise<void> {
    await this.#pool[asyncDispose]();
  }

  /** Segments of the next job: so many that it takes its time, and towards the end so few that all have something. */
  protected next(): number[] {
    const even = Math.ceil(this.ledger.waiting / (2 * Math.max(1, this.desk.threads)));
    const size = Math.max(1, Math.min(SEGMENTS_MAX, Math.round(DUE / this.#ms), even));
    return Array.from({ length: size }, () => this.ledger.next()).filter((segment) => segment !== undefined);
  }

  protected async have(segments: readonly number[]): Promise<JobAnswer<number, readonly PlayedPart[]> | undefined> {
    const result = await this.desk.submit(this.#job(segments, this.#deliver));
    if (result?.kind === 'refused') return { ...result, said: new Map(), refused: true };
    if (result?.kind !== 'cells' || !this.#options.trust.believes(result.worker)) return undefined;
    const { worker, fault, ms } = result;
    const came = new Map(result.segments.map((played) => [played.segment, played]));
    if (came.size > 0) this.#ms = 0.8 * this.#ms + (0.2 * ms) / came.size;
    const asked = segments.flatMap((segment) => came.get(segment) ?? []);
    const taken = await this.#receiver.take(asked);
    if ([...taken.values()].includes('missing'))
      this.#distrustStores(`what worker ${worker} puts into its --store is not seen here`);
    const said = new Map<number, { said: readonly PlayedPart[]; good: boolean; damaged: boolean }>();
    for (const { segment, parts, conflict } of asked) {
      const found = taken.get(segment) ?? 'wrong';
      if (found === 'missing') continue;
      const good = found !== 'wrong';
      if (good) this.#options.stored?.set(segment, found);
      said.set(segment, { said: parts, good, damaged: !good && !conflict });
    }
    return { worker, fault: came.size < segments.length ? fault : undefined, said };
  }

  protected async ask(segment: number, worker: string): Promise<Claim<readonly PlayedPart[]> | undefined> {
    const result = await this.desk.submit(this.#job([segment], 'nowhere'), worker);
    const again = result?.kind === 'cells' ? result.segments.find((played) => played.segment === segment) : undefined;
    return again && { worker, said: again.parts };
  }

  /** Plays a segment here, whose parts take the place of all others. */
  protected async here(segment: number): Promise<readonly PlayedPart[]> {
    const result = await this.#pool.call<SegmentResult>('cells', jobAnew(this.#store, segment));
    if (!result.ok) blame(this.#store.sweep, result);
    if (result.filled === undefined) throw new RunError(`segment ${String(segment)} was left`);
    const { facts, parts } = result.filled;
    await writeParts(this.#store.folder, parts);
    const truth = { facts, parts: parts.map(withoutContent) };
    this.#options.stored?.set(segment, truth);
    return truth.parts;
  }

  protected same(a: readonly PlayedPart[], b: readonly PlayedPart[]): boolean {
    const has = ({ file, sha256 }: PlayedPart): boolean =>
      b.some((part) => part.file === file && part.sha256 === sha256);
    return a.length === b.length && a.every(has);
  }

  protected wrong(segment: number): string {
    return `segment ${String(segment)} of the sweep is not what it says`;
  }

  /** Takes segments out of the store. */
  protected override async undone(segments: readonly number[], worker: string): Promise<void> {
    const { folder } = this.#store;
    // Nothing is removed from a bucket, and nothing there is overwritten.
    if (this.#options.place !== undefined)
      this.#distrustStores(`${this.#options.place.place.url} may have parts of worker ${worker} that are wrong`);
    for (const segment of segments) {
      // Without its part of table/ a segment is not there.
      for (const file of [tablePart(segment), ...this.#store.countsDue(segment)])
        await rm(join(folder, file), { force: true });
    }
  }

  protected override progressed(): void {
    this.#options.onProgress?.(this.result);
  }

  override async run(): Promise<void> {
    this.progressed();
    await super.run();
  }

  #job(segments: readonly number[], deliver: CellsJob['deliver']): CellsJob {
    return { kind: 'cells', plan: this.#plan, segments: [...segments], deliver };
  }

  #sum(segments: readonly number[]): number {
    return segments.reduce((cells, segment) => cells + this.#store.cells(segment), 0);
  }

  #distrustStores(why: string): void {
    if (this.#deliver === 'queue') return;
    this.#deliver = 'queue';
    this.#options.onNote?.(`${why}: parts go through the queue`);
  }
}

/**
 * Has all segments played that a store does not have yet.
 * @throws InputError if the sweep goes on from counts that workers do not have
 * @throws InputError, BudgetError or RunError as without a queue
 */
export async function fillRemotely(store: ReadStore, options: RemoteFill): Promise<FillResult> {
  const { tasks, mended } = await tasksOf(store, [...Array(store.segments).keys()], options.known);
  if (tasks.length > 0 && store.manifest.extended.length > 0) {
    const found = 'one whose cells get more battles; finish it without --on';
    throw new InputError(store.folder, 'a sweep whose cells are played from their first battle', found);
  }
  const plan = await options.desk.plan(sweepPlan(store.manifest));
  const segments = tasks.map(({ segment }) => segment);
  await using filling = new RemoteFilling(store, segments, plan, options);
  await filling.run();
  return { ...filling.result, mended };
}
