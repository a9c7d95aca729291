/** Plays runs by the workers of a queue: a port of the same kind as a pool of threads. */

import { countsDigest } from '../../answers/digest.ts';
import { battlesIn, type Tally, type TallyShape } from '../../answers/tally.ts';
import { InputError, RunError } from '../../core/errors.ts';
import { playHere } from '../../engines/pool/conduct.ts';
import type { Players } from '../../engines/pool/own.ts';
import { Lease } from '../../engines/pool/pool.ts';
import { checkRun, type Form, type PlayOptions, type Run, type RunResult } from '../../engines/pool/run.ts';
import { opened, portable } from '../../rules/opened.ts';
import type { Range } from '../tallies/ranges.ts';
import { keepBusy } from './busy.ts';
import type { Desk } from './desk.ts';
import type { BattlesJob, BattlesResult } from './job.ts';
import { scenarioPlan } from './plans.ts';
import { Ranges } from './ranges.ts';
import { Audit, type Claim, type Trust } from './trust.ts';

/** Battles that are played here: sending them would take longer. */
const HERE = { kernel: 2 ** 16, automaton: 2 ** 16, reference: 2 ** 9, sampled: 2 ** 18 };

/** Milliseconds between two reports of progress. */
const PROGRESS_EVERY = 100;

const short = (text: string): string => text.slice(0, 300);

/** The tally of a result; undefined if it is not one of so many battles of this shape. */
function tallyOf({ outcomes, metrics }: BattlesResult, shape: TallyShape, battles: number): Tally | undefined {
  if (outcomes.length !== shape.outcomes.length || metrics.length !== shape.metrics.length) return undefined;
  if (metrics.some(({ width, counts }) => counts.length !== width * outcomes.length)) return undefined;
  const columns = metrics.map(({ low, width, counts }) => ({ low, width, counts: new Float64Array(counts) }));
  const tally = { outcomes: new Float64Array(outcomes), metrics: columns };
  return battlesIn(tally) === battles ? tally : undefined;
}

export interface RemoteOptions {
  readonly desk: Desk;
  readonly trust: Trust;
  /** Threads of this process, which decide who was right. */
  readonly workers?: number | undefined;
}

/** A run that is under way. */
class RemoteRun {
  readonly ranges: Ranges;
  readonly #options: RemoteOptions;
  readonly #run: Run;
  readonly #plan: string;
  readonly #shape: TallyShape;
  readonly #here: (range: Range) => Promise<Tally>;
  readonly #audit: Audit<Range, Tally>;
  player: Form = 'reference';

  constructor(run: Run, plan: string, options: RemoteOptions, here: (range: Range) => Promise<Tally>) {
    this.#run = run;
    this.#plan = plan;
    this.#options = options;
    this.#shape = opened(run.scenario).shape;
    this.ranges = new Ranges(run, run.engine);
    this.#here = async (range) => {
      const truth = await here(range);
      this.ranges.replace(range, truth);
      return truth;
    };
    this.#audit = new Audit<Range, Tally>(options.desk, options.trust, {
      ask: (range, worker) => this.#ask(range, worker),
      here: this.#here,
      same: (a, b) => countsDigest(this.#shape, a) === countsDigest(this.#shape, b),
      confirm: (range) => {
        this.ranges.confirm(range);
      },
      undo: (worker) => {
        this.ranges.undo(worker);
        return Promise.resolve();
      },
      wrong: ({ from, to }) => `battles ${String(from)}..${String(to - 1)} do not end as it says`,
    });
  }

  async play(stopped: () => boolean): Promise<void> {
    const { desk } = this.#options;
    await keepBusy(desk, () => {
      const range = stopped() ? undefined : this.ranges.take(desk.threads);
      return range && this.#have(range);
    });
  }

  #job({ from, to }: Range): BattlesJob {
    const { engine, seed, budget, from: first, to: last } = this.#run;
    const base = { kind: 'battles', plan: this.#plan, engine, seed: String(seed), of: last - first } as const;
    return { ...base, from, to, ...(budget !== undefined && { budget }) };
  }

  async #have(range: Range): Promise<void> {
    const { desk, trust } = this.#options;
    const result = await desk.submit(this.#job(range));
    if (result?.kind === 'refused') {
      // What the scenario is to blame for is seen here too, with the same error.
      await this.#here(range);
      await trust.setAside(result.worker, `it cannot play what can be played: ${short(result.fault)}`);
      this.ranges.undo(result.worker);
      return;
    }
    if (result?.kind !== 'battles' || !trust.believes(result.worker)) {
      this.ranges.giveBack(range);
      return;
    }
    const tally = tallyOf(result, this.#shape, range.to - range.from);
    if (tally === undefined) {
      await this.#audit.settle(range, [{ worker: result.worker, said: tally }]);
      return;
    }
    this.player = result.player;
    this.ranges.add(range, tally, result.worker, result.ms);
    await this.#audit.look(range, result.worker, tally);
  }

  async #ask(range: Range, worker: string): Promise<Claim<Tally> | undefined> {
    const result = await this.#options.desk.submit(this.#job(range), worker);
    if (result?.kind !== 'battles') return undefined;
    return { worker, said: tallyOf(result, this.#shape, range.to - range.from) };
  }
}

export class RemotePlayers implements Players, AsyncDisposable {
  readonly #options: RemoteOptions;
  readonly #pool: Lease;

  constructor(options: RemoteOptions) {
    this.#options = options;
    this.#pool = new Lease(options.workers);
  }

  /**
   * @throws InputError if the run is out of range, or no other machine can load the system of its scenario
   * @throws RunError if battles could not be played
   */
  async play(run: Run, options: PlayOptions = {}): Promise<RunResult> {
    checkRun(run, options);
    if (run.to - run.from <= HERE[run.engine]) return await playHere(run, options);
    if (portable(run.scenario) === undefined)
      throw new InputError('--on', 'a system that is loaded from a file', `"${run.scenario.system}", given as a value`);
    return await this.#playThere(run, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool[Symbol.asyncDispose]();
  }

  async #playThere(run: Run, { signal, onProgress }: PlayOptions): Promise<RunResult> {
    const { desk } = this.#options;
    const plan = await desk.plan(scenarioPlan(run.scenario));
    const began = performance.now();
    const playing = new RemoteRun(run, plan, this.#options, (range) => this.#decide(run, range));
    const tell = (): void => {
      onProgress?.({ done: playing.ranges.done, asked: run.to - run.from });
    };
    const timer = setInterval(tell, PROGRESS_EVERY).unref();
    try {
      await playing.play(() => desk.stopped || signal?.aborted === true);
      tell();
    } finally {
      clearInterval(timer);
      desk.forget(plan);
    }
    const { tally, from, to } = playing.ranges.sum(opened(run.scenario).shape);
    const complete = to === run.to;
    if (!complete && !desk.stopped && signal?.aborted !== true)
      throw new RunError(
        `battles ${String(from)}..${String(run.to - 1)} were asked for, but only those up to ${String(to)} came`,
      );
    const seconds = (performance.now() - began) / 1000;
    return {
      tally,
      from,
      to,
      complete,
      player: playing.player,
      why: 'by workers of a queue',
      seconds,
      workers: desk.threads,
    };
  }

  /** Plays battles with the threads of this process. */
  async #decide(run: Run, { from, to }: Range): Promise<Tally> {
    const { tally } = await this.#pool.play({ ...run, from, to });
    return tally;
  }
}
