/**
 * Pieces of work on the workers of a queue, and their audit. A share of the results is repeated by another worker or by
 * the coordinator itself. If two workers differ, the coordinator repeats the piece as well, and excludes the worker
 * that was wrong.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { JobDispatcher } from './job-dispatcher.ts';
import { HEARTBEAT_MS, type RedisConnection } from './redis-connection.ts';
import { quarantineWorker } from './worker-registry.ts';

/** Range of random integers. */
const RANDOM_RANGE = 2 ** 32;

/** Maximum damaged pieces of a worker before it is excluded. */
const DAMAGED_MAX = 3;

/**
 * One in this number of repetitions runs on the coordinator's own threads: anyone who can write to the server could
 * forge the others.
 */
const LOCAL_AUDIT_EVERY = 4;

export class WorkerAudit {
  readonly #link: RedisConnection;
  readonly #share: number;
  readonly #onNote: ((text: string) => void) | undefined;
  readonly #aside = new Set<string>();
  readonly #damaged = new Map<string, number>();

  /** @param share of the results to repeat, 0..1 */
  constructor(link: RedisConnection, share: number, onNote: ((text: string) => void) | undefined) {
    this.#link = link;
    this.#share = share;
    this.#onNote = onNote;
  }

  /** Excluded workers. */
  get quarantined(): readonly string[] {
    return [...this.#aside];
  }

  isTrusted(worker: string): boolean {
    return !this.#aside.has(worker);
  }

  /**
   * True if a result should be repeated. Uses random numbers of the operating system, because the choice must be
   * unpredictable.
   */
  isSelected(): boolean {
    return this.#share > 0 && randomInt(RANDOM_RANGE) < this.#share * RANDOM_RANGE;
  }

  /** Counts a damaged piece of a worker. @returns true if there were too many */
  countDamaged(worker: string): boolean {
    const pieces = (this.#damaged.get(worker) ?? 0) + 1;
    this.#damaged.set(worker, pieces);
    if (pieces === 1) this.#onNote?.(`a part of worker ${worker} arrived damaged: it is computed here`);
    return pieces >= DAMAGED_MAX;
  }

  /**
   * Chooses a worker on another machine, or else another one on the same; undefined if the coordinator should compute
   * it.
   */
  chooseOtherWorker({ workers }: Pick<JobDispatcher, 'workers'>, than: string): string | undefined {
    const host = workers.find(({ id }) => id === than)?.host;
    const able = workers.filter(({ id }) => id !== than && this.isTrusted(id));
    const far = able.filter((worker) => worker.host !== host);
    const [among, size] = far.length > 0 ? [far, far.length] : [able, able.length];
    return size === 0 || randomInt(LOCAL_AUDIT_EVERY) === 0 ? undefined : among[randomInt(size)]?.id;
  }

  /** @param why description of the wrong result */
  async quarantine(worker: string, why: string): Promise<void> {
    if (this.#aside.has(worker)) return;
    this.#aside.add(worker);
    this.#onNote?.(`worker ${worker} is excluded: ${why}; its unchecked results are simulated again`);
    await quarantineWorker(this.#link.redis, worker, why);
  }
}

/** Result of a piece of work by a worker; undefined if it is impossible. */
export interface ReportedResult<C> {
  readonly worker: string;
  readonly result: C | undefined;
}

/** Assigned pieces of work, with their accepted results and authors. */
export class WorkQueue<P, C> {
  readonly #keyOf: (piece: P) => number;
  readonly #waiting: P[];
  /** Results without a check, and the worker of each; undefined after a check. */
  readonly #done = new Map<number, { readonly piece: P; readonly said: C; worker: string | undefined }>();

  /** @param waiting pieces that are assigned first */
  constructor(keyOf: (piece: P) => number, waiting: readonly P[] = []) {
    this.#keyOf = keyOf;
    this.#waiting = [...waiting];
  }

  /** Waiting and finished pieces. */
  get waiting(): number {
    return this.#waiting.length;
  }

  get size(): number {
    return this.#done.size;
  }

  /** Returns the next waiting piece; undefined if there is none. */
  next(): P | undefined {
    let piece = this.#waiting.shift();
    while (piece !== undefined && this.#done.has(this.#keyOf(piece))) piece = this.#waiting.shift();
    return piece;
  }

  putBack(piece: P): void {
    this.#waiting.push(piece);
  }

  /** Counts a piece, unless it is counted already. */
  count(piece: P, said: C, worker: string): void {
    const key = this.#keyOf(piece);
    if (!this.#done.has(key)) this.#done.set(key, { piece, said, worker });
  }

  /** Replaces the result of a piece by a local one. */
  replace(piece: P, said: C): void {
    this.#done.set(this.#keyOf(piece), { piece, said, worker: undefined });
  }

  confirm(piece: P): void {
    const found = this.#done.get(this.#keyOf(piece));
    if (found !== undefined) found.worker = undefined;
  }

  /** Discards the unchecked results of a worker. @returns their pieces, which are not yet waiting */
  undo(worker: string): P[] {
    const undone: P[] = [];
    for (const [key, { worker: by, piece }] of this.#done) {
      if (by !== worker) continue;
      this.#done.delete(key);
      undone.push(piece);
    }
    return undone;
  }

  /** Returns finished pieces, in the order of keys. */
  done(): { readonly piece: P; readonly said: C }[] {
    return [...this.#done].sort(([a], [b]) => a - b).map(([, each]) => each);
  }
}

/** Report of a job. */
export interface JobReport<P, C> {
  readonly worker: string;
  /** Results by piece: the worker's result, and whether it is sound or damaged; missing pieces are assigned again. */
  readonly said: ReadonlyMap<P, { readonly said: C | undefined; readonly good: boolean; readonly damaged?: boolean }>;
  /** Reason why the first missing piece could not be computed. */
  readonly fault?: string | undefined;
  /** True if the worker cannot compute any of the pieces. */
  readonly rejected?: boolean;
}

/** Dispatcher and trust of workers. */
export interface AuditedDispatch {
  readonly desk: JobDispatcher;
  readonly trust: WorkerAudit;
  /** Threads of this process, which decide between differing results. */
  readonly workers?: number | string | undefined;
}

/** Work in pieces for the workers of a queue: segments of a sweep, ranges of a run. */
export abstract class RemoteWork<P, C> {
  protected readonly dispatcher: JobDispatcher;
  readonly #trust: WorkerAudit;

  constructor({ desk, trust }: AuditedDispatch) {
    this.dispatcher = desk;
    this.#trust = trust;
  }

  protected abstract readonly queue: WorkQueue<P, C>;

  /** Returns the pieces of the next job; empty if there is nothing to assign now. */
  protected abstract nextPieces(): readonly P[];

  /** Submits pieces; undefined without a result. */
  protected abstract submit(pieces: readonly P[]): Promise<JobReport<P, C> | undefined>;

  /** Repeats a piece on one worker for comparison; undefined without a result. */
  protected abstract repeatBy(piece: P, worker: string): Promise<ReportedResult<C> | undefined>;

  /** Computes a piece here and replaces its result. */
  protected abstract computeLocally(piece: P): Promise<C>;

  protected abstract isSameResult(a: C, b: C): boolean;

  /** Describes a wrong result: `its results of battles 0..99 are wrong`. */
  protected abstract describeError(piece: P): string;

  /** Called with discarded pieces, before they are assigned again. */
  protected discard(_pieces: readonly P[], _worker: string): Promise<void> {
    return Promise.resolve();
  }

  /** Called after each job. */
  protected reportProgress(): void {
    // No progress by default.
  }

  /** Keeps the dispatcher busy until all pieces are done. */
  async run(): Promise<void> {
    const under = new Set<Promise<void>>();
    const failures: unknown[] = [];
    for (;;) {
      while (under.size < this.dispatcher.capacity && failures.length === 0) {
        const pieces = this.dispatcher.stopped ? [] : this.nextPieces();
        if (pieces.length === 0) break;
        const ended: Promise<void> = this.#play(pieces)
          .catch((error: unknown) => {
            failures.push(error);
            void this.dispatcher.drain();
          })
          .finally(() => under.delete(ended));
        under.add(ended);
      }
      if (under.size === 0) break;
      // The capacity grows when workers connect.
      await Promise.race([...under, pause(HEARTBEAT_MS / 4)]);
    }
    if (failures.length > 0) throw failures[0];
  }

  async #play(pieces: readonly P[]): Promise<void> {
    const found = await this.submit(pieces);
    const isHeard = found !== undefined && (found.rejected === true || this.#trust.isTrusted(found.worker));
    const { worker, said } = isHeard ? found : { worker: '', said: undefined };
    if (isHeard && found.fault !== undefined) await this.#find(found, found.fault, pieces);
    for (const piece of pieces) {
      const claim = said?.get(piece);
      if (claim === undefined) this.queue.putBack(piece);
      else if (claim.said === undefined || !claim.good) {
        await this.#settle(piece, [{ worker, result: claim.said }]);
        if (claim.damaged === true) await this.#countDamage(worker);
      } else {
        this.queue.count(piece, claim.said, worker);
        await this.#look(piece, { worker, result: claim.said });
      }
    }
    this.reportProgress();
  }

  /** Counts a damaged part, and excludes a worker with too many. */
  async #countDamage(worker: string): Promise<void> {
    if (this.#trust.countDamaged(worker))
      await this.#setAside(worker, `${String(DAMAGED_MAX)} of its parts arrived damaged`);
  }

  /** Verifies a failure here, with the same error as without a queue. */
  async #find({ worker, said, rejected }: JobReport<P, C>, fault: string, pieces: readonly P[]): Promise<void> {
    const first = pieces.find((piece) => !said.has(piece));
    if (first !== undefined) await this.#settle(first, []);
    if (rejected === true) await this.#setAside(worker, `it rejects valid work: ${fault.slice(0, 300)}`);
  }

  /** Selects a received piece for repetition. */
  async #look(piece: P, claim: ReportedResult<C>): Promise<void> {
    if (this.#trust.isSelected()) await this.#repeatElsewhere(piece, claim);
    // Another piece may have shown in the meantime that this worker is wrong.
    if (!this.#trust.isTrusted(claim.worker)) await this.#undo(claim.worker);
  }

  /** Repeats a piece elsewhere and compares the results. */
  async #repeatElsewhere(piece: P, claim: ReportedResult<C>): Promise<void> {
    const other = this.#trust.chooseOtherWorker(this.dispatcher, claim.worker);
    const again = other === undefined ? undefined : await this.repeatBy(piece, other);
    if (this.dispatcher.stopped) return;
    if (this.#areEqual(again?.result, claim.result)) this.queue.confirm(piece);
    else await this.#settle(piece, [claim, ...(again === undefined ? [] : [again])]);
  }

  #areEqual(a: C | undefined, b: C | undefined): boolean {
    return a !== undefined && b !== undefined && this.isSameResult(a, b);
  }

  /** Computes a piece here, and excludes workers with other results. */
  async #settle(piece: P, claims: readonly ReportedResult<C>[]): Promise<void> {
    const truth = await this.computeLocally(piece);
    this.queue.replace(piece, truth);
    for (const { worker, result } of claims)
      if (!this.#areEqual(result, truth)) await this.#setAside(worker, this.describeError(piece));
  }

  async #setAside(worker: string, why: string): Promise<void> {
    await this.#trust.quarantine(worker, why);
    await this.#undo(worker);
  }

  async #undo(worker: string): Promise<void> {
    const pieces = this.queue.undo(worker);
    await this.discard(pieces, worker);
    for (const piece of pieces) this.queue.putBack(piece);
  }
}
