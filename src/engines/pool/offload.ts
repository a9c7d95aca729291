/** Computes answers about one scenario in a thread of the process, so that the event loop of the caller stays free. */
import { pause } from '#platform/pause';
import { countCores } from '#platform/threads';
import {
  AbortError,
  type ErrorData,
  packError,
  setProgressListener,
  throttleProgress,
  unpackError,
  type WorkProgress,
} from '../../core/index.ts';
import { type PortableScenario, receiveScenario, type Scenario, toPortable } from '../../rules/index.ts';
import { checkStart } from './run.ts';

/** Observes and aborts a computation in a thread. */
export interface ProgressOptions {
  /** Aborts the computation: the promise is rejected with an `AbortError`, whose `cause` is the reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called about ten times a second during the computation; not by kernels that solve in one call. */
  readonly onProgress?: ((progress: WorkProgress) => void) | undefined;
}

/** Names of the options. */
export const PROGRESS_OPTIONS = { signal: true, onProgress: true } as const;

/** A task of a thread. */
export interface AnswerTask extends PortableScenario {
  /** The function that computes the answer. */
  readonly name: string;
  readonly options: unknown;
  /** Name of the channel for progress; undefined without a listener. */
  readonly channel: string | undefined;
}

/** The answer of a thread. */
export type AnswerReply = { readonly ok: true; readonly result: unknown } | { readonly ok: false; error: ErrorData };

/** Loaders of functions that compute answers, by name. */
export type AnswerFunctions = Readonly<Record<string, () => Promise<(scenario: Scenario, options: never) => unknown>>>;

/** Computes an answer in the thread that got the task. Never rejects. */
export async function performAnswer(task: AnswerTask, functions: AnswerFunctions): Promise<AnswerReply> {
  const { name, options, channel, ...sent } = task;
  const line = channel === undefined ? undefined : new BroadcastChannel(channel);
  try {
    const [compute, scenario] = await Promise.all([functions[name]?.(), receiveScenario(sent)]);
    const report = (progress: WorkProgress): void => {
      line?.postMessage(progress);
    };
    setProgressListener(line && throttleProgress(report));
    return { ok: true, result: compute?.(scenario, options as never) };
  } catch (error) {
    return { ok: false, error: packError(error) };
  } finally {
    setProgressListener(undefined);
    line?.close();
  }
}

/** Computes in the calling thread, which ignores signals meanwhile. */
async function computeHere<R>(compute: () => R, { onProgress }: ProgressOptions): Promise<R> {
  await pause();
  setProgressListener(onProgress && throttleProgress(onProgress));
  try {
    return compute();
  } finally {
    setProgressListener(undefined);
  }
}

/** Receives progress; an error of the listener is passed on. @returns the channel, which the caller closes */
function listenForProgress(
  onProgress: (progress: WorkProgress) => void,
  fail: (error: unknown) => void,
): BroadcastChannel {
  const { timeOrigin } = performance;
  const line = new BroadcastChannel(
    `warpool ${String(timeOrigin)} ${String(performance.now())} ${String(runningCount)}`,
  );
  line.onmessage = (event: unknown) => {
    try {
      onProgress((event as { readonly data: WorkProgress }).data);
    } catch (error) {
      fail(error);
    }
  };
  return line;
}

/** Number of answers that are being computed in threads. */
let runningCount = 0;

/**
 * Computes an answer in a thread of the process; at most one per core at a time, others wait.
 * @param name name of the function in the table of the threads
 * @param options options of that function, without those of `watch`
 * @param compute the same in the calling thread, for a system that was passed as a value, which other threads cannot
 *   load
 * @throws AbortError if the signal comes first
 * @throws RunError if the thread dies; also errors of the function
 */
export async function offload<R>(
  name: string,
  scenario: Scenario,
  options: unknown,
  watch: ProgressOptions,
  compute: () => R,
): Promise<R> {
  const { signal, onProgress } = watch;
  checkStart(signal);
  const sent = toPortable(scenario);
  if (sent === undefined) return await computeHere(compute, watch);
  const { ThreadLease } = await import('./worker-threads.ts');
  // The signal may have come meanwhile.
  checkStart(signal);
  await using lease = new ThreadLease(Math.min(countCores(), ++runningCount));
  let failure: { readonly error: unknown } | undefined;
  const end = (): void => void lease.end();
  const line =
    onProgress &&
    listenForProgress(onProgress, (error) => {
      failure ??= { error };
      end();
    });
  signal?.addEventListener('abort', end);
  try {
    const task: AnswerTask = { ...sent, name, options, channel: line?.name };
    const reply = await lease.call<AnswerReply>('answer', task);
    if (!reply.ok) throw unpackError(reply.error);
    return reply.result as R;
  } catch (error) {
    if (failure !== undefined) throw failure.error;
    throw signal?.aborted === true ? new AbortError(`${name}: stopped before the answer was computed`, signal) : error;
  } finally {
    runningCount--;
    signal?.removeEventListener('abort', end);
    line?.close();
  }
}
