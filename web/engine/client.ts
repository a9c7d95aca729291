/** The page's end of the engine: starts the worker, tells its death, ends work and starts it again. */
import { signal } from '@preact/signals';
import { proxy } from 'comlink';
import { EngineDied, type EngineProxy, type EngineSetup, EngineWorker } from './live.ts';

/** How the engine is; `dead` until the next work starts it anew. */
export type EngineState = 'starting' | 'ready' | 'dead';

export const engineState = signal<EngineState>('starting');
/** Why it died last. */
export const engineFault = signal('');
/** How often another one was ready after a death: whoever waits for an answer asks anew. */
export const engineRestarts = signal(0);
/** Seconds for which an engine with code of the user has not heard. */
export const engineSilence = signal(0);

/** Milliseconds in which work that was told to end must end; then the worker is ended. */
const PATIENCE = 1000;

/** Seconds for which code of the user may keep the engine from hearing, for work that nobody asked to take longer. */
const SILENCE = 10;

/** The same for work that was begun by a button: all of it is bounded, but for what loops. */
const PATIENT_SILENCE = 120;

/** Work was ended by its signal. */
export class WorkStopped extends Error {
  override readonly name = 'Stopped';
}

/** What every engine is begun with; undefined if it runs no code of the user. */
let engineSetup: EngineSetup | undefined;

let currentEngine: EngineWorker | undefined;
let lastTask = 0;
let startCount = 0;
/** Works under way that may take long. */
let patientWorks = 0;

function startEngine(): EngineWorker {
  engineState.value = 'starting';
  const again = startCount++ > 0;
  const mine: EngineWorker = new EngineWorker(engineSetup, {
    ready() {
      engineState.value = 'ready';
      if (again) engineRestarts.value++;
    },
    died(reason, wanted) {
      if (currentEngine === mine) currentEngine = undefined;
      engineSilence.value = 0;
      engineFault.value = wanted ? '' : reason;
      engineState.value = wanted ? 'starting' : 'dead';
    },
    silent(seconds) {
      engineSilence.value = seconds;
      return patientWorks > 0 ? PATIENT_SILENCE : SILENCE;
    },
  });
  return mine;
}

/**
 * Starts another engine in the place of this one; work that is under way is begun again there.
 * @param begin what it is begun with, and whenever it is started again
 */
export function restartEngine(setup: EngineSetup | undefined): void {
  engineSetup = setup;
  currentEngine?.die('the engine was replaced', true);
}

/** Ends the engine and all its work; the next work starts another. */
export function endEngine(reason: string): void {
  currentEngine?.die(reason);
}

/**
 * Rejects when the signal comes: what is under way is told to stop, and ended with its worker if it does not.
 * @param begun whether it is: what waits for the module that the engine loads does not keep it busy
 */
function rejectOnAbort(
  signal: AbortSignal,
  mine: EngineWorker,
  task: number,
  over: Promise<unknown>,
  begun: () => boolean,
): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => {
    reject(new WorkStopped('stopped'));
    // Work of an engine that has died is never over, and another engine may do it now.
    if (mine.dead || !begun()) return;
    void mine.remote.stop(task);
    const timer = setTimeout(() => {
      mine.die('a task did not stop in time', true);
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
export type ProgressListener<P> = (progress: P) => void;

/** Gets the engine, the number of the task and a function that tells `hear`, which long functions of the engine take. */
export type EngineWork<T, P> = (engine: EngineProxy, task: number, tell: ProgressListener<P>) => Promise<T>;

export interface PerformOptions<P> {
  /** Gets what is told on the way, and nothing once the promise is settled. */
  readonly hear?: ProgressListener<P> | undefined;
  /** It may take long: somebody has asked for it. */
  readonly patient?: boolean;
}

/** Has an engine do something, once. @throws what `perform` throws */
export async function performOnce<T, P>(
  mine: EngineWorker,
  work: EngineWork<T, P>,
  signal?: AbortSignal,
  hear?: ProgressListener<P>,
): Promise<T> {
  const task = ++lastTask;
  let listening = true;
  const tell = proxy((progress: P): void => {
    if (listening) hear?.(progress);
  });
  let begun = false;
  const over = mine.isLoaded.then(() => {
    if (signal?.aborted === true) throw new WorkStopped('stopped');
    begun = true;
    return work(mine.remote, task, tell);
  });
  const races: Promise<T>[] = [over, mine.death];
  if (signal !== undefined) races.push(rejectOnAbort(signal, mine, task, over, () => begun));
  const forget = (): void => {
    if (!mine.dead) void mine.remote.over(task);
  };
  over.then(forget, forget);
  return await Promise.race(races).finally(() => {
    listening = false;
  });
}

/**
 * Has the engine do something.
 * @param work   may be begun twice
 * @param signal ends it: the promise rejects with `Stopped` at once, whatever the engine does
 * @throws EngineError for what the engine has thrown
 * @throws EngineDied if the worker died; the next work starts another
 */
export async function perform<T, P>(
  work: EngineWork<T, P>,
  signal?: AbortSignal,
  { hear, patient: long = false }: PerformOptions<P> = {},
): Promise<T> {
  const begin = (): Promise<T> => {
    currentEngine ??= startEngine();
    return performOnce(currentEngine, work, signal, hear);
  };
  patientWorks += Number(long);
  try {
    return await begin();
  } catch (error) {
    const again = error instanceof EngineDied && error.isIntended && signal?.aborted !== true;
    if (again) return await begin();
    throw error;
  } finally {
    patientWorks -= Number(long);
  }
}
