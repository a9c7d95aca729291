/** How a run is cut into chunks. It changes no result, only how evenly threads are used and how soon they stop. */
import { CHUNKS_MAX, type Cut } from './ledger.ts';
import type { Engine } from './run.ts';

/** The most battles of a chunk: about a tenth of a millisecond of a small battle, some milliseconds of a big one. */
const LONGEST = { kernel: 2 ** 12, reference: 2 ** 6, sampled: 2 ** 14 };

/** As many chunks a thread, if the run is long enough: the last one keeps nobody waiting for long. */
const CHUNKS_PER_WORKER = 32;

/**
 * Cuts the first leg of battles from..to-1 for some workers: a job for each, and one to replace it. Runs of more
 * chunks than a ledger has go on in further legs; chunks do not grow, for they are what a stop has to wait for.
 * @param asked battles of a chunk, if the caller wishes
 */
export function cutLeg(run: { engine: Engine; from: number; to: number }, workers: number, asked?: number): Cut {
  const battles = run.to - run.from;
  const even = Math.ceil(battles / (workers * CHUNKS_PER_WORKER));
  const chunk = Math.max(1, asked ?? Math.min(LONGEST[run.engine], even));
  const to = Math.min(run.to, run.from + chunk * CHUNKS_MAX);
  return { from: run.from, to, chunk, jobs: 2 * Math.min(workers, Math.ceil(battles / chunk)) };
}
