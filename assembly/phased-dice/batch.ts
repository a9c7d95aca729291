/**
 * Simulates battles over states in batches, all in the same round; they leave at the end of theirs. A battle with a
 * roll that its row does not resolve repeats the round separately, with a search.
 */

import { Counts } from '../core/counts';
import { Scenario } from '../core/kernel';
import { Lanes } from '../core/lanes';
import { Listed } from '../core/listed';
import { Stream } from '../core/stream';
import { Head, Metrics, Outcomes, Places, Side } from '../generated/phased-dice';
import { Battle, UNDECIDED } from './battle';
import { Army, BY_TROOP } from './side';
import {
  AIR_ONLY,
  CLASS,
  CLASSES,
  COUNTERS,
  ENDS,
  FIRST,
  FIRST_ROWS,
  GONE,
  LOST,
  LOW,
  NEXT,
  OPENING,
  Rows,
  States,
  UNARMED,
  UNHURT,
} from './states';

// A round of many battles. Words are computed for four battles at once; then each battle goes through its phases only
// by lookups, without branches: unresolved hits lead to the state `NOWHERE`, and every battle is written both to those
// that continue and to those that leave.

/** Columns of the battles of a batch: keys and pairs of states before a round and after it, and those that leave. */
@unmanaged
class Columns {
  keys: usize;
  pairs: usize;
  keysAfter: usize;
  pairsAfter: usize;
  /** For each: both states, the address of the pair before the round, and a word of nothing. */
  left: usize;

  /** The only ones. */
  @inline static get(): Columns {
    return changetype<Columns>(view);
  }
}

const view: usize = memory.data(32);

/** The top bits of the words of four battles, by phase, side and roll. */
const drawn: usize = memory.data(16 * 16, 16);

/** Bytes of a record before the row of a first or second roll, and bytes of `drawn` before its words, by phase. */
const ROW_1: usize = FIRST_ROWS + 8;
const ROW_2: usize = FIRST_ROWS + 16;
const ROW_3: usize = FIRST_ROWS + 24;
const SECOND_ROW: usize = 4;
const WORDS_1: usize = 64;
const WORDS_2: usize = 128;
const WORDS_3: usize = 192;
const OF_DEFENDER: usize = 32;
const SECOND: usize = 16;

/** The rolls of a round: in four lanes the position of their words, relative to the round, and their destination. */
const rolls: usize = memory.data(16 * 32, 16);
const TO: usize = 16;
let rollsEnd: usize = 0;

/** Bits by phase and side: the side rolls twice. */
let twice: u32 = 0;
const TWICE_1: u32 = 1 << 2;
const TWICE_2: u32 = 1 << 4;
const TWICE_3: u32 = 1 << 6;

let phases: i32 = 0;

class Round {
  /** Prepares for the tables; false if a side rolls so often in a phase that rounds must be searched. */
  static prepare(): bool {
    phases = Scenario.word(Head.phases);
    rollsEnd = rolls;
    twice = 0;
    let most = 0;
    for (let phase = 1; phase < phases; phase++) {
      for (let side: usize = 0; side < 2; side++) {
        const words = States.rolls(side, phase);
        most = max(most, words);
        if (words > 1) twice |= 1 << (2 * phase + <i32>side);
        for (let roll = 0; roll < min(words, FIRST); roll++) Round.list(<u32>phase, <u32>side, roll);
      }
    }
    return most <= FIRST;
  }

  static list(phase: u32, side: u32, roll: u32): void {
    v128.store(rollsEnd, i32x4.splat(Places.at(0, phase, side) + roll));
    store<u32>(rollsEnd, <u32>drawn + phase * WORDS_1 + side * OF_DEFENDER + roll * SECOND, TO);
    rollsEnd += 32;
  }

  /** Computes the words of the four battles with the keys at `key`. */
  @inline static draw(key: usize, places: v128): void {
    const low = i32x4.add(Lanes.low(v128.load(key), v128.load(key, 16)), places);
    const high = Lanes.high(v128.load(key), v128.load(key, 16));
    for (let roll = rolls, end = rollsEnd; roll < end; roll += 32) {
      const words = Lanes.words(i32x4.add(low, v128.load(roll)), high);
      v128.store(load<u32>(roll, TO), i32x4.shr_u(words, LOW));
    }
  }

