/** JSON of `sweep`, `verify`, `assert`, `systems` and `bench`. */
import { z } from 'zod';
import { LAYERS } from '../../core/index.ts';
import * as part from './common.ts';

const { about, count, elapsedSeconds, flag, number, orNull, share, text } = part;

/** `sweep` */
export const sweepResult = z.strictObject({
  ...part.origin,
  ...part.own,
  set: part.set,
  folder: text('Folder of the results.'),
  sweep: about(part.hash, 'Hash of the sweep.'),
  scenario: about(part.hash, 'Hash of the scenario of the sweep.'),
  cells: count('Number of cells of the sweep.'),
  done: count('Number of cells that are present.'),
  doneBefore: count('Number of cells that were present before this call.'),
  repaired: about(z.array(z.string()), 'Parts that were missing or damaged and were simulated again.').optional(),
  complete: flag('True if all cells are present.'),
  rows: orNull(z.int().min(0), 'Number of rows of the table. Null while cells are missing.'),
  digest: orNull(z.string(), 'SHA-256 of all counts. Null while cells are missing.'),
  quarantined: about(
    z.array(z.string()),
    'With --queue: ids of workers that were quarantined because their results were wrong.',
  ).optional(),
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
      name: text('Name of the column.'),
      paths: about(z.array(z.string()), 'Paths of the fields that the axis sets.'),
      labels: about(z.array(label), 'Values of the axis. Absent if they are drawn from a range.').optional(),
      range: about(part.interval, 'Range from which values are drawn.').optional(),
      kind: z.enum(['whole', 'number', 'other']),
      prices: about(z.array(z.number()), 'For the column of the points of a side: price of each path.').optional(),
    }),
  ),
  points: count('Number of points of the design.'),
  cells: count('Number of points that fulfill the condition.'),
  checked: count('Number of cells whose scenario was checked.'),
  tried: count('Number of cells that were simulated or solved for the estimate.'),
  solved: count('Number of these cells that could be solved exactly.'),
  segments: count(
    'Number of segments: groups of consecutive cells that are stored together and distributed to shards.',
  ),
  segmentSize: count('Number of points of a segment.'),
  shard: about(
    z.strictObject({
      index: count('Number of the shard, from 1.'),
      of: count('Number of shards.'),
      segments: count('Number of segments of the shard.'),
      cells: count('Number of cells of the shard.'),
    }),
    'With --shard: the shard. `seconds` and `bytes` then refer to the shard.',
  ).optional(),
  seconds: orNull(
    z.number(),
    'Estimated duration in seconds of all cells, or of the cells of the shard, with this number of threads. Null if there are no cells.',
  ),
  workers: count('Number of threads.'),
  bytes: orNull(
    z.number(),
    'Estimated size in bytes of the store, or of the parts of the shard. Null if there are no cells.',
  ),
});

export const verify = z.strictObject({
  warpool: part.origin.warpool,
  folder: text('Folder of the store.'),
  cells: count('Number of cells whose sums, digests and rows were checked.'),
  parts: count('Number of parts that were checked against the hashes of the manifest.'),
  replayed: count('Number of cells that were simulated again.'),
  battles: count('Number of battles of the cells that were simulated again.'),
  solved: count('Number of cells that were solved again.'),
  engine: z.enum(['reference', 'kernel']),
  probability: share('Probability that the check detects one cell that was altered together with its digests.'),
  seed: part.seed,
  faults: z.array(z.strictObject({ where: text('File or cell.'), what: z.string() })),
  notes: z.array(z.string()),
  complete: flag('True if the check is complete; false if a signal ended it.'),
});

const VERDICTS = ['holds', 'fails', 'undecided', 'interrupted'] as const;

