/** Questions to the engine whose answers are wanted only as long as what they are about is shown. */
import { perform } from '../engine/client.ts';
import type { EngineProxy } from '../engine/live.ts';

interface Inquiry {
  /** Milliseconds before the engine is asked; at once unless this is given. */
  readonly pause?: number;
  /** The engine has to end what is not wanted any more. */
  readonly ends?: boolean;
  readonly fail?: (error: unknown) => void;
}

/** Asks the engine. The function that is returned has it forgotten: then neither answer nor error is heard. */
export function inquire<T>(
  work: (engine: EngineProxy, task: number) => Promise<T>,
  hear: (found: T) => void,
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
    perform(work, ends ? signal : undefined).then(unlessOver(hear), unlessOver(fail));
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  if (pause === undefined) ask();
  else timer = setTimeout(ask, pause);
  return () => {
    clearTimeout(timer);
    controller.abort();
  };
}
