/**
 * Messages to and from workers. A job has hashes, numbers and ranges; its plan, the text with the scenario, is on the
 * server under its SHA-256. The plan of a sweep is the manifest of its store. Everything on the server is untrusted, so
 * it is validated.
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
  /**
   * Destination of parts: the worker's store if it belongs to the sweep, the server, or none, to report only hashes.
   */
  deliver: z.enum(['any', 'queue', 'nowhere']),
});

const battlesJob = z.strictObject({
  kind: z.literal('battles'),
  plan: sha256,
  engine: z.enum(ENGINES),
  seed: z.string().regex(/^\d{1,20}$/),
  budget: z.int().min(1).max(STEPS_MAX).optional(),
  /** Battles of the whole run: the choice of the compiled form depends on their number. */
  of: battle.min(1),
  from: battle,
  to: battle,
});

export const jobSchema = z.discriminatedUnion('kind', [cellsJob, battlesJob]);

const part = z.strictObject({ file: z.string().max(100), bytes: z.int().min(1), sha256 });

/** Location of the parts: a folder or bucket, the server, or none, if only their hashes were requested. */
const at = z.enum(['folder', 'bucket', 'queue', 'nowhere']);

const segment = z.strictObject({
  segment: z.int().min(0),
  parts: z.array(part).max(8),
  at,
  /** True if the parts exist with other bytes. */
  conflict: z.boolean(),
});

export const workerName = z.string().regex(/^\w[\w-]{0,100}$/);

/** Reason why a cell cannot be computed; the coordinator verifies it. */
const fault = z.string().max(10_000);

const cellsResult = z.strictObject({
  kind: z.literal('cells'),
  worker: workerName,
  /** Milliseconds of one thread. */
  ms: z.number().min(0),
  segments: z.array(segment).max(1000),
  /** Reason for the first missing segment. */
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

/** Seconds that an unused plan stays on the server. */
const PLAN_TTL = 86_400;

/** Maximum bytes: sweeps and scenarios have at most 1 MiB as files. */
const PLAN_BYTES_MAX = 2 ** 24;

const createPlanKey = (hash: string): string => `${PREFIX}:plan:${hash}`;

export const hashPlan = (text: string): string => hashSha256(text);

export const createSweepPlan = (manifest: StoreManifest): string => formatManifest(manifest);

export const createScenarioPlan = (scenario: Scenario): string => JSON.stringify({ scenario });

/** Writes a plan to the server, or renews it. */
export async function putPlan(redis: Redis, text: string): Promise<void> {
  await redis.set(createPlanKey(hashPlan(text)), text, 'EX', PLAN_TTL);
}

/** Error for a missing plan: the sender of the job is at fault, not the worker. */
export class PlanError extends RunError {}

/** @throws PlanError if it is missing or damaged */
async function readPlan(redis: Redis, hash: string): Promise<string> {
  // One byte above the limit is enough to detect that it is too long.
  const bytes = await redis.getrangeBuffer(createPlanKey(hash), 0, PLAN_BYTES_MAX);
  if (bytes.length === 0) throw new PlanError(`the plan ${hash.slice(0, 8)} is not on the server`);
  if (bytes.length > PLAN_BYTES_MAX || hashSha256(bytes) !== hash)
    throw new PlanError(`the plan ${hash.slice(0, 8)} on the server is damaged`);
  return bytes.toString('utf8');
}

/** Opens a store without parts for filling a segment. */
async function openScratchStore(folder: string, text: string, registry: SystemRegistry): Promise<SweepStore> {
  for (const name of FOLDERS) await makeFolders(join(folder, name));
  await writeFile(join(folder, MANIFEST), text);
  return await readSweepStore(folder, registry);
}

/** Cache of plans, each opened once. */
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

  /** @throws InputError or RunError if the plan is not a sweep that this machine can run */
  store(hash: string): Promise<SweepStore> {
    return getOrCreate(this.#stores, hash, async () =>
      openScratchStore(join(this.#scratch, hash), await readPlan(this.#redis, hash), this.#registry),
    );
  }

  /** @throws InputError or RunError if the plan is not a scenario that this machine can run */
  scenario(hash: string): Promise<Scenario> {
    return getOrCreate(this.#scenarios, hash, async () => {
      const { scenario: value } = JSON.parse(await readPlan(this.#redis, hash)) as { scenario: unknown };
      const place = (): string => `plan ${hash.slice(0, 8)}`;
      const registry = await addGamesOf(this.#registry, value);
      return checkScenario({ value, spot: undefined, problems: [], place, registry });
    });
  }
}

/** Maximum cached values; sweeps of long cells have a plan for each cell. */
const CACHED_MAX = 64;

/** Returns a cached promise, or creates it; failures are not cached. */
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
