/** What `run --prepare`, `run --shard` and merging a run print as JSON. */
import { z } from 'zod';
import { result } from './battles.ts';
import * as part from './parts.ts';

const { about, count, elapsedSeconds, flag, orNull, text } = part;

const run = {
  folder: text('Where the run is kept.'),
  seed: part.seed,
  from: count('Index of the first battle.'),
  to: count('One past the last battle; with a precision, the last that can be played.'),
  rangeSize: count('Battles of a part.'),
  parts: count('Parts of its tally.'),
};

const whole = {
  complete: flag('True if all parts are there and the run says so.'),
  digest: orNull(z.string(), 'SHA-256 of what was played and counted; null while parts are missing.'),
};

/** `run --prepare` */
export const runPrepared = z.strictObject({ ...part.head, ...run, ...whole });

/** `run --shard` */
export const runShard = z.strictObject({
  ...part.head,
  ...run,
  shard: about(
    z.strictObject({ index: count('Which one, from 1.'), of: count('How many there are.') }),
    'The shard that was played.',
  ),
  ranges: count('Parts of the shard.'),
  done: count('Of these, parts that are there.'),
  before: count('Of these, parts that were there before.'),
  battles: count('Battles that were played now.'),
  complete: flag('True if all parts of the shard are there.'),
  elapsedSeconds,
});

const range = { from: count('Index of the first battle.'), to: count('One past the last battle.') };

/** `merge` of a run */
export const mergedRun = z.strictObject({
  ...part.origin,
  ...part.rules,
  scenario: about(part.hash, 'Of the scenario.'),
  ...run,
  ...whole,
  added: count('Parts that came from other folders.'),
  missing: about(z.array(z.strictObject(range)), 'Battles that no folder has.'),
  disagreeing: about(
    z.array(
      z.strictObject({
        file: text('The part.'),
        ...range,
        digests: z.array(z.strictObject({ folder: text('Whose part.'), digest: text('Of what it counts.') })),
      }),
    ),
    'Parts that are not the same in all folders.',
  ),
  damaged: about(
    z.array(z.strictObject({ where: text('The file.'), what: z.string() })),
    'Parts that cannot be read, or count other battles.',
  ),
  result: about(result, 'The run, once all parts are there.').optional(),
});
