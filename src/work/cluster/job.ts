/**
 * What is sent to workers and what comes back. A job has hashes, numbers and ranges: the text of its plan, which has the
 * scenario, lies on the server under its SHA-256. Whatever is read from the server may be anybody's, so it is checked.
 */

import { z } from 'zod';
import { MAX_BATTLES } from '../../core/chance/stream.ts';
import { STEPS_MAX } from '../../engines/exact/budget.ts';
import { ENGINES } from '../../engines/pool/run.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const battle = z.number().multipleOf(1).min(0).max(MAX_BATTLES);

const cellsJob = z.strictObject({
  kind: z.literal('cells'),
  plan: sha256,
  segments: z.array(z.int().min(0)).min(1).max(1000),
  /** Where parts go: into the worker's store if it is that of the sweep, over the server, or nowhere: only hashes then. */
  deliver: z.enum(['any', 'queue', 'nowhere']),
});

const battlesJob = z.strictObject({
  kind: z.literal('battles'),
  plan: sha256,
  engine: z.enum(ENGINES),
  seed: z.string().regex(/^\d{1,20}$/),
  budget: z.int().min(1).max(STEPS_MAX).optional(),
  /** Battles of the run of which these are a part: what is compiled depends on how many there are. */
  of: battle.min(1),
  from: battle,
  to: battle,
});

export const jobSchema = z.discriminatedUnion('kind', [cellsJob, battlesJob]);

const part = z.strictObject({ file: z.string().max(100), bytes: z.int().min(1), sha256 });

/** Where parts have gone: into a folder or a bucket, onto the server, or nowhere, as only their hashes were asked for. */
const at = z.enum(['folder', 'bucket', 'queue', 'nowhere']);

const segment = z.strictObject({
  segment: z.int().min(0),
  parts: z.array(part).max(8),
  at,
  /** The parts are there with other bytes. */
  conflict: z.boolean(),
});

const worker = z.string().regex(/^\w[\w-]{0,100}$/);

/** Why a cell cannot be, or its battles could not be played; the asker sees for itself. */
const fault = z.string().max(10_000);

const cellsResult = z.strictObject({
  kind: z.literal('cells'),
  worker,
  /** Milliseconds of one thread. */
  ms: z.number().min(0),
  segments: z.array(segment).max(1000),
  /** Of the first segment that is not among those above. */
  fault: fault.optional(),
});

const counts = z.array(z.int().min(0));

const battlesResult = z.strictObject({
  kind: z.literal('battles'),
  worker,
  ms: z.number().min(0),
  player: z.enum(['kernel', 'automaton', 'sampled', 'reference']),
  outcomes: counts.max(1000),
  metrics: z.array(z.strictObject({ low: z.int(), width: z.int().min(0), counts })).max(1000),
});

const refused = z.strictObject({ kind: z.literal('refused'), worker, fault });

export const resultSchema = z.discriminatedUnion('kind', [cellsResult, battlesResult, refused]);

export type ClusterJob = z.infer<typeof jobSchema>;
export type CellsJob = z.infer<typeof cellsJob>;
export type BattlesJob = z.infer<typeof battlesJob>;
export type ClusterResult = z.infer<typeof resultSchema>;
export type CellsResult = z.infer<typeof cellsResult>;
export type BattlesResult = z.infer<typeof battlesResult>;
export type PlayedSegment = z.infer<typeof segment>;
export type PlayedPart = z.infer<typeof part>;
