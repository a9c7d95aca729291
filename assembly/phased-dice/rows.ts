/**
 * How the hits of up to 64 dice are looked up: a row has a byte for each value of a word's top bits. It holds the
 * hits of all words that begin so, or that they differ; then the quantile table is searched, whose law it is.
 *
 * Source of the method, a guide with cut points: H.-C. Chen, Y. Asau, "On generating random variates from an
 * empirical distribution", AIIE Transactions 6 (1974).
 */
import { Chance } from '../core/chance';
import { Scenario } from '../core/kernel';
import { Head } from '../generated/phased-dice';
import { POOL_CHUNK } from '../generated/rules';

/** Bits of a word below those that choose the byte. */
export const LOW: u32 = 21;

/**
 * A row is the address of its bytes of hits; before them are the quantile table or 0, the dice, and what stands for
 * hits that differ. */
const HEAD: usize = 16;
const LENGTH: usize = 1 << (32 - LOW);
export const ROW_BYTES: usize = HEAD + LENGTH;

/** Values of dice, all from 6 on being one. */
const VALUES: i32 = 6;

/** An index that holds, for each value and number of dice, where the row lies, or 0. */
export const LAWS_BYTES: usize = 4 * VALUES * POOL_CHUNK;

export class Rows {
  /** Where the index holds the row of a law. */
  @inline static slot(index: usize, value: i32, dice: i32): usize {
    return index + ((<usize>((min(value, VALUES) - 1) * POOL_CHUNK + dice - 1)) << 2);
  }

  /** Writes a row to this place; `mixed` stands for the hits of words that differ. */
  static write(at: usize, value: i32, dice: i32, mixed: i32): usize {
    const row = at + HEAD;
    const table = value < VALUES ? Scenario.table(Head.hits + <usize>((value - 1) * POOL_CHUNK + dice - 1)) : 0;
    store<u32>(at, <u32>table);
    store<u32>(at, <u32>dice, 4);
    store<u32>(at, <u32>mixed, 8);
    Rows.fill(row, 0, table ? 0 : dice);
    if (table) Rows.part(row, table, mixed);
    return row;
  }

  /** Writes the hits from byte `from` to the last. */
  @inline static fill(row: usize, from: usize, hits: i32): void {
    memory.fill(row + from, <u8>hits, LENGTH - from);
  }

  /** Writes the hits that the thresholds of a table part. */
  static part(row: usize, table: usize, mixed: i32): void {
    for (let k: u32 = 0, n = Chance.thresholds(table); k < n; k++) {
      const threshold = Chance.threshold(table, k);
      const at = <usize>(threshold >> LOW);
      const inside = <usize>i32((threshold & ((1 << LOW) - 1)) !== 0);
      if (inside) store<u8>(row + at, <u8>mixed);
      Rows.fill(row, at + inside, k + 1);
    }
  }

  /** The hits of a word. */
  @inline static hits(row: usize, word: u32): i32 {
    const hits = <i32>load<u8>(row + (word >> LOW));
    return hits === load<i32>(row - HEAD, 8) ? Rows.search(row, word) : hits;
  }

  static search(row: usize, word: u32): i32 {
    const table = <usize>load<u32>(row - HEAD);
    return table ? Chance.quantile(table, word) : load<i32>(row - HEAD, 4);
  }
}