  @inline static next(state: usize, hits: usize): usize {
    return <usize>load<u32>(state + (hits << 2), NEXT);
  }

  /**
   * Simulates a round of battles whose words start at `place`; all leave after the last one. Returns the number that
   * continue.
   */
  static play(columns: Columns, battles: u32, place: u32, isLast: bool): u32 {
    const places = i32x4.splat(place);
    const doubles = twice;
    const isLand = phases > 2;
    let key = columns.keys;
    let pair = columns.pairs;
    let keyTo = columns.keysAfter;
    let pairTo = columns.pairsAfter;
    let leftTo = columns.left;
    const end = key + ((<usize>battles) << 3);
    while (key < end) {
      Round.draw(key, places);
      const stop = min(key + 32, end);
      for (let slot = drawn; key < stop; slot += 4) {
        let a = <usize>load<u32>(pair);
        let d = <usize>load<u32>(pair, 4);
        let dealt = <usize>load<u8>(load<u32>(a, ROW_1) + load<u32>(slot, WORDS_1));
        let taken = <usize>load<u8>(load<u32>(d, ROW_1) + load<u32>(slot, WORDS_1 + OF_DEFENDER));
        if (doubles & TWICE_1) {
          dealt += <usize>load<u8>(load<u32>(a, ROW_1 + SECOND_ROW) + load<u32>(slot, WORDS_1 + SECOND));
        }
        if (doubles & (TWICE_1 << 1)) {
          taken += <usize>load<u8>(load<u32>(d, ROW_1 + SECOND_ROW) + load<u32>(slot, WORDS_1 + OF_DEFENDER + SECOND));
        }
        a = Round.next(a, taken);
        d = Round.next(d, dealt);
        if (isLand) {
          dealt = <usize>load<u8>(load<u32>(a, ROW_2) + load<u32>(slot, WORDS_2));
          taken = <usize>load<u8>(load<u32>(d, ROW_2) + load<u32>(slot, WORDS_2 + OF_DEFENDER));
          if (doubles & TWICE_2) {
            dealt += <usize>load<u8>(load<u32>(a, ROW_2 + SECOND_ROW) + load<u32>(slot, WORDS_2 + SECOND));
          }
          if (doubles & (TWICE_2 << 1)) {
            taken += <usize>(
              load<u8>(load<u32>(d, ROW_2 + SECOND_ROW) + load<u32>(slot, WORDS_2 + OF_DEFENDER + SECOND))
            );
          }
          a = Round.next(a, taken);
          d = Round.next(d, dealt);
          dealt = <usize>load<u8>(load<u32>(a, ROW_3) + load<u32>(slot, WORDS_3));
          taken = <usize>load<u8>(load<u32>(d, ROW_3) + load<u32>(slot, WORDS_3 + OF_DEFENDER));
          if (doubles & TWICE_3) {
            dealt += <usize>load<u8>(load<u32>(a, ROW_3 + SECOND_ROW) + load<u32>(slot, WORDS_3 + SECOND));
          }
          if (doubles & (TWICE_3 << 1)) {
            taken += <usize>(
              load<u8>(load<u32>(d, ROW_3 + SECOND_ROW) + load<u32>(slot, WORDS_3 + OF_DEFENDER + SECOND))
            );
          }
          a = Round.next(a, taken);
          d = Round.next(d, dealt);
        }
        const leaves = <usize>i32(load<i32>(a) < load<i32>(d)) | <usize>isLast;
        store<u32>(leftTo, <u32>a);
        store<u32>(leftTo, <u32>d, 4);
        store<u32>(leftTo, <u32>pair, 8);
        store<u32>(pairTo, <u32>a);
        store<u32>(pairTo, <u32>d, 4);
        store<u64>(keyTo, load<u64>(key));
        leftTo += leaves << 4;
        pairTo += (leaves ^ 1) << 3;
        keyTo += (leaves ^ 1) << 3;
        pair += 8;
        key += 8;
      }
    }
    return <u32>((keyTo - columns.keysAfter) >> 3);
  }
}

// Results of battles over states: counted first by states and ends, finally by metrics.

/** A retreat that destroys the attacker: the last of the ends. */
export const DESTROYED: i32 = ENDS - 1;

