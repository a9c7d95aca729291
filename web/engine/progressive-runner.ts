/** Plays a run in legs of some tenths of a second, and tells after each what was counted so far. */

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

/** Battles of the first leg: a battle can take milliseconds, and the first odds should not wait for seconds. */
const FIRST_LEG = 2 ** 6;

/** Milliseconds that a leg should take. */
const LEG_MILLISECONDS = 150;

/** Milliseconds that a leg must take for its pace to be known. */
const MEASURABLE_MILLISECONDS = 20;

/** Milliseconds of one thread for which others are worth their start. */
const THREADS_WORTHWHILE = 300;

/** Gets the counters after each leg; who plays goes on as soon as it returns. */
export type CountsListener = (tally: Counts, battles: number) => void;

function copyCounts({ outcomes, metrics }: Counts): Counts {
  return structuredClone({ outcomes, metrics });
}

/** What is played depends on no clock; where a leg ends changes no result. */
export class ProgressiveRunner implements RunExecutor {
  readonly #tell: CountsListener;
  /** What the parts of the run before this one have counted. */
  #sum: Counts | undefined;
  #battles = 0;
  /** Battles of the next leg. */
  #leg = FIRST_LEG;
  /** Milliseconds of a battle, in one thread. */
  #pace = 0;

  constructor(tell: CountsListener) {
    this.#tell = tell;
  }

  async play(run: RunRequest, { signal, prepared: given }: RunRequestOptions = {}): Promise<RunResult> {
    // For a long run rules may be explored for many seconds: the first odds do not wait for that.
    const first = Math.min(run.to, run.from + this.#leg);
    let prepared = given ?? (await chooseEngine({ ...run, to: first }, { signal }));
    let played: RunResult | undefined;
    do {
      const from: number = played?.to ?? run.from;
      if (from === first && given === undefined) prepared = await chooseEngine({ ...run, from }, { signal });
      const part = { ...run, from, to: Math.min(run.to, from + this.#leg) };
      const leg = await this.#play(part, run.to - from, { signal, prepared });
      if (played !== undefined) mergeCounts(played.tally, leg.tally);
      played =
        played === undefined
          ? leg
          : { ...leg, tally: played.tally, from: run.from, seconds: played.seconds + leg.seconds };
      this.#show(leg);
    } while (played.complete && played.to < run.to && signal?.aborted !== true);
    return { ...played, complete: played.complete && played.to === run.to };
  }

  async #play(part: RunRequest, left: number, options: RunRequestOptions): Promise<RunResult> {
    const began = performance.now();
    // Rules as written may be those of a module that was chosen in this page: threads cannot load it.
    const here = options.prepared?.setup.form === 'reference' && !isLoadable(part.scenario);
    const pool = !here && this.#pace * left > THREADS_WORTHWHILE ? await getThreads() : undefined;
    const result = await (pool?.play(part, options) ?? runInCallingThread(part, options));
    const took = performance.now() - began;
    const battles = result.to - result.from;
    if (pool === undefined && battles > 0 && took >= MEASURABLE_MILLISECONDS) this.#pace = took / battles;
    this.#leg = Math.ceil(this.#leg * Math.min(16, Math.max(0.25, LEG_MILLISECONDS / Math.max(1, took))));
    return result;
  }

  #show({ tally, from, to }: RunResult): void {
    this.#battles += to - from;
    if (this.#sum === undefined) this.#sum = copyCounts(tally);
    else mergeCounts(this.#sum, tally);
    if (to > from) this.#tell(this.#sum, this.#battles);
  }
}
