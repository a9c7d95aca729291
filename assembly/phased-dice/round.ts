/**
 * A round of many battles. Words are made for four battles at once; then each battle goes through its phases by
 * lookups alone, and nothing that it finds decides where the code goes on: hits that a row does not tell lead to the
 * state `NOWHERE`, and every battle is written both to those that go on and to those that leave.
 */
import { Scenario } from '../core/kernel';
import { Lanes } from '../core/lanes';
import { Head, Places } from '../generated/phased-dice';
import { LOW } from './rows';
import { FIRST, FIRST_ROWS, NEXT, States } from './states';

/** Where the battles of a batch lie: keys and pairs of states before a round and after it, and those that leave. */
@unmanaged
export class Columns {
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

/** The rolls of a round: in four lanes the place of their words, counted from those of the round, and where these go. */
const rolls: usize = memory.data(16 * 32, 16);
const TO: usize = 16;
let rollsEnd: usize = 0;

/** Bits by phase and side: the side rolls twice. */
let twice: u32 = 0;
const TWICE_1: u32 = 1 << 2;
const TWICE_2: u32 = 1 << 4;
const TWICE_3: u32 = 1 << 6;

let phases: i32 = 0;

export class Round {
  /** Prepares for what is tabulated; false if a side rolls so often in a phase that rounds must be searched. */
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

  /** Makes the words of the four battles whose keys lie at `key`. */
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
   * Plays a round of so many battles whose words begin at `place`; all leave after the last one. Returns how many go
   * on.
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
