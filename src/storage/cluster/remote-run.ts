/**
 * Simulates runs on the workers of a queue, with the interface of a thread pool. The battles of a run are divided into
 * ranges whose length depends on their speed; counts add up, so results do not depend on the division.
 */

import { asyncDispose, InputError, RunError } from '../../core/index.ts';
import {
  checkRun,
  type EngineForm,
  type RunExecutor,
  type RunRequest,
  type RunRequestOptions,
  type RunResult,
  runInCallingThread,
  ThreadLease,
} from '../../engines/index.ts';
import { getBoundScenario, toPortable } from '../../rules/index.ts';
import {
  type Counts,
  type CountsShape,
  computeCountsDigest,
  createEmptyCounts,
  getBattleCount,
  mergeCounts,
} from '../../stats/index.ts';
import type { Range } from '../sweep/ranges.ts';
import { type BattlesJob, type BattlesResult, createScenarioPlan } from './job.ts';
import { type AuditedDispatch, type JobReport, RemoteWork, type ReportedResult, WorkQueue } from './remote-work.ts';

/** Target time of a range on one thread, in milliseconds; more for many ranges, because the counts of all are kept. */
const RANGE_MS = 2000;
const MANY_RANGES = 1000;
const RANGE_MS_MAX = 30_000;

/** Battles of the first ranges, before the speed is known, and minimum of the others. */
const FIRST_RANGE_BATTLES = { kernel: 2 ** 20, automaton: 2 ** 20, reference: 2 ** 12, sampled: 2 ** 22 };

export class RangeQueue extends WorkQueue<Range, Counts> {
  readonly #from: number;
  readonly #to: number;
  readonly #least: number;
  #next: number;
  /** Battles per millisecond on one thread. */
  #pace: number | undefined;

  constructor({ from, to }: Range, engine: keyof typeof FIRST_RANGE_BATTLES) {
    // A range that must be repeated keeps its bounds.
    super((range) => range.from);
    this.#from = from;
    this.#next = from;
    this.#to = to;
    this.#least = FIRST_RANGE_BATTLES[engine];
  }

  /** Battles that are counted. */
  get battles(): number {
    return this.done().reduce((sumCounts, { piece: { from, to } }) => sumCounts + to - from, 0);
  }

