/** What there is at a server: who works, who asks, and what waits. */
import type { Build } from './build.ts';
import { buildId } from './build.ts';
import type { Link } from './link.ts';
import {
  asidesAt,
  keysLike,
  type SessionFacts,
  sessionsAt,
  tellCancelled,
  type WorkerFacts,
  workersAt,
} from './people.ts';
import { buildQueue } from './serve.ts';

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
