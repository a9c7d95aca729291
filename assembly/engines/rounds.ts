/**
 * Simulates a compiled scenario with rounds. Several battles run in parallel, the words of four at a time hashed in
 * vector lanes. A finished battle is replaced by the next one.
 */
import { Lanes } from '../core/lanes';
import {
  countersAddress,
  countersBytes,
  highs,
  lows,
  Records,
  records,
  recordsAddress,
  TOGETHER,
} from '../core/records';
import { Stream } from '../core/stream';
import { ESCAPED, RoundLook, Slot } from '../generated/automaton';
import { LISTED_MAX } from '../generated/kernel';

export { countersAddress, recordsAddress, reserve } from '../core/records';

/** Address at which `list` writes the index of the final state of each battle, and its rounds. */
export const listedAddress: usize = memory.data(8 * LISTED_MAX, 16);

/** The record of a final state has one slot. */
const ENDING_BYTES: usize = offsetof<RoundLook>() + offsetof<Slot>();

/** Low halves of the keys of concurrent battles. In `lows` they are advanced by the rounds. */
const keys: usize = memory.data(4 * 32, 16);

/** For each of these battles, where it is listed. */
const places: usize = memory.data(4 * 32, 16);

/** Rounds of the last battle of `play`. */
export let rounds: u32 = 0;

/** The start record, and the end of the records of final states, where a lane without a battle stays. */
let start: usize = 0;
let nodes: usize = 0;

/** Words of a round, maximum rounds of a battle, and the words of them all. */
let roundWords: u32 = 1;
let most: u32 = 0;
let furthest: u32 = 0;

/** The remaining battles: the next one and the end; lanes with a battle. */
let key: u64 = 0;
let next: u64 = 0;
let end: u64 = 0;
let playing: i32 = 0;

/** True if they are listed, the first of them at `listedAddress`. */
let listing: bool = false;
let first: u64 = 0;

/** Converts the offsets from the first record to addresses, and outcomes to addresses of counters. */
export function configure(startAt: u32, nodesAt: u32, words: u32, roundsMost: u32): void {
  start = recordsAddress + startAt;
  nodes = recordsAddress + nodesAt;
  roundWords = words;
  most = roundsMost;
  furthest = words * roundsMost;
  for (let at = recordsAddress; at < countersAddress; ) {
    const look = changetype<RoundLook>(at);
    look.counters = <u32>countersAddress + 4 * look.counters * (roundsMost + 1);
    look.stalemate += <u32>recordsAddress;
    at = Records.link(at + offsetof<RoundLook>(), look.mask);
  }
  clear();
}

/** Empties the counters. */
export function clear(): void {
  for (let ending = recordsAddress; ending < nodes; ending += ENDING_BYTES) changetype<RoundLook>(ending).battles = 0;
  memory.fill(countersAddress, 0, countersBytes);
}

class Way {
  /** The record that a word leads to. */
  @inline static next(record: usize, word: u32): usize {
    const table = load<u64>(record, offsetof<RoundLook>('mask'));
    const rotations = <u32>(table >> 32);
    const slot = changetype<Slot>(record + offsetof<RoundLook>() + <usize>(rotl(word, rotations) & <u32>table));
    return select(<usize>slot.below, <usize>slot.above, rotl(word, rotations >> 8) < slot.threshold);
  }

  /**
   * Returns the rounds of a battle whose position has advanced by a number of words. At the round limit it has advanced
   * too far.
   */
  @inline static rounds(moved: u32): u32 {
    return min(moved / roundWords, most);
  }

  /** Returns the index of a final state. */
  @inline static index(ending: usize): u32 {
    return <u32>((ending - recordsAddress) / ENDING_BYTES);
  }

  static list(place: u32, ending: usize, round: u32): void {
    const row = listedAddress + ((<usize>place) << 3);
    store<u32>(row, Way.index(ending));
    store<u32>(row, round, 4);
  }

  /** Counts battles that have ended in a round. */
  @inline static count(ending: RoundLook, round: u32, battles: u32): void {
    ending.battles += battles;
    const counter = <usize>ending.counters + 4 * <usize>round;
    store<u32>(counter, load<u32>(counter) + battles);
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
    store<u32>(places + at, <u32>(next - first));
    next++;
    store<u32>(keys + at, <u32>opened);
    store<u32>(lows + at, <u32>opened);
    store<u32>(highs + at, <u32>(opened >> 32));
    store<u32>(records + at, <u32>start);
  }

  /** Counts the battle of a lane, which has ended. */
  static count(at: usize): void {
    const ending = changetype<RoundLook>(<usize>load<u32>(records + at));
    const rounds = Way.rounds(load<u32>(lows + at) - load<u32>(keys + at));
    Way.count(ending, rounds, 1);
    if (listing) Way.list(load<u32>(places + at), changetype<usize>(ending), rounds);
  }

  /** Performs one test of each of four battles. */
  @inline static look(at: usize): void {
    const a = <usize>load<u32>(records + at);
    const b = <usize>load<u32>(records + at, 4);
    const c = <usize>load<u32>(records + at, 8);
    const d = <usize>load<u32>(records + at, 12);
    const ab = v128.load64_lane(b, v128.load64_zero(a), 1);
    const cd = v128.load64_lane(d, v128.load64_zero(c), 1);
    const places = v128.shuffle<i32>(ab, cd, 0, 2, 4, 6);
    const moves = v128.shuffle<i32>(ab, cd, 1, 3, 5, 7);
    const low = i32x4.add(v128.load(lows + at), v128.and(moves, i32x4.splat(<i32>~ESCAPED)));
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
    if (load<u32>(lows + at) - load<u32>(keys + at) > furthest)
      store<u32>(records + at, changetype<RoundLook>(record).stalemate);
  }

  /** Starts other battles instead of finished ones. */
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

/** Simulates one battle: returns the index of its final state. */
export function play(runKey: u64, index: u64): u32 {
  const opened = Stream.key(runKey, index);
  const low = <u32>opened;
  let moved: u32 = 0;
  let record = start;
  Stream.resume(low, <u32>(opened >> 32));
  while (record >= nodes) {
    const look = changetype<RoundLook>(record);
    moved += look.moves & ~ESCAPED;
    if (moved > furthest) record = <usize>look.stalemate;
    else record = Way.next(record, Stream.word(look.place + moved + (look.moves === ESCAPED ? moved : 0)));
  }
  rounds = Way.rounds(moved);
  return Way.index(record);
}

/** Simulates and counts battles from..from + count - 1. */
export function run(runKey: u64, from: u64, count: u32): void {
  first = from;
  if (start < nodes) {
    Way.count(changetype<RoundLook>(start), 0, count);
    if (listing) for (let k: u32 = 0; k < count; k++) Way.list(k, start, 0);
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

/** Simulates, counts and lists battles, at most as many as fit. */
export function list(runKey: u64, from: u64, count: u32): void {
  listing = true;
  run(runKey, from, count);
  listing = false;
}
