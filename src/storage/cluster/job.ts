/**
 * What is sent to workers and what comes back. A job has hashes, numbers and ranges: the text of its plan, which has the
 * scenario, lies on the server under its SHA-256; that of a sweep is the manifest of its store. Whatever is read from the
 * server may be anybody's, so it is checked.
 */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { MAX_BATTLES, RunError } from '../../core/index.ts';
import { makeFolders } from '../../core/node.ts';
import { ENGINES, STEPS_MAX } from '../../engines/index.ts';
import { addGamesOf, checkScenario, type Scenario, type SystemRegistry } from '../../rules/index.ts';
import { FOLDERS, formatManifest, MANIFEST, type StoreManifest } from '../store/manifest.ts';
import { readSweepStore, type SweepStore } from '../store/sweep-store.ts';
import { hashSha256 } from './part-storage.ts';
import { PREFIX } from './redis-connection.ts';

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

export const workerName = z.string().regex(/^\w[\w-]{0,100}$/);

/** Why a cell cannot be, or its battles could not be played; the asker sees for itself. */
const fault = z.string().max(10_000);

const cellsResult = z.strictObject({
  kind: z.literal('cells'),
  worker: workerName,
  /** Milliseconds of one thread. */
  ms: z.number().min(0),
  segments: z.array(segment).max(1000),
  /** Of the first segment that is not among those above. */
  fault: fault.optional(),
});

const counts = z.array(z.int().min(0));

const battlesResult = z.strictObject({
  kind: z.literal('battles'),
  worker: workerName,
  ms: z.number().min(0),
  player: z.enum(['kernel', 'automaton', 'sampled', 'reference']),
  outcomes: counts.max(1000),
  metrics: z.array(z.strictObject({ low: z.int(), width: z.int().min(0), counts })).max(1000),
});

const rejected = z.strictObject({ kind: z.literal('refused'), worker: workerName, fault });

export const resultSchema = z.discriminatedUnion('kind', [cellsResult, battlesResult, rejected]);

export type ClusterJob = z.infer<typeof jobSchema>;
export type CellsJob = z.infer<typeof cellsJob>;
export type BattlesJob = z.infer<typeof battlesJob>;
export type ClusterResult = z.infer<typeof resultSchema>;
export type CellsResult = z.infer<typeof cellsResult>;
export type BattlesResult = z.infer<typeof battlesResult>;
export type DeliveredSegment = z.infer<typeof segment>;
export type DeliveredPart = z.infer<typeof part>;

/** Seconds that a plan stays when nobody asks for it any more. */
const PLAN_TTL = 86_400;

/** The most bytes: sweeps and scenarios are at most 1 MiB as files. */
const PLAN_BYTES_MAX = 2 ** 24;

const createPlanKey = (hash: string): string => `${PREFIX}:plan:${hash}`;

export const hashPlan = (text: string): string => hashSha256(text);

export const createSweepPlan = (manifest: StoreManifest): string => formatManifest(manifest);

export const createScenarioPlan = (scenario: Scenario): string => JSON.stringify({ scenario });

/** Puts a plan on the server, or keeps it there. */
export async function putPlan(redis: Redis, text: string): Promise<void> {
  await redis.set(createPlanKey(hashPlan(text)), text, 'EX', PLAN_TTL);
}

/** A plan that is not on the server: whoever put the job there is to blame, and not the worker that has taken it. */
export class PlanError extends RunError {}

/** @throws PlanError if it is not there, or another */
async function readPlan(redis: Redis, hash: string): Promise<string> {
  // One byte more than there may be is enough to see that it is too long.
  const bytes = await redis.getrangeBuffer(createPlanKey(hash), 0, PLAN_BYTES_MAX);
  if (bytes.length === 0) throw new PlanError(`the plan ${hash.slice(0, 8)} is not on the server`);
  if (bytes.length > PLAN_BYTES_MAX || hashSha256(bytes) !== hash)
    throw new PlanError(`the plan ${hash.slice(0, 8)} on the server is damaged`);
  return bytes.toString('utf8');
}

/** A store without a part, to play a segment in. */
async function openScratchStore(folder: string, text: string, registry: SystemRegistry): Promise<SweepStore> {
  for (const name of FOLDERS) await makeFolders(join(folder, name));
  await writeFile(join(folder, MANIFEST), text);
  return await readSweepStore(folder, registry);
}

/** The plans that a worker has seen, each opened once. */
export class PlanCache {
  readonly #redis: Redis;
  readonly #registry: SystemRegistry;
  readonly #scratch: string;
  readonly #stores = new Map<string, Promise<SweepStore>>();
  readonly #scenarios = new Map<string, Promise<Scenario>>();

  /** @param scratch an empty folder */
  constructor(redis: Redis, registry: SystemRegistry, scratch: string) {
    this.#redis = redis;
    this.#registry = registry;
    this.#scratch = scratch;
  }

  /** @throws InputError or RunError if it is no sweep that can be played here */
  store(hash: string): Promise<SweepStore> {
    return getOrCreate(this.#stores, hash, async () =>
      openScratchStore(join(this.#scratch, hash), await readPlan(this.#redis, hash), this.#registry),
    );
  }

  /** @throws InputError or RunError if it is no scenario that can be played here */
  scenario(hash: string): Promise<Scenario> {
    return getOrCreate(this.#scenarios, hash, async () => {
      const { scenario: value } = JSON.parse(await readPlan(this.#redis, hash)) as { scenario: unknown };
      const place = (): string => `plan ${hash.slice(0, 8)}`;
      const registry = await addGamesOf(this.#registry, value);
      return checkScenario({ value, spot: undefined, problems: [], place, registry });
    });
  }
}

/** Values that are remembered; sweeps of long cells have a plan for each. */
const CACHED_MAX = 64;

/** What was made under a name before, or is made now; what fails is made anew the next time. */
export function getOrCreate<T>(cache: Map<string, Promise<T>>, name: string, make: () => Promise<T>): Promise<T> {
  const found = cache.get(name);
  if (found !== undefined) return found;
  const made = make();
  cache.set(name, made);
  made.catch(() => cache.delete(name));
  const [oldest] = cache.keys();
  if (cache.size > CACHED_MAX && oldest !== undefined) cache.delete(oldest);
  return made;
}