  /** Returns the next range; undefined if all are assigned. @param threads number of threads that share the rest */
  nextRange(threads: number): Range | undefined {
    const back = this.next();
    if (back !== undefined || this.#next >= this.#to) return back;
    const from = this.#next;
    const left = this.#to - from;
    const due = Math.min(RANGE_MS_MAX, RANGE_MS * Math.max(1, this.size / MANY_RANGES));
    const even = Math.ceil(left / (2 * Math.max(1, threads)));
    const size = Math.max(this.#least, Math.min(even, Math.round(due * (this.#pace ?? 0))));
    this.#next = Math.min(this.#to, from + size);
    return { from, to: this.#next };
  }

  /** Records the time of a range. */
  recordTime({ from, to }: Range, ms: number): void {
    if (ms <= 0) return;
    const pace = (to - from) / ms;
    this.#pace = this.#pace === undefined ? pace : 0.7 * this.#pace + 0.3 * pace;
  }

  /** Sums the counts from the first battle up to the first gap. */
  sum(shape: CountsShape): Range & { readonly counts: Counts } {
    const counts = createEmptyCounts(shape);
    let to = this.#from;
    for (const { piece, said } of this.done()) {
      if (piece.from !== to) break;
      mergeCounts(counts, said);
      to = piece.to;
    }
    if (getBattleCount(counts) !== to - this.#from) throw new TypeError('ranges do not add up');
    return { from: this.#from, to, counts };
  }
}

/** Battles up to which a run is simulated here: sending it would take longer. */
const LOCAL_BATTLES = { kernel: 2 ** 16, automaton: 2 ** 16, reference: 2 ** 9, sampled: 2 ** 18 };

/** Returns the counts of a result; undefined if they do not fit the shape and number of battles. */
function parseCounts({ outcomes, metrics }: BattlesResult, shape: CountsShape, battles: number): Counts | undefined {
  if (outcomes.length !== shape.outcomes.length || metrics.length !== shape.metrics.length) return undefined;
  if (metrics.some(({ width, counts }) => counts.length !== width * outcomes.length)) return undefined;
  const columns = metrics.map(({ low, width, counts }) => ({ low, width, counts: new Float64Array(counts) }));
  const counts = { outcomes: new Float64Array(outcomes), metrics: columns };
  return getBattleCount(counts) === battles ? counts : undefined;
}

/** Run in progress. */
class RemoteRun extends RemoteWork<Range, Counts> {
  readonly queue: RangeQueue;
  readonly #run: RunRequest;
  readonly #plan: string;
  readonly #shape: CountsShape;
  readonly #pool: ThreadLease;
  readonly #watch: RunRequestOptions;
  player: EngineForm = 'reference';

  constructor(run: RunRequest, plan: string, asking: AuditedDispatch, pool: ThreadLease, watch: RunRequestOptions) {
    super(asking);
    this.#run = run;
    this.#plan = plan;
    this.#pool = pool;
    this.#watch = watch;
    this.#shape = getBoundScenario(run.scenario).shape;
    this.queue = new RangeQueue(run, run.engine);
  }

  get stopped(): boolean {
    return this.dispatcher.stopped || this.#watch.signal?.aborted === true;
  }

  protected nextPieces(): Range[] {
    const range = this.stopped ? undefined : this.queue.nextRange(this.dispatcher.threads);
    return range === undefined ? [] : [range];
  }

  protected async submit([range]: readonly Range[]): Promise<JobReport<Range, Counts> | undefined> {
    const result = range && (await this.dispatcher.submit(this.#createJob(range)));
    if (result?.kind === 'refused') return { ...result, said: new Map(), rejected: true };
    if (range === undefined || result?.kind !== 'battles') return undefined;
    const said = this.#readCounts(result, range);
    if (said !== undefined) {
      this.player = result.player;
      this.queue.recordTime(range, result.ms);
    }
    return { worker: result.worker, said: new Map([[range, { said, good: true }]]) };
  }

  protected async repeatBy(range: Range, worker: string): Promise<ReportedResult<Counts> | undefined> {
    const result = await this.dispatcher.submit(this.#createJob(range), worker);
    return result?.kind === 'battles' ? { worker, result: this.#readCounts(result, range) } : undefined;
  }

  protected async computeLocally({ from, to }: Range): Promise<Counts> {
    return (await this.#pool.play({ ...this.#run, from, to })).counts;
  }

  protected isSameResult(a: Counts, b: Counts): boolean {
    return computeCountsDigest(this.#shape, a) === computeCountsDigest(this.#shape, b);
  }

  protected describeError({ from, to }: Range): string {
    return `its results of battles ${String(from)}..${String(to - 1)} are wrong`;
  }

  protected override reportProgress(): void {
    this.#watch.onProgress?.({ done: this.queue.battles, total: this.#run.to - this.#run.from });
  }

  #readCounts(result: BattlesResult, { from, to }: Range): Counts | undefined {
    return parseCounts(result, this.#shape, to - from);
  }

  #createJob({ from, to }: Range): BattlesJob {
    const { engine, seed, budget, from: first, to: last } = this.#run;
    const base = { kind: 'battles', plan: this.#plan, engine, seed: String(seed), of: last - first } as const;
    return { ...base, from, to, ...(budget !== undefined && { budget }) };
  }
}

export class RemoteRunExecutor implements RunExecutor, AsyncDisposable {
  readonly #asking: AuditedDispatch;
  readonly #pool: ThreadLease;

  constructor(asking: AuditedDispatch) {
    this.#asking = asking;
    this.#pool = new ThreadLease(asking.workers);
  }

  /**
   * @throws InputError if the run is out of range, or other machines cannot load its system
   * @throws RunError if battles cannot be simulated
   */
  async play(run: RunRequest, options: RunRequestOptions = {}): Promise<RunResult> {
    checkRun(run, options);
    if (run.to - run.from <= LOCAL_BATTLES[run.engine]) return await runInCallingThread(run, options);
    if (toPortable(run.scenario) === undefined)
      throw new InputError('--queue', 'a system from a file', `"${run.scenario.system}", given as an object`);
    return await this.#playThere(run, options);
  }

  async [asyncDispose](): Promise<void> {
    await this.#pool[asyncDispose]();
  }

  async #playThere(run: RunRequest, options: RunRequestOptions): Promise<RunResult> {
    const { desk } = this.#asking;
    const plan = await desk.plan(createScenarioPlan(run.scenario));
    const began = performance.now();
    const playing = new RemoteRun(run, plan, this.#asking, this.#pool, options);
    await playing.run().finally(() => {
      desk.forget(plan);
    });
    const counted = playing.queue.sum(getBoundScenario(run.scenario).shape);
    const { from, to } = counted;
    const complete = to === run.to;
    if (!complete && !playing.stopped)
      throw new RunError(
        `battles ${String(from)}..${String(run.to - 1)} were requested, but workers stopped at ${String(to)}`,
      );
    const seconds = (performance.now() - began) / 1000;
    const by = { player: playing.player, why: 'by workers of a queue', seconds, workers: desk.threads };
    return { ...counted, complete, ...by };
  }
}
