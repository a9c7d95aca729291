/**
 * Whom a coordinator believes. A stated share of what comes back is played again, by another worker or by the coordinator
 * itself; if two workers differ, the coordinator plays it itself as well, and who was wrong is set aside.
 */
import { randomInt } from 'node:crypto';
import type { Desk } from './desk.ts';
import type { Link } from './link.ts';
import { tellAside } from './people.ts';

/** A draw has so many ends. */
const FINE = 2 ** 32;

/**
 * One in so many second opinions is that of the coordinator's own threads: whoever can write to the server can give all
 * others.
 */
const HERE = 4;

export class Trust {
  readonly #link: Link;
  readonly #share: number;
  readonly #onNote: ((text: string) => void) | undefined;
  readonly #aside = new Set<string>();

  /** @param share of what comes back that is played again, 0..1 */
  constructor(link: Link, share: number, onNote: ((text: string) => void) | undefined) {
    this.#link = link;
    this.#share = share;
    this.#onNote = onNote;
  }

  /** Workers that were found to be wrong. */
  get aside(): readonly string[] {
    return [...this.#aside];
  }

  believes(worker: string): boolean {
    return !this.#aside.has(worker);
  }

  /** Whether a result is to be played again. By the system's own chance: nobody must know beforehand. */
  chooses(): boolean {
    return this.#share > 0 && randomInt(FINE) < this.#share * FINE;
  }

  /** A worker on another machine, else another one on the same; undefined if the coordinator is to play it itself. */
  other({ workers }: Pick<Desk, 'workers'>, than: string): string | undefined {
    const host = workers.find(({ id }) => id === than)?.host;
    const able = workers.filter(({ id }) => id !== than && this.believes(id));
    const far = able.filter((worker) => worker.host !== host);
    const [among, size] = far.length > 0 ? [far, far.length] : [able, able.length];
    return size === 0 || randomInt(HERE) === 0 ? undefined : among[randomInt(size)]?.id;
  }

  /** @param why what it was wrong about */
  async setAside(worker: string, why: string): Promise<void> {
    if (this.#aside.has(worker)) return;
    this.#aside.add(worker);
    this.#onNote?.(`worker ${worker} is set aside: ${why}. What it has done and nobody has checked is played again`);
    await tellAside(this.#link.redis, worker, why);
  }
}

/** What a worker says of a piece of work: undefined if it is nothing that can be. */
export interface Claim<C> {
  readonly worker: string;
  readonly said: C | undefined;
}

/** Pieces of some kind, and what is done with those that are checked. */
export interface CheckedPiece<P, C> {
  /** Has a piece played by one worker; undefined if nothing came of it. */
  ask(piece: P, worker: string): Promise<Claim<C> | undefined>;
  /** Plays a piece here, in the place of what others have said of it. */
  here(piece: P): Promise<C>;
  same(a: C, b: C): boolean;
  /** Two have said the same of a piece. */
  confirm(piece: P): void;
  /** Takes back what nobody but this worker has played. */
  undo(worker: string): Promise<void>;
  /** What a worker was wrong about: `battles 0..99 do not end as it says`. */
  wrong(piece: P): string;
}

/** Has some of what comes back played again, and settles whose word counts. */
export class Audit<P, C> {
  readonly #desk: Pick<Desk, 'workers' | 'stopped'>;
  readonly #trust: Trust;
  readonly #pieces: CheckedPiece<P, C>;

  constructor(desk: Pick<Desk, 'workers' | 'stopped'>, trust: Trust, pieces: CheckedPiece<P, C>) {
    this.#desk = desk;
    this.#trust = trust;
    this.#pieces = pieces;
  }

  /** Looks at a piece that was taken from a worker. */
  async look(piece: P, worker: string, said: C): Promise<void> {
    if (this.#trust.chooses()) await this.#again(piece, { worker, said });
    // Another piece may have shown meanwhile what this worker is worth.
    if (!this.#trust.believes(worker)) await this.#pieces.undo(worker);
  }

  /** Has a piece played by somebody else, and compares. */
  async #again(piece: P, claim: Claim<C>): Promise<void> {
    const other = this.#trust.other(this.#desk, claim.worker);
    const again = other === undefined ? undefined : await this.#pieces.ask(piece, other);
    if (this.#desk.stopped) return;
    if (this.#agree(again?.said, claim.said)) this.#pieces.confirm(piece);
    else await this.settle(piece, [claim, ...(again === undefined ? [] : [again])]);
  }

  #agree(a: C | undefined, b: C | undefined): boolean {
    return a !== undefined && b !== undefined && this.#pieces.same(a, b);
  }

  /** Plays a piece here; sets aside who has said otherwise. */
  async settle(piece: P, claims: readonly Claim<C>[]): Promise<void> {
    const truth = await this.#pieces.here(piece);
    for (const { worker, said } of claims) {
      if (this.#agree(said, truth)) continue;
      await this.#trust.setAside(worker, this.#pieces.wrong(piece));
      await this.#pieces.undo(worker);
    }
  }
}
