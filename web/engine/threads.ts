/** The threads of the engine: started when they first pay, and kept. */
import { setWorkerFactory } from '../../src/core/platform/browser/threads.ts';
import { ThreadLease } from '../../src/engines/index.ts';

setWorkerFactory((given) => {
  if (given !== undefined) return new Worker(given, { type: 'module' });
  return new Worker(new URL('./thread.ts', import.meta.url), { type: 'module', name: 'thread' });
});

let pendingThreads: Promise<ThreadLease | undefined> | undefined;

/** The share is never given back, so that the threads stay. */
async function startThreads(): Promise<ThreadLease | undefined> {
  const lease = new ThreadLease();
  try {
    await lease.start();
    return lease;
  } catch {
    // Without threads all is played in the engine's own: slower, and the same battles.
    return undefined;
  }
}

/** Undefined where there are none to be had. */
export function getThreads(): Promise<ThreadLease | undefined> {
  pendingThreads ??= startThreads();
  return pendingThreads;
}
