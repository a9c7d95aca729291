/**
 * Plays battles a batch at a time, round by round: words are made for four battles at once, and nothing that a battle
 * looks up decides where the code goes on. Battles leave at the end of their round; those in which a roll could not
 * be looked up play that round again, with a search.
 */
import { Scenario } from '../core/kernel';
import { Lanes } from '../core/lanes';
import { Stream } from '../core/stream';
import { Tally } from '../core/tally';
import { Army, BY_TROOP, MAX_ROUNDS, NO_WAY_OUT, PHASE_BITS, PHASES, RETREAT_AFTER, TROOPS } from './army';
import { Battle, DEFENDER, RETREAT, STALEMATE, UNDECIDED } from './battle';
import { LOW, Rows } from './rows';
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
  NEXT,
  OPENING,
  States,
  UNARMED,
  UNHURT,
} from './states';

/** Battles of a batch. */
const BATTLES: u32 = 512;

/** A retreat that destroys the attacker: the last of the ends. */
const DESTROYED: i32 = ENDS - 1;

/** The round is to be played again. */
const AGAIN: i32 = ENDS;

/** Memory of a batch: keys and pairs of states before and after a round, and pairs that left it with their place before. */
const COLUMN: usize = 8 * <usize>BATTLES + 64;
export const BATCH_BYTES: usize = 6 * COLUMN;
let keys: usize = 0;
let pairs: usize = 0;
let keysAfter: usize = 0;
let pairsAfter: usize = 0;
let left: usize = 0;

/** The top bits of the words of four battles, by phase, side and roll. */
const drawn: usize = memory.data(16 * 16, 16);
const ATTACKER: usize = 0;
const DEFENDER_: usize = 32;
const SECOND: usize = 16;
const PHASE: usize = 64;

/** The rolls of a round: where the words of each go, and, in four lanes, their place in the first round. */
const rolls: usize = memory.data(16 * 32, 16);

/** Multipliers of the words. */
const multipliers: usize = memory.data(16 * 4, 16);

/** How battles end, by the classes of both sides: at the end of any round, when the attacker leaves, after the last. */
const ends: usize = memory.data(3 * 64);
const USUAL: usize = 0;
const LEAVING: usize = 64;
const LAST: usize = 128;

/** By end, the counter of battles that last no rounds. */
const rounds: usize = memory.data(4 * ENDS);

/** Bit by phase and side: the side rolls twice or more. */
let twice: u32 = 0;

/** Phases after the first one, how many words a battle takes in them, and whether a side takes three in one phase. */
let phases: i32 = 0;
let words: u32 = 0;
let isCrowded: bool = false;

export class Batch {
  /** Takes memory, and prepares to play what is tabulated. */
  static prepare(at: usize): void {
    keys = at;
    pairs = at + COLUMN;
    keysAfter = at + 2 * COLUMN;
    pairsAfter = at + 3 * COLUMN;
    left = at + 4 * COLUMN;
    phases = Scenario.word(PHASES);
    v128.store(multipliers, i32x4.splat(0xed5ad4bb));
    v128.store(multipliers, i32x4.splat(0xac4c1b51), 16);
    v128.store(multipliers, i32x4.splat(0x31848bab), 32);
    Batch.listRolls();
    Batch.listEnds();
  }

  static listRolls(): void {
    words = 0;
    twice = 0;
    isCrowded = false;
    for (let phase = 1; phase < phases; phase++) {
      for (let side: usize = 0; side < 2; side++) {
        const n = States.rolls(side, phase);
        if (n > FIRST) isCrowded = true;
        if (n > 1) twice |= 1 << (2 * phase + <i32>side);
        for (let roll = 0; roll < min(n, FIRST); roll++) {
          const entry = rolls + ((<usize>words) << 5);
          words++;
          const place = ((((<u32>phase) << 1) | <u32>side) << PHASE_BITS) + roll;
          v128.store(entry, i32x4.splat(place));
          store<u32>(entry, <u32>(drawn + <usize>phase * PHASE + side * DEFENDER_ + <usize>roll * SECOND), 16);
        }
      }
    }
  }

