/** Plays a run without a pool that is there already: in the calling thread, and with threads of its own if that pays. */
import { parseCount } from '../chance/seed.ts';
import { mergeTally } from '../stats/tally.ts';
import { playHere } from './here.ts';
import { Pool } from './pool.ts';
import { checkRun, type PlayOptions, type Progress, type Run, type RunResult } from './run.ts';
import { prepare } from './setup.ts';

/** Battles that are played first, to see how long the others will take: at most some tenths of a second. */
const TRIED = { kernel: 2 ** 14, reference: 2 ** 9, sampled: 2 ** 16 };

/** Seconds of one thread for which it pays to start threads: two of them are up in 0.05 s and then save half. */
const THREADS_PAY = 0.1;

export interface OwnOptions extends PlayOptions {
  /** Threads, 1..256; as many as there are cores unless said otherwise. */
  readonly workers?: number | undefined;
}

async function playWithThreads(run: Run, { workers, ...options }: OwnOptions): Promise<RunResult> {
  await using pool = await Pool.create({ workers });
  return await pool.play(run, options);
}

/** The options for a part of a run: progress is told of the whole, of which `before` and `after` are not in the part. */
function within<O extends PlayOptions>(options: O, before: number, after: number): O {
  const { onProgress } = options;
  if (onProgress === undefined) return options;
  return {
    ...options,
    onProgress: ({ done, asked }: Progress) => {
      onProgress({ done: before + done, asked: before + asked + after });
    },
  };
}

/** Both parts of a run as one. */
function joined(first: RunResult, rest: RunResult): RunResult {
  mergeTally(first.tally, rest.tally);
  return { ...rest, tally: first.tally, from: first.from, seconds: first.seconds + rest.seconds };
}

/**
 * Plays a run. Its beginning is always played in the calling thread; the time that this takes says whether threads
 * are worth their start for the rest. Who plays what changes no result.
 * @throws InputError if the run is out of range
 * @throws BudgetError if endings are to be drawn and there is no exact law
 * @throws RunError if some battles could not be played at the second attempt either
 */
export async function playOwn(run: Run, options: OwnOptions = {}): Promise<RunResult> {
  checkRun(run, options);
  const { workers, ...watch } = options;
  if (workers !== undefined) parseCount(workers, 'workers', 1, 256);
  const middle = Math.min(run.to, run.from + TRIED[run.engine]);
  const left = run.to - middle;
  const prepared = await prepare(run);
  const first = await playHere({ ...run, to: middle }, { ...within(watch, 0, left), prepared });
  if (left === 0) return first;
  if (!first.complete || options.signal?.aborted === true) return { ...first, complete: false };
  const rest = { ...run, from: middle };
  const seconds = (first.seconds / (middle - run.from)) * left;
  const later = { ...within(options, middle - run.from, 0), prepared };
  return joined(first, await (seconds < THREADS_PAY ? playHere(rest, later) : playWithThreads(rest, later)));
}
