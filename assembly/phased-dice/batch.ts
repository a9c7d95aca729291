/**
 * Plays battles over states a batch at a time, all in the same round; they leave at the end of theirs. A battle of
 * which a roll was not told by its row plays the round once more, alone and with a search.
 */
import { Scenario } from '../core/kernel';
import { Stream } from '../core/stream';
import { Head, Places } from '../generated/phased-dice';
import { AGAIN, AT_ONCE, Ends, LAST, LEAVING, USUAL } from './ends';
import { Columns, Round } from './round';
import { Rows } from './rows';
import { NEXT, OPENING, States, UNHURT } from './states';

/** Battles of a batch. */
const BATTLES: u32 = 512;

/** Bytes of a column, which words are made for by fours. */
const COLUMN: usize = 8 * <usize>BATTLES + 64;
export const BATCH_BYTES: usize = 6 * COLUMN;

/** Whether rounds can be looked up. */
let isLookedUp: bool = false;

export class Batch {
  /** Prepares to play what is tabulated, in so much memory as `BATCH_BYTES` says. */
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

  /** Plays and counts battles from..from + count - 1. */
  static run(runKey: u64, from: u64, count: u32): void {
    const last = count % BATTLES;
    for (let done: u32 = 0; done < count - last; done += BATTLES) Batch.play(runKey, from + done, BATTLES);
    Batch.play(runKey, from + (count - last), last);
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

  /** Makes keys and plays the phase that comes once; returns how many battles go on. */
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

  /** Plays the air phase of a battle; returns 1 if it goes on, 0 if it is over and counted. */
  static fly(key: usize, pair: usize): u32 {
    Batch.phase(key, pair, 0, Places.at(1, 0, 0));
    const a = <usize>load<u32>(pair);
    const d = <usize>load<u32>(pair, 4);
    if (Ends.goesOn(a, d, AT_ONCE)) return 1;
    Ends.count(a, d, Ends.of(a, d, AT_ONCE), 1);
    return 0;
  }

  /** What was after a round is before the next. */
  static swap(): void {
    const columns = Columns.get();
    const keys = columns.keys;
    const pairs = columns.pairs;
    columns.keys = columns.keysAfter;
    columns.pairs = columns.pairsAfter;
    columns.keysAfter = keys;
    columns.pairsAfter = pairs;
  }

  /** Plays a round of all battles by looking their hits up; returns how many go on. */
  static look(battles: u32, round: i32, table: usize): u32 {
    const columns = Columns.get();
    let on = Round.play(columns, battles, Places.at(round, 0, 0), table !== USUAL);
    for (let at = columns.left, end = at + ((<usize>(battles - on)) << 4); at < end; at += 16) {
      const a = <usize>load<u32>(at);
      const d = <usize>load<u32>(at, 4);
      const ended = Ends.of(a, d, table);
      if (ended !== AGAIN) Ends.count(a, d, ended, round);
      else on += Batch.again(<usize>load<u32>(at, 8), on, round, table);
    }
    return on;
  }

  /** Plays a round of all battles by searching for their hits; returns how many go on. */
  static search(battles: u32, round: i32, table: usize): u32 {
    let on: u32 = 0;
    for (let i: u32 = 0; i < battles; i++) {
      on += Batch.again(Columns.get().pairs + ((<usize>i) << 3), on, round, table);
    }
    return on;
  }

  /** Plays a round of one battle, which is counted or goes on as number `on`; returns 1 if it does. */
  static again(pair: usize, on: u32, round: i32, table: usize): u32 {
    const columns = Columns.get();
    const key = columns.keys + (pair - columns.pairs);
    for (let phase = 1, n = Scenario.word(Head.phases); phase < n; phase++) {
      Batch.phase(key, pair, phase, Places.at(round, phase, 0));
    }
    const a = <usize>load<u32>(pair);
    const d = <usize>load<u32>(pair, 4);
    if (!Ends.goesOn(a, d, table)) {
      Ends.count(a, d, Ends.of(a, d, table), round);
      return 0;
    }
    store<u64>(columns.keysAfter + ((<usize>on) << 3), load<u64>(key));
    store<u64>(columns.pairsAfter + ((<usize>on) << 3), load<u64>(pair));
    return 1;
  }

  /** Plays a phase of one battle, whose words begin at `place`. */
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
