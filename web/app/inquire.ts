/** Requests to the engine whose results are dropped when their subject is no longer shown. */
import { perform } from '../engine/client.ts';
import type { EngineProxy } from '../engine/live.ts';

interface Inquiry {
  /** Delay in milliseconds (default: none). */
  readonly pause?: number;
  /** True if the engine should cancel the request as well. */
  readonly ends?: boolean;
  readonly fail?: (error: unknown) => void;
}

/** Sends a request. @returns a function that cancels it, so that neither result nor error is delivered */
export function inquire<T>(
  work: (engine: EngineProxy, task: number) => Promise<T>,
  onFound: (found: T) => void,
  { pause, ends = false, fail = () => undefined }: Inquiry = {},
): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const unlessOver =
    <V>(take: (value: V) => void) =>
    (value: V): void => {
      if (!signal.aborted) take(value);
    };
  const ask = (): void => {
    perform(work, ends ? signal : undefined).then(unlessOver(onFound), unlessOver(fail));
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  if (pause === undefined) ask();
  else timer = setTimeout(ask, pause);
  return () => {
    clearTimeout(timer);
    controller.abort();
  };
}
