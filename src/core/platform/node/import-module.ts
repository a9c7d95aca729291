/** Runs modules of users. */
import { isMainThread } from 'node:worker_threads';
import { guardProcess, listenForStrayErrors } from './process-guard.ts';

/** Time limit for loading a module in milliseconds: its top-level await may never settle. */
const LOAD_MS = 30_000;

const NEVER = 'its top-level await never settles';
const LATE = `its top-level await is still pending after ${String(LOAD_MS / 1000)} s`;

/** Waits for the turn in which Node reports unhandled rejections, and repeats errors of CommonJS. */
const waitForNextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function importWithTimeout(url: string): Promise<unknown> {
  try {
    return await import(/* webpackIgnore: true */ /* @vite-ignore */ url);
  } finally {
    await waitForNextTurn();
  }
}

/**
 * Imports a module. Node runs each one once.
 * @throws the errors of the module, and its unhandled rejections; Error if its top-level await does not settle
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
