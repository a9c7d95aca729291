/** Checks the segments of a store against themselves, in this thread or in others. */

import { pause } from '#platform/pause';
import { opened } from '../../rules/index.ts';
import { FAULTS_MAX, type Fault, faultOf } from '../folder/verify.ts';
import {
  type AuditedCell,
  auditedCell,
  type CountedPart,
  cellFaults,
  histogramFaults,
  segmentFaults,
} from './audit.ts';
import type { Fillers } from './fill.ts';
import { partName } from './manifest.ts';
import { byCell, type ReadStore, type SegmentFacts } from './parts.ts';
import type { HistogramRow, Row } from './rows.ts';
import { DONE, openedFor, type SegmentJob, STOP, WORDS } from './segment.ts';

/** A segment as its files have it. */
interface Segment {
  readonly cells: readonly AuditedCell[];
  /** Rows in its part of `table/`. */
  readonly rows: number;
  readonly faults: readonly Fault[];
}

/** The rows of one part; none, and a fault, if it cannot be read. */
async function read<R>(file: string, rows: Promise<R[]>, faults: Fault[]): Promise<R[]> {
  try {
    return await rows;
  } catch (error) {
    faults.push(faultOf(file, error));
    return [];
  }
}

/** Rows of histograms of cells that the segment does not have. */
function homeless(
  parts: readonly (readonly [file: string, Map<number, HistogramRow[]>])[],
  cells: ReadonlySet<number>,
) {
  return parts.flatMap(([where, rows]) =>
    [...rows.keys()]
      .filter((cell) => !cells.has(cell))
      .map((cell) => ({ where, what: `it has cell ${String(cell)}, which the sweep leaves out` })),
  );
}

/** Cells between two pauses in which timers and signals are heard: some ten milliseconds. */
const PAUSE_EVERY = 16;

/**
 * A segment with its cells.
 * @param stopped whether what is left of it is not wanted any more
 */
export async function segmentOf(
  store: ReadStore,
  { segment, battles }: SegmentFacts,
  stopped: () => boolean,
): Promise<Segment> {
  const { sweep, manifest } = store;
  const faults: Fault[] = await histogramFaults(store, segment);
  const table = store.tables.get(segment) ?? { file: '', listed: undefined };
  const open = (part: typeof table) => ({ ...part, listed: undefined });
  const rows = await read(table.file, store.rows(open(table), segment), faults);
  const own = byCell<Row>(rows);
  const counts: [string, Map<number, HistogramRow[]>][] = [];
  for (const part of store.counts.get(segment) ?? []) {
    // While a sweep is extended, counts may be there before their rows.
    const to = partName(part.file)?.counts?.to;
    if (!manifest.complete && Number(to) > battles) continue;
    counts.push([part.file, byCell(await read(part.file, store.histogramRows(open(part), segment), faults))]);
  }
  const [from, end] = store.points(segment);
  const cells: AuditedCell[] = [];
  for (let point = from; point < end && !stopped(); point++) {
    const cell = sweep.cell(point);
    const counted = counts.map(([file, of]): CountedPart => ({ file, rows: of.get(point) ?? [] }));
    if (cell !== undefined) cells.push(auditedCell(cell, sweep, own.get(point) ?? [], counted));
    if ((point - from) % PAUSE_EVERY === 0) await pause();
  }
  faults.push(...homeless(counts, new Set(cells.map(({ cell }) => cell.index))));
  return { cells, rows: rows.length, faults };
}

/** What was found in a segment. */
export interface CheckedSegment {
  /** Cells that were checked. */
  readonly cells: number;
  readonly faults: readonly Fault[];
}

/** A segment that a thread is to check. */
export interface CheckJob extends Pick<SegmentJob, 'folder' | 'hash' | 'module' | 'visit' | 'memory'> {
  readonly about: SegmentFacts;
}

/**
 * @param onCell called after each cell
 * @returns undefined if it was stopped
 */
async function checkSegment(
  store: ReadStore,
  about: SegmentFacts,
  words: Int32Array,
  onCell?: () => void,
): Promise<CheckedSegment | undefined> {
  const stopped = (): boolean => Atomics.load(words, STOP) === 1;
  const { cells, rows, faults: found } = await segmentOf(store, about, stopped);
  const faults = [...found, ...segmentFaults(about, cells, rows, `segment ${String(about.segment)}`)];
  const { sweep, manifest } = store;
  // While a sweep is extended, segments have as many battles as their own parts say.
  const asked = manifest.complete ? sweep : { ...sweep, battles: about.battles };
  for (const [c, cell] of cells.entries()) {
    if (c % PAUSE_EVERY === 0) await pause();
    if (stopped()) return undefined;
    if (faults.length < FAULTS_MAX) faults.push(...cellFaults(cell, asked));
    Atomics.add(words, DONE, 1);
    onCell?.();
  }
  return stopped() ? undefined : { cells: cells.length, faults };
}

/** Checks a segment in this thread. */
export async function checkThere(job: CheckJob): Promise<CheckedSegment | undefined> {
  const { store } = await openedFor(job);
  return await checkSegment(store, job.about, new Int32Array(job.memory));
}

/** Cells that are checked sooner than threads are up. */
const FEW = 2000;

/** Stores that were checked in this process. */
let visits = 0;

/** The segments of a store, checked some at a time, in their order. */
export class Checks {
  readonly #store: ReadStore;
  readonly #pool: Fillers;
  readonly #left: SegmentFacts[];
  readonly #isApart: boolean;
  readonly #memory = new SharedArrayBuffer(4 * WORDS);
  readonly #words = new Int32Array(this.#memory);
  readonly #visit = ++visits;
  readonly #begun: Promise<CheckedSegment | undefined>[] = [];

  readonly #onCell: (cells: number) => void;

  /** @param onCell called with the cells checked so far: after each of them, or, where threads check, now and then */
  constructor(store: ReadStore, facts: readonly SegmentFacts[], pool: Fillers, onCell: (cells: number) => void) {
    this.#store = store;
    this.#pool = pool;
    this.#onCell = onCell;
    this.#left = [...facts];
    this.#isApart = pool.workers > 1 && facts.length > 1 && facts.reduce((sum, { cells }) => sum + cells, 0) > FEW;
  }

  /** Cells checked so far, of all segments that were begun. */
  get cells(): number {
    return Atomics.load(this.#words, DONE);
  }

  /** The next segment; undefined if it was stopped, or none is left. @throws RunError if a thread dies */
  async next(): Promise<CheckedSegment | undefined> {
    const together = this.#isApart ? 2 * this.#pool.workers : 1;
    while (this.#begun.length < together) {
      const about = this.#left.shift();
      if (about === undefined) break;
      const check = this.#begin(about);
      // It is waited for in its turn.
      check.catch(() => undefined);
      this.#begun.push(check);
    }
    return await this.#begun.shift();
  }

  /** Leaves what was begun. */
  stop(): void {
    Atomics.store(this.#words, STOP, 1);
  }

  #begin(about: SegmentFacts): Promise<CheckedSegment | undefined> {
    if (!this.#isApart)
      return checkSegment(this.#store, about, this.#words, () => {
        this.#onCell(this.cells);
      });
    const { folder, manifest, sweep } = this.#store;
    const { module } = opened(sweep.spec.scenario);
    const job = { folder, hash: manifest.sweepHash, module, visit: this.#visit, memory: this.#memory, about };
    return this.#pool.call<CheckedSegment | undefined>('checks', job satisfies CheckJob);
  }
}
