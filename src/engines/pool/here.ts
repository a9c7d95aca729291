/** Plays in the calling thread: for runs so small that threads would cost more than they give. */
import { conduct, HERE } from './conduct.ts';
import type { PlayOptions, Run, RunResult } from './run.ts';

/**
 * Plays a run without threads. Timers and signals are heard between chunks.
 * @throws InputError if the run is out of range
 * @throws RunError if some battles could not be played at the second attempt either
 */
export async function playHere(run: Run, options: PlayOptions = {}): Promise<RunResult> {
  return conduct(run, HERE, options);
}
