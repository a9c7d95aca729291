/**
 * Plays a compiled scenario that has rounds. Some battles go on side by side, the words of four at a time hashed in vector
 * lanes. Where a battle has ended, the next one begins.
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

/** Where `list` leaves of each battle the index of its ending, and its rounds. */
export const listedAddress: usize = memory.data(8 * LISTED_MAX, 16);

/** The record of an ending has one slot. */
const ENDING_BYTES: usize = offsetof<RoundLook>() + offsetof<Slot>();

/** Of the battles that go on together: the low halves of their keys. In `lows` these are moved on by the rounds. */
const keys: usize = memory.data(4 * 32, 16);

/** For each of these battles, where it is listed. */
const places: usize = memory.data(4 * 32, 16);

/** Rounds of the battle that `play` has played. */
export let rounds: u32 = 0;

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

/** Whether they are listed, the first of them at `listedAddress`. */
let listing: bool = false;
let first: u64 = 0;

/** Turns the distances from the first record, in which all is given, into addresses, and outcomes into those of counters. */
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

  /** The rounds of a battle whose place has moved on by so many words. One that had no round left has moved too far. */
  @inline static rounds(moved: u32): u32 {
    return min(moved / roundWords, most);
  }

  /** The index of an ending. */
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
    const look = changetype<RoundLook>(record);
    moved += look.moves & ~ESCAPED;
    if (moved > furthest) record = <usize>look.stalemate;
    else record = Way.next(record, Stream.word(look.place + moved + (look.moves === ESCAPED ? moved : 0)));
  }
  rounds = Way.rounds(moved);
  return Way.index(record);
}

/** Plays and counts battles from..from + count - 1. */
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

/** The same, at most as many as are listed, and lists them. */
export function list(runKey: u64, from: u64, count: u32): void {
  listing = true;
  run(runKey, from, count);
  listing = false;
}