/** The round must be repeated. */
const AGAIN: i32 = ENDS;

/**
 * Results by the classes of both sides: at the end of any round, when the attacker leaves, after the last round, and
 * within a round, where there may be none yet.
 */
const ends: usize = memory.data(4 * 64);
export const USUAL: usize = 0;
export const LEAVING: usize = 64;
export const LAST: usize = 128;
export const AT_ONCE: usize = 192;
const NO_END: usize = 255;

/** True if battles are listed; their run, and the first of them. */
let listing: bool = false;
let listedKey: u64 = 0;
let listedFrom: u64 = 0;

/** By end, the counter of battles of no rounds. */
const rounds: usize = memory.data(4 * ENDS);

export class Ends {
  /** Prepares for the scenario. */
  static prepare(): void {
    const leaving = Scenario.word(Head.noWayOut) ? DESTROYED : Outcomes.retreat;
    const alone = Scenario.word(Head.goesHome) ? leaving : Battle.airborne();
    for (let c0 = 0; c0 <= LOST; c0++) {
      for (let c1 = 0; c1 <= LOST; c1++) {
        const at = ends + <usize>(c0 * CLASSES + c1);
        const lost = Battle.ending(i32(c0 < AIR_ONLY), i32(c0 < GONE), i32(c1 < AIR_ONLY), i32(c1 < GONE));
        const isLost = c0 === LOST || c1 === LOST;
        const isFixed = isLost || lost !== UNDECIDED || c0 === AIR_ONLY;
        const fixed = isLost ? AGAIN : lost === UNDECIDED ? alone : lost;
        store<u8>(at + USUAL, <u8>(isFixed ? fixed : c1 === UNARMED ? Outcomes.stalemate : leaving));
        store<u8>(at + LEAVING, <u8>(isFixed ? fixed : leaving));
        store<u8>(at + LAST, <u8>(isFixed ? fixed : Outcomes.stalemate));
        store<u8>(at + AT_ONCE, <u8>(lost === UNDECIDED ? NO_END : lost));
      }
    }
    for (let end = 0; end < ENDS; end++) {
      store<u32>(
        rounds + ((<usize>end) << 2),
        <u32>Counts.value(Metrics.rounds, end === DESTROYED ? Outcomes.defender : end, 0),
      );
    }
  }

  /** True if losses, weakness or a lack of dice end the battle. */
  @inline static isDecided(a: usize, d: usize): bool {
    return load<i32>(a) < load<i32>(d);
  }

  /** Returns true if a battle continues, by the table of the round or, within it, of immediate ends. */
  @inline static goesOn(a: usize, d: usize, table: usize): bool {
    if (table === AT_ONCE) return Ends.entry(a, d, AT_ONCE) === NO_END;
    return table === USUAL && !Ends.isDecided(a, d);
  }

  /** Returns the end of a battle by a table. */
  @inline static of(a: usize, d: usize, table: usize): usize {
    return Ends.entry(a, d, select<usize>(table === LAST ? USUAL : table, table, Ends.isDecided(a, d)));
  }

  @inline static entry(a: usize, d: usize, table: usize): usize {
    return <usize>load<u8>(ends + table + load<u32>(a, CLASS) + load<u32>(d, CLASS));
  }

  /** Counts a battle of a number of rounds, and lists it if battles are listed. @param key address of its key */
  @inline static count(key: usize, a: usize, d: usize, ended: usize, round: i32): void {
    if (listing) Ends.list(load<u64>(key), a, d, <i32>ended, round);
    Counts.bump(a + (ended << 2) + COUNTERS);
    Counts.bump(d + (ended << 2) + COUNTERS);
    Counts.bump(<usize>load<u32>(rounds + (ended << 2)) + ((<usize>round) << 2));
  }

  static list(key: u64, a: usize, d: usize, end: i32, round: i32): void {
    const outcome = end === DESTROYED ? Outcomes.defender : end;
    const row = Listed.row(<u32>(Stream.index(listedKey, key) - listedFrom), outcome);
    Listed.set(row, Metrics.rounds, round);
    const next = Ends.left(row, 0, Metrics.types, States.force(0, States.of(0, a)), end === DESTROYED);
    Ends.left(row, 1, next, States.force(1, States.of(1, d)), false);
  }

