/** Plays a run in legs of some tenths of a second, and tells after each what was counted so far. */

import { mergeTally, type Tally } from '../../src/answers/index.ts';
import {
  type Players,
  type PlayOptions,
  playHere,
  prepare,
  type Run,
  type RunResult,
} from '../../src/engines/index.ts';
import { isNamed } from './registry.ts';
import { threads } from './threads.ts';

/** Battles of the first leg: a battle can take milliseconds, and the first odds should not wait for seconds. */
const FIRST = 2 ** 6;

/** Milliseconds that a leg should take. */
const LEG = 150;

/** Milliseconds that a leg must take for its pace to be known. */
const MEASURABLE = 20;

/** Milliseconds of one thread for which others are worth their start. */
const THREADS_PAY = 300;

/** Gets the counters after each leg; who plays goes on as soon as it returns. */
export type Tell = (tally: Tally, battles: number) => void;

function copied({ outcomes, metrics }: Tally): Tally {
  return structuredClone({ outcomes, metrics });
}

/** What is played depends on no clock; where a leg ends changes no result. */
export class Watched implements Players {
  readonly #tell: Tell;
  /** What the parts of the run before this one have counted. */
  #sum: Tally | undefined;
  #battles = 0;
  /** Battles of the next leg. */
  #leg = FIRST;
  /** Milliseconds of a battle, in one thread. */
  #pace = 0;

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  async play(run: Run, { signal, prepared: given }: PlayOptions = {}): Promise<RunResult> {
    // For a long run rules may be explored for many seconds: the first odds do not wait for that.
    const first = Math.min(run.to, run.from + this.#leg);
    let prepared = given ?? (await prepare({ ...run, to: first }, { signal }));
    let played: RunResult | undefined;
    do {
      const from: number = played?.to ?? run.from;
      if (from === first && given === undefined) prepared = await prepare({ ...run, from }, { signal });
      const part = { ...run, from, to: Math.min(run.to, from + this.#leg) };
      const leg = await this.#play(part, run.to - from, { signal, prepared });
      if (played !== undefined) mergeTally(played.tally, leg.tally);
      played =
        played === undefined
          ? leg
          : { ...leg, tally: played.tally, from: run.from, seconds: played.seconds + leg.seconds };
      this.#show(leg);
    } while (played.complete && played.to < run.to && signal?.aborted !== true);
    return { ...played, complete: played.complete && played.to === run.to };
  }

  async #play(part: Run, left: number, options: PlayOptions): Promise<RunResult> {
    const began = performance.now();
    // Rules as written may be those of a module that was chosen in this page: threads cannot load it.
    const here = options.prepared?.setup.form === 'reference' && !isNamed(part.scenario);
    const pool = !here && this.#pace * left > THREADS_PAY ? await threads() : undefined;
    const result = await (pool?.play(part, options) ?? playHere(part, options));
    const took = performance.now() - began;
    const battles = result.to - result.from;
    if (pool === undefined && battles > 0 && took >= MEASURABLE) this.#pace = took / battles;
    this.#leg = Math.ceil(this.#leg * Math.min(16, Math.max(0.25, LEG / Math.max(1, took))));
    return result;
  }

  #show({ tally, from, to }: RunResult): void {
    this.#battles += to - from;
    if (this.#sum === undefined) this.#sum = copied(tally);
    else mergeTally(this.#sum, tally);
    if (to > from) this.#tell(this.#sum, this.#battles);
  }
}
