/**
 * Encodes a scenario as 32-bit words for a kernel: a head of named words, then tables, which the head references by
 * byte offsets from its start. assembly/core/ has the matching readers.
 */
import { ALIAS_SLOTS, type DifferenceTable, findQuantile } from '../core/index.ts';

export { ESCAPES, POOL_CHUNK } from '../core/index.ts';

import { head, i32, record, type Struct, type StructFields, type StructInput } from './struct.ts';

/** Start of the search by the top four bits of a word: a byte for each. */
const GUIDE = 16;

/** Byte offsets of the parts of a quantile table: number of thresholds, guide, thresholds. */
export const QUANTILES = { count: 0, guide: 4, thresholds: 4 + GUIDE } as const;

/**
 * Byte offsets of a difference table: cuts (bytes), primaries and aliases (half words), quantile table of the residual
 * distribution.
 */
export const DIFFERENCE = { cut: 0, primary: ALIAS_SLOTS, alias: 3 * ALIAS_SLOTS, residual: 5 * ALIAS_SLOTS } as const;

/** Cubes by color: those of the sides, then neutral ones. */
export const COLOURS = record({ first: i32, second: i32, third: i32 });

/** Cubes in the bag, those drawn of it for good, and those of the last draw. */
export const CUBES = head({ inside: COLOURS, drawn: COLOURS, hand: COLOURS });

type LayoutColumn = Uint8Array | Int16Array | Uint32Array;

/** Packs columns at byte offsets into words. */
function packColumns(size: number, ...columns: readonly (readonly [at: number, column: LayoutColumn])[]): Int32Array {
  const bytes = new Uint8Array(size);
  for (const [at, column] of columns) bytes.set(new Uint8Array(column.slice().buffer), at);
  return new Int32Array(bytes.buffer);
}

/** Caches the words of tables, which recur: a sweep has many scenarios with the same dice. */
function memoizeWords<T extends object>(make: (table: T) => Int32Array): (table: T) => Int32Array {
  const known = new WeakMap<T, Int32Array>();
  return (table) => {
    const words = known.get(table) ?? make(table);
    known.set(table, words);
    return words;
  };
}

const encodeQuantiles = memoizeWords((table: Uint32Array) => {
  const guide = Uint8Array.from({ length: GUIDE }, (_, top) => Math.min(255, findQuantile(table, top * 2 ** 28)));
  return packColumns(
    QUANTILES.thresholds + table.byteLength,
    [QUANTILES.count, Uint32Array.of(table.length)],
    [QUANTILES.guide, guide],
    [QUANTILES.thresholds, table],
  );
});

const encodeDifference = memoizeWords(({ cut, primary, alias, residual }: DifferenceTable) =>
  Int32Array.of(
    ...packColumns(
      DIFFERENCE.residual,
      [DIFFERENCE.cut, cut],
      [DIFFERENCE.primary, primary],
      [DIFFERENCE.alias, alias],
    ),
    ...encodeQuantiles(residual),
  ),
);

/** First capacity of a layout in words: that of most scenarios. */
const FIRST_WORDS = 2048;

export class LayoutBuilder {
  #words = new Int32Array(FIRST_WORDS);
  #length: number;

  /** Creates a layout with space for a head. */
  constructor(size: number) {
    this.#length = size;
  }

  /** Appends words and returns their byte offset. */
  words(values: ArrayLike<number>): number {
    const at = this.#length;
    this.#length += values.length;
    if (this.#length > this.#words.length) {
      const words = new Int32Array(2 * this.#length);
      words.set(this.#words);
      this.#words = words;
    }
    this.#words.set(values, at);
    return at * 4;
  }

  /** Appends records and returns their byte offset. */
  records<R extends StructFields>(struct: Struct<R>, rows: readonly StructInput<Struct<R>>[]): number {
    return this.words(rows.flatMap((row) => struct.pack(row)));
  }

  /** Appends thresholds and returns their byte offset. */
  quantiles(table: Uint32Array): number {
    return this.words(encodeQuantiles(table));
  }

  /** Appends a difference table and returns its byte offset. */
  difference(table: DifferenceTable): number {
    return this.words(encodeDifference(table));
  }

  /** Appends probabilities: their number, then they themselves as doubles, low word first. */
  probabilities(values: readonly number[]): number {
    const offset = this.words([values.length]);
    this.words(new Int32Array(Float64Array.from(values).buffer));
    return offset;
  }

  /** Writes the head, and ends the layout. */
  finish(head: readonly number[] = []): Int32Array<ArrayBuffer> {
    const words = this.#words.slice(0, this.#length);
    words.set(head);
    return words;
  }
}