  /** Lists the remaining units of a side, its types from metric `first` on; returns the next metric. */
  static left(row: usize, side: usize, first: i32, force: usize, none: bool): i32 {
    let units = 0;
    const types = Army.word(side, Side.troops);
    for (let t = 0; t < types; t++) {
      const left = none ? 0 : load<i32>(force + BY_TROOP + ((<usize>t) << 2));
      units += left;
      Listed.set(row, first + t, left);
    }
    Listed.set(row, Metrics.left + <i32>side, units);
    return first + types;
  }

  /** Adds the counts by states to the counters by metrics. */
  static settle(): void {
    for (let side: usize = 0; side < 2; side++) {
      const first = side === 0 ? Metrics.types : Metrics.types + Army.word(0, Side.troops);
      for (let state = UNHURT, n = States.roster(side).states; state < n; state++) {
        const counters = States.record(side, state) + COUNTERS;
        const force = States.force(side, state);
        for (let end = 0; end < ENDS; end++) {
          const battles = load<u32>(counters + ((<usize>end) << 2));
          if (battles === 0) continue;
          store<u32>(counters + ((<usize>end) << 2), 0);
          Ends.add(side, first, force, end, battles);
        }
      }
    }
  }

  static add(side: usize, first: i32, force: usize, end: i32, battles: u32): void {
    const outcome = end === DESTROYED ? Outcomes.defender : end;
    const none = end === DESTROYED && side === 0;
    if (side === 0) Counts.bump(Counts.outcome(outcome), battles);
    let units = 0;
    for (let t = 0, n = Army.word(side, Side.troops); t < n; t++) {
      const left = none ? 0 : load<i32>(force + BY_TROOP + ((<usize>t) << 2));
      units += left;
      Counts.bump(Counts.value(first + t, outcome, left), battles);
    }
    Counts.bump(Counts.value(Metrics.left + <i32>side, outcome, units), battles);
  }
}

// Batches of battles.

/** Battles of a batch. */
const BATTLES: u32 = 512;

/** Bytes of a column, which words are made for by fours. */
const COLUMN: usize = 8 * <usize>BATTLES + 64;
export const BATCH_BYTES: usize = 6 * COLUMN;

/** True if rounds can be looked up. */
let isLookedUp: bool = false;

export class Batch {
  /** Prepares for the tables, in `BATCH_BYTES` of memory. */
  static prepare(at: usize): void {
    const columns = Columns.get();
    columns.keys = at;
    columns.pairs = at + COLUMN;
    columns.keysAfter = at + 2 * COLUMN;
    columns.pairsAfter = at + 3 * COLUMN;
    columns.left = at + 4 * COLUMN;
    isLookedUp = Round.prepare();
    Ends.prepare();
  }

  /** Simulates and counts battles from..from + count - 1. */
  static run(runKey: u64, from: u64, count: u32): void {
    const last = count % BATTLES;
    for (let done: u32 = 0; done < count - last; done += BATTLES) Batch.play(runKey, from + done, BATTLES);
    Batch.play(runKey, from + (count - last), last);
  }

  /** Simulates, counts and lists battles. */
  static list(runKey: u64, from: u64, count: u32): void {
    listing = true;
    listedKey = runKey;
    listedFrom = from;
    Batch.run(runKey, from, count);
    listing = false;
  }

  static play(runKey: u64, from: u64, count: u32): void {
    const limit = Scenario.word(Head.maxRounds);
    const after = Scenario.word(Head.retreatAfter);
    let battles = Batch.open(runKey, from, count);
    for (let round = 1; battles > 0; round++) {
      const table = round === after ? LEAVING : round === limit ? LAST : USUAL;
      battles = isLookedUp ? Batch.look(battles, round, table) : Batch.search(battles, round, table);
      Batch.swap();
    }
  }

