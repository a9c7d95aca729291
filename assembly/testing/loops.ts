/**
 * Exports loops over each primitive of the kernels for benchmarks, with a sum, so that the cost of the call is
 * negligible.
 */
import { Bag } from '../core/bag';
import { Chance } from '../core/chance';
import { Stream } from '../core/stream';

/** Address at which the benchmark writes a table. */
export const table: usize = memory.data(16_384, 16);

/** Words 0..count-1 of a battle. */
export function words(runKey: u64, index: u64, count: u32): u32 {
  Stream.open(runKey, index);
  let sum: u32 = 0;
  for (let j: u32 = 0; j < count; j++) sum += Stream.word(j);
  return sum;
}

/** The first word of battles from..from+count-1: a key each. */
export function keys(runKey: u64, from: u64, count: u32): u32 {
  let sum: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    Stream.open(runKey, from + i);
    sum += Stream.word(0);
  }
  return sum;
}

/** A quantile table at words 0..count-1 of a battle. */
export function quantiles(runKey: u64, index: u64, count: u32): u32 {
  Stream.open(runKey, index);
  let sum: u32 = 0;
  for (let j: u32 = 0; j < count; j++) sum += Chance.quantile(table, Stream.word(j));
  return sum;
}

/** Two differences from each of words 0..count-1 of a battle. */
export function differences(runKey: u64, index: u64, count: u32): u32 {
  Stream.open(runKey, index);
  let sum: u32 = 0;
  for (let j: u32 = 0; j < count; j++) {
    const word = Stream.word(j);
    sum += Chance.difference(table, word & 0xffff, j, 0);
    sum += Chance.difference(table, word >> 16, j, 1);
  }
  return sum;
}

/** Draws of 4 cubes from a bag of 14, 5 of them marked. */
export function draws(runKey: u64, index: u64, count: u32): u32 {
  Stream.open(runKey, index);
  let sum: u32 = 0;
  for (let j: u32 = 0; j < count; j++) sum += Bag.marked(14, 5, 4, Stream.word(j));
  return sum;
}
