/** A thread's part in a sweep: one segment. */
import { BudgetError, InputError, InputErrors } from '../../core/errors.ts';
import { playHere } from '../../engines/pool/conduct.ts';
import { loadSame } from '../../rules/load.ts';
import { opened } from '../../rules/opened.ts';
import type { SystemModule } from '../../rules/registry.ts';
import { type Known, knownCounts } from './earlier.ts';
import { type ReadStore, readStore } from './reading.ts';
import { CellError, type FilledSegment, fillSegment } from './segment.ts';

export interface SegmentJob {
  readonly folder: string;
  /** The hash of the sweep; a thread opens each sweep once. */
  readonly hash: string;
  /** Where the code of the sweep's system lies; undefined if it is shipped. */
  readonly module: SystemModule | undefined;
  readonly segment: number;
  /** Whether to stop, and how many cells are done: shared by all jobs of a sweep. */
  readonly memory: SharedArrayBuffer;
  readonly known: Known;
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

const HERE = { play: playHere };

/** Counts battles, which may be too many for a word, in thousands. */
export function counter(words: Int32Array): (battles: number) => void {
  let rest = 0;
  return (battles) => {
    rest += battles;
    const whole = Math.trunc(rest / 1000);
    rest -= 1000 * whole;
    Atomics.add(words, BATTLES, whole);
  };
}

/** The job of a segment whose cells are played from their first battle, and that nobody stops. */
export function jobAnew({ folder, manifest, sweep }: ReadStore, segment: number): SegmentJob {
  const { module } = opened(sweep.spec.scenario);
  const memory = new SharedArrayBuffer(4 * WORDS);
  return { folder, hash: manifest.sweepHash, module, segment, memory, known: { from: 'nowhere' } };
}

/** A sweep that this thread has a part in. */
interface OpenSweep {
  readonly hash: string;
  readonly store: ReadStore;
  /** Other stores that cells are taken from, by folder. */
  readonly others: Map<string, Promise<ReadStore>>;
}

let last: OpenSweep | undefined;

async function storeOf({ folder, hash, module }: SegmentJob): Promise<OpenSweep> {
  if (last?.hash === hash && last.store.folder === folder) return last;
  const registry = await loadSame(module === undefined ? [] : [module]);
  last = { hash, store: await readStore(folder, registry), others: new Map() };
  return last;
}

/** Opens stores that cells are taken from, each once. */
export function opener(store: ReadStore, others: Map<string, Promise<ReadStore>>) {
  return (folder?: string): Promise<ReadStore> => {
    if (folder === undefined) return Promise.resolve(store);
    const other = others.get(folder) ?? readStore(folder, opened(store.sweep.spec.scenario).registry);
    others.set(folder, other);
    return other;
  };
}

function faultOf(cause: unknown): 'input' | 'budget' | 'run' {
  if (cause instanceof InputError || cause instanceof InputErrors) return 'input';
  return cause instanceof BudgetError ? 'budget' : 'run';
}

/** Milliseconds between two looks at whether to stop, while battles are played. */
const LOOK_EVERY = 50;

/** A signal that comes when the shared word says so. */
function signalOf(words: Int32Array): { signal: AbortSignal; release: () => void } {
  const stop = new AbortController();
  const timer = setInterval(() => {
    if (Atomics.load(words, STOP) === 1) stop.abort();
  }, LOOK_EVERY);
  return {
    signal: stop.signal,
    release: () => {
      clearInterval(timer);
    },
  };
}

/** Plays a segment in this thread. Never rejects. */
export async function playSegment(job: SegmentJob): Promise<SegmentResult> {
  const words = new Int32Array(job.memory);
  const { signal, release } = signalOf(words);
  try {
    const { store, others } = await storeOf(job);
    const { sweep, manifest } = store;
    const filled = await fillSegment(sweep, job.segment, {
      hash: job.hash,
      size: manifest.segmentSize,
      players: HERE,
      signal,
      apart: true,
      withLaws: job.known.from !== 'store',
      known: knownCounts(job.segment, sweep, job.known, opener(store, others)),
      stopped: () => Atomics.load(words, STOP) === 1,
      onCell: () => void Atomics.add(words, DONE, 1),
      onBattles: counter(words),
    });
    return { ok: true, filled };
  } catch (error) {
    const known = error instanceof CellError;
    const cause = known ? error.cause : error;
    const suggested = cause instanceof BudgetError ? cause.suggested : undefined;
    const point = known ? error.point : undefined;
    return { ok: false, point, fault: faultOf(cause), suggested, message: String(cause) };
  } finally {
    release();
  }
}
