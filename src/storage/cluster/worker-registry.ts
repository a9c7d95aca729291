/**
 * Registry of a queue: workers, coordinators and waiting jobs. Each participant renews a key regularly, and is gone
 * when the key expires.
 */
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { computeBuildId, type WorkerBuild } from './build.ts';
import { PREFIX, type RedisConnection } from './redis-connection.ts';

/** Names the queue of a build, or of one worker. */
export const buildQueueName = (id: string): string => `build-${id}`;
export const workerQueueName = (worker: string): string => `worker-${worker}`;

/** Seconds that a beat holds. */
const HEARTBEAT_TTL = 12;

/** Seconds for which a worker stays excluded: longer than any job. */
const QUARANTINE_TTL = 7 * 86_400;

const build = z.strictObject({
  ruleset: z.string(),
  kernels: z.string(),
  writer: z.string(),
  node: z.string(),
  arch: z.string(),
  system: z.string(),
});

const workerSchema = z.strictObject({
  id: z.string().regex(/^\w[\w-]{0,100}$/),
  host: z.string().max(100),
  pid: z.int(),
  threads: z.int().min(1).max(256),
  builds: z.array(build).max(100),
  /** True if it writes parts into a shared store. */
  store: z.boolean(),
  /** Start time, in milliseconds since 1970. */
  since: z.number(),
  jobs: z.int().min(0),
  failed: z.int().min(0),
  /** Milliseconds of work on its threads. */
  busy: z.number().min(0),
});

const sessionSchema = z.strictObject({
  id: z.string().regex(/^[\w-]{1,60}$/),
  kind: z.enum(['sweep', 'run']),
  name: z.string().max(200),
  host: z.string().max(100),
  pid: z.int(),
  queue: z.string().max(60),
  since: z.number(),
  /** Finished jobs, and failed jobs that were sent again. */
  done: z.int().min(0),
  again: z.int().min(0),
});

export type WorkerRecord = z.infer<typeof workerSchema>;
export type CoordinatorRecord = z.infer<typeof sessionSchema>;

const createKey = (kind: string, id: string): string => `${PREFIX}:${kind}:${id}`;

/** Lists the keys that match a pattern after the prefix, sorted and without duplicates. */
async function listKeys(redis: Redis, pattern: string): Promise<string[]> {
  const keys = new Set<string>();
  for (let cursor = '0'; ; ) {
    const [next, found] = await redis.scan(cursor, 'MATCH', `${PREFIX}:${pattern}`, 'COUNT', 1000);
    for (const key of found) keys.add(key);
    if (next === '0') return [...keys].sort();
    cursor = next;
  }
}

/** Reads the values of all keys of a kind, in the order of the keys; skips invalid ones. */
async function readRecords<T>(redis: Redis, kind: string, schema: z.ZodType<T>): Promise<T[]> {
  const keys = await listKeys(redis, `${kind}:*`);
  const texts = keys.length === 0 ? [] : await redis.mget(keys);
  return texts.flatMap((text) => {
    try {
      const { success, data } = schema.safeParse(JSON.parse(text ?? ''));
      return success ? [data] : [];
    } catch {
      return [];
    }
  });
}

export const listWorkers = (redis: Redis): Promise<WorkerRecord[]> => readRecords(redis, 'worker', workerSchema);
const listCoordinators = (redis: Redis): Promise<CoordinatorRecord[]> => readRecords(redis, 'session', sessionSchema);

export async function writeHeartbeat(
  redis: Redis,
  kind: 'worker' | 'session',
  facts: WorkerRecord | CoordinatorRecord,
): Promise<void> {
  await redis.set(createKey(kind, facts.id), JSON.stringify(facts), 'EX', HEARTBEAT_TTL);
}

export async function removeRecord(redis: Redis, kind: 'worker' | 'session', id: string): Promise<void> {
  await redis.del(createKey(kind, id));
}

/** Excludes a worker, which then stops. */
export async function quarantineWorker(redis: Redis, worker: string, reason: string): Promise<void> {
  await redis.set(createKey('aside', worker), reason, 'EX', QUARANTINE_TTL);
}

/** Returns why a worker was excluded; null if it was not. */
export async function readQuarantine(redis: Redis, worker: string): Promise<string | null> {
  return await redis.get(createKey('aside', worker));
}

/** Returns workers excluded in recent days, with reasons. */
async function listQuarantined(redis: Redis): Promise<string[]> {
  return (await listKeys(redis, 'aside:*')).map((key) => key.slice(createKey('aside', '').length));
}

/** Seconds for which a session stays canceled. */
const CANCELLED_TTL = 3600;

async function markCancelled(redis: Redis, session: string): Promise<void> {
  await redis.set(createKey('cancel', session), '1', 'EX', CANCELLED_TTL);
}

export async function isCancelled(redis: Redis, session: string): Promise<boolean> {
  return (await redis.exists(createKey('cancel', session))) === 1;
}

/** The queue of a build. */
export interface QueueState {
  readonly name: string;
  /** Build of one of its workers; absent if there is none. */
  readonly build?: WorkerBuild;
  readonly paused: boolean;
  readonly waiting: number;
  readonly active: number;
  readonly failed: number;
}

export interface ServerState {
  readonly server: string;
  readonly queues: readonly QueueState[];
  readonly workers: readonly WorkerRecord[];
  readonly sessions: readonly CoordinatorRecord[];
  /** Workers that were set aside. */
  readonly aside: readonly string[];
}

/** Lists all queues of builds on the server, by name. */
async function listQueues(
  link: RedisConnection,
  workers: readonly WorkerRecord[],
): Promise<Map<string, WorkerBuild | undefined>> {
  const names = (await listKeys(link.redis, `${buildQueueName('*')}:meta`)).map((key) => key.split(':')[1] ?? '');
  const found = new Map<string, WorkerBuild | undefined>(names.map((name) => [name, undefined]));
  for (const { builds } of workers) for (const build of builds) found.set(buildQueueName(computeBuildId(build)), build);
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function readQueueState(
  link: RedisConnection,
  name: string,
  build: WorkerBuild | undefined,
): Promise<QueueState> {
  const queue = link.queue(name);
  const counts = await queue.getJobCounts('waiting', 'active', 'failed');
  const { waiting = 0, active = 0, failed = 0 } = counts;
  const paused = await queue.isPaused();
  return { name, ...(build && { build }), paused, waiting, active, failed };
}

export async function readServerState(link: RedisConnection): Promise<ServerState> {
  const [workers, sessions] = [await listWorkers(link.redis), await listCoordinators(link.redis)];
  const queues = await Promise.all(
    [...(await listQueues(link, workers))].map(([name, build]) => readQueueState(link, name, build)),
  );
  return { server: link.serverName, queues, workers, sessions, aside: await listQuarantined(link.redis) };
}

/** Pauses or resumes all workers. */
export async function setPaused(link: RedisConnection, paused: boolean): Promise<void> {
  for (const { name } of (await readServerState(link)).queues) {
    const queue = link.queue(name);
    await (paused ? queue.pause() : queue.resume());
  }
}

/** Cancels all work, and removes the rest of coordinators that are gone. */
export async function cancelAll(link: RedisConnection): Promise<void> {
  const { queues, sessions } = await readServerState(link);
  for (const { id } of sessions) await markCancelled(link.redis, id);
  for (const { name } of queues) await link.queue(name).drain(true);
}
