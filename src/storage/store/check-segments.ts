/** Consistency checks of segments, in this thread or others. */

import { pause } from '#platform/pause';
import { getBoundScenario } from '../../rules/index.ts';
import { createFault, FAULTS_MAX, type VerificationFault } from '../folder/verification.ts';
import type { HistogramRow, ResultRow } from '../sweep/rows.ts';
import {
  type AuditedCell,
  createAuditedCell,
  findCellFaults,
  findHistogramFaults,
  findSegmentFaults,
  type HistogramPart,
} from './audit.ts';
import type { FillExecutor } from './fill-store.ts';
import { parsePartName } from './manifest.ts';
import { DONE, openForJob, type SegmentJob, STOP, WORDS } from './segment.ts';
import { groupByCell, type SegmentInfo, type SweepStore } from './sweep-store.ts';

/** Segment read from its files. */
interface SegmentContent {
  readonly cells: readonly AuditedCell[];
  /** Rows in its part of `table/`. */
  readonly rows: number;
  readonly faults: readonly VerificationFault[];
}

/** Reads the rows of one part; empty, with a fault, if it cannot be read. */
async function readPartRows<R>(file: string, rows: Promise<R[]>, faults: VerificationFault[]): Promise<R[]> {
  try {
    return await rows;
  } catch (error) {
    faults.push(createFault(file, error));
    return [];
  }
}

/** Finds rows of histograms of cells that the segment does not have. */
function findUnknownCells(
  parts: readonly (readonly [file: string, Map<number, HistogramRow[]>])[],
  cells: ReadonlySet<number>,
) {
  return parts.flatMap(([where, rows]) =>
    [...rows.keys()]
      .filter((cell) => !cells.has(cell))
      .map((cell) => ({ where, what: `it has cell ${String(cell)}, which the sweep excludes` })),
  );
}

/** Cells between pauses for timers and signals: about ten milliseconds. */
const PAUSE_EVERY = 16;

/**
 * Reads a segment with its cells.
 * @param stopped true if the rest is no longer needed
 */
export async function readSegment(
  store: SweepStore,
  { segment, battles }: SegmentInfo,
  stopped: () => boolean,
): Promise<SegmentContent> {
  const { sweep, manifest } = store;
  const faults: VerificationFault[] = await findHistogramFaults(store, segment);
  const table = store.tables.get(segment) ?? { file: '', listed: undefined };
  const open = (part: typeof table) => ({ ...part, listed: undefined });
  const rows = await readPartRows(table.file, store.rows(open(table), segment), faults);
  const own = groupByCell<ResultRow>(rows);
  const counts: [string, Map<number, HistogramRow[]>][] = [];
  for (const part of store.counts.get(segment) ?? []) {
    // While a sweep is extended, counts may exist before their rows.
    const to = parsePartName(part.file)?.counts?.to;
    if (!manifest.complete && Number(to) > battles) continue;
    counts.push([
      part.file,
      groupByCell(await readPartRows(part.file, store.readHistogramRows(open(part), segment), faults)),
    ]);
  }
  const [from, end] = store.points(segment);
  const cells: AuditedCell[] = [];
  for (let point = from; point < end && !stopped(); point++) {
    const cell = sweep.cell(point);
    const counted = counts.map(([file, of]): HistogramPart => ({ file, rows: of.get(point) ?? [] }));
    if (cell !== undefined) cells.push(createAuditedCell(cell, sweep, own.get(point) ?? [], counted));
    if ((point - from) % PAUSE_EVERY === 0) await pause();
  }
  faults.push(...findUnknownCells(counts, new Set(cells.map(({ cell }) => cell.index))));
  return { cells, rows: rows.length, faults };
}

/** Result of checking a segment. */
export interface CheckedSegment {
  /** Cells that were checked. */
  readonly cells: number;
  readonly faults: readonly VerificationFault[];
}

/** Job of checking a segment in a thread. */
export interface CheckJob extends Pick<SegmentJob, 'folder' | 'hash' | 'module' | 'visit' | 'memory'> {
  readonly about: SegmentInfo;
}

