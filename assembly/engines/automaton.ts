/**
 * Plays a compiled scenario; src/automaton/encode.ts lays it out. Some battles go on in lockstep: each on its own
 * stream and its own way through the records, the words of four at a time hashed in vector lanes. A battle that has
 * ended stays where it is until all have.
 *
 * A record, in 32-bit words: place of the word to look at; by how much it is rotated to the left; mask of the slot,
 * in bytes; battles that have ended here; then for each slot [threshold, record below it, record on or above it, 0].
 */
import { Lanes } from '../core/lanes';
import { Stream } from '../core/stream';

const HEAD_BYTES: usize = 16;
const SLOT_BYTES: usize = 16;

/** The record of an ending has one slot, which leads to itself. */
const ENDING_BYTES: usize = HEAD_BYTES + SLOT_BYTES;

/** Battles that go on together: enough to hide how long a look takes. */
const TOGETHER: usize = 32;

/** Of the battles that go on together: the low and high halves of their keys, and where they are. */
const lows: usize = memory.data(4 * 32, 16);
const highs: usize = memory.data(4 * 32, 16);
const records: usize = memory.data(4 * 32, 16);

/** Where the host writes the records, those of the endings first. */
export let recordsAddress: usize = 0;

let recordsBytes: usize = 0;

/** The record where battles start, and where the records of the endings are over. */
let start: usize = 0;
let nodes: usize = 0;

/** Looks after which nearly all battles have ended. */
let depth: i32 = 0;

/** Makes room for so many bytes of records; false if memory cannot grow so far. */
export function reserve(bytes: u32): bool {
  recordsBytes = bytes;
  recordsAddress = (__heap_base + 63) & ~63;
  const pages = <i32>((<u64>recordsAddress + bytes + 0xffff) >> 16);
  return pages <= memory.size() || memory.grow(pages - memory.size()) >= 0;
}

/** Turns the distances from the first record, in which all is given, into addresses. */
export function configure(startAt: u32, nodesAt: u32, looks: i32): void {
  start = recordsAddress + startAt;
  nodes = recordsAddress + nodesAt;
  depth = looks;
  let record = recordsAddress;
  while (record < recordsAddress + recordsBytes) {
    const slots = record + HEAD_BYTES;
    const end = slots + load<u32>(record, 8) + SLOT_BYTES;
    for (let slot = slots; slot < end; slot += SLOT_BYTES) {
      store<u32>(slot, <u32>recordsAddress + load<u32>(slot, 4), 4);
      store<u32>(slot, <u32>recordsAddress + load<u32>(slot, 8), 8);
    }
    record = end;
  }
}

/** Empties the counters. */
export function clear(): void {
  for (let ending = recordsAddress; ending < nodes; ending += ENDING_BYTES) store<u32>(ending, 0, 12);
}

class Way {
  /** The record that a word leads to. */
  @inline static next(record: usize, word: u32): usize {
    const slot = record + <usize>(rotl(word, load<u32>(record, 4)) & load<u32>(record, 8));
    return select(<usize>load<u32>(slot, 20), <usize>load<u32>(slot, 24), word < load<u32>(slot, 16));
  }

  /** Where a battle ends. */
  @inline static end(runKey: u64, index: u64): usize {
    Stream.open(runKey, index);
    let record = start;
    while (record >= nodes) record = Way.next(record, Stream.word(load<u32>(record)));
    return record;
  }

  /** Counts a battle that has ended. */
  @inline static count(ending: usize): void {
    store<u32>(ending, load<u32>(ending, 12) + 1, 12);
  }
}

class Batch {
  /** Opens the streams of four battles. */
  @inline static open(runKey: u64, index: u64, at: usize): void {
    const a = i64x2(<i64>Stream.key(runKey, index), <i64>Stream.key(runKey, index + 1));
    const b = i64x2(<i64>Stream.key(runKey, index + 2), <i64>Stream.key(runKey, index + 3));
    v128.store(lows + at, Lanes.low(a, b));
    v128.store(highs + at, Lanes.high(a, b));
    v128.store(records + at, i32x4.splat(<i32>start));
  }

  /** One look of each of four battles. */
  @inline static look(at: usize): void {
    const a = <usize>load<u32>(records + at);
    const b = <usize>load<u32>(records + at, 4);
    const c = <usize>load<u32>(records + at, 8);
    const d = <usize>load<u32>(records + at, 12);
    let places = v128.load32_zero(a);
    places = v128.load32_lane(b, places, 1);
    places = v128.load32_lane(c, places, 2);
    places = v128.load32_lane(d, places, 3);
    const words = Lanes.words(i32x4.add(places, v128.load(lows + at)), v128.load(highs + at));
    store<u32>(records + at, <u32>Way.next(a, i32x4.extract_lane(words, 0)));
    store<u32>(records + at, <u32>Way.next(b, i32x4.extract_lane(words, 1)), 4);
    store<u32>(records + at, <u32>Way.next(c, i32x4.extract_lane(words, 2)), 8);
    store<u32>(records + at, <u32>Way.next(d, i32x4.extract_lane(words, 3)), 12);
  }

  /** True if all battles that go on together have ended. */
  static over(): bool {
    let furthest = i32x4.splat(0);
    for (let at: usize = 0; at < 4 * TOGETHER; at += 16) furthest = i32x4.max_u(furthest, v128.load(records + at));
    return !v128.any_true(i32x4.ge_u(furthest, i32x4.splat(<i32>nodes)));
  }

  static play(runKey: u64, index: u64): void {
    for (let k: usize = 0; k < TOGETHER; k += 4) Batch.open(runKey, index + k, k << 2);
    for (let looks = 0; looks < depth || !Batch.over(); looks++) {
      for (let at: usize = 0; at < 4 * TOGETHER; at += 16) Batch.look(at);
    }
    for (let at: usize = 0; at < 4 * TOGETHER; at += 4) Way.count(load<u32>(records + at));
  }
}

/** Plays one battle: returns the index of its ending. */
export function play(runKey: u64, index: u64): u32 {
  return <u32>((Way.end(runKey, index) - recordsAddress) / ENDING_BYTES);
}

/** Plays and counts battles from..from + count - 1. */
export function run(runKey: u64, from: u64, count: u32): void {
  let i: u32 = 0;
  for (; i + TOGETHER <= count; i += TOGETHER) Batch.play(runKey, from + i);
  for (; i < count; i++) Way.count(Way.end(runKey, from + i));
}
