/**
 * Records of a compiled scenario, as described in src/engines/automaton/layout.ts, and the battles that follow them
 * together, each with its own stream.
 */
import { Slot } from '../generated/automaton';
import { aligned, reach } from './memory';

/** Number of battles that run together: enough to hide the latency of a test. */
export const TOGETHER: usize = 32;

/** Of these battles: the low and high halves of their keys, and the records where they are. */
export const lows: usize = memory.data(4 * 32, 16);
export const highs: usize = memory.data(4 * 32, 16);
export const records: usize = memory.data(4 * 32, 16);

/**
 * Address at which the host writes the records, those of final states first; followed by the counters of rounds, by
 * outcome.
 */
export let recordsAddress: usize = 0;
export let countersAddress: usize = 0;
export let countersBytes: usize = 0;

/** Reserves memory for records and counters; false if memory cannot grow enough. */
export function reserve(bytes: u32, counters: u32): bool {
  recordsAddress = aligned(__heap_base);
  countersAddress = recordsAddress + bytes;
  countersBytes = counters;
  return reach(<u64>countersAddress + counters);
}

export class Records {
  /** Returns the positions of four records. */
  @inline static places<T>(a: usize, b: usize, c: usize, d: usize): v128 {
    let places = v128.load32_zero(a, offsetof<T>('place'));
    places = v128.load32_lane(b, places, 1, offsetof<T>('place'));
    places = v128.load32_lane(c, places, 2, offsetof<T>('place'));
    return v128.load32_lane(d, places, 3, offsetof<T>('place'));
  }

  /** Turns the distances in the slots from `first` on into addresses; returns where they end. */
  static link(first: usize, mask: u32): usize {
    const end = first + mask + offsetof<Slot>();
    for (let at = first; at < end; at += offsetof<Slot>()) {
      const slot = changetype<Slot>(at);
      slot.below += <u32>recordsAddress;
      slot.above += <u32>recordsAddress;
    }
    return end;
  }
}
