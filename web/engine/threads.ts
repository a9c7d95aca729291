/** The threads of the engine: started when they first pay, and kept. */
import { Pool } from '../../src/pool/pool.ts';

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
