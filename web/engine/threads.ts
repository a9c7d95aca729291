/** The threads of the engine: started when they first pay, and kept. */
import { threadsBy } from '../../src/core/platform/browser/threads.ts';
import { Lease } from '../../src/engines/index.ts';

threadsBy((given) => {
  if (given !== undefined) return new Worker(given, { type: 'module' });
  return new Worker(new URL('./thread.ts', import.meta.url), { type: 'module', name: 'thread' });
});

let threadsUp: Promise<Lease | undefined> | undefined;

/** The share is never given back, so that the threads stay. */
async function start(): Promise<Lease | undefined> {
  const lease = new Lease();
  try {
    await lease.start();
    return lease;
  } catch {
    // Without threads all is played in the engine's own: slower, and the same battles.
    return undefined;
  }
}

/** Undefined where there are none to be had. */
export function threads(): Promise<Lease | undefined> {
  threadsUp ??= start();
  return threadsUp;
}
