/** Fills one segment of a store: plays and solves its cells, in this thread or another, and makes its parts of them. */
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
  createRows,
  hasNewBattles,
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
import { encodeHistograms, encodeRows } from './tables.ts';

const encodePart = (file: string, content: Uint8Array): EncodedPart => ({
  ...createStoredPart(file, content),
  content,
});

export interface SegmentOptions extends Omit<CellOptions, 'earlier'> {
  /** Called as soon as a cell is done. */
  readonly onCell: () => void;
  /** True if the segment is to be left. */
  readonly stopped: () => boolean;
}

/** A segment that is to be filled. */
export interface SegmentTask {
  readonly segment: number;
  readonly known: CountsSource;
}

/** Finds what was counted of a cell before. */
type CountsFinder = ReturnType<typeof createCountsFinder>;

/** A cell that cannot be: its scenario is refused, or its exact answer is too large. */
export class CellError extends Error {
  override readonly name = 'CellError';
  readonly point: number;

  constructor(point: number, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.point = point;
  }
}

type SkipReason = 'no cell' | 'stopped';

/** The digest of a segment, of its cells in their order; a cell that was only solved has none of its own. */
export function computeSegmentDigest(
  cells: Iterable<readonly [cell: Cell, digest: string | null | undefined]>,
): string {
  const hash = createHash('sha256');
  for (const [cell, digest] of cells) hash.update(`${String(cell.index)} ${cell.hash} ${digest ?? 'solved'}\n`);
  return hash.digest('hex');
}

/** What comes of a point: nothing where there is no cell, or where it was stopped. */
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
    // Battles that were stopped are no result, and no failure either.
    if (stopped()) return 'stopped';
    throw new CellError(point, error);
  }
}

/** The cells of a segment; undefined if it was stopped before all of them were done. */
async function computeSegmentCells(
  { sweep }: SweepStore,
  [from, to]: ReturnType<SweepStore['points']>,
  known: CountsFinder,
  options: SegmentOptions,
): Promise<ComputedCell[] | undefined> {
  const results: ComputedCell[] = [];
  for (let point = from; point < to; point++) {
    const result = options.stopped() ? 'stopped' : await computePoint(sweep, point, known, options);
    if (result === 'stopped') return undefined;
    if (result === 'no cell') continue;
    results.push(result);
    options.onCell();
  }
  return results;
}

/** The name of the part that has the counts of these cells. */
function createCountsPartName(sweep: Sweep, segment: number, results: readonly ComputedCell[]): string {
  if (sweep.battles === 0) return createHistogramPartName(segment, 0, 0);
  const counted = results.flatMap(({ played }) => (played && hasNewBattles(played) ? [played.added.from] : []));
  const from = counted.reduce((least, each) => Math.min(least, each), sweep.battles);
  return createHistogramPartName(segment, from, sweep.spec.precision === undefined ? sweep.battles : 'end');
}

/**
 * The parts of a segment with these cells.
 * @param hash     of the sweep
 * @param withLaws false if the exact laws of its cells are stored already
 */
export function encodeSegment(
  sweep: Sweep,
  hash: string,
  segment: number,
  results: readonly ComputedCell[],
  withLaws = true,
): FilledSegment {
  const parts: EncodedPart[] = [];
  const histograms = [...createHistograms(results, sweep, withLaws)];
  if (histograms.length > 0) {
    const part = createCountsPartName(sweep, segment, results);
    parts.push(encodePart(part, encodeHistograms(histograms, { sweep: hash, segment })));
  }
  const rows = results.flatMap((result) => createRows(result, sweep));
  const size = { battles: sweep.battles, cells: results.length, rows: rows.length };
  const facts: SegmentInfo = {
    segment,
    sweep: hash,
    ...size,
    digest: computeSegmentDigest(results.map(({ cell, played }) => [cell, played?.digest])),
  };
  parts.push(encodePart(createTablePartName(segment), encodeRows(rows, sweep.columns, facts)));
  return { facts, parts };
}