  static listEnds(): void {
    const leaving = Scenario.word(NO_WAY_OUT) ? DESTROYED : RETREAT;
    for (let c0 = 0; c0 <= LOST; c0++) {
      for (let c1 = 0; c1 <= LOST; c1++) {
        const at = ends + <usize>(c0 * CLASSES + c1);
        const lost = Battle.ending(i32(c0 < AIR_ONLY), i32(c0 < GONE), i32(c1 < AIR_ONLY), i32(c1 < GONE));
        const isFixed = c0 === LOST || c1 === LOST || lost !== UNDECIDED;
        const fixed = c0 === LOST || c1 === LOST ? AGAIN : lost;
        store<u8>(at + USUAL, <u8>(isFixed ? fixed : c1 === UNARMED ? STALEMATE : leaving));
        store<u8>(at + LEAVING, <u8>(isFixed ? fixed : leaving));
        store<u8>(at + LAST, <u8>(isFixed ? fixed : STALEMATE));
      }
    }
    for (let end = 0; end < ENDS; end++) {
      store<u32>(rounds + ((<usize>end) << 2), <u32>Tally.value(0, end === DESTROYED ? DEFENDER : end, 0));
    }
  }

  /** Plays and counts battles from..from + count - 1. */
  static run(runKey: u64, from: u64, count: u32): void {
    for (let done: u32 = 0; done < count; done += BATTLES) {
      Batch.play(runKey, from + done, min(BATTLES, count - done));
    }
  }

  static play(runKey: u64, from: u64, count: u32): void {
    Batch.open(runKey, from, count);
    const limit = Scenario.word(MAX_ROUNDS);
    const after = Scenario.word(RETREAT_AFTER);
    let battles = count;
    for (let round = 1; battles > 0; round++) {
      const isLast = round === after || round === limit;
      const table = round === after ? LEAVING : isLast ? LAST : USUAL;
      battles = isCrowded ? Batch.search(battles, round, table) : Batch.look(battles, round, table, isLast);
      Batch.swap();
    }
  }

  /** Plays a round of all battles by looking their hits up; returns how many go on. */
  @inline static look(battles: u32, round: i32, table: usize, isLast: bool): u32 {
    const on = Batch.round(battles, ((<u32>round) << 3) << PHASE_BITS, isLast);
    return Batch.leave(on, battles - on, round, table);
  }

  /** Plays a round of all battles by searching for their hits; returns how many go on. */
  static search(battles: u32, round: i32, table: usize): u32 {
    let on: u32 = 0;
    for (let i: u32 = 0; i < battles; i++) on += Batch.again(pairs + ((<usize>i) << 3), on, round, table);
    return on;
  }

  static swap(): void {
    const keysBefore = keys;
    const pairsBefore = pairs;
    keys = keysAfter;
    pairs = pairsAfter;
    keysAfter = keysBefore;
    pairsAfter = pairsBefore;
  }

  /** Brings the battles of a batch to the end of the phase that comes once. */
  static open(runKey: u64, from: u64, count: u32): void {
    const isPlayed = (States.rolls(0, 0) | States.rolls(1, 0)) > 0;
    const first = isPlayed ? OPENING : UNHURT;
    const pair = <u64>States.record(0, first) | ((<u64>States.record(1, first)) << 32);
    for (let i: u32 = 0; i < count; i++) {
      const at = (<usize>i) << 3;
      store<u64>(keys + at, Stream.key(runKey, from + i));
      store<u64>(pairs + at, pair);
      if (isPlayed) Batch.phase(keys + at, pairs + at, 0, 1 << (3 + PHASE_BITS));
    }
  }

