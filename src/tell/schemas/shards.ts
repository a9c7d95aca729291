/** What `sweep --prepare`, `sweep --shard` and `merge` print as JSON. */
import { z } from 'zod';
import * as part from './parts.ts';

const { about, count, elapsedSeconds, flag, orNull, text } = part;

/** What all of them say of the sweep. */
const store = {
  ...part.origin,
  ...part.own,
  folder: text('The store.'),
  sweep: about(part.hash, 'Of the sweep.'),
  scenario: about(part.hash, 'Of its scenario.'),
};

/** `sweep --prepare` */
export const sweepPrepared = z.strictObject({
  ...store,
  set: part.set,
  segments: count('Runs of cells that are dealt out to shards: more shards than these have nothing to play.'),
  segmentSize: count('Points of a segment.'),
  complete: flag('True if the folder has a sweep that is complete.'),
});

/** `sweep --shard` */
export const sweepShard = z.strictObject({
  ...store,
  set: part.set,
  shard: about(
    z.strictObject({ index: count('Which one, from 1.'), of: count('How many there are.') }),
    'The shard that was played.',
  ),
  segments: count('Segments of the shard.'),
  cells: count('Cells of the shard.'),
  done: count('Of these, cells that are there.'),
  before: count('Of these, cells that were there before.'),
  complete: flag('True if all cells of the shard are there.'),
  elapsedSeconds,
});

const run = z.tuple([z.int().min(0), z.int().min(0)]);

/** `merge` */
export const merge = z.strictObject({
  ...store,
  cells: count('Cells of the sweep.'),
  segments: count('Its segments.'),
  done: count('Cells that are there and undamaged.'),
  taken: count('Parts that were taken from other folders.'),
  missing: about(
    z.strictObject({
      segments: about(z.array(run), 'Runs of segments, from the first to the last, both included.'),
      cells: count('Cells in them.'),
      shards: orNull(z.array(z.int().min(1)), 'Shards to play again; null unless it was said how many there were.'),
    }),
    'What is not there.',
  ),
  faults: about(
    z.array(z.strictObject({ where: text('The file.'), what: z.string() })),
    'Parts that are damaged, or that differ from folder to folder.',
  ),
  complete: flag('True if nothing is missing or in dispute; otherwise the exit code is 1.'),
  rows: orNull(z.int().min(0), 'Rows of the table; null while the store is not finished.'),
  digest: orNull(z.string(), 'SHA-256 of all that was counted; null while the store is not finished.'),
});
