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
