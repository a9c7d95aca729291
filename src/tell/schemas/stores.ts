/** What `sweep`, `verify`, `assert`, `systems` and `bench` print as JSON. */
import { z } from 'zod';
import { LAYERS } from '../../core/index.ts';
import * as part from './parts.ts';

const { about, count, elapsedSeconds, flag, number, orNull, share, text } = part;

/** `sweep` */
export const sweepResult = z.strictObject({
  ...part.origin,
  ...part.own,
  set: part.set,
  folder: text('Where the results are.'),
  sweep: about(part.hash, 'Of the sweep.'),
  scenario: about(part.hash, 'Of its scenario.'),
  cells: count('Cells of the sweep.'),
  done: count('Cells that are there.'),
  before: count('Cells that were there before.'),
  mended: about(z.array(z.string()), 'Parts that were missing or damaged: they were played again.').optional(),
  complete: flag('True if all are there.'),
  rows: orNull(z.int().min(0), 'Rows of the table; null while cells are missing.'),
  digest: orNull(z.string(), 'SHA-256 of all that was counted; null while cells are missing.'),
  aside: about(z.array(z.string()), 'With --on: workers that were set aside, for they said what was wrong.').optional(),
  elapsedSeconds,
});

const label = z.union([z.number(), z.string(), z.boolean(), z.null()]);

/** `sweep --dry-run` */
export const sweepEstimate = z.strictObject({
  warpool: part.origin.warpool,
  ...part.rules,
  set: part.set,
  axes: z.array(
    z.strictObject({
      name: text('The name of the column.'),
      paths: about(z.array(z.string()), 'The fields that are set.'),
      labels: about(z.array(label), 'Its values, if they can be counted.').optional(),
      range: about(part.interval, 'Between which values are drawn.').optional(),
      kind: z.enum(['whole', 'number', 'other']),
      prices: about(z.array(z.number()), 'Of the points of a side: what each of the paths costs.').optional(),
    }),
  ),
  points: count('Points of the design.'),
  cells: count('Points that the condition lets pass.'),
  checked: count('Cells whose scenario was looked at.'),
  tried: count('Cells that were tried.'),
  solved: count('Of these, cells that could be solved.'),
  segments: count('Runs of cells that are stored together, and dealt out to shards.'),
  segmentSize: count('Points of a segment.'),
  shard: about(
    z.strictObject({
      index: count('Which one, from 1.'),
      of: count('How many there are.'),
      segments: count('Its segments.'),
      cells: count('Its cells.'),
    }),
    'With --shard: the shard that seconds and bytes are of.',
  ).optional(),
  seconds: orNull(z.number(), 'Of all cells, or those of the shard, with so many threads; null if there are none.'),
  workers: count('Threads.'),
  bytes: orNull(z.number(), 'Of the whole store, or of the parts of the shard; null if there are no cells.'),
});

export const verify = z.strictObject({
  warpool: part.origin.warpool,
  folder: text('The store.'),
  cells: count('Cells whose sums, digests and rows were checked.'),
  parts: count('Parts that were checked against the hashes of the manifest.'),
  replayed: count('Cells that were played again.'),
  battles: count('Their battles.'),
  solved: count('Cells that were solved again.'),
  engine: z.enum(['reference', 'kernel']),
  probability: share('With which one cell altered together with its digests would have been found.'),
  seed: part.seed,
  faults: z.array(z.strictObject({ where: text('The file or cell.'), what: z.string() })),
  notes: z.array(z.string()),
  complete: flag('False if a signal came first.'),
});

const VERDICTS = ['holds', 'fails', 'undecided', 'interrupted'] as const;