  /** Plays a round; battles that go on close ranks in the columns after it. Returns how many they are. */
  static round(battles: u32, place: u32, isLast: bool): u32 {
    const m1 = v128.load(multipliers);
    const m2 = v128.load(multipliers, 16);
    const m3 = v128.load(multipliers, 32);
    const listed = rolls + ((<usize>words) << 5);
    const places = i32x4.splat(place);
    let keyTo = keysAfter;
    let pairTo = pairsAfter;
    let leftTo = left;
    let pair = pairs;
    let key = keys;
    const end = keys + ((<usize>battles) << 3);
    while (key < end) {
      const k0 = i32x4.add(v128.shuffle<i32>(v128.load(key), v128.load(key, 16), 0, 2, 4, 6), places);
      const k1 = v128.shuffle<i32>(v128.load(key), v128.load(key, 16), 1, 3, 5, 7);
      for (let roll = rolls; roll < listed; roll += 32) {
        let x = i32x4.add(k0, v128.load(roll));
        x = i32x4.mul(v128.xor(x, i32x4.shr_u(x, 17)), m1);
        x = i32x4.add(v128.xor(x, i32x4.shr_u(x, 11)), k1);
        x = i32x4.mul(x, m2);
        x = i32x4.mul(v128.xor(x, i32x4.shr_u(x, 15)), m3);
        v128.store(load<u32>(roll, 16), i32x4.shr_u(v128.xor(x, i32x4.shr_u(x, 14)), LOW));
      }
      const stop = min(key + 32, end);
      let slot = drawn;
      for (; key < stop; key += 8) {
        let a = <usize>load<u32>(pair);
        let d = <usize>load<u32>(pair, 4);
        if (phases > 1) {
          let dealt = <usize>load<u8>(<usize>(load<u32>(a, 40) + load<u32>(slot, 64)));
          let taken = <usize>load<u8>(<usize>(load<u32>(d, 40) + load<u32>(slot, 96)));
          if (twice & 4) dealt += <usize>load<u8>(<usize>(load<u32>(a, 44) + load<u32>(slot, 80)));
          if (twice & 8) taken += <usize>load<u8>(<usize>(load<u32>(d, 44) + load<u32>(slot, 112)));
          a = <usize>load<u32>(a + (taken << 2), NEXT);
          d = <usize>load<u32>(d + (dealt << 2), NEXT);
        }
        if (phases > 2) {
          let dealt = <usize>load<u8>(<usize>(load<u32>(a, 48) + load<u32>(slot, 128)));
          let taken = <usize>load<u8>(<usize>(load<u32>(d, 48) + load<u32>(slot, 160)));
          if (twice & 16) dealt += <usize>load<u8>(<usize>(load<u32>(a, 52) + load<u32>(slot, 144)));
          if (twice & 32) taken += <usize>load<u8>(<usize>(load<u32>(d, 52) + load<u32>(slot, 176)));
          a = <usize>load<u32>(a + (taken << 2), NEXT);
          d = <usize>load<u32>(d + (dealt << 2), NEXT);

          dealt = <usize>load<u8>(<usize>(load<u32>(a, 56) + load<u32>(slot, 192)));
          taken = <usize>load<u8>(<usize>(load<u32>(d, 56) + load<u32>(slot, 224)));
          if (twice & 64) dealt += <usize>load<u8>(<usize>(load<u32>(a, 60) + load<u32>(slot, 208)));
          if (twice & 128) taken += <usize>load<u8>(<usize>(load<u32>(d, 60) + load<u32>(slot, 240)));
          a = <usize>load<u32>(a + (taken << 2), NEXT);
          d = <usize>load<u32>(d + (dealt << 2), NEXT);
        }
        const gone = <usize>i32(load<i32>(a) < load<i32>(d)) | <usize>isLast;
        store<u32>(leftTo, <u32>a);
        store<u32>(leftTo, <u32>d, 4);
        store<u32>(leftTo, <u32>pair, 8);
        store<u32>(pairTo, <u32>a);
        store<u32>(pairTo, <u32>d, 4);
        store<u64>(keyTo, load<u64>(key));
        leftTo += gone << 4;
        pairTo += (gone ^ 1) << 3;
        keyTo += (gone ^ 1) << 3;
        pair += 8;
        slot += 4;
      }
    }
    return <u32>((keyTo - keysAfter) >> 3);
  }