/**
 * Plays and solves the cells of a segment of a store.
 * @param others stores that cells are taken from, by folder: each is opened once
 * @returns undefined if it was stopped
 * @throws CellError if a cell cannot be, or its battles could not be played
 */
export async function fillSegment(
  store: SweepStore,
  { segment, known }: SegmentTask,
  others: Map<string, Promise<SweepStore>>,
  options: SegmentOptions,
): Promise<FilledSegment | undefined> {
  const finder = createCountsFinder(segment, store.sweep, known, createOpener(store, others));
  const results = await computeSegmentCells(store, store.points(segment), finder, options);
  return results && encodeSegment(store.sweep, store.manifest.sweepHash, segment, results, known.from !== 'store');
}

export interface SegmentJob extends SegmentTask {
  readonly folder: string;
  /** The hash of the sweep; a thread opens each sweep once. */
  readonly hash: string;
  /** Where the code of the sweep's system lies; undefined if it is shipped. */
  readonly module: SystemModule | undefined;
  /** Which of several openings of the same store: what lies in its folder changes. */
  readonly visit?: number;
  /** Whether to stop, and how many cells are done: shared by all jobs of a sweep. */
  readonly memory: SharedArrayBuffer;
}

/** How a job ended; an Error would lose its class on the way to another thread. Nothing was filled: it was stopped. */
export type SegmentResult =
  | { readonly ok: true; readonly filled: FilledSegment | undefined }
  | {
      readonly ok: false;
      /** The point whose cell cannot be, if it is one cell's fault. */
      readonly point: number | undefined;
      readonly fault: 'input' | 'budget' | 'run';
      /** Steps of a budget that may be enough, if one is known. */
      readonly suggested: number | undefined;
      readonly message: string;
    };

/** Words of the shared memory. */
export const STOP = 0;
export const DONE = 1;
/** Battles played so far, in thousands. */
export const BATTLES = 2;
export const WORDS = 3;

const LOCAL_EXECUTOR = { play: runInCallingThread };

/** Counts battles, which may be too many for a word, in thousands. */
export function createBattleCounter(words: Int32Array): (battles: number) => void {
  let rest = 0;
  return (battles) => {
    rest += battles;
    const whole = Math.trunc(rest / 1000);
    rest -= 1000 * whole;
    Atomics.add(words, BATTLES, whole);
  };
}

/** The job of a segment whose cells are played from their first battle, and that nobody stops. */
export function createFreshJob({ folder, manifest, sweep }: SweepStore, segment: number): SegmentJob {
  const { module } = getBoundScenario(sweep.spec.scenario);
  const memory = new SharedArrayBuffer(4 * WORDS);
  return { folder, hash: manifest.sweepHash, module, segment, memory, known: { from: 'nowhere' } };
}

/** A sweep that this thread has a part in. */
interface OpenSweep {
  readonly hash: string;
  readonly visit: number;
  readonly store: SweepStore;
  /** Other stores that cells are taken from, by folder. */
  readonly others: Map<string, Promise<SweepStore>>;
}

let lastSweep: OpenSweep | undefined;

/** The sweep of a job; it is kept for the next one. */
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

/** Opens stores that cells are taken from, each once. */
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

/** Milliseconds between two looks at whether to stop, while battles are played. */
const POLL_MS = 50;

/** A signal that comes when the shared word says so. */
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

/** Plays a segment in this thread. Never rejects. */
export async function runSegmentJob(job: SegmentJob): Promise<SegmentResult> {
  const words = new Int32Array(job.memory);
  const { signal, release } = createSharedSignal(words);
  try {
    const { store, others } = await openForJob(job);
    const filled = await fillSegment(store, job, others, {
      players: LOCAL_EXECUTOR,
      signal,
      inThread: true,
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
