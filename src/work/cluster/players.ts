/**
 * Plays runs by the workers of a queue: a port of the same kind as a pool of threads. The battles of a run are cut into
 * ranges whose length follows how long they take. Tallies add up, so it changes no result.
 */

import { battlesIn, countsDigest, emptyTally, mergeTally, type Tally, type TallyShape } from '../../answers/index.ts';
import { asyncDispose, InputError, RunError } from '../../core/index.ts';
import {
  checkRun,
  type Form,
  Lease,
  type Players,
  type PlayOptions,
  playHere,
  type Run,
  type RunResult,
} from '../../engines/index.ts';
import { opened, portable } from '../../rules/index.ts';
import type { Range } from '../sweep/ranges.ts';
import { type BattlesJob, type BattlesResult, scenarioPlan } from './job.ts';
import { type Asking, type Claim, type JobAnswer, PieceLedger, RemoteWork } from './trust.ts';

/** Milliseconds of one thread that a range should take; more when there are many, whose tallies are all kept. */
const DUE = 2000;
const MANY = 1000;
const DUE_MOST = 30_000;

/** Battles of the first ranges, before it is known how long they take, and the least of others. */
const FIRST = { kernel: 2 ** 20, automaton: 2 ** 20, reference: 2 ** 12, sampled: 2 ** 22 };

export class Ranges extends PieceLedger<Range, Tally> {
  readonly #from: number;
  readonly #to: number;
  readonly #least: number;
  #next: number;
  /** Battles that a thread plays in a millisecond. */
  #pace: number | undefined;

  constructor({ from, to }: Range, engine: keyof typeof FIRST) {
    // A range that comes back is given out as it was.
    super((range) => range.from);
    this.#from = from;
    this.#next = from;
    this.#to = to;
    this.#least = FIRST[engine];
  }

  /** Battles that are counted. */
  get battles(): number {
    return this.done().reduce((sum, { piece: { from, to } }) => sum + to - from, 0);
  }

