/**
 * Plays a compiled scenario that has rounds; src/automaton/encode.ts lays it out. Some battles go on side by side, each
 * on its own stream and its own way through the records, the words of four at a time hashed in vector lanes. Where a
 * battle has ended, the next one begins.
 *
 * A record, in 32-bit words: place of the word to look at, from the first of the round; by how many words the round
 * moves on before the look, or bit 31 for an escaped draw, whose place counts the words of the rounds before twice; mask
 * of the slot, in bytes; by how much the word is rotated to the left for the slot and, from bit 8 on, for the threshold;
 * the ending of a battle that has no round left; three unused; then for each slot [threshold, record below it, record
 * on or above it, 0]. In the place of the fourth and fifth word an ending has the battles that have ended here, and
 * its outcome.
 */
import { Lanes } from '../core/lanes';
import { Stream } from '../core/stream';

const HEAD_BYTES: usize = 32;
const SLOT_BYTES: usize = 16;
const ENDING_BYTES: usize = HEAD_BYTES + SLOT_BYTES;

/** Battles that go on together. */
const TOGETHER: usize = 32;

/** Of the battles that go on together: the low halves of their keys; the same, moved on by the rounds; the high halves; where they are. */
const keys: usize = memory.data(4 * 32, 16);
const lows: usize = memory.data(4 * 32, 16);
const highs: usize = memory.data(4 * 32, 16);
const records: usize = memory.data(4 * 32, 16);

/** Where the host writes the records, those of the endings first; behind them lie the counters of rounds, by outcome. */
export let recordsAddress: usize = 0;
export let countersAddress: usize = 0;

/** Rounds of the battle that `play` has played. */
export let rounds: u32 = 0;

let recordsBytes: usize = 0;
let countersBytes: usize = 0;

/** The record where battles start, and where the records of the endings are over: there a lane without a battle stays. */
let start: usize = 0;
let nodes: usize = 0;

/** Words of a round, rounds of a battle at most, and the words of them all. */
let roundWords: u32 = 1;
let most: u32 = 0;
let furthest: u32 = 0;

/** The battles to come: the next one and the end; lanes that have one. */
let key: u64 = 0;
let next: u64 = 0;
let end: u64 = 0;
let playing: i32 = 0;

/** Makes room for so many bytes of records and of counters; false if memory cannot grow so far. */
export function reserve(bytes: u32, counters: u32): bool {
  recordsBytes = bytes;
  countersBytes = counters;
  recordsAddress = (__heap_base + 63) & ~63;
  countersAddress = recordsAddress + bytes;
  const pages = <i32>((<u64>countersAddress + counters + 0xffff) >> 16);
  return pages <= memory.size() || memory.grow(pages - memory.size()) >= 0;
}

/** Turns the distances from the first record, in which all is given, into addresses. */
export function configure(startAt: u32, nodesAt: u32, words: u32, roundsMost: u32): void {
  start = recordsAddress + startAt;
  nodes = recordsAddress + nodesAt;
  roundWords = words;
  most = roundsMost;
  furthest = words * roundsMost;
  let record = recordsAddress;
  while (record < recordsAddress + recordsBytes) {
    if (record < nodes) store<u32>(record, <u32>countersAddress + load<u32>(record, 16) * 4 * (roundsMost + 1), 16);
    else store<u32>(record, <u32>recordsAddress + load<u32>(record, 16), 16);
    const slots = record + HEAD_BYTES;
    const over = slots + load<u32>(record, 8) + SLOT_BYTES;
    for (let slot = slots; slot < over; slot += SLOT_BYTES) {
      store<u32>(slot, <u32>recordsAddress + load<u32>(slot, 4), 4);
      store<u32>(slot, <u32>recordsAddress + load<u32>(slot, 8), 8);
    }
    record = over;
  }
  clear();
}

/** Empties the counters. */
export function clear(): void {
  for (let ending = recordsAddress; ending < nodes; ending += ENDING_BYTES) store<u32>(ending, 0, 12);
  memory.fill(countersAddress, 0, countersBytes);
}

class Way {
  /** The record that a word leads to. */
  @inline static next(record: usize, word: u32): usize {
    const table = load<u64>(record, 8);
    const rotations = <u32>(table >> 32);
    const slot = record + HEAD_BYTES + <usize>(rotl(word, rotations) & <u32>table);
    return select(<usize>load<u32>(slot, 4), <usize>load<u32>(slot, 8), rotl(word, rotations >> 8) < load<u32>(slot));
  }

  /** The rounds of a battle whose place has moved on by so many words. One that had no round left has moved too far. */
  @inline static rounds(moved: u32): u32 {
    return min(moved / roundWords, most);
  }
}

class Lane {
  /** Opens the next battle in a lane, or leaves it without one. */
  static open(at: usize): void {
    if (next === end) {
      playing--;
      store<u32>(keys + at, 0);
      store<u32>(lows + at, 0);
      store<u32>(records + at, <u32>nodes);
      return;
    }
    const opened = Stream.key(key, next);
    next++;
    store<u32>(keys + at, <u32>opened);
    store<u32>(lows + at, <u32>opened);
    store<u32>(highs + at, <u32>(opened >> 32));
    store<u32>(records + at, <u32>start);
  }

