/** How long something has been under way, so that rate and time left can be told. */
import { useRef } from 'preact/hooks';

/** Seconds after which a rate says something. */
const MIN_RATE_SECONDS = 2;

/**
 * What is told of work once it has taken some seconds.
 * @param done   how much of it is done; undefined while it is not under way
 * @param long   tells it with the seconds that it has taken, and with what was done when they began
 * @param short  tells it before
 */
export function useElapsed(
  done: number | undefined,
  long: (seconds: number, before: number) => string,
  short: string,
): string {
  const began = useRef<{ readonly at: number; readonly done: number } | undefined>(undefined);
  if (done === undefined) began.current = undefined;
  else if (began.current === undefined || done < began.current.done) began.current = { at: performance.now(), done };
  if (began.current === undefined) return short;
  const seconds = (performance.now() - began.current.at) / 1000;
  return seconds < MIN_RATE_SECONDS ? short : long(seconds, began.current.done);
}
