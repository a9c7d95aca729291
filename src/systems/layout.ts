/**
 * Lays a scenario out as the 32-bit words that a kernel reads: a head of fixed fields, then tables that
 * the head points to by their byte offset from its own start. assembly/core/ has the matching readers.
 */
import type { DifferenceTable } from '../chance/alias.ts';
import { quantile } from '../chance/laws.ts';

const GUIDE = 16;

function wordsOf(...arrays: (Uint8Array | Int16Array | Uint32Array)[]): number[] {
  return arrays.flatMap((array) => [...new Int32Array(array.slice().buffer)]);
}

export class Layout {
  readonly #words: number[];

  /** A layout whose head has `size` words, all zero at first. */
  constructor(size: number) {
    this.#words = new Array<number>(size).fill(0);
  }

  /** Sets head words from `at` on. */
  set(at: number, ...values: readonly (number | boolean)[]): void {
    for (const [i, value] of values.entries()) this.#words[at + i] = Number(value);
  }

  /** Appends words and returns their byte offset. */
  words(values: readonly number[]): number {
    const offset = this.#words.length * 4;
    for (const value of values) this.#words.push(value);
    return offset;
  }

  /** Appends thresholds: their number, 16 bytes that say where the search for a word's top four bits begins, and they themselves. */
  quantiles(table: Uint32Array): number {
    const guide = Uint8Array.from({ length: GUIDE }, (_, top) => Math.min(255, quantile(table, top * 2 ** 28)));
    return this.words([table.length, ...wordsOf(guide, table)]);
  }

  /** Appends a difference table: cuts (32 bytes), primaries and aliases (32 half words each), residual thresholds. */
  difference({ cut, primary, alias, residual }: DifferenceTable): number {
    const offset = this.words(wordsOf(cut, primary, alias));
    this.quantiles(residual);
    return offset;
  }

  finish(): Int32Array<ArrayBuffer> {
    return Int32Array.from(this.#words);
  }
}