  /** Counts the battle of a lane, which has ended. */
  static count(at: usize): void {
    const ending = <usize>load<u32>(records + at);
    store<u32>(ending, load<u32>(ending, 12) + 1, 12);
    const counter = <usize>load<u32>(ending, 16) + 4 * <usize>Way.rounds(load<u32>(lows + at) - load<u32>(keys + at));
    store<u32>(counter, load<u32>(counter) + 1);
  }

  /** One look of each of four battles. */
  @inline static look(at: usize): void {
    const a = <usize>load<u32>(records + at);
    const b = <usize>load<u32>(records + at, 4);
    const c = <usize>load<u32>(records + at, 8);
    const d = <usize>load<u32>(records + at, 12);
    const ab = v128.load64_lane(b, v128.load64_zero(a), 1);
    const cd = v128.load64_lane(d, v128.load64_zero(c), 1);
    const places = v128.shuffle<i32>(ab, cd, 0, 2, 4, 6);
    const moves = v128.shuffle<i32>(ab, cd, 1, 3, 5, 7);
    const low = i32x4.add(v128.load(lows + at), v128.and(moves, i32x4.splat(0x7fffffff)));
    v128.store(lows + at, low);
    const moved = i32x4.sub(low, v128.load(keys + at));
    const twice = v128.and(i32x4.shr_s(moves, 31), moved);
    const words = Lanes.words(i32x4.add(i32x4.add(places, low), twice), v128.load(highs + at));
    const over = i32x4.gt_u(moved, i32x4.splat(<i32>furthest));
    const w = <u32>Way.next(a, i32x4.extract_lane(words, 0));
    const x = <u32>Way.next(b, i32x4.extract_lane(words, 1));
    const y = <u32>Way.next(c, i32x4.extract_lane(words, 2));
    const z = <u32>Way.next(d, i32x4.extract_lane(words, 3));
    let after = i32x4.splat(<i32>w);
    after = i32x4.replace_lane(after, 1, <i32>x);
    after = i32x4.replace_lane(after, 2, <i32>y);
    after = i32x4.replace_lane(after, 3, <i32>z);
    v128.store(records + at, after);
    const ended = i32x4.lt_u(after, i32x4.splat(<i32>nodes));
    if (!v128.any_true(v128.or(over, ended))) return;
    if (v128.any_true(over)) Lane.stop(at, a, b, c, d);
    Lane.renew(at);
  }

  /** Ends the battles that had no round left where they were. */
  static stop(at: usize, a: usize, b: usize, c: usize, d: usize): void {
    Lane.stopOne(at, a);
    Lane.stopOne(at + 4, b);
    Lane.stopOne(at + 8, c);
    Lane.stopOne(at + 12, d);
  }

  static stopOne(at: usize, record: usize): void {
    if (load<u32>(lows + at) - load<u32>(keys + at) > furthest) store<u32>(records + at, load<u32>(record, 16));
  }

  /** Begins other battles in the place of those that have ended. */
  static renew(at: usize): void {
    let lanes = i32x4.bitmask(i32x4.lt_u(v128.load(records + at), i32x4.splat(<i32>nodes)));
    while (lanes !== 0) {
      const lane = at + ((<usize>ctz(lanes)) << 2);
      Lane.count(lane);
      Lane.open(lane);
      lanes &= lanes - 1;
    }
  }
}

/** Plays one battle: returns the index of its ending. */
export function play(runKey: u64, index: u64): u32 {
  const opened = Stream.key(runKey, index);
  const low = <u32>opened;
  let moved: u32 = 0;
  let record = start;
  Stream.resume(low, <u32>(opened >> 32));
  while (record >= nodes) {
    const moves = load<u32>(record, 4);
    moved += moves & 0x7fffffff;
    if (moved > furthest) record = <usize>load<u32>(record, 16);
    else record = Way.next(record, Stream.word(load<u32>(record) + moved + (<i32>moves < 0 ? moved : 0)));
  }
  rounds = Way.rounds(moved);
  return <u32>((record - recordsAddress) / ENDING_BYTES);
}

/** Plays and counts battles from..from + count - 1. */
export function run(runKey: u64, from: u64, count: u32): void {
  if (start < nodes) {
    store<u32>(start, load<u32>(start, 12) + count, 12);
    const counter = <usize>load<u32>(start, 16);
    store<u32>(counter, load<u32>(counter) + count);
    return;
  }
  key = runKey;
  next = from;
  end = from + count;
  playing = <i32>TOGETHER;
  for (let at: usize = 0; at < 4 * TOGETHER; at += 4) Lane.open(at);
  while (playing > 0) {
    for (let at: usize = 0; at < 4 * TOGETHER; at += 16) Lane.look(at);
  }
}
