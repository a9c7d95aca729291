/**
 * Who works at a queue and who asks, and what waits there. Each writes a key of its own anew again and again, and is gone
 * when it does not.
 */
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { type Build, buildId } from './build.ts';
import { type Link, PREFIX } from './link.ts';

/** The queue of a build, and that of one worker. */
export const buildQueue = (id: string): string => `build-${id}`;
export const ownQueue = (worker: string): string => `worker-${worker}`;

/** Seconds that a beat holds. */
const HOLDS = 12;

/** Seconds for which a worker that was set aside stays so: longer than any job. */
const ASIDE = 7 * 86_400;

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
  /** Where it puts parts. */
  store: z.boolean(),
  /** When it came, in milliseconds since 1970. */
  since: z.number(),
  jobs: z.int().min(0),
  failed: z.int().min(0),
  /** Milliseconds that its threads have worked. */
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
  /** Jobs that came back, and those that failed and were sent again. */
  done: z.int().min(0),
  again: z.int().min(0),
});

export type WorkerFacts = z.infer<typeof workerSchema>;
export type SessionFacts = z.infer<typeof sessionSchema>;

const keyOf = (kind: string, id: string): string => `${PREFIX}:${kind}:${id}`;

/** The keys that fit a pattern behind the prefix, each once, ordered. */
async function keysLike(redis: Redis, pattern: string): Promise<string[]> {
  const keys = new Set<string>();
  for (let cursor = '0'; ; ) {
    const [next, found] = await redis.scan(cursor, 'MATCH', `${PREFIX}:${pattern}`, 'COUNT', 1000);
    for (const key of found) keys.add(key);
    if (next === '0') return [...keys].sort();
    cursor = next;
  }
}

/** Values of all keys of a kind, in the order of the keys; those that are nothing of the kind are passed over. */
async function allOf<T>(redis: Redis, kind: string, schema: z.ZodType<T>): Promise<T[]> {
  const keys = await keysLike(redis, `${kind}:*`);
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

export const workersAt = (redis: Redis): Promise<WorkerFacts[]> => allOf(redis, 'worker', workerSchema);
const sessionsAt = (redis: Redis): Promise<SessionFacts[]> => allOf(redis, 'session', sessionSchema);

export async function beat(redis: Redis, kind: 'worker' | 'session', facts: WorkerFacts | SessionFacts): Promise<void> {
  await redis.set(keyOf(kind, facts.id), JSON.stringify(facts), 'EX', HOLDS);
}

export async function leave(redis: Redis, kind: 'worker' | 'session', id: string): Promise<void> {
  await redis.del(keyOf(kind, id));
}

/** Tells a worker that it is to stop. */
export async function tellAside(redis: Redis, worker: string, why: string): Promise<void> {
  await redis.set(keyOf('aside', worker), why, 'EX', ASIDE);
}

/** Why a worker was set aside; null if it was not. */
export async function asideOf(redis: Redis, worker: string): Promise<string | null> {
  return await redis.get(keyOf('aside', worker));
}

/** Workers that were set aside in the last days, and why. */
async function asidesAt(redis: Redis): Promise<string[]> {
  return (await keysLike(redis, 'aside:*')).map((key) => key.slice(keyOf('aside', '').length));
}

/** Seconds for which a session that was cancelled stays so. */
const CANCELLED = 3600;

async function tellCancelled(redis: Redis, session: string): Promise<void> {
  await redis.set(keyOf('cancel', session), '1', 'EX', CANCELLED);
}

export async function isCancelled(redis: Redis, session: string): Promise<boolean> {
  return (await redis.exists(keyOf('cancel', session))) === 1;
}

/** The queue of a build. */
export interface QueueState {
  readonly name: string;
  /** Of one of its workers; absent if none is there. */
  readonly build?: Build;
  readonly paused: boolean;
  readonly waiting: number;
  readonly active: number;
  readonly failed: number;
}

export interface ServerState {
  readonly server: string;
  readonly queues: readonly QueueState[];
  readonly workers: readonly WorkerFacts[];
  readonly sessions: readonly SessionFacts[];
  /** Workers that were set aside. */
  readonly aside: readonly string[];
}

/** All queues of builds that the server knows, by name. */
async function queuesOf(link: Link, workers: readonly WorkerFacts[]): Promise<Map<string, Build | undefined>> {
  const names = (await keysLike(link.redis, `${buildQueue('*')}:meta`)).map((key) => key.split(':')[1] ?? '');
  const found = new Map<string, Build | undefined>(names.map((name) => [name, undefined]));
  for (const { builds } of workers) for (const build of builds) found.set(buildQueue(buildId(build)), build);
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function stateOf(link: Link, name: string, build: Build | undefined): Promise<QueueState> {
  const queue = link.queue(name);
  const counts = await queue.getJobCounts('waiting', 'active', 'failed');
  const { waiting = 0, active = 0, failed = 0 } = counts;
  const paused = await queue.isPaused();
  return { name, ...(build && { build }), paused, waiting, active, failed };
}

export async function serverState(link: Link): Promise<ServerState> {
  const [workers, sessions] = [await workersAt(link.redis), await sessionsAt(link.redis)];
  const queues = await Promise.all(
    [...(await queuesOf(link, workers))].map(([name, build]) => stateOf(link, name, build)),
  );
  return { server: link.where, queues, workers, sessions, aside: await asidesAt(link.redis) };
}

/** Lets workers take no more jobs, or take them again. */
export async function setPaused(link: Link, paused: boolean): Promise<void> {
  for (const { name } of (await serverState(link)).queues) {
    const queue = link.queue(name);
    await (paused ? queue.pause() : queue.resume());
  }
}

/** Ends all that is asked for; what coordinators that are no more have left is removed. */
export async function cancelAll(link: Link): Promise<void> {
  const { queues, sessions } = await serverState(link);
  for (const { id } of sessions) await tellCancelled(link.redis, id);
  for (const { name } of queues) await link.queue(name).drain(true);
}
