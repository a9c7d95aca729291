/** Runs a sweep into a store. */

import { optionsOf } from '../../core/names.ts';
import { Lease } from '../../engines/pool/pool.ts';
import { checkSignal } from '../../engines/pool/run.ts';
import { opened } from '../../rules/opened.ts';
import { lockFolder, makeFolder } from '../folder/begin.ts';
import { checkStorable } from '../folder/rules.ts';
import type { Sweep } from '../sweep/sweep.ts';
import { beginStore, type Mode } from './begin.ts';
import { type FillOptions, type FillProgress, type FillResult, fillStore } from './fill.ts';
import { finishStore } from './finish.ts';
import { type Manifest, SWEEPS } from './manifest.ts';
import { mendStore } from './mend.ts';
import { type ReadStore, readStore } from './reading.ts';
import { cellsAside } from './reuse.ts';
import type { FinishedSegment } from './segment.ts';

/** How `sweepInto` plays. */
export interface SweepOptions {
  /** What to do with a folder that has a sweep already; `new` unless said otherwise. */
  readonly mode?: Mode | undefined;
  /** Threads, 1..256; as many as there are cores unless said otherwise. */
  readonly workers?: number | undefined;
  /** Ends the sweep early; what was finished stays, and `resume` goes on. */
  readonly signal?: AbortSignal | undefined;
  /** Called about ten times a second. */
  readonly onProgress?: ((progress: FillProgress) => void) | undefined;
}

const checkOptions = optionsOf<SweepOptions>('sweepInto', {
  mode: true,
  workers: true,
  signal: true,
  onProgress: true,
});

/** A sweep that was played into a folder. */
export interface SweepResult extends FillProgress {
  readonly folder: string;
  /** Of the sweep as it stands in the store. */
  readonly manifest: Manifest;
  /** Parts of a complete store that were missing or damaged: their segments were played again. */
  readonly mended: readonly string[];
  /** False if the signal came before all cells were there. */
  readonly complete: boolean;
  readonly elapsedSeconds: number;
}

/** Fills what a store does not have yet. */
export type Fill = (store: ReadStore, options: Omit<FillOptions, 'pool'>) => Promise<FillResult>;

/**
 * Plays and solves all cells of a sweep into a folder.
 * @param folder new or empty, or one that a sweep was begun in (see `mode`)
 * @throws InputError if the folder does not fit, another process fills it, the scenario of a cell is refused, or its
 *   system was not loaded from a file: threads load it again, and the store keeps its hash
 * @throws BudgetError, RunError if a cell could not be solved or played; the store keeps what it has
 * @throws RunError if the store is damaged or cannot be written
 */
export async function sweepInto(folder: string, sweep: Sweep, options: SweepOptions = {}): Promise<SweepResult> {
  checkOptions(options);
  const { workers, ...rest } = options;
  return await sweepBy(folder, sweep, rest, async (store, watch) => {
    await using pool = new Lease(workers);
    return await fillStore(store, { pool, ...watch });
  });
}

/** The same, filled by somebody else than threads of this process. */
export async function sweepBy(
  folder: string,
  sweep: Sweep,
  { mode = 'new', signal, onProgress }: Omit<SweepOptions, 'workers'>,
  fill: Fill,
): Promise<SweepResult> {
  checkSignal(signal);
  checkStorable(sweep.spec.scenario, 'the sweep’s');
  const { registry } = opened(sweep.spec.scenario);
  const began = performance.now();
  if (mode === 'new' || mode === 'recompute') await makeFolder(folder);
  else await SWEEPS.read(folder, registry);
  await using lock = await lockFolder(SWEEPS, folder);
  const begun = await beginStore(folder, sweep, mode);
  const { manifest, files: mended } = begun.complete
    ? await mendStore(folder, begun, lock)
    : { manifest: begun, files: [] };
  const elapsed = (): number => (performance.now() - began) / 1000;
  if (manifest.complete) {
    const { cells = 0 } = manifest;
    return { folder, manifest, mended, complete: true, done: cells, cells, before: cells, elapsedSeconds: elapsed() };
  }
  const store = await readStore(folder, registry);
  const known = await cellsAside(folder, store.sweep, manifest.segmentSize, registry);
  const stop = lock.orLost(signal);
  const stored = new Map<number, FinishedSegment>();
  const filled = await fill(store, { signal: stop, onProgress, known, stored });
  await lock.check();
  if (!filled.complete) return { folder, manifest, mended, ...filled, elapsedSeconds: elapsed() };
  const finished = await finishStore(await readStore(folder, registry), lock, stored);
  return { folder, manifest: finished, mended, ...filled, elapsedSeconds: elapsed() };
}
