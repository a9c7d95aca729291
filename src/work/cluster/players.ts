/**
 * Plays runs by the workers of a queue: a port of the same kind as a pool of threads. The battles of a run are cut into
 * ranges whose length follows how long they take. Tallies add up, so it changes no result.
 */

import { countsDigest } from '../../answers/digest.ts';
import { battlesIn, emptyTally, mergeTally, type Tally, type TallyShape } from '../../answers/tally.ts';
import { InputError, RunError } from '../../core/errors.ts';
import { playHere } from '../../engines/pool/conduct.ts';
import type { Players } from '../../engines/pool/own.ts';
import { Lease } from '../../engines/pool/pool.ts';
import { checkRun, type Form, type PlayOptions, type Run, type RunResult } from '../../engines/pool/run.ts';
import { opened, portable } from '../../rules/opened.ts';
import type { Range } from '../tallies/manifest.ts';
import { type Desk, keepBusy } from './desk.ts';
import { type BattlesJob, type BattlesResult, scenarioPlan } from './job.ts';
import { Audit, type Claim, type Trust } from './trust.ts';

/** A range that was played. */
interface Played extends Range {
  readonly tally: Tally;
  /** Who has played it; undefined if it was checked. */
  worker: string | undefined;
}

/** Milliseconds of one thread that a range should take; more when there are many, whose tallies are all kept. */
const DUE = 2000;
const MANY = 1000;
const DUE_MOST = 30_000;

/** Battles of the first ranges, before it is known how long they take, and the least of others. */
const FIRST = { kernel: 2 ** 20, automaton: 2 ** 20, reference: 2 ** 12, sampled: 2 ** 22 };

export class Ranges {
  readonly #from: number;
  readonly #to: number;
  /** Ranges that were given out and came to nothing. */
  readonly #back: Range[] = [];
  /** By its first battle: a range that comes back is given out as it was. */
  readonly #played = new Map<number, Played>();
  readonly #least: number;
  #next: number;
  /** Battles that a thread plays in a millisecond. */
  #pace: number | undefined;

  constructor({ from, to }: Range, engine: keyof typeof FIRST) {
    this.#from = from;
    this.#next = from;
    this.#to = to;
    this.#least = FIRST[engine];
  }

  /** Battles that are counted. */
  get done(): number {
    let sum = 0;
    for (const { from, to } of this.#played.values()) sum += to - from;
    return sum;
  }

  /** The next range for one of so many threads; undefined if all are given out. */
  take(threads: number): Range | undefined {
    let back = this.#back.pop();
    while (back !== undefined && this.#played.has(back.from)) back = this.#back.pop();
    if (back !== undefined || this.#next >= this.#to) return back;
    const from = this.#next;
    const left = this.#to - from;
    const due = Math.min(DUE_MOST, DUE * Math.max(1, this.#played.size / MANY));
    const even = Math.ceil(left / (2 * Math.max(1, threads)));
    const size = Math.max(this.#least, Math.min(even, Math.round(due * (this.#pace ?? 0))));
    this.#next = Math.min(this.#to, from + size);
    return { from, to: this.#next };
  }

  giveBack(range: Range): void {
    this.#back.push(range);
  }

  /** Counts a range; one that is counted already is not counted again. */
  add(range: Range, tally: Tally, worker: string, ms: number): void {
    if (!this.#played.has(range.from)) this.#played.set(range.from, { ...range, tally, worker });
    if (ms <= 0) return;
    const pace = (range.to - range.from) / ms;
    this.#pace = this.#pace === undefined ? pace : 0.7 * this.#pace + 0.3 * pace;
  }

  /** What was played here, in the place of what others have said. */
  replace(range: Range, tally: Tally): void {
    this.#played.set(range.from, { ...range, tally, worker: undefined });
  }

  confirm({ from }: Range): void {
    const found = this.#played.get(from);
    if (found !== undefined) found.worker = undefined;
  }

  /** Takes back what nobody but this worker has played. */
  undo(worker: string): void {
    for (const { worker: by, from, to } of this.#played.values()) {
      if (by !== worker) continue;
      this.#played.delete(from);
      this.#back.push({ from, to });
    }
  }

  /** The counts from the first battle on, as far as there is no gap. */
  sum(shape: TallyShape): Range & { readonly tally: Tally } {
    const tally = emptyTally(shape);
    let to = this.#from;
    for (const played of [...this.#played.values()].sort((a, b) => a.from - b.from)) {
      if (played.from !== to) break;
      mergeTally(tally, played.tally);
      to = played.to;
    }
    if (battlesIn(tally) !== to - this.#from) throw new TypeError('ranges do not add up');
    return { from: this.#from, to, tally };
  }
}

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