  /** Counts the battles that left a round, and plays it again where it must be; returns how many battles go on. */
  static leave(on: u32, gone: u32, round: i32, table: usize): u32 {
    let battles = on;
    const lasted = (<usize>round) << 2;
    for (let at = left, end = left + ((<usize>gone) << 4); at < end; at += 16) {
      const a = <usize>load<u32>(at);
      const d = <usize>load<u32>(at, 4);
      const kind = select<usize>(table === LAST ? USUAL : table, table, load<i32>(a) < load<i32>(d));
      const ended = <usize>load<u8>(ends + kind + load<u32>(a, CLASS) + load<u32>(d, CLASS));
      if (ended === AGAIN) {
        battles += Batch.again(<usize>load<u32>(at, 8), battles, round, table);
        continue;
      }
      Batch.count(a, d, ended, lasted);
    }
    return battles;
  }

  @inline static count(a: usize, d: usize, ended: usize, lasted: usize): void {
    Tally.bump(a + (ended << 2) + COUNTERS);
    Tally.bump(d + (ended << 2) + COUNTERS);
    Tally.bump(<usize>load<u32>(rounds + (ended << 2)) + lasted);
  }

  /** Plays a round of one battle, which counts or goes on as number `on`; returns 1 if it does. */
  static again(pair: usize, on: u32, round: i32, table: usize): u32 {
    const key = keys + (pair - pairs);
    const place = ((<u32>round) << 3) << PHASE_BITS;
    for (let phase = 1; phase < phases; phase++) {
      Batch.phase(key, pair, phase, place + ((<u32>phase) << (1 + PHASE_BITS)));
    }
    const a = <usize>load<u32>(pair);
    const d = <usize>load<u32>(pair, 4);
    const isDecided = load<i32>(a) < load<i32>(d);
    if (!isDecided && table === USUAL) {
      store<u64>(keysAfter + ((<usize>on) << 3), load<u64>(key));
      store<u64>(pairsAfter + ((<usize>on) << 3), load<u64>(pair));
      return 1;
    }
    const kind = isDecided && table === LAST ? USUAL : table;
    Batch.count(a, d, load<u8>(ends + kind + load<u32>(a, CLASS) + load<u32>(d, CLASS)), (<usize>round) << 2);
    return 0;
  }

  /** Plays a phase of one battle, whose words begin at `place`. */
  static phase(key: usize, pair: usize, phase: i32, place: u32): void {
    const a = <usize>load<u32>(pair);
    const d = <usize>load<u32>(pair, 4);
    Stream.resume(load<u32>(key), load<u32>(key, 4));
    const dealt = Batch.roll(0, a, phase, place);
    const taken = Batch.roll(1, d, phase, place + (1 << PHASE_BITS));
    store<u32>(pair, load<u32>(a + (taken << 2), NEXT));
    store<u32>(pair, load<u32>(d + (dealt << 2), NEXT), 4);
  }

  static roll(side: usize, state: usize, phase: i32, place: u32): usize {
    let hits = 0;
    for (let roll = 0, n = States.rolls(side, phase); roll < n; roll++) {
      hits += Rows.hits(States.row(side, state, phase, roll), Stream.word(place + roll));
    }
    return hits;
  }

  /** Adds what was counted by states to the counters by metrics. */
  static settle(): void {
    for (let side: usize = 0; side < 2; side++) {
      const first = side === 0 ? 3 : 3 + Army.word(0, TROOPS);
      for (let state = UNHURT, n = States.roster(side).states; state < n; state++) {
        const counters = States.record(side, state) + COUNTERS;
        const force = States.force(side, state);
        for (let end = 0; end < ENDS; end++) {
          const battles = load<u32>(counters + ((<usize>end) << 2));
          if (battles === 0) continue;
          store<u32>(counters + ((<usize>end) << 2), 0);
          Batch.add(side, first, force, end, battles);
        }
      }
    }
  }

  static add(side: usize, first: i32, force: usize, end: i32, battles: u32): void {
    const outcome = end === DESTROYED ? DEFENDER : end;
    const none = end === DESTROYED && side === 0;
    if (side === 0) Tally.bump(Tally.outcome(outcome), battles);
    let units = 0;
    for (let t = 0, n = Army.word(side, TROOPS); t < n; t++) {
      const left = none ? 0 : load<i32>(force + BY_TROOP + ((<usize>t) << 2));
      units += left;
      Tally.bump(Tally.value(first + t, outcome, left), battles);
    }
    Tally.bump(Tally.value(1 + <i32>side, outcome, units), battles);
  }
}
