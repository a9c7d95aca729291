/**
 * Draws final states from an alias table of the exact distribution (src/engines/kernel/final-state-kernel.ts), without
 * simulating battles. Draw i takes words i % 1024 (the slot) and 1024 + i % 1024 (the coin) of the stream that 1024
 * draws share; the key of that stream is the battle key of i / 1024 in a run whose key is mixed from the key of the
 * run, so that no battle has it. Blocks are short because a stream never repeats a word, which many draws from one
 * stream would show.
 */
import { Lanes } from '../core/lanes';
import { aligned, reach } from '../core/memory';
import { Stream } from '../core/stream';
import { Slot } from '../generated/exact';

/** Draws that share a stream, as a power of 2. */
const BLOCK_BITS: u64 = 10;
const BLOCK: u32 = 1024;

/** Distinguishes the streams of draws from those of battles. */
const TAG: u64 = 0x73616d706c656421;

/** A slot takes 8 bytes, a counter half of that. */
const SLOT_BITS: i32 = 3;

/** Address at which the host writes the slots. */
export let slotsAddress: usize = 0;

/** Address of the counters of final states, one for each slot. */
export let countersAddress: usize = 0;

let slotBits: i32 = 0;

/** Reserves memory for 2^bits slots, 1 <= bits <= 20, and resets their counters; false if memory cannot grow enough. */
export function reserve(bits: i32): bool {
  slotBits = bits;
  slotsAddress = aligned(__heap_base);
  countersAddress = slotsAddress + ((<usize>1) << (bits + SLOT_BITS));
  if (!reach(<u64>countersAddress + ((<u64>4) << bits))) return false;
  clear();
  return true;
}

/** Empties the counters. */
export function clear(): void {
  memory.fill(countersAddress, 0, (<usize>4) << slotBits);
}

class Draw {
  /** The counter that a slot, by its offset in bytes, and a coin lead to. */
  @inline static counter(slot: usize, coin: u32): usize {
    const at = changetype<Slot>(slotsAddress + slot);
    return countersAddress + select(slot >> 1, <usize>at.alias, coin < at.threshold);
  }

  @inline static count(slot: usize, coin: u32): void {
    const counter = Draw.counter(slot, coin);
    store<u32>(counter, load<u32>(counter) + 1);
  }

  /** Draw `draw` of the open block. */
  @inline static one(draw: u32): usize {
    const slot = <usize>((Stream.word(draw) >> (32 - slotBits)) << SLOT_BITS);
    return Draw.counter(slot, Stream.word(BLOCK + draw));
  }

  /** Draws draw..draw + 3 of a block. */
  @inline static four(draw: u32, low: v128, high: v128): void {
    const places = i32x4.add(i32x4.add(i32x4.splat(draw), i32x4(0, 1, 2, 3)), low);
    const slots = i32x4.shl(i32x4.shr_u(Lanes.words(places, high), 32 - slotBits), SLOT_BITS);
    const coins = Lanes.words(i32x4.add(places, i32x4.splat(BLOCK)), high);
    Draw.count(i32x4.extract_lane(slots, 0), i32x4.extract_lane(coins, 0));
    Draw.count(i32x4.extract_lane(slots, 1), i32x4.extract_lane(coins, 1));
    Draw.count(i32x4.extract_lane(slots, 2), i32x4.extract_lane(coins, 2));
    Draw.count(i32x4.extract_lane(slots, 3), i32x4.extract_lane(coins, 3));
  }

  /** Draws draw..to - 1 of a block. */
  static block(runKey: u64, block: u64, from: u32, to: u32): void {
    const key = Stream.key(Stream.mix(runKey ^ TAG), block);
    const low = i32x4.splat(<i32>key);
    const high = i32x4.splat(<i32>(key >> 32));
    let draw = from;
    for (; draw + 4 <= to; draw += 4) Draw.four(draw, low, high);
    Stream.open(Stream.mix(runKey ^ TAG), block);
    for (; draw < to; draw++) {
      const counter = Draw.one(draw);
      store<u32>(counter, load<u32>(counter) + 1);
    }
  }
}

/** Returns the index of the final state of one draw. */
export function play(runKey: u64, index: u64): u32 {
  Stream.open(Stream.mix(runKey ^ TAG), index >> BLOCK_BITS);
  return <u32>((Draw.one(<u32>index & (BLOCK - 1)) - countersAddress) >> 2);
}

/** Draws and counts final states from..from + count - 1. */
export function run(runKey: u64, from: u64, count: u32): void {
  let index = from;
  const end = from + count;
  while (index < end) {
    const block = index >> BLOCK_BITS;
    const first = <u32>index & (BLOCK - 1);
    const last = <u32>min<u64>(BLOCK, first + end - index);
    Draw.block(runKey, block, first, last);
    index += last - first;
  }
}
