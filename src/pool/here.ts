/** Plays in the calling thread: for runs so small that threads would cost more than they give. */
import { setImmediate } from 'node:timers/promises';
import { type Crew, conduct } from './conduct.ts';
import { playJob } from './job.ts';
import type { PlayOptions, Run, RunResult } from './run.ts';

const HERE: Crew = {
  workers: 0,
  async perform(offer) {
    const job = offer();
    return job === undefined ? { ok: true } : playJob(job, setImmediate);
  },
};

/**
 * Plays a run without threads. Timers and signals are heard between chunks.
 * @throws InputError if the run is out of range
 * @throws RunError if some battles could not be played at the second attempt either
 */
export async function playHere(run: Run, options: PlayOptions = {}): Promise<RunResult> {
  return conduct(run, HERE, options);
}