  /** Computes keys and simulates the initial phase; returns the number of battles that continue. */
  static open(runKey: u64, from: u64, count: u32): u32 {
    const isPlayed = (States.rolls(0, 0) | States.rolls(1, 0)) > 0;
    const first = isPlayed ? OPENING : UNHURT;
    const pair = <u64>States.record(0, first) | ((<u64>States.record(1, first)) << 32);
    const columns = Columns.get();
    let on: u32 = 0;
    for (let i: u32 = 0; i < count; i++) {
      const at = (<usize>on) << 3;
      store<u64>(columns.keys + at, Stream.key(runKey, from + i));
      store<u64>(columns.pairs + at, pair);
      on += isPlayed ? Batch.fly(columns.keys + at, columns.pairs + at) : 1;
    }
    return on;
  }

  /** Simulates the air phase of a battle; returns 1 if it continues, 0 if it is over and counted. */
  static fly(key: usize, pair: usize): u32 {
    Batch.phase(key, pair, 0, Places.at(1, 0, 0));
    const a = <usize>load<u32>(pair);
    const d = <usize>load<u32>(pair, 4);
    if (Ends.goesOn(a, d, AT_ONCE)) return 1;
    Ends.count(key, a, d, Ends.of(a, d, AT_ONCE), 1);
    return 0;
  }

  /** Swaps the columns before and after a round. */
  static swap(): void {
    const columns = Columns.get();
    const keys = columns.keys;
    const pairs = columns.pairs;
    columns.keys = columns.keysAfter;
    columns.pairs = columns.pairsAfter;
    columns.keysAfter = keys;
    columns.pairsAfter = pairs;
  }

  /** Simulates a round of all battles with lookups of their hits; returns the number that continue. */
  static look(battles: u32, round: i32, table: usize): u32 {
    const columns = Columns.get();
    let on = Round.play(columns, battles, Places.at(round, 0, 0), table !== USUAL);
    for (let at = columns.left, end = at + ((<usize>(battles - on)) << 4); at < end; at += 16) {
      const a = <usize>load<u32>(at);
      const d = <usize>load<u32>(at, 4);
      const ended = Ends.of(a, d, table);
      const pair = <usize>load<u32>(at, 8);
      if (ended !== AGAIN) Ends.count(columns.keys + (pair - columns.pairs), a, d, ended, round);
      else on += Batch.again(pair, on, round, table);
    }
    return on;
  }

  /** Simulates a round of all battles with searches for their hits; returns the number that continue. */
  static search(battles: u32, round: i32, table: usize): u32 {
    let on: u32 = 0;
    for (let i: u32 = 0; i < battles; i++) {
      on += Batch.again(Columns.get().pairs + ((<usize>i) << 3), on, round, table);
    }
    return on;
  }

  /** Simulates a round of one battle, which is counted or continues as number `on`; returns 1 if it does. */
  static again(pair: usize, on: u32, round: i32, table: usize): u32 {
    const columns = Columns.get();
    const key = columns.keys + (pair - columns.pairs);
    for (let phase = 1, n = Scenario.word(Head.phases); phase < n; phase++) {
      Batch.phase(key, pair, phase, Places.at(round, phase, 0));
    }
    const a = <usize>load<u32>(pair);
    const d = <usize>load<u32>(pair, 4);
    if (!Ends.goesOn(a, d, table)) {
      Ends.count(key, a, d, Ends.of(a, d, table), round);
      return 0;
    }
    store<u64>(columns.keysAfter + ((<usize>on) << 3), load<u64>(key));
    store<u64>(columns.pairsAfter + ((<usize>on) << 3), load<u64>(pair));
    return 1;
  }

  /** Simulates a phase of one battle, whose words start at `place`. */
  static phase(key: usize, pair: usize, phase: i32, place: u32): void {
    const a = <usize>load<u32>(pair);
    const d = <usize>load<u32>(pair, 4);
    Stream.resume(load<u32>(key), load<u32>(key, 4));
    const dealt = Batch.hits(0, a, phase, place);
    const taken = Batch.hits(1, d, phase, place + Places.side);
    store<u32>(pair, load<u32>(a + (taken << 2), NEXT));
    store<u32>(pair, load<u32>(d + (dealt << 2), NEXT), 4);
  }

  static hits(side: usize, state: usize, phase: i32, place: u32): usize {
    let hits = 0;
    for (let roll = 0, n = States.rolls(side, phase); roll < n; roll++) {
      hits += Rows.hits(States.row(side, state, phase, roll), Stream.word(place + roll));
    }
    return hits;
  }
}
