/** Client of the engine: starts the worker, reports its death, cancels work and restarts it. */
import { signal } from '@preact/signals';
import { proxy } from 'comlink';
import { EngineDied, type EngineProxy, type EngineSetup, EngineWorker } from './live.ts';

/** State of the engine; `dead` until the next work restarts it. */
export type EngineState = 'starting' | 'ready' | 'dead';

export const engineState = signal<EngineState>('starting');
/** Reason of the last death. */
export const engineFault = signal('');
/** Number of restarts; requests must be sent again after each. */
export const engineRestarts = signal(0);
/** Seconds without a response of an engine with custom code. */
export const engineSilence = signal(0);

/** Milliseconds until canceled work must stop; then the worker is ended. */
const PATIENCE = 1000;

/** Maximum seconds without a response of custom code, for normal work. */
const SILENCE = 10;

/** Maximum seconds without a response for work that the user has started: only infinite loops take longer. */
const PATIENT_SILENCE = 120;

/** Error of work that was canceled by its signal. */
export class WorkStopped extends Error {
  override readonly name = 'Stopped';
}

/** Setup of every engine; undefined without custom code. */
let engineSetup: EngineSetup | undefined;

let currentEngine: EngineWorker | undefined;
let lastTask = 0;
let startCount = 0;
/** Number of running tasks that may take long. */
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
 * Replaces the engine; running work starts again in the new one.
 * @param setup setup of this and later engines
 */
export function restartEngine(setup: EngineSetup | undefined): void {
  engineSetup = setup;
  currentEngine?.die('the engine was replaced', true);
}

/** Ends the engine and all its work; the next work starts a new one. */
export function endEngine(reason: string): void {
  currentEngine?.die(reason);
}

/**
 * Rejects on abort: stops the task, and ends the worker if it does not stop.
 * @param begun returns whether the task has started: before that, it does not block the engine
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
    // Work of a dead engine never ends, and a new engine may run it now.
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

/** Progress callback. It uses a separate channel, so calls may arrive after the result. */
export type ProgressListener<P> = (progress: P) => void;

/** Work of the engine: receives the engine, the task number and a progress callback. */
export type EngineWork<T, P> = (engine: EngineProxy, task: number, onProgress: ProgressListener<P>) => Promise<T>;

export interface PerformOptions<P> {
  /** Receives progress until the promise is settled. */
  readonly onProgress?: ProgressListener<P> | undefined;
  /** True for work that may take long because the user has started it. */
  readonly patient?: boolean;
}

/** Runs work in an engine once. @throws the errors of `perform` */
export async function performOnce<T, P>(
  mine: EngineWorker,
  work: EngineWork<T, P>,
  signal?: AbortSignal,
  listener?: ProgressListener<P>,
): Promise<T> {
  const task = ++lastTask;
  let listening = true;
  const onProgress = proxy((progress: P): void => {
    if (listening) listener?.(progress);
  });
  let begun = false;
  const over = mine.isLoaded.then(() => {
    if (signal?.aborted === true) throw new WorkStopped('stopped');
    begun = true;
    return work(mine.remote, task, onProgress);
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
 * Runs work in the engine.
 * @param work may be started twice
 * @param signal cancels it: the promise rejects with `WorkStopped` at once
 * @throws EngineError for errors of the engine
 * @throws EngineDied if the worker died; the next work starts a new one
 */
export async function perform<T, P>(
  work: EngineWork<T, P>,
  signal?: AbortSignal,
  { onProgress: listener, patient: long = false }: PerformOptions<P> = {},
): Promise<T> {
  const begin = (): Promise<T> => {
    currentEngine ??= startEngine();
    return performOnce(currentEngine, work, signal, listener);
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
