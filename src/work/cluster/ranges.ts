/** The battles of a run, cut into ranges whose length follows how long they take. Tallies add up, so it changes no result. */
import { battlesIn, emptyTally, mergeTally, type Tally, type TallyShape } from '../../answers/tally.ts';
import type { Range } from '../tallies/ranges.ts';

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
