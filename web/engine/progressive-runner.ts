/** Simulates a run in pieces of some tenths of a second, and reports the counts after each. */

import {
  chooseEngine,
  type RunExecutor,
  type RunRequest,
  type RunRequestOptions,
  type RunResult,
  runInCallingThread,
} from '../../src/engines/index.ts';
import { type Counts, mergeCounts } from '../../src/stats/index.ts';
import { isLoadable } from './registry/registry.ts';
import { getThreads } from './threads.ts';

/** Battles of the first piece: small, because a battle can take milliseconds. */
const FIRST_LEG = 2 ** 6;

/** Target duration of a piece in milliseconds. */
const LEG_MILLISECONDS = 150;

/** Minimum duration of a piece for a measurement of its speed, in milliseconds. */
const MEASURABLE_MILLISECONDS = 20;

/** Remaining milliseconds of one thread for which more threads are started. */
const THREADS_WORTHWHILE = 300;

/** Receives the counts after each piece; the simulation continues when it returns. */
export type CountsListener = (counts: Counts, battles: number) => void;

function copyCounts({ outcomes, metrics }: Counts): Counts {
  return structuredClone({ outcomes, metrics });
}

/** Executor that simulates in pieces. Results do not depend on where pieces end. */
export class ProgressiveRunner implements RunExecutor {
  readonly #onCounts: CountsListener;
  /** Counts of the pieces so far. */
  #sum: Counts | undefined;
  #battles = 0;
  /** Battles of the next piece. */
  #leg = FIRST_LEG;
  /** Milliseconds per battle in one thread. */
  #pace = 0;

  constructor(onCounts: CountsListener) {
    this.#onCounts = onCounts;
  }

  async play(run: RunRequest, { signal, prepared: given }: RunRequestOptions = {}): Promise<RunResult> {
    // For a long run, compiling rules may take many seconds: the first odds do not wait for it.
    const first = Math.min(run.to, run.from + this.#leg);
    let prepared = given ?? (await chooseEngine({ ...run, to: first }, { signal }));
    let played: RunResult | undefined;
    do {
      const from: number = played?.to ?? run.from;
      if (from === first && given === undefined) prepared = await chooseEngine({ ...run, from }, { signal });
      const part = { ...run, from, to: Math.min(run.to, from + this.#leg) };
      const leg = await this.#play(part, run.to - from, { signal, prepared });
      if (played !== undefined) mergeCounts(played.counts, leg.counts);
      played =
        played === undefined
          ? leg
          : { ...leg, counts: played.counts, from: run.from, seconds: played.seconds + leg.seconds };
      this.#show(leg);
    } while (played.complete && played.to < run.to && signal?.aborted !== true);
    return { ...played, complete: played.complete && played.to === run.to };
  }

  async #play(part: RunRequest, left: number, options: RunRequestOptions): Promise<RunResult> {
    const began = performance.now();
    // Threads cannot load the interpreted rules of a module chosen in this page.
    const here = options.prepared?.setup.form === 'reference' && !isLoadable(part.scenario);
    const pool = !here && this.#pace * left > THREADS_WORTHWHILE ? await getThreads() : undefined;
    const result = await (pool?.play(part, options) ?? runInCallingThread(part, options));
    const took = performance.now() - began;
    const battles = result.to - result.from;
    if (pool === undefined && battles > 0 && took >= MEASURABLE_MILLISECONDS) this.#pace = took / battles;
    this.#leg = Math.ceil(this.#leg * Math.min(16, Math.max(0.25, LEG_MILLISECONDS / Math.max(1, took))));
    return result;
  }

  #show({ counts, from, to }: RunResult): void {
    this.#battles += to - from;
    if (this.#sum === undefined) this.#sum = copyCounts(counts);
    else mergeCounts(this.#sum, counts);
    if (to > from) this.#onCounts(this.#sum, this.#battles);
  }
}
