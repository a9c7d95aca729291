/**
 * Simulates a compiled scenario without rounds. Several battles run in lockstep, the words of four at a time hashed in
 * vector lanes. A finished battle stays at its record until all have finished.
 */
import { Lanes } from '../core/lanes';
import { countersAddress, highs, lows, Records, records, recordsAddress, TOGETHER } from '../core/records';
import { Stream } from '../core/stream';
import { Look, Slot } from '../generated/automaton';
import { LISTED_MAX } from '../generated/kernel';

export { recordsAddress, reserve } from '../core/records';

/** Address at which `list` writes the indices of final states. */
export const listedAddress: usize = memory.data(4 * LISTED_MAX, 16);

/** The record of a final state has one slot. */
const ENDING_BYTES: usize = offsetof<Look>() + offsetof<Slot>();

/** Offsets in a record of its first slot. */
const THRESHOLD: usize = offsetof<Look>() + offsetof<Slot>('threshold');
const BELOW: usize = offsetof<Look>() + offsetof<Slot>('below');
const ABOVE: usize = offsetof<Look>() + offsetof<Slot>('above');

/** The start record, and the end of the records of final states. */
let start: usize = 0;
let nodes: usize = 0;

/** Number of tests after which nearly all battles have ended. */
let depth: i32 = 0;

/** Converts the offsets from the first record to addresses. */
export function configure(startAt: u32, nodesAt: u32, looks: i32): void {
  start = recordsAddress + startAt;
  nodes = recordsAddress + nodesAt;
  depth = looks;
  for (let at = recordsAddress; at < countersAddress; ) {
    at = Records.link(at + offsetof<Look>(), changetype<Look>(at).mask);
  }
}

/** Empties the counters. */
export function clear(): void {
  for (let ending = recordsAddress; ending < nodes; ending += ENDING_BYTES) changetype<Look>(ending).battles = 0;
}

class Way {
  /** The record that a word leads to. */
  @inline static next(record: usize, word: u32): usize {
    const look = changetype<Look>(record);
    const slot = record + <usize>(rotl(word, look.rotation) & look.mask);
    return select(<usize>load<u32>(slot, BELOW), <usize>load<u32>(slot, ABOVE), word < load<u32>(slot, THRESHOLD));
  }

  /** Returns the final state of a battle. */
  @inline static end(runKey: u64, index: u64): usize {
    Stream.open(runKey, index);
    let record = start;
    while (record >= nodes) record = Way.next(record, Stream.word(changetype<Look>(record).place));
    return record;
  }

  /** Returns the index of a final state. */
  @inline static index(ending: usize): u32 {
    return <u32>((ending - recordsAddress) / ENDING_BYTES);
  }

  /** Counts a battle that has ended. */
  @inline static count(ending: usize): void {
    changetype<Look>(ending).battles++;
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

  /** Performs one test of each of four battles. */
  @inline static look(at: usize): void {
    const a = <usize>load<u32>(records + at);
    const b = <usize>load<u32>(records + at, 4);
    const c = <usize>load<u32>(records + at, 8);
    const d = <usize>load<u32>(records + at, 12);
    const places = Records.places<Look>(a, b, c, d);
    const words = Lanes.words(i32x4.add(places, v128.load(lows + at)), v128.load(highs + at));
    store<u32>(records + at, <u32>Way.next(a, i32x4.extract_lane(words, 0)));
    store<u32>(records + at, <u32>Way.next(b, i32x4.extract_lane(words, 1)), 4);
    store<u32>(records + at, <u32>Way.next(c, i32x4.extract_lane(words, 2)), 8);
    store<u32>(records + at, <u32>Way.next(d, i32x4.extract_lane(words, 3)), 12);
  }

  /** Returns true if all concurrent battles have ended. */
  static over(): bool {
    let furthest = i32x4.splat(0);
    for (let at: usize = 0; at < 4 * TOGETHER; at += 16) furthest = i32x4.max_u(furthest, v128.load(records + at));
    return !v128.any_true(i32x4.ge_u(furthest, i32x4.splat(<i32>nodes)));
  }

  /** Simulates battles, whose final states it leaves in `records`. */
  static play(runKey: u64, index: u64): void {
    for (let k: usize = 0; k < TOGETHER; k += 4) Batch.open(runKey, index + k, k << 2);
    for (let looks = 0; looks < depth || !Batch.over(); looks++) {
      for (let at: usize = 0; at < 4 * TOGETHER; at += 16) Batch.look(at);
    }
  }
}

/** Simulates one battle: returns the index of its final state. */
export function play(runKey: u64, index: u64): u32 {
  return Way.index(Way.end(runKey, index));
}

/** Simulates and counts battles from..from + count - 1. */
export function run(runKey: u64, from: u64, count: u32): void {
  let i: u32 = 0;
  for (; i + TOGETHER <= count; i += TOGETHER) {
    Batch.play(runKey, from + i);
    for (let at: usize = 0; at < 4 * TOGETHER; at += 4) Way.count(load<u32>(records + at));
  }
  for (; i < count; i++) Way.count(Way.end(runKey, from + i));
}

/**
 * Simulates, counts and lists battles, at most as many as fit. Lanes without a battle of these simulate the following
 * ones.
 */
export function list(runKey: u64, from: u64, count: u32): void {
  let to = listedAddress;
  for (let i: u32 = 0; i < count; i += <u32>TOGETHER) {
    Batch.play(runKey, from + i);
    for (let at = records, end = at + ((<usize>min(count - i, <u32>TOGETHER)) << 2); at < end; at += 4, to += 4) {
      Way.count(load<u32>(at));
      store<u32>(to, Way.index(load<u32>(at)));
    }
  }
}