export const assert = z.strictObject({
  ...part.origin,
  file: z
    .union([z.string(), z.array(z.string())])
    .meta({ description: 'The file of expectations; a list of several.' }),
  held: flag('Whether the gate is passed: the exit code is 0.'),
  ...(Object.fromEntries(VERDICTS.map((verdict) => [verdict, count('How many.')])) as Record<
    (typeof VERDICTS)[number],
    z.ZodInt
  >),
  expectations: z.array(
    z.strictObject({
      name: z.string(),
      place: text('File, line and column of the sentence.'),
      scenario: z.strictObject({
        file: orNull(z.string(), 'Null if it stands in the file of expectations.'),
        name: orNull(z.string(), 'Null if it has none.'),
        ...part.rules,
        hash: part.hash,
      }),
      expect: text('The sentence; of a digest "digest" and what is expected.'),
      of: text('The outcome or metric; "digest" of a digest.'),
      kind: z.enum(['outcome', 'mean', 'share', 'digest']),
      low: orNull(z.number(), 'The lower bound; null if there is none.'),
      high: orNull(z.number(), 'The upper bound; null if there is none.'),
      due: orNull(part.hash, 'The digest that is expected; null of a number, or if it is not known.'),
      kept: orNull(
        z.strictObject({
          value: orNull(z.number(), 'Null of a digest, or if nothing is kept.'),
          interval: orNull(part.interval, 'Null where the value is exact or there is none.'),
          digest: orNull(part.hash, 'Null of a number, or if nothing is kept.'),
          ruleset: orNull(z.string(), 'That it was kept under; null if nothing is kept.'),
        }),
        'What the snapshot has, if the expectation is compared with it.',
      ),
      verdict: z.enum(VERDICTS),
      exact: z.boolean(),
      value: orNull(z.number(), 'Null if a signal came before it was known.'),
      interval: orNull(part.interval, 'Null where the value is exact or not known.'),
      unseen: part.unseen,
      digest: orNull(part.hash, 'The digest that was found; null of a number, or if a signal came first.'),
      remark: orNull(z.string(), 'Why a digest or a snapshot fails, and what can be done.'),
      battles: count('That were played.'),
      most: count('That could have been.'),
      seed: part.seed,
      error: orNull(
        z.number().min(0).max(1),
        'With what probability the verdict may be wrong at most; null of a digest.',
      ),
      bounded: orNull(z.boolean(), 'Null of a digest.'),
    }),
  ),
});

const entry = z
  .strictObject({
    id: z.string(),
    title: z.string(),
    about: z.string(),
    ...part.own,
    modes: z.array(z.string()),
    results: z.array(z.strictObject({ of: z.string(), outcomes: z.array(z.string()), metrics: z.array(z.string()) })),
    decisions: z.array(
      z.strictObject({ point: z.string(), who: z.string(), about: z.string(), policies: z.array(z.string()) }),
    ),
    fields: z.array(
      z.strictObject({
        path: text('`<side>` and `[]` stand for any.'),
        accepts: z.string(),
        required: z.boolean(),
        default: z.unknown().optional(),
        about: z.string(),
        modes: z.array(z.string()),
      }),
    ),
    rules: z.array(
      z.strictObject({
        id: z.string(),
        source: text('The chapter of the rule text, and what it says.'),
        outside: about(z.literal(true), 'No rule text contains it: it is completed from outside.').optional(),
        original: text('The heading of the chapter in the language of the rule text.').optional(),
      }),
    ),
  })
  .meta({ id: 'entry' });

export const systems = z.union([z.array(entry), entry]);

const figure = z.union([z.number(), z.string()]);

export const bench = z.strictObject({
  version: part.origin.warpool,
  machine: z.strictObject({ cpu: z.string(), arch: z.string(), node: z.string() }),
  against: about(z.string(), 'The other build of --against, and its version.').optional(),
  here: flag('True if the baseline was measured on such a machine.'),
  findings: z.array(
    z.strictObject({
      layer: z.string(),
      benchmark: z.string(),
      what: z.string(),
      unit: z.string(),
      value: figure,
      range: number('Half the width of the interval of a value that is measured.').optional(),
      baseline: figure.optional(),
      limit: number('What the value must not exceed.').optional(),
      status: z.enum(['ok', 'better', 'broken', 'new']),
    }),
  ),
  notes: about(z.array(z.string()), 'What was left out, and why.'),
  seconds: about(z.partialRecord(z.enum(LAYERS), z.number()), 'That each layer took.'),
  held: flag('False if a budget is broken.'),
});
