/** JSON of `--prepare`, `--shard` and `merge`, for runs and sweeps. */
import { z } from 'zod';
import { result } from './battles.ts';
import * as part from './common.ts';

const { about, count, elapsedSeconds, flag, orNull, text } = part;

const shard = about(
  z.strictObject({ index: count('Number of the shard, from 1.'), of: count('Number of shards.') }),
  'Shard of this call.',
);

const faults = z.array(z.strictObject({ where: text('Path of the file.'), what: z.string() }));

/** Common keys for runs. */
const run = {
  folder: text('Folder of the resumable run.'),
  seed: part.seed,
  from: count('Index of the first battle.'),
  to: count('Index after the last battle; with a precision, after the last possible battle.'),
  rangeSize: count('Number of battles of a part.'),
  parts: count('Number of parts.'),
};

const completeness = {
  complete: flag('True if all parts are present and the run is marked as complete.'),
  digest: orNull(z.string(), 'Digest of the run. Null while parts are missing.'),
};

/** `run --prepare` */
export const runPrepared = z.strictObject({ ...part.head, ...run, ...completeness });

/** `run --shard` */
export const runShard = z.strictObject({
  ...part.head,
  ...run,
  shard,
  ranges: count('Number of parts of the shard.'),
  done: count('Number of parts of the shard that are present.'),
  doneBefore: count('Number of parts of the shard that were present before this call.'),
  battles: count('Number of battles simulated in this call.'),
  complete: flag('True if all parts of the shard are present.'),
  elapsedSeconds,
});

/** Common keys for sweeps. */
const store = {
  ...part.origin,
  ...part.own,
  folder: text('Folder of the store.'),
  sweep: about(part.hash, 'Hash of the sweep.'),
  scenario: about(part.hash, 'Hash of the scenario of the sweep.'),
};

/** `sweep --prepare` */
export const sweepPrepared = z.strictObject({
  ...store,
  set: part.set,
  segments: count(
    'Number of segments: groups of consecutive cells that are distributed to shards. More shards than segments have no effect.',
  ),
  segmentSize: count('Number of points of a segment.'),
  complete: flag('True if the sweep in the folder is complete.'),
});

/** `sweep --shard` */
export const sweepShard = z.strictObject({
  ...store,
  set: part.set,
  shard,
  segments: count('Number of segments of the shard.'),
  cells: count('Number of cells of the shard.'),
  done: count('Number of cells of the shard that are present.'),
  doneBefore: count('Number of cells of the shard that were present before this call.'),
  complete: flag('True if all cells of the shard are present.'),
  elapsedSeconds,
});

/** `merge` */
export const merge = z.strictObject({
  ...store,
  cells: count('Number of cells of the sweep.'),
  segments: count('Number of segments of the sweep.'),
  done: count('Number of cells that are present and undamaged.'),
  copied: count('Number of parts copied from other folders.'),
  missing: about(
    z.strictObject({
      segments: about(
        z.array(z.tuple([z.int().min(0), z.int().min(0)])),
        'Ranges of missing segments: first and last, both included.',
      ),
      cells: count('Number of cells in the missing segments.'),
      shards: orNull(z.array(z.int().min(1)), 'Shards to run again. Null if the number of shards is not known.'),
    }),
    'Missing parts.',
  ),
  faults: about(faults, 'Parts that are damaged or that differ between folders.'),
  complete: flag('True if no parts are missing or in conflict. If it is false, the exit code is 1.'),
  rows: orNull(z.int().min(0), 'Number of rows of the table. Null while the store is incomplete.'),
  digest: orNull(z.string(), 'SHA-256 of all counts. Null while the store is incomplete.'),
  result: about(result, 'Result of a merged run. Absent for sweeps and while parts are missing.').optional(),
});
