/** The page's end of the engine: starts the worker, tells its death, ends work and starts it again. */
import { signal } from '@preact/signals';
import { proxy, releaseProxy, wrap } from 'comlink';
import type { Engine } from './engine.ts';
import { carryErrors } from './errors.ts';
import address from './worker.ts?worker&url';

/** How the engine is; `dead` until the next work starts it anew. */
export type EngineState = 'starting' | 'ready' | 'dead';

export const engineState = signal<EngineState>('starting');
/** Why it died last. */
export const engineFault = signal('');
/** How often another one was ready after a death: whoever waits for an answer asks anew. */
export const engineRestarts = signal(0);

/** The engine as the page sees it: every answer is a promise. */
export type Afar = {
  readonly [K in keyof Engine]: (...given: Parameters<Engine[K]>) => Promise<Awaited<ReturnType<Engine[K]>>>;
};

/** Milliseconds in which a worker that was started must answer. */
const START = 20_000;

/** Milliseconds in which work that was told to end must end; then the worker is ended. */
const PATIENCE = 1000;

/** The engine has died, or was ended since it would not stop. */
export class EngineDied extends Error {
  override readonly name = 'EngineDied';
  /** Ended by the page, to be rid of its work: other work is begun again. */
  readonly wanted: boolean;

  constructor(reason: string, wanted: boolean) {
    super(reason);
    this.wanted = wanted;
  }
}

/** Work was ended by its signal. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

interface Live {
  readonly worker: Worker;
  readonly remote: Afar;
  /** Over when the worker has done what every engine is begun with. */
  readonly begun: Promise<unknown>;
  /** Rejects when the worker dies. */
  readonly death: Promise<never>;
  readonly die: (reason: string, wanted?: boolean) => void;
}

/** What every engine is begun with; undefined if it runs no code of the user. */
let beginning: ((engine: Afar) => Promise<unknown>) | undefined;

let live: Live | undefined;
let lastTask = 0;
let starts = 0;

function started(): Live {
  if (starts === 0) carryErrors();
  engineState.value = 'starting';
  const again = starts++ > 0;
  const worker = new Worker(beginning === undefined ? address : `${address}?own`, { type: 'module', name: 'engine' });
  const { promise: death, reject } = Promise.withResolvers<never>();
  death.catch(() => undefined);
  const wrapped = wrap<Engine>(worker);
  const remote = wrapped as unknown as Afar;
  const die = (reason: string, wanted = false): void => {
    if (live?.worker !== worker) return;
    live = undefined;
    worker.terminate();
    engineFault.value = wanted ? '' : reason;
    engineState.value = wanted ? 'starting' : 'dead';
    reject(new EngineDied(reason, wanted));
    wrapped[releaseProxy]();
  };
  worker.addEventListener('error', ({ message }) => {
    die(message === '' || (message as string | undefined) === undefined ? 'the engine could not be loaded' : message);
  });
  worker.addEventListener('messageerror', () => {
    die('a message of the engine could not be read');
  });
  const timer = setTimeout(() => {
    die('the engine did not answer');
  }, START);
  void remote.ping().then(() => {
    clearTimeout(timer);
    if (live?.worker !== worker) return;
    engineState.value = 'ready';
    if (again) engineRestarts.value++;
  });
  const begun = beginning?.(remote) ?? Promise.resolve();
  begun.catch(() => undefined);
  return { worker, remote, begun, death, die };
}

/**
 * Starts another engine in the place of this one; work that is under way is begun again there.
 * @param begin what it is begun with, before all work, and whenever it is started again: code of the user is loaded. Its
 *              worker has another address, for which servers can state another policy (see own/doors.ts)
 */
export function beginWith(begin: typeof beginning): void {
  beginning = begin;
  live?.die('another engine was asked for', true);
}

/** Ends the engine and all its work; the next work starts another. */
export function endEngine(reason: string): void {
  live?.die(reason);
}

/** Rejects when the signal comes: what is under way is told to stop, and ended with its worker if it does not. */
function stopping(signal: AbortSignal, mine: Live, task: number, over: Promise<unknown>): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => {
    reject(new Stopped('stopped'));
    // Work of an engine that has died is never over, and another engine may do it now.
    if (live !== mine) return;
    void mine.remote.stop(task);
    const timer = setTimeout(() => {
      mine.die('work that would not end was ended', true);
    }, PATIENCE);
    const clear = (): void => {
      clearTimeout(timer);
    };
    over.then(clear, clear);
  };
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  const forget = (): void => {
    signal.removeEventListener('abort', stop);
  };
  over.then(forget, forget);
  return promise;
}

/** What the engine calls on the way. Its calls come by a channel of their own, and may arrive after the result. */
type Hear<P> = (progress: P) => void;

type Work<T, P> = (engine: Afar, task: number, tell: Hear<P>) => Promise<T>;

async function attempt<T, P>(work: Work<T, P>, signal?: AbortSignal, hear?: Hear<P>): Promise<T> {
  live ??= started();
  const mine = live;
  const task = ++lastTask;
  let listening = true;
  const tell = proxy((progress: P): void => {
    if (listening && signal?.aborted !== true) hear?.(progress);
  });
  const over = mine.begun.then(() => work(mine.remote, task, tell));
  const races: Promise<T>[] = [over, mine.death];
  if (signal !== undefined) races.push(stopping(signal, mine, task, over));
  const forget = (): void => {
    if (live === mine) void mine.remote.over(task);
  };
  over.then(forget, forget);
  return await Promise.race(races).finally(() => {
    listening = false;
  });
}

/**
 * Has the engine do something.
 * @param work   gets the engine, the number of the task and a function that tells `hear`, which long functions of the
 *               engine take; it may be begun twice
 * @param signal ends it: the promise rejects with `Stopped` at once, whatever the engine does
 * @param hear   gets what is told on the way, and nothing once the promise is settled
 * @throws EngineError for what the engine has thrown
 * @throws EngineDied if the worker died; the next work starts another
 */
export async function perform<T, P>(work: Work<T, P>, signal?: AbortSignal, hear?: Hear<P>): Promise<T> {
  try {
    return await attempt(work, signal, hear);
  } catch (error) {
    const again = error instanceof EngineDied && error.wanted && signal?.aborted !== true;
    if (again) return await attempt(work, signal, hear);
    throw error;
  }
}
