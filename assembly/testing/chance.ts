/** Exports the primitives of the kernels one by one for tests, so that rare branches can be called directly. */
import { Bag } from '../core/bag';
import { Chance } from '../core/chance';
import { Stream } from '../core/stream';

/** Address at which the test writes a table. */
export const table: usize = memory.data(16_384, 16);

export function mix(value: u64): u64 {
  return Stream.mix(value);
}

/** Opens the stream of a battle; words follow. */
export function open(runKey: u64, index: u64): void {
  Stream.open(runKey, index);
}

export function word(counter: u32): u32 {
  return Stream.word(counter);
}

export function quantile(value: u32): i32 {
  return Chance.quantile(table, value);
}

/** Samples the difference at `place` and `half` from the table at `offset`. */
export function difference(offset: usize, place: u32, half: u32): i32 {
  const bits = (Stream.word(place) >> (half << 4)) & 0xffff;
  return Chance.difference(table + offset, bits, place, half);
}

export function marked(size: i32, among: i32, count: i32, value: u32): i32 {
  return Bag.marked(size, among, count, value);
}
