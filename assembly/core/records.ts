/**
 * Records of a compiled scenario, which src/engines/automaton/layout.ts describes, and the battles that go their way through them
 * together, each on a stream of its own.
 */
import { Slot } from '../generated/automaton';
import { aligned, reach } from './memory';

/** Battles that go on together: enough to hide how long a look takes. */
export const TOGETHER: usize = 32;

/** Of these battles: the low and high halves of their keys, and the records where they are. */
export const lows: usize = memory.data(4 * 32, 16);
export const highs: usize = memory.data(4 * 32, 16);
export const records: usize = memory.data(4 * 32, 16);

/** Where the host writes the records, those of the endings first; behind them lie the counters of rounds, by outcome. */
export let recordsAddress: usize = 0;
export let countersAddress: usize = 0;
export let countersBytes: usize = 0;

/** Makes room for so many bytes of records and of counters; false if memory cannot grow so far. */
export function reserve(bytes: u32, counters: u32): bool {
  recordsAddress = aligned(__heap_base);
  countersAddress = recordsAddress + bytes;
  countersBytes = counters;
  return reach(<u64>countersAddress + counters);
}

export class Records {
  /** The places of four records. */
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
