/** Creates a store for shards: its folder and its manifest, without results. */

import { RUN } from '../../analysis/index.ts';
import { createOptionsCheck } from '../../core/index.ts';
import type { Scenario } from '../../rules/index.ts';
import { lockFolder, makeFolder } from '../folder/begin-folder.ts';
import type { PrepareRunOptions } from '../sweep/ranges.ts';
import { countSegments } from '../sweep/segments.ts';
import type { Sweep } from '../sweep/sweep.ts';
import { checkSweep, type StoreManifest, SWEEP_FOLDERS } from './manifest.ts';
import { beginStore, getSweepMode, MODE, type StoreModeOptions } from './run-sweep.ts';
import { createRunStore, type ResumableRun } from './simulate.ts';

/** State of a store of a sweep. */
export interface StoreStatus {
  readonly folder: string;
  readonly manifest: StoreManifest;
  /** Groups of cells that are computed and stored together and dealt to shards: further shards have nothing to do. */
  readonly segments: number;
}

const checkSweepOptions = createOptionsCheck<StoreModeOptions>('createStore', MODE);
const checkRunOptions = createOptionsCheck<PrepareRunOptions>('createStore', { ...RUN, rangeSize: true });

/**
 * Creates the store of a sweep, or of a run of one scenario, for shards to fill. A store of the same sweep or run is left as
 * it is.
 * @param folder new, empty, or one that has a store
 * @param options for a scenario, those of the run: battles, seed, precision and so on
 * @throws InputError if an option is out of range, the folder does not fit or is in use
 * @throws RunError if the store is damaged or cannot be written
 */
export function createStore(sweep: Sweep, folder: string, options?: StoreModeOptions): Promise<StoreStatus>;
export function createStore(scenario: Scenario, folder: string, options?: PrepareRunOptions): Promise<ResumableRun>;
export async function createStore(
  subject: Sweep | Scenario,
  folder: string,
  options: StoreModeOptions & PrepareRunOptions = {},
): Promise<StoreStatus | ResumableRun> {
  if ('system' in Object(subject)) {
    checkRunOptions(options);
    return await createRunStore(subject as Scenario, folder, options);
  }
  const sweep = subject as Sweep;
  checkSweepOptions(options);
  checkSweep(sweep);
  const mode = getSweepMode(options);
  await makeFolder(folder);
  await using _lock = await lockFolder(SWEEP_FOLDERS, folder);
  const manifest = await beginStore(folder, sweep, mode === 'new' ? 'either' : mode);
  return { folder, manifest, segments: countSegments(sweep, manifest.segmentSize) };
}
