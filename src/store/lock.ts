/** One process at a time fills a store. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { InputError } from '../errors.ts';

const LOCK = 'lock';

interface Holder {
  readonly pid: number;
  readonly host: string;
}

function isAlive({ pid, host }: Holder): boolean {
  // Of another machine nothing can be known, so it is believed.
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
    return pid !== process.pid;
  } catch {
    return false;
  }
}

async function holderOf(path: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

async function taken(path: string): Promise<boolean> {
  try {
    const holder: Holder = { pid: process.pid, host: hostname() };
    await writeFile(path, JSON.stringify(holder), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Takes the lock of a store; a lock whose process was killed counts for nothing.
 * @returns what gives it back
 * @throws InputError if another process fills the store
 */
export async function lockStore(folder: string): Promise<AsyncDisposable> {
  const path = join(folder, LOCK);
  for (let turn = 0; !(await taken(path)); turn++) {
    const holder = await holderOf(path);
    if (turn > 2 || (holder !== undefined && isAlive(holder))) {
      const who = holder === undefined ? 'another process' : `process ${String(holder.pid)} on ${holder.host}`;
      throw new InputError(folder, 'a store that nobody else fills', `${who} at it (if it is dead, remove ${path})`);
    }
    await rm(path, { force: true });
  }
  return { [Symbol.asyncDispose]: () => rm(path, { force: true }) };
}