/**
 * @param onCell called after each cell
 * @returns undefined if stopped
 */
async function checkSegment(
  store: SweepStore,
  about: SegmentInfo,
  words: Int32Array,
  onCell?: () => void,
): Promise<CheckedSegment | undefined> {
  const isStopped = (): boolean => Atomics.load(words, STOP) === 1;
  const { cells, rows, faults: found } = await readSegment(store, about, isStopped);
  const faults = [...found, ...findSegmentFaults(about, cells, rows, `segment ${String(about.segment)}`)];
  const { sweep, manifest } = store;
  // While a sweep is extended, each segment has the number of battles in its parts.
  const requested = manifest.complete ? sweep : { ...sweep, battles: about.battles };
  for (const [c, cell] of cells.entries()) {
    if (c % PAUSE_EVERY === 0) await pause();
    if (isStopped()) return undefined;
    if (faults.length < FAULTS_MAX) faults.push(...findCellFaults(cell, requested));
    Atomics.add(words, DONE, 1);
    onCell?.();
  }
  return isStopped() ? undefined : { cells: cells.length, faults };
}

/** Checks a segment in this thread. */
export async function checkSegmentInThread(job: CheckJob): Promise<CheckedSegment | undefined> {
  const { store } = await openForJob(job);
  return await checkSegment(store, job.about, new Int32Array(job.memory));
}

/** Number of cells that are checked sooner than threads start. */
const LOCAL_CELLS_MAX = 2000;

/** Stores that were checked in this process. */
let visitCount = 0;

/** Checked segments of a store, in order, several at a time. */
export class SegmentChecks {
  readonly #store: SweepStore;
  readonly #pool: FillExecutor;
  readonly #left: SegmentInfo[];
  readonly #isApart: boolean;
  readonly #memory = new SharedArrayBuffer(4 * WORDS);
  readonly #words = new Int32Array(this.#memory);
  readonly #visit = ++visitCount;
  readonly #begun: Promise<CheckedSegment | undefined>[] = [];

  readonly #onCell: (cells: number) => void;

  /** @param onCell called with the number of checked cells: after each of them, or, if threads check, regularly */
  constructor(store: SweepStore, facts: readonly SegmentInfo[], pool: FillExecutor, onCell: (cells: number) => void) {
    this.#store = store;
    this.#pool = pool;
    this.#onCell = onCell;
    this.#left = [...facts];
    this.#isApart =
      pool.workers > 1 && facts.length > 1 && facts.reduce((sum, { cells }) => sum + cells, 0) > LOCAL_CELLS_MAX;
  }

  /** Number of cells checked so far, in all started segments. */
  get cells(): number {
    return Atomics.load(this.#words, DONE);
  }

  /** Returns the next segment; undefined if stopped, or after the last one. @throws RunError if a thread dies */
  async next(): Promise<CheckedSegment | undefined> {
    const together = this.#isApart ? 2 * this.#pool.workers : 1;
    while (this.#begun.length < together) {
      const about = this.#left.shift();
      if (about === undefined) break;
      const check = this.#begin(about);
      // It is awaited in its turn.
      check.catch(() => undefined);
      this.#begun.push(check);
    }
    return await this.#begun.shift();
  }

  /** Abandons jobs in progress. */
  stop(): void {
    Atomics.store(this.#words, STOP, 1);
  }

  #begin(about: SegmentInfo): Promise<CheckedSegment | undefined> {
    if (!this.#isApart)
      return checkSegment(this.#store, about, this.#words, () => {
        this.#onCell(this.cells);
      });
    const { folder, manifest, sweep } = this.#store;
    const { module } = getBoundScenario(sweep.spec.scenario);
    const job = { folder, hash: manifest.sweepHash, module, visit: this.#visit, memory: this.#memory, about };
    return this.#pool.call<CheckedSegment | undefined>('checks', job satisfies CheckJob);
  }
}
