/** Fills one segment of a store, in this thread or another: simulates and solves its cells and encodes its parts. */
import { createHash } from 'node:crypto';
import { BudgetError, InputError } from '../../core/index.ts';
import { runInCallingThread } from '../../engines/index.ts';
import { getBoundScenario, loadModules, type SystemModule } from '../../rules/index.ts';
import type { Cell, Sweep } from '../sweep/sweep.ts';
import {
  type CellOptions,
  type ComputedCell,
  computeCell,
  createHistograms,
  hasNewBattles,
  listRowSources,
} from './cell.ts';
import { createHistogramPartName, createTablePartName } from './manifest.ts';
import { type CountsSource, createCountsFinder } from './previous-counts.ts';
import {
  createStoredPart,
  type EncodedPart,
  type FilledSegment,
  readSweepStore,
  type SegmentInfo,
  type SweepStore,
} from './sweep-store.ts';
import { HistogramTable, RowTable } from './tables.ts';

const encodePart = (file: string, content: Uint8Array): EncodedPart => ({
  ...createStoredPart(file, content),
  content,
});

export interface SegmentOptions extends Omit<CellOptions, 'earlier'> {
  /** Called after each cell, and awaited. */
  readonly onCell: () => void | Promise<void>;
  /** True if the segment should be abandoned. */
  readonly stopped: () => boolean;
}

/** Segment to fill. */
export interface SegmentTask {
  readonly segment: number;
  readonly known: CountsSource;
}

/** Finds earlier counts of a cell. */
type CountsFinder = ReturnType<typeof createCountsFinder>;

/** Failure of one cell: its scenario is rejected, or its exact answer is too large. */
export class CellError extends Error {
  override readonly name = 'CellError';
  readonly point: number;

  constructor(point: number, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.point = point;
  }
}

type SkipReason = 'no cell' | 'stopped';

/** Cell with the digest of its battles. */
type DigestedCell = readonly [cell: Pick<Cell, 'index' | 'hash'>, digest: string | null | undefined];

/** Computes the digest of a segment from the digests of its cells, in order; cells that were only solved have none. */
export function computeSegmentDigest(cells: Iterable<DigestedCell>): string {
  const hash = createHash('sha256');
  for (const [cell, digest] of cells) hash.update(`${String(cell.index)} ${cell.hash} ${digest ?? 'solved'}\n`);
  return hash.digest('hex');
}

/** Computes the cell of a point, or returns why there is no result. */
async function computePoint(
  sweep: Sweep,
  point: number,
  known: CountsFinder,
  { stopped, ...options }: SegmentOptions,
): Promise<ComputedCell | SkipReason> {
  try {
    const cell = sweep.cell(point);
    if (cell === undefined) return 'no cell';
    return await computeCell(cell, sweep, { ...options, previous: await known?.(cell) });
  } catch (error) {
    // Stopped battles are neither a result nor a failure.
    if (stopped()) return 'stopped';
    throw new CellError(point, error);
  }
}

/** Number of cells that are kept until their rows are added: all cells of a segment would cost memory. */
const BATCH = 32;

/** Encodes the parts of a segment. */
export class SegmentEncoder {
  readonly #sweep: Sweep;
  readonly #withLaws: boolean;
  readonly #table: RowTable;
  readonly #histograms = new HistogramTable();
  readonly #cells: DigestedCell[] = [];
  #batch: ComputedCell[] = [];
  /** First new battle of all cells; undefined without new battles. */
  #from: number | undefined;

  /** @param withLaws false if the exact distributions of the cells are stored already */
  constructor(sweep: Sweep, withLaws = true) {
    this.#sweep = sweep;
    this.#withLaws = withLaws;
    this.#table = new RowTable(sweep.columns);
  }

