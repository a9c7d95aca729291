/**
 * Sets of combatants who may be alive, as bits, and the mass of battles in which they are. The mass of a set is an
 * array over the wounds of its members, that is the hit points that they have lost. Rows run along the last member and
 * have room behind them, so that vectors may begin before a row and end behind it.
 */
import { workspace } from '../core/kernel';
import { SPECK } from '../core/law';
import { Mass } from './mass';

/** Numbers that are moved at once. */
export const BLOCK: i32 = 8;

/** Bytes behind the blocks of a row: a number that is not 0 if the row has mass, then zeros. */
const GAP: usize = 64;

/** Outcomes of sets with which battles go on, and of those that no battle comes to. */
export const MOVING: i32 = -1;
export const UNREACHED: i32 = -2;

/** A set of the living. */
@unmanaged
export class Living {
  /** Its mass when the round begins, and the moves of a round. */
  held: f64;
  price: f64;
  outcome: i32;
  /** Its mass by wounds. */
  rows: usize;
  /** The greatest damage of each combatant in a round. */
  reaches: usize;
  /** Victims whose damages have a joint law, and its table; once more if there are two independent laws. */
  victims: u32;
  table: usize;
  victimsToo: u32;
  tableToo: usize;
}

let records: usize = 0;

export class Sets {
  /** Takes memory for the records of all sets, none of them reached; false if there is none. */
  static room(): bool {
    const sets: usize = 1 << Mass.count();
    const column = (<usize>Mass.count()) << 2;
    records = workspace(sets * (offsetof<Living>() + column));
    if (records === 0) return false;
    memory.fill(records, 0, sets * offsetof<Living>());
    for (let set: usize = 0; set < sets; set++) {
      Sets.of(<u32>set).outcome = UNREACHED;
      Sets.of(<u32>set).reaches = records + sets * offsetof<Living>() + set * column;
    }
    return true;
  }

  @inline static of(set: u32): Living {
    return changetype<Living>(records + <usize>set * offsetof<Living>());
  }

  /** All combatants. */
  @inline static all(): u32 {
    return (1 << Mass.count()) - 1;
  }

  @inline static has(set: u32, c: i32): bool {
    return ((set >> c) & 1) !== 0;
  }

  /** The last member; -1 of nobody. */
  @inline static last(set: u32): i32 {
    return 31 - <i32>clz(set);
  }

  /** Those of a party. */
  static party(set: u32, party: i32): u32 {
    let own = set;
    for (let c = 0; c < Mass.count(); c++) if (Mass.unit(c).party !== party) own &= ~(1 << c);
    return own;
  }
}

export class Rows {
  /** Bytes of the blocks of a row. */
  @inline static width(set: u32): usize {
    const hp = set === 0 ? 1 : Mass.unit(Sets.last(set)).hp;
    return (<usize>(hp + BLOCK - 1) & ~(BLOCK - 1)) << 3;
  }

  /** Bytes from row to row. */
  @inline static pitch(set: u32): usize {
    return Rows.width(set) + GAP;
  }

  /** Bytes of an array, as a number that cannot overflow. */
  static bytes(set: u32): f64 {
    let rows = 1.0;
    for (let c = 0, last = Sets.last(set); c < last; c++) if (Sets.has(set, c)) rows *= <f64>Mass.unit(c).hp;
    return <f64>GAP + rows * <f64>Rows.pitch(set);
  }

  /** Blocks of an array: the price of looking at all of it, in moves. */
  static blocks(set: u32): f64 {
    return Rows.bytes(set) / <f64>(BLOCK << 3);
  }

  /** Bytes from one wound of a member to the next. */
  static stride(set: u32, c: i32): usize {
    const last = Sets.last(set);
    if (c === last) return 8;
    let stride = Rows.pitch(set);
    for (let other = last - 1; other > c; other--) if (Sets.has(set, other)) stride *= <usize>Mass.unit(other).hp;
    return stride;
  }

  /** Takes memory for so many bytes of an array; the first row, or 0 if there is none. */
  static room(bytes: f64): usize {
    const at = workspace(<usize>bytes);
    return at === 0 ? 0 : at + GAP;
  }

  static clear(set: u32, rows: usize): void {
    memory.fill(rows - GAP, 0, <usize>Rows.bytes(set));
  }

  static copy(set: u32, to: usize, from: usize): void {
    memory.copy(to - GAP, from - GAP, <usize>Rows.bytes(set));
  }

  @inline static isEmpty(row: usize, pitch: usize): bool {
    return load<f64>(row + pitch - GAP) === 0.0;
  }

  /** Drops specks and what vectors left behind the ends of rows, notes which rows have mass, and returns all of it. */
  static settle(set: u32, rows: usize): f64 {
    const pitch = Rows.pitch(set);
    const width = Rows.width(set);
    const end = rows - GAP + <usize>Rows.bytes(set);
    const hp = set === 0 ? 1 : Mass.unit(Sets.last(set)).hp;
    const speck = f64x2.splat(SPECK);
    let all: f64 = 0.0;
    for (let row = rows; row < end; row += pitch) {
      memory.fill(row + ((<usize>hp) << 3), 0, width - ((<usize>hp) << 3));
      let sum = f64x2.splat(0.0);
      for (let at = row; at < row + width; at += 16) {
        const numbers = v128.load(at);
        const kept = v128.and(numbers, f64x2.ge(numbers, speck));
        v128.store(at, kept);
        sum = f64x2.add(sum, kept);
      }
      const mass = f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
      store<f64>(row + width, mass);
      all += mass;
    }
    return all;
  }
}
