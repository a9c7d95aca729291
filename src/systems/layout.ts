/**
 * Lays a scenario out as the 32-bit words that a kernel reads: a head with named words, then tables that the head points to
 * by their byte offset from its own start. assembly/core/ has the matching readers.
 */
import type { DifferenceTable } from '../chance/alias.ts';
import { quantile } from '../chance/laws.ts';
import { type Fields, head, i32, record, type Struct, type Written } from './struct.ts';

const GUIDE = 16;

/** Cubes by colour: those of the sides, then neutral ones. */
export const COLOURS = record({ first: i32, second: i32, third: i32 });

/** Cubes in the bag, those drawn of it for good, and those of the last draw. */
export const CUBES = head({ inside: COLOURS, drawn: COLOURS, hand: COLOURS });

function wordsOf(...arrays: (Uint8Array | Int16Array | Uint32Array)[]): number[] {
  return arrays.flatMap((array) => [...new Int32Array(array.slice().buffer)]);
}

/** Remembers the words of tables, which are asked for again and again: a sweep has many scenarios with the same dice. */
function remembered<T extends object>(make: (table: T) => readonly number[]): (table: T) => readonly number[] {
  const known = new WeakMap<T, readonly number[]>();
  return (table) => {
    const words = known.get(table) ?? make(table);
    known.set(table, words);
    return words;
  };
}

/** The number of thresholds, 16 bytes that say where the search for a word's top four bits begins, and they themselves. */
const quantileWords = remembered((table: Uint32Array) => {
  const guide = Uint8Array.from({ length: GUIDE }, (_, top) => Math.min(255, quantile(table, top * 2 ** 28)));
  return [table.length, ...wordsOf(guide, table)];
});

const differenceWords = remembered(({ cut, primary, alias, residual }: DifferenceTable) => [
  ...wordsOf(cut, primary, alias),
  ...quantileWords(residual),
]);

export class Layout {
  readonly #words: number[];

  /** A layout with room for a head of so many words. */
  constructor(size: number) {
    this.#words = new Array<number>(size).fill(0);
  }

  /** Appends words and returns their byte offset. */
  words(values: readonly number[]): number {
    const offset = this.#words.length * 4;
    for (const value of values) this.#words.push(value);
    return offset;
  }

  /** Appends records and returns their byte offset. */
  records<R extends Fields>(struct: Struct<R>, rows: readonly Written<Struct<R>>[]): number {
    return this.words(rows.flatMap((row) => struct.pack(row)));
  }

  /** Appends thresholds and returns their byte offset. */
  quantiles(table: Uint32Array): number {
    return this.words(quantileWords(table));
  }

  /** Appends a difference table: cuts (32 bytes), primaries and aliases (32 half words each), residual thresholds. */
  difference(table: DifferenceTable): number {
    return this.words(differenceWords(table));
  }

  /** Appends probabilities: their number, then they themselves as doubles, low word first. */
  probabilities(values: readonly number[]): number {
    return this.words([values.length, ...new Int32Array(Float64Array.from(values).buffer)]);
  }

  /** Writes the head; nothing comes behind it. */
  finish(head: readonly number[] = []): Int32Array<ArrayBuffer> {
    const words = Int32Array.from(this.#words);
    words.set(head);
    return words;
  }
}
