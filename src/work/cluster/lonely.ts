/** Says when nobody works for a coordinator, and why those who are there do not. */
import { type Build, unlike } from './build.ts';
import type { WorkerFacts } from './people.ts';

/** Milliseconds after which it is said, and between two times. */
const FIRST = 6000;
const LATER = 60_000;

export class Lonely {
  readonly #where: string;
  readonly #build: Build;
  readonly #onNote: ((text: string) => void) | undefined;
  #seen = performance.now();
  #told = Number.NEGATIVE_INFINITY;

  constructor(where: string, build: Build, onNote: ((text: string) => void) | undefined) {
    this.#where = where;
    this.#build = build;
    this.#onNote = onNote;
  }

  /**
   * @param someone whether a worker of this build is there
   * @param all     workers of any build
   */
  look(someone: boolean, all: readonly WorkerFacts[], now: number = performance.now()): void {
    if (someone) this.#seen = now;
    if (now - this.#seen < FIRST || now - this.#told < LATER) return;
    this.#told = now;
    this.#onNote?.(`no worker of this build is at ${this.#where}; start some with "warpool worker"`);
    for (const { id, builds } of all) {
      const nearest = builds.map((each) => unlike(this.#build, each)).sort((a, b) => a.length - b.length)[0] ?? [];
      this.#onNote?.(`worker ${id} is of another build (${nearest.join('; ')}): its results might have other bytes`);
    }
  }
}