  add(result: ComputedCell): void {
    const { cell, played } = result;
    if (this.#batch.push(result) === BATCH) this.#flush();
    this.#cells.push([{ index: cell.index, hash: cell.hash }, played?.digest]);
    if (played !== undefined && hasNewBattles(played))
      this.#from = Math.min(played.added.from, this.#from ?? Number.POSITIVE_INFINITY);
  }

  #flush(): void {
    const [batch, sweep] = [this.#batch, this.#sweep];
    this.#batch = [];
    this.#histograms.add(batch.flatMap((result) => [...createHistograms(result, sweep, this.#withLaws)]));
    this.#table.add(batch.flatMap((result) => listRowSources(result, sweep)));
  }

  /** Names the part with the counts of the cells. */
  #createCountsPartName(segment: number): string {
    const { battles, spec } = this.#sweep;
    if (battles === 0) return createHistogramPartName(segment, 0, 0);
    // Cells that are solved instead have distributions, which belong to the first battles.
    const from = this.#from ?? (spec.exact === 'instead' ? 0 : battles);
    return createHistogramPartName(segment, from, spec.precision === undefined ? battles : 'end');
  }

  /** @param hash of the sweep */
  finish(segment: number, hash: string): FilledSegment {
    this.#flush();
    const parts: EncodedPart[] = [];
    if (this.#histograms.rows > 0) {
      const content = this.#histograms.encode({ sweep: hash, segment });
      parts.push(encodePart(this.#createCountsPartName(segment), content));
    }
    const facts: SegmentInfo = {
      segment,
      sweep: hash,
      ...{ battles: this.#sweep.battles, cells: this.#cells.length, rows: this.#table.rows },
      digest: computeSegmentDigest(this.#cells),
    };
    parts.push(encodePart(createTablePartName(segment), this.#table.encode(facts)));
    return { facts, parts };
  }
}

/** Encodes the parts of a segment. @param hash of the sweep */
export function encodeSegment(
  sweep: Sweep,
  hash: string,
  segment: number,
  results: Iterable<ComputedCell>,
): FilledSegment {
  const encoder = new SegmentEncoder(sweep);
  for (const result of results) encoder.add(result);
  return encoder.finish(segment, hash);
}

/** Computes and encodes the cells of a segment; undefined if stopped earlier. */
async function encodeSegmentCells(
  { sweep }: SweepStore,
  [from, to]: ReturnType<SweepStore['points']>,
  known: CountsFinder,
  encoder: SegmentEncoder,
  options: SegmentOptions,
): Promise<SegmentEncoder | undefined> {
  for (let point = from; point < to; point++) {
    const result = options.stopped() ? 'stopped' : await computePoint(sweep, point, known, options);
    if (result === 'stopped') return undefined;
    if (result === 'no cell') continue;
    encoder.add(result);
    await options.onCell();
  }
  return encoder;
}

/**
 * Simulates and solves the cells of a segment of a store.
 * @param others stores with earlier counts of cells, by folder: each is opened once
 * @returns undefined if stopped
 * @throws CellError if the scenario of a cell is rejected, or its battles cannot be simulated
 */
export async function fillSegment(
  store: SweepStore,
  { segment, known }: SegmentTask,
  others: Map<string, Promise<SweepStore>>,
  options: SegmentOptions,
): Promise<FilledSegment | undefined> {
  const finder = createCountsFinder(segment, store.sweep, known, createOpener(store, others));
  const empty = new SegmentEncoder(store.sweep, known.from !== 'store');
  const encoder = await encodeSegmentCells(store, store.points(segment), finder, empty, options);
  return encoder?.finish(segment, store.manifest.sweepHash);
}

export interface SegmentJob extends SegmentTask {
  readonly folder: string;
  /** The hash of the sweep; a thread opens each sweep once. */
  readonly hash: string;
  /** Module of the custom system; undefined for shipped systems. */
  readonly module: SystemModule | undefined;
  /** Number of the opening of this store: a new one if files in its folder have changed. */
  readonly visit?: number;
  /** Stop flag and progress counters, shared by all jobs of a sweep. */
  readonly memory: SharedArrayBuffer;
}

/** Result of a job; an Error would lose its class between threads. `filled` is undefined if the job was stopped. */
export type SegmentResult =
  | { readonly ok: true; readonly filled: FilledSegment | undefined }
  | {
      readonly ok: false;
      /** Point of the cell at fault, if the failure is due to one cell. */
      readonly point: number | undefined;
      readonly fault: 'input' | 'budget' | 'run';
      /** Budget in steps that may be sufficient, if known. */
      readonly suggested: number | undefined;
      readonly message: string;
    };

/** Words of the shared memory. */
export const STOP = 0;
export const DONE = 1;
/** Index of the battles simulated so far, in thousands. */
export const BATTLES = 2;
export const WORDS = 3;

/** Simulates in this thread. */
export const LOCAL_PLAYERS = { play: runInCallingThread };

/** Creates a counter of battles, in thousands, because battles may exceed 32 bits. */
export function createBattleCounter(words: Int32Array): (battles: number) => void {
  let rest = 0;
  return (battles) => {
    rest += battles;
    const whole = Math.trunc(rest / 1000);
    rest -= 1000 * whole;
    Atomics.add(words, BATTLES, whole);
  };
}

/** Creates the job of a segment without earlier counts that cannot be stopped. */
export function createFreshJob({ folder, manifest, sweep }: SweepStore, segment: number): SegmentJob {
  const { module } = getBoundScenario(sweep.spec.scenario);
  const memory = new SharedArrayBuffer(4 * WORDS);
  return { folder, hash: manifest.sweepHash, module, segment, memory, known: { from: 'nowhere' } };
}

/** Sweep opened by this thread. */
interface OpenSweep {
  readonly hash: string;
  readonly visit: number;
  readonly store: SweepStore;
  /** Stores with earlier counts of cells, by folder. */
  readonly others: Map<string, Promise<SweepStore>>;
}

let lastSweep: OpenSweep | undefined;

/** Opens the sweep of a job, and caches it for the next job. */
export async function openForJob({
  folder,
  hash,
  module,
  visit = 0,
}: Pick<SegmentJob, 'folder' | 'hash' | 'module' | 'visit'>): Promise<OpenSweep> {
  if (lastSweep?.hash === hash && lastSweep.store.folder === folder && lastSweep.visit === visit) return lastSweep;
  const registry = await loadModules(module === undefined ? [] : [module]);
  lastSweep = { hash, visit, store: await readSweepStore(folder, registry), others: new Map() };
  return lastSweep;
}

/** Creates a function that opens stores with earlier counts, each once. */
function createOpener(store: SweepStore, others: Map<string, Promise<SweepStore>>) {
  return (folder?: string): Promise<SweepStore> => {
    if (folder === undefined) return Promise.resolve(store);
    const other = others.get(folder) ?? readSweepStore(folder, getBoundScenario(store.sweep.spec.scenario).registry);
    others.set(folder, other);
    return other;
  };
}

function classifyError(cause: unknown): 'input' | 'budget' | 'run' {
  if (cause instanceof InputError) return 'input';
  return cause instanceof BudgetError ? 'budget' : 'run';
}

/** Milliseconds between checks of the stop flag during a simulation. */
const POLL_MS = 50;

/** Creates a signal that aborts when the stop flag is set. */
function createSharedSignal(words: Int32Array): { signal: AbortSignal; release: () => void } {
  const stop = new AbortController();
  const timer = setInterval(() => {
    if (Atomics.load(words, STOP) === 1) stop.abort();
  }, POLL_MS);
  return {
    signal: stop.signal,
    release: () => {
      clearInterval(timer);
    },
  };
}

/** Fills a segment in this thread. Never rejects. */
export async function runSegmentJob(job: SegmentJob): Promise<SegmentResult> {
  const words = new Int32Array(job.memory);
  const { signal, release } = createSharedSignal(words);
  try {
    const { store, others } = await openForJob(job);
    const filled = await fillSegment(store, job, others, {
      players: LOCAL_PLAYERS,
      signal,
      solves: 'always',
      stopped: () => Atomics.load(words, STOP) === 1,
      onCell: () => void Atomics.add(words, DONE, 1),
      onBattles: createBattleCounter(words),
    });
    return { ok: true, filled };
  } catch (error) {
    const known = error instanceof CellError;
    const cause = known ? error.cause : error;
    const suggested = cause instanceof BudgetError ? cause.suggested : undefined;
    const point = known ? error.point : undefined;
    return { ok: false, point, fault: classifyError(cause), suggested, message: String(cause) };
  } finally {
    release();
  }
}
