/** Runs modules of users. */
import { isMainThread } from 'node:worker_threads';
import { guardProcess, listenForStrayErrors } from './process-guard.ts';

/** Milliseconds within which a module must be loaded: it may wait at its top level for something that never comes. */
const LOAD_MS = 30_000;

const NEVER = 'its top-level await never settles';
const LATE = `its top-level await is still pending after ${String(LOAD_MS / 1000)} s`;

/** The turn in which Node tells of what nobody waits for: promises that were rejected, and errors of CommonJS once more. */
const waitForNextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function importWithTimeout(url: string): Promise<unknown> {
  try {
    return await import(/* webpackIgnore: true */ /* @vite-ignore */ url);
  } finally {
    await waitForNextTurn();
  }
}

/**
 * The exports of a module. Node itself runs each once.
 * @throws whatever the module throws, or a promise of it that nobody waits for is rejected with; Error if it waits for
 *         something that never comes
 */
export function importModule(url: string): Promise<unknown> {
  if (!isMainThread) guardProcess();
  return new Promise((resolve, reject) => {
    const fail = (why: string) => (): void => {
      reject(new Error(why));
    };
    const late = setTimeout(fail(LATE), LOAD_MS).unref();
    const idle = fail(NEVER);
    process.once('beforeExit', idle);
    const deafen = listenForStrayErrors(reject);
    const done = (): void => {
      clearTimeout(late);
      process.off('beforeExit', idle);
      deafen();
    };
    importWithTimeout(url).then(resolve, reject).finally(done);
  });
}
