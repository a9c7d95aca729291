/** Elapsed time of work, for rate and remaining time. */
import { useRef } from 'preact/hooks';

/** Minimum seconds for a meaningful rate. */
const MIN_RATE_SECONDS = 2;

/**
 * Returns the status of running work.
 * @param done completed amount; undefined while nothing runs
 * @param long formats the status after a few seconds, with the elapsed seconds and the amount at the start
 * @param short status before that
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
