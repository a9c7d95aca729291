/** The threads of the engine: started when they first pay, and kept. */
import { threadsBy } from '../../src/platform/browser/threads.ts';
import { Pool } from '../../src/pool/pool.ts';

threadsBy((given) => {
  if (given !== undefined) return new Worker(given, { type: 'module' });
  return new Worker(new URL('../../workers/browser.ts', import.meta.url), { type: 'module', name: 'thread' });
});

let pool: Promise<Pool | undefined> | undefined;

async function start(): Promise<Pool | undefined> {
  try {
    return await Pool.create();
  } catch {
    // Without threads all is played in the engine's own: slower, and the same battles.
    return undefined;
  }
}

/** Undefined where there are none to be had. */
export function threads(): Promise<Pool | undefined> {
  pool ??= start();
  return pool;
}
