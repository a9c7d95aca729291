/** Threads of the engine, started when they first pay off, and then kept. */
import { setWorkerFactory } from '../../src/core/platform/browser/threads.ts';
import { ThreadLease } from '../../src/engines/index.ts';

setWorkerFactory((given) => {
  if (given !== undefined) return new Worker(given, { type: 'module' });
  return new Worker(new URL('./thread.ts', import.meta.url), { type: 'module', name: 'thread' });
});

let pendingThreads: Promise<ThreadLease | undefined> | undefined;

/** Starts the threads; their lease is never returned. */
async function startThreads(): Promise<ThreadLease | undefined> {
  const lease = new ThreadLease();
  try {
    await lease.start();
    return lease;
  } catch {
    // Without threads, the engine simulates the same battles, only slower.
    return undefined;
  }
}

/** Returns the threads; undefined if they are unavailable. */
export function getThreads(): Promise<ThreadLease | undefined> {
  pendingThreads ??= startThreads();
  return pendingThreads;
}