  /** The next range for one of so many threads; undefined if all are given out. */
  take(threads: number): Range | undefined {
    const back = this.next();
    if (back !== undefined || this.#next >= this.#to) return back;
    const from = this.#next;
    const left = this.#to - from;
    const due = Math.min(DUE_MOST, DUE * Math.max(1, this.size / MANY));
    const even = Math.ceil(left / (2 * Math.max(1, threads)));
    const size = Math.max(this.#least, Math.min(even, Math.round(due * (this.#pace ?? 0))));
    this.#next = Math.min(this.#to, from + size);
    return { from, to: this.#next };
  }

  /** Notes how long a range took. */
  took({ from, to }: Range, ms: number): void {
    if (ms <= 0) return;
    const pace = (to - from) / ms;
    this.#pace = this.#pace === undefined ? pace : 0.7 * this.#pace + 0.3 * pace;
  }

  /** The counts from the first battle on, as far as there is no gap. */
  sum(shape: TallyShape): Range & { readonly tally: Tally } {
    const tally = emptyTally(shape);
    let to = this.#from;
    for (const { piece, said } of this.done()) {
      if (piece.from !== to) break;
      mergeTally(tally, said);
      to = piece.to;
    }
    if (battlesIn(tally) !== to - this.#from) throw new TypeError('ranges do not add up');
    return { from: this.#from, to, tally };
  }
}

/** Battles that are played here: sending them would take longer. */
const HERE = { kernel: 2 ** 16, automaton: 2 ** 16, reference: 2 ** 9, sampled: 2 ** 18 };

/** The tally of a result; undefined if it is not one of so many battles of this shape. */
function tallyOf({ outcomes, metrics }: BattlesResult, shape: TallyShape, battles: number): Tally | undefined {
  if (outcomes.length !== shape.outcomes.length || metrics.length !== shape.metrics.length) return undefined;
  if (metrics.some(({ width, counts }) => counts.length !== width * outcomes.length)) return undefined;
  const columns = metrics.map(({ low, width, counts }) => ({ low, width, counts: new Float64Array(counts) }));
  const tally = { outcomes: new Float64Array(outcomes), metrics: columns };
  return battlesIn(tally) === battles ? tally : undefined;
}

/** A run that is under way. */
class RemoteRun extends RemoteWork<Range, Tally> {
  readonly ledger: Ranges;
  readonly #run: Run;
  readonly #plan: string;
  readonly #shape: TallyShape;
  readonly #pool: Lease;
  readonly #watch: PlayOptions;
  player: Form = 'reference';

  constructor(run: Run, plan: string, asking: Asking, pool: Lease, watch: PlayOptions) {
    super(asking);
    this.#run = run;
    this.#plan = plan;
    this.#pool = pool;
    this.#watch = watch;
    this.#shape = opened(run.scenario).shape;
    this.ledger = new Ranges(run, run.engine);
  }

  get stopped(): boolean {
    return this.desk.stopped || this.#watch.signal?.aborted === true;
  }

  protected next(): Range[] {
    const range = this.stopped ? undefined : this.ledger.take(this.desk.threads);
    return range === undefined ? [] : [range];
  }

  protected async have([range]: readonly Range[]): Promise<JobAnswer<Range, Tally> | undefined> {
    const result = range && (await this.desk.submit(this.#job(range)));
    if (result?.kind === 'refused') return { ...result, said: new Map(), refused: true };
    if (range === undefined || result?.kind !== 'battles') return undefined;
    const said = this.#tally(result, range);
    if (said !== undefined) {
      this.player = result.player;
      this.ledger.took(range, result.ms);
    }
    return { worker: result.worker, said: new Map([[range, { said, good: true }]]) };
  }

  protected async ask(range: Range, worker: string): Promise<Claim<Tally> | undefined> {
    const result = await this.desk.submit(this.#job(range), worker);
    return result?.kind === 'battles' ? { worker, said: this.#tally(result, range) } : undefined;
  }

  protected async here({ from, to }: Range): Promise<Tally> {
    return (await this.#pool.play({ ...this.#run, from, to })).tally;
  }

  protected same(a: Tally, b: Tally): boolean {
    return countsDigest(this.#shape, a) === countsDigest(this.#shape, b);
  }

  protected wrong({ from, to }: Range): string {
    return `battles ${String(from)}..${String(to - 1)} do not end as it says`;
  }

  protected override progressed(): void {
    this.#watch.onProgress?.({ done: this.ledger.battles, asked: this.#run.to - this.#run.from });
  }

  #tally(result: BattlesResult, { from, to }: Range): Tally | undefined {
    return tallyOf(result, this.#shape, to - from);
  }

  #job({ from, to }: Range): BattlesJob {
    const { engine, seed, budget, from: first, to: last } = this.#run;
    const base = { kind: 'battles', plan: this.#plan, engine, seed: String(seed), of: last - first } as const;
    return { ...base, from, to, ...(budget !== undefined && { budget }) };
  }
}

export class RemotePlayers implements Players, AsyncDisposable {
  readonly #asking: Asking;
  readonly #pool: Lease;

  constructor(asking: Asking) {
    this.#asking = asking;
    this.#pool = new Lease(asking.workers);
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

  async [asyncDispose](): Promise<void> {
    await this.#pool[asyncDispose]();
  }

  async #playThere(run: Run, options: PlayOptions): Promise<RunResult> {
    const { desk } = this.#asking;
    const plan = await desk.plan(scenarioPlan(run.scenario));
    const began = performance.now();
    const playing = new RemoteRun(run, plan, this.#asking, this.#pool, options);
    await playing.run().finally(() => {
      desk.forget(plan);
    });
    const counted = playing.ledger.sum(opened(run.scenario).shape);
    const { from, to } = counted;
    const complete = to === run.to;
    if (!complete && !playing.stopped)
      throw new RunError(
        `battles ${String(from)}..${String(run.to - 1)} were asked for, but only those up to ${String(to)} came`,
      );
    const seconds = (performance.now() - began) / 1000;
    const by = { player: playing.player, why: 'by workers of a queue', seconds, workers: desk.threads };
    return { ...counted, complete, ...by };
  }
}
