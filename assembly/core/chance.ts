/**
 * Draws from the open stream; port of src/core/chance/sampled-chance.ts. Tables are laid out by src/rules/layout.ts.
 */
import { Difference, Escapes, POOL_CHUNK, Quantiles } from '../generated/rules';
import { Scenario } from './kernel';
import { Stream } from './stream';

const THRESHOLDS: usize = Quantiles.thresholds;
const CUT: usize = Difference.cut;
const PRIMARY: usize = Difference.primary;
const ALIAS: usize = Difference.alias;
const RESIDUAL: usize = Difference.residual;

export class Chance {
  /** Number of thresholds of a quantile table. */
  @inline static thresholds(table: usize): u32 {
    return load<u32>(table, Quantiles.count);
  }

  @inline static threshold(table: usize, index: u32): u32 {
    return load<u32>(table + ((<usize>index) << 2), THRESHOLDS);
  }

  /** Counts the thresholds of the table <= word. */
  @inline static quantile(table: usize, word: u32): i32 {
    const count = load<i32>(table, Quantiles.count);
    let k = <i32>load<u8>(table + Quantiles.guide + (word >> 28));
    while (k < count && load<u32>(table + THRESHOLDS + ((<usize>k) << 2)) <= word) k++;
    return k;
  }

  /** Atom of a slot of a difference table below which it has its primary distance. */
  @inline static cut(table: usize, slot: usize): u8 {
    return load<u8>(table + CUT + slot);
  }

  /** The distance below the cut; negative if the draw escapes to the residual distribution. */
  @inline static primary(table: usize, slot: usize): i32 {
    return <i32>load<i16>(table + PRIMARY + (slot << 1));
  }

  /** The distance from the cut on. */
  @inline static alias(table: usize, slot: usize): i32 {
    return <i32>load<i16>(table + ALIAS + (slot << 1));
  }

  /** The distance of a draw that escaped. */
  @inline static residual(table: usize, place: u32, half: u32): i32 {
    return Chance.quantile(table + RESIDUAL, Stream.word(Escapes.at(place, half)));
  }

  /** The greatest distance of the residual distribution. */
  @inline static residualReach(table: usize): i32 {
    return load<i32>(table + RESIDUAL, Quantiles.count);
  }

  /** Samples attack roll minus defense roll from 16 bits: half `half` of the word at `place`. */
  @inline static difference(table: usize, bits: u32, place: u32, half: u32): i32 {
    const slot = <usize>(bits & 31);
    const column = select<usize>(PRIMARY, ALIAS, bits >> 8 < <u32>Chance.cut(table, slot));
    let distance = <i32>load<i16>(table + column + (slot << 1));
    if (distance < 0) distance = Chance.residual(table, place, half);
    const sign = -(<i32>((bits >> 7) & 1));
    return (distance ^ sign) - sign;
  }

  /**
   * Samples the hits of a pool of d6 that hit on `value` or less; its words start at `place`. The head of the scenario
   * has, from word `tables` on, a quantile table for each value from 1 to 5 and number of dice from 1 to `POOL_CHUNK`.
   */
  @inline static hits(tables: usize, value: i32, dice: i32, place: u32): i32 {
    if (value >= 6) return dice;
    const row = tables + <usize>((value - 1) * POOL_CHUNK - 1);
    let hits = 0;
    let word = place;
    let left = dice;
    while (left > 0) {
      hits += Chance.quantile(Scenario.table(row + <usize>min(left, POOL_CHUNK)), Stream.word(word++));
      left -= POOL_CHUNK;
    }
    return hits;
  }

  /** Words of such a pool, for any value. */
  @inline static hitsWords(dice: i32): u32 {
    return (dice + POOL_CHUNK - 1) / POOL_CHUNK;
  }
}