export const assert = z.strictObject({
  ...part.origin,
  file: z
    .union([z.string(), z.array(z.string())])
    .meta({ description: 'Path of the expectations file, or a list of paths.' }),
  passed: flag('True if the check passed; the exit code is then 0.'),
  ...(Object.fromEntries(
    VERDICTS.map((verdict) => [verdict, count('Number of expectations with this verdict.')]),
  ) as Record<(typeof VERDICTS)[number], z.ZodInt>),
  expectations: z.array(
    z.strictObject({
      name: z.string(),
      place: text('File, line and column of the expectation.'),
      scenario: z.strictObject({
        file: orNull(z.string(), 'Path of the scenario file. Null if the scenario is part of the expectations file.'),
        name: orNull(z.string(), 'Name of the scenario. Null if it has none.'),
        ...part.rules,
        hash: part.hash,
      }),
      expect: text('Text of the expectation; for a digest, "digest" and the expected digest.'),
      of: text('Name of the outcome or metric; "digest" for a digest.'),
      kind: z.enum(['outcome', 'mean', 'share', 'digest']),
      low: orNull(z.number(), 'Lower bound. Null if there is none.'),
      high: orNull(z.number(), 'Upper bound. Null if there is none.'),
      expected: orNull(part.hash, 'Expected digest. Null for a number, or if it is not known.'),
      snapshot: orNull(
        z.strictObject({
          value: orNull(z.number(), 'Value in the snapshot. Null for a digest, or if the snapshot has no entry.'),
          interval: orNull(part.interval, 'Interval in the snapshot. Null if the value is exact or missing.'),
          digest: orNull(part.hash, 'Digest in the snapshot. Null for a number, or if the snapshot has no entry.'),
          ruleset: orNull(z.string(), 'Version of the rules of the snapshot. Null if the snapshot has no entry.'),
        }),
        'Entry of the snapshot. Null if the expectation is not compared with a snapshot.',
      ),
      verdict: z.enum(VERDICTS),
      exact: z.boolean(),
      value: orNull(z.number(), 'Value. Null if a signal ended the check before the value was known.'),
      interval: orNull(part.interval, 'Interval of the value. Null if the value is exact or not known.'),
      unobserved: part.unobserved,
      digest: orNull(part.hash, 'Actual digest. Null for a number, or if a signal ended the check first.'),
      reason: orNull(z.string(), 'Reason why a digest or snapshot fails, and the remedy. Null if there is none.'),
      battles: count('Number of simulated battles.'),
      maxBattles: count('Maximum number of battles.'),
      seed: part.seed,
      errorRate: orNull(
        z.number().min(0).max(1),
        'Upper bound of the probability that the verdict is wrong. Null for a digest.',
      ),
      bounded: orNull(
        z.boolean(),
        'True if the interval is valid for every distribution within the declared range. Null for a digest.',
      ),
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
        path: text('Path of the field. `<side>` means any side and `[]` any index.'),
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
        source: text('Chapter of the rule text and summary of the rule.'),
        outside: about(
          z.literal(true),
          'True if the rule is not in the rule text but was added from another source.',
        ).optional(),
        original: text('Heading of the chapter in the language of the rule text.').optional(),
      }),
    ),
  })
  .meta({ id: 'entry' });

export const systems = z.union([z.array(entry), entry]);

const figure = z.union([z.number(), z.string()]);

export const bench = z.strictObject({
  version: part.origin.warpool,
  machine: z.strictObject({ cpu: z.string(), arch: z.string(), node: z.string() }),
  against: about(z.string(), 'Build of --against and its version.').optional(),
  sameMachine: flag('True if the baseline was measured on the same kind of machine.'),
  findings: z.array(
    z.strictObject({
      layer: z.string(),
      benchmark: z.string(),
      what: z.string(),
      unit: z.string(),
      value: figure,
      range: number('Half-width of the interval of a measured value.').optional(),
      baseline: figure.optional(),
      limit: number('Upper limit of the value.').optional(),
      status: z.enum(['ok', 'better', 'broken', 'new']),
    }),
  ),
  notes: about(z.array(z.string()), 'Skipped benchmarks and the reasons.'),
  seconds: about(z.partialRecord(z.enum(LAYERS), z.number()), 'Duration of each layer in seconds.'),
  passed: flag('True if no budget is exceeded.'),
});
