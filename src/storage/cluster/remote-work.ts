/**
 * Pieces of work that the workers of a queue play, and whom a coordinator believes. A stated share of what comes back is
 * played again, by another worker or by the coordinator itself; if two workers differ, the coordinator plays it itself as
 * well, and who was wrong is set aside.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { JobDispatcher } from './job-dispatcher.ts';
import { HEARTBEAT_MS, type RedisConnection } from './redis-connection.ts';
import { quarantineWorker } from './worker-registry.ts';

/** A draw has so many ends. */
const RANDOM_RANGE = 2 ** 32;

/** Pieces of a worker that may arrive damaged before it is set aside. */
const DAMAGED_MAX = 3;

/**
 * One in so many second opinions is that of the coordinator's own threads: whoever can write to the server can give all
 * others.
 */
const LOCAL_AUDIT_EVERY = 4;

export class WorkerAudit {
  readonly #link: RedisConnection;
  readonly #share: number;
  readonly #onNote: ((text: string) => void) | undefined;
  readonly #aside = new Set<string>();
  readonly #damaged = new Map<string, number>();

  /** @param share of what comes back that is played again, 0..1 */
  constructor(link: RedisConnection, share: number, onNote: ((text: string) => void) | undefined) {
    this.#link = link;
    this.#share = share;
    this.#onNote = onNote;
  }

