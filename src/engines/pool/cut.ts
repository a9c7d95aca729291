/** How a run is cut into chunks. It changes no result, only how evenly threads are used and how soon they stop. */
import { CHUNKS_MAX, type Cut } from './ledger.ts';
import type { Engine } from './run.ts';
import { beginOf, chunksIn } from './sizes.ts';

/** The most battles of a chunk: about a tenth of a millisecond of a small battle. */
const LONGEST = { kernel: 2 ** 12, automaton: 2 ** 12, reference: 2 ** 6, sampled: 2 ** 14 };

/** As many chunks a thread, if the run is long enough: the last one keeps nobody waiting for long. */
const CHUNKS_PER_WORKER = 32;

/**
 * Cuts the first leg of battles from..to-1 for some workers: a job for each, and one to replace it. Runs of more
 * chunks than a ledger has go on in further legs. Chunks are what a stop has to wait for: they begin with one battle each.
 * @param asked battles of a chunk, if the caller wishes: all chunks have so many
 * @param most  battles of a chunk, if earlier legs have shown that they take long
 */
export function cutLeg(
  run: { engine: Engine; from: number; to: number },
  workers: number,
  asked?: number,
  most: number = Number.POSITIVE_INFINITY,
): Cut {
  const battles = run.to - run.from;
  const even = Math.ceil(battles / (workers * CHUNKS_PER_WORKER));
  const chunk = Math.max(1, asked ?? Math.min(LONGEST[run.engine], even, most));
  const ramp = asked === undefined && chunk > 1 ? { ramp: workers } : {};
  const to = Math.min(run.to, run.from + beginOf({ chunk, ...ramp }, CHUNKS_MAX));
  const jobs = 2 * Math.min(workers, chunksIn({ chunk, ...ramp }, battles));
  return { from: run.from, to, chunk, ...ramp, jobs };
}

/** Milliseconds that a chunk may take before chunks are made smaller, and those that they should take. */
const LATE = 100;
const DUE = 25;

/** How much larger chunks become again after a leg in which none was late: one may have been so by chance. */
const GROWTH = 16;

/** Battles that a chunk should have, if one of so many took too long: perhaps it waited for the processor. */
export function shorter(count: number, ms: number): number | undefined {
  return ms > LATE ? (count * DUE) / ms : undefined;
}

/** The most battles of the chunks of the next leg. @param wanted by who was late in the last one */
export function nextMost(most: number, wanted: number | undefined): number {
  return wanted === undefined ? most * GROWTH : Math.min(most, wanted);
}