  /** Workers that were found to be wrong. */
  get quarantined(): readonly string[] {
    return [...this.#aside];
  }

  isTrusted(worker: string): boolean {
    return !this.#aside.has(worker);
  }

  /** Whether a result is to be played again. By the system's own chance: nobody must know beforehand. */
  isSelected(): boolean {
    return this.#share > 0 && randomInt(RANDOM_RANGE) < this.#share * RANDOM_RANGE;
  }

  /** Counts a piece of a worker that arrived damaged. @returns whether there have been too many */
  countDamaged(worker: string): boolean {
    const pieces = (this.#damaged.get(worker) ?? 0) + 1;
    this.#damaged.set(worker, pieces);
    if (pieces === 1) this.#onNote?.(`a part of worker ${worker} arrived damaged: it is computed here`);
    return pieces >= DAMAGED_MAX;
  }

  /** A worker on another machine, else another one on the same; undefined if the coordinator is to play it itself. */
  chooseOtherWorker({ workers }: Pick<JobDispatcher, 'workers'>, than: string): string | undefined {
    const host = workers.find(({ id }) => id === than)?.host;
    const able = workers.filter(({ id }) => id !== than && this.isTrusted(id));
    const far = able.filter((worker) => worker.host !== host);
    const [among, size] = far.length > 0 ? [far, far.length] : [able, able.length];
    return size === 0 || randomInt(LOCAL_AUDIT_EVERY) === 0 ? undefined : among[randomInt(size)]?.id;
  }

  /** @param why what it was wrong about */
  async quarantine(worker: string, why: string): Promise<void> {
    if (this.#aside.has(worker)) return;
    this.#aside.add(worker);
    this.#onNote?.(`worker ${worker} is excluded: ${why}; its unchecked results are simulated again`);
    await quarantineWorker(this.#link.redis, worker, why);
  }
}

/** What a worker says of a piece of work: undefined if it is nothing that can be. */
export interface ReportedResult<C> {
  readonly worker: string;
  readonly result: C | undefined;
}

/** Pieces of work that are given out, each with what counts of it and who has said so. */
export class WorkQueue<P, C> {
  readonly #keyOf: (piece: P) => number;
  readonly #waiting: P[];
  /** Who has played a piece and nobody else; undefined if it was checked. */
  readonly #done = new Map<number, { readonly piece: P; readonly said: C; worker: string | undefined }>();

  /** @param waiting pieces that are to be played first of all */
  constructor(keyOf: (piece: P) => number, waiting: readonly P[] = []) {
    this.#keyOf = keyOf;
    this.#waiting = [...waiting];
  }

  /** Pieces that wait, and those that are done. */
  get waiting(): number {
    return this.#waiting.length;
  }

  get size(): number {
    return this.#done.size;
  }

  /** The next piece that waits; undefined if none does. */
  next(): P | undefined {
    let piece = this.#waiting.shift();
    while (piece !== undefined && this.#done.has(this.#keyOf(piece))) piece = this.#waiting.shift();
    return piece;
  }

  putBack(piece: P): void {
    this.#waiting.push(piece);
  }

  /** Counts a piece; one that is counted already is not counted again. */
  count(piece: P, said: C, worker: string): void {
    const key = this.#keyOf(piece);
    if (!this.#done.has(key)) this.#done.set(key, { piece, said, worker });
  }

  /** What was played here, in the place of what others have said. */
  replace(piece: P, said: C): void {
    this.#done.set(this.#keyOf(piece), { piece, said, worker: undefined });
  }

  confirm(piece: P): void {
    const found = this.#done.get(this.#keyOf(piece));
    if (found !== undefined) found.worker = undefined;
  }

  /** What nobody but this worker has played counts no more. @returns those pieces, which do not wait yet */
  undo(worker: string): P[] {
    const undone: P[] = [];
    for (const [key, { worker: by, piece }] of this.#done) {
      if (by !== worker) continue;
      this.#done.delete(key);
      undone.push(piece);
    }
    return undone;
  }

  /** What is done, in the order of keys. */
  done(): { readonly piece: P; readonly said: C }[] {
    return [...this.#done].sort(([a], [b]) => a - b).map(([, each]) => each);
  }
}

/** What came of the pieces of a job. */
export interface JobReport<P, C> {
  readonly worker: string;
  /** By piece: what the worker says, whether that can be, and whether its content is another one; pieces that are not among them are given out again. */
  readonly said: ReadonlyMap<P, { readonly said: C | undefined; readonly good: boolean; readonly damaged?: boolean }>;
  /** Why the first piece that is not among them could not be played. */
  readonly fault?: string | undefined;
  /** The worker can play none of them. */
  readonly rejected?: boolean;
}

/** Who is asked, and who is believed. */
export interface AuditedDispatch {
  readonly desk: JobDispatcher;
  readonly trust: WorkerAudit;
  /** Threads of this process, which decide who was right. */
  readonly workers?: number | string | undefined;
}

/** Work whose pieces the workers of a queue play: segments of a sweep, ranges of a run. */
export abstract class RemoteWork<P, C> {
  protected readonly dispatcher: JobDispatcher;
  readonly #trust: WorkerAudit;

  constructor({ desk, trust }: AuditedDispatch) {
    this.dispatcher = desk;
    this.#trust = trust;
  }

  protected abstract readonly queue: WorkQueue<P, C>;

  /** The pieces of the next job; none if nothing is to be given out now. */
  protected abstract nextPieces(): readonly P[];

  /** Has pieces played; undefined if nothing came of it. */
  protected abstract submit(pieces: readonly P[]): Promise<JobReport<P, C> | undefined>;

  /** Has a piece played again by one worker, only to compare; undefined if nothing came of it. */
  protected abstract repeatBy(piece: P, worker: string): Promise<ReportedResult<C> | undefined>;

  /** Plays a piece here, in the place of what others have said of it. */
  protected abstract computeLocally(piece: P): Promise<C>;

  protected abstract isSameResult(a: C, b: C): boolean;

  /** What a worker was wrong about: `battles 0..99 do not end as it says`. */
  protected abstract describeError(piece: P): string;

  /** Called with pieces that count no more, before they are given out again. */
  protected discard(_pieces: readonly P[], _worker: string): Promise<void> {
    return Promise.resolve();
  }

  /** Called after each job. */
  protected reportProgress(): void {
    // Nobody need be told.
  }

  /** Keeps as many jobs under way as the desk has room for, until nothing is to be given out. */
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
      // Room grows when workers come.
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
        if (claim.damaged === true) await this.#damage(worker);
      } else {
        this.queue.count(piece, claim.said, worker);
        await this.#look(piece, { worker, result: claim.said });
      }
    }
    this.reportProgress();
  }

  /** Sets a worker aside whose parts arrive damaged again and again. */
  async #damage(worker: string): Promise<void> {
    if (this.#trust.countDamaged(worker))
      await this.#setAside(worker, `${String(DAMAGED_MAX)} of its parts arrived damaged`);
  }

  /** What cannot be is seen here, with the same error as without a queue. */
  async #find({ worker, said, rejected }: JobReport<P, C>, fault: string, pieces: readonly P[]): Promise<void> {
    const first = pieces.find((piece) => !said.has(piece));
    if (first !== undefined) await this.#settle(first, []);
    if (rejected === true) await this.#setAside(worker, `it rejects valid work: ${fault.slice(0, 300)}`);
  }

  /** Has some of what was taken from a worker played again. */
  async #look(piece: P, claim: ReportedResult<C>): Promise<void> {
    if (this.#trust.isSelected()) await this.#again(piece, claim);
    // Another piece may have shown meanwhile what this worker is worth.
    if (!this.#trust.isTrusted(claim.worker)) await this.#undo(claim.worker);
  }

  /** Has a piece played by somebody else, and compares. */
  async #again(piece: P, claim: ReportedResult<C>): Promise<void> {
    const other = this.#trust.chooseOtherWorker(this.dispatcher, claim.worker);
    const again = other === undefined ? undefined : await this.repeatBy(piece, other);
    if (this.dispatcher.stopped) return;
    if (this.#agree(again?.result, claim.result)) this.queue.confirm(piece);
    else await this.#settle(piece, [claim, ...(again === undefined ? [] : [again])]);
  }

  #agree(a: C | undefined, b: C | undefined): boolean {
    return a !== undefined && b !== undefined && this.isSameResult(a, b);
  }

  /** Plays a piece here; sets aside who has said otherwise. */
  async #settle(piece: P, claims: readonly ReportedResult<C>[]): Promise<void> {
    const truth = await this.computeLocally(piece);
    this.queue.replace(piece, truth);
    for (const { worker, result } of claims)
      if (!this.#agree(result, truth)) await this.#setAside(worker, this.describeError(piece));
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
