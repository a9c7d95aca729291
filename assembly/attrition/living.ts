/**
 * Sets of living combatants, as bits, and the mass of battles with them. The mass of a set is an array over the wounds
 * of its members, that is, their lost hit points. Rows run along the last member and have space behind them, so that
 * vectors may start before a row and end behind it.
 */
import { Column } from '../core/column';
import { SPECK } from '../core/distribution';
import { workspace } from '../core/kernel';
import { Mass } from './mass';

/** Numbers that are moved at once. */
export const BLOCK: i32 = 8;

/** Bytes behind the blocks of a row: a number that is not 0 if the row has mass, then zeros. */
const GAP: usize = 64;

/** Outcomes of sets whose battles continue, and of those that no battle reaches. */
export const MOVING: i32 = -1;
export const UNREACHED: i32 = -2;

/** A set of the living. */
@unmanaged
export class Living {
  /** Its mass at the start of a round, and the moves of a round. */
  held: f64;
  price: f64;
  outcome: i32;
  /** Its mass by wounds. */
  rows: usize;
  /** The greatest damage of each combatant in a round. */
  reaches: usize;
  /** Victims with a joint distribution of damages, and its table; twice if there are two independent distributions. */
  victims: u32;
  table: usize;
  victimsToo: u32;
  tableToo: usize;
}

let records: usize = 0;

export class Sets {
  /** Allocates memory for the records of all sets, none of them reached; false if there is none. */
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

  /** The last member; -1 if the set is empty. */
  @inline static last(set: u32): i32 {
    return 31 - <i32>clz(set);
  }

  /** Members of a party. */
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

  /** Allocates this number of bytes for an array; returns the first row, or 0 if memory is exhausted. */
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

  /**
   * Drops negligible mass and the remains of vectors behind the ends of rows, marks rows with mass, and returns all
   * mass.
   */
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

// Tables of joint distributions of damages. Along each victim, the last one innermost, there are the probabilities of
// damages from 0 to its reach, then those of at least this damage: from its reach down to 1.

export class Joint {
  /** Numbers along a victim. */
  @inline static extent(reach: i32): i32 {
    return 2 * reach + 1;
  }

  /** Bytes of a table, as a number that cannot overflow. */
  static bytes(victims: u32, reaches: usize): f64 {
    let bytes = 8.0;
    for (let rest = victims; rest !== 0; rest &= rest - 1) bytes *= <f64>Joint.extent(Column.get(reaches, ctz(rest)));
    return bytes;
  }

  /** Bytes from one damage of a victim to the next. */
  static stride(victims: u32, reaches: usize, victim: i32): usize {
    const after = victims & ~((2 << victim) - 1);
    return <usize>Joint.bytes(after, reaches);
  }

  /** Writes the table of a distribution of damages from 0 to the reach, without gaps. */
  static write(table: usize, victims: u32, reaches: usize, law: usize): void {
    const bytes = <usize>Joint.bytes(victims, reaches);
    memory.fill(table, 0, bytes);
    Joint.place(table, victims, reaches, law);
    for (let rest = victims; rest !== 0; rest &= rest - 1) {
      const victim = <i32>ctz(rest);
      Joint.sum(table, bytes, Joint.stride(victims, reaches, victim), Column.get(reaches, victim));
    }
  }

  /** Copies a distribution to its place; returns its end. */
  static place(table: usize, victims: u32, reaches: usize, law: usize): usize {
    const victim = <i32>ctz(victims);
    const others = victims & (victims - 1);
    const stride = Joint.stride(victims, reaches, victim);
    let from = law;
    for (let damage = 0, reach = Column.get(reaches, victim); damage <= reach; damage++) {
      const to = table + <usize>damage * stride;
      if (others !== 0) from = Joint.place(to, others, reaches, from);
      else {
        store<f64>(to, load<f64>(from));
        from += 8;
      }
    }
    return from;
  }

  /** Sums along a victim, for all damages of the others. */
  static sum(table: usize, bytes: usize, stride: usize, reach: i32): void {
    const line = stride * <usize>Joint.extent(reach);
    for (let block = table; block < table + bytes; block += line) {
      for (let at = block; at < block + stride; at += 8) {
        let sum: f64 = 0.0;
        for (let damage = reach; damage > 0; damage--) {
          sum += load<f64>(at + <usize>damage * stride);
          store<f64>(at + <usize>(2 * reach + 1 - damage) * stride, sum);
        }
      }
    }
  }
}

// Moves the mass of a set of the living by the joint distribution of damages of some of them. Along each member there
// are three cases: no damage, a shift by its damage if it survives, or a sum over all sufficient damages if it falls.

const UNHURT: i32 = 0;
const LIVES: i32 = 1;
const FALLS: i32 = 2;

@unmanaged
class Axis {
  what: i32;
  /** Hit points, and the greatest damage. */
  hp: i32;
  reach: i32;
  /** Bytes from one wound, or one damage, to the next. */
  from: usize;
  to: usize;
  law: usize;
}

const axes: usize = memory.data(16 * 24, 8);

let last: i32 = 0;
let pitch: usize = 0;

export class Shift {
  @inline static axis(index: i32): Axis {
    return changetype<Axis>(axes + <usize>index * offsetof<Axis>());
  }

  /**
   * Adds the resulting mass of `set` in `from` to `to`.
   * @param victims those with damages in `table`; `fallen` are those of them who fall, `reaches` the greatest damages
   */
  static add(set: u32, from: usize, victims: u32, fallen: u32, table: usize, reaches: usize, to: usize): void {
    const left = set & ~fallen;
    let law: usize = 8;
    last = -1;
    for (let c = Sets.last(set), index = popcnt(set); c >= 0; c--) {
      if (!Sets.has(set, c)) continue;
      const axis = Shift.axis(--index);
      const isHurt = Sets.has(victims, c);
      axis.what = isHurt ? (Sets.has(fallen, c) ? FALLS : LIVES) : UNHURT;
      axis.hp = Mass.unit(c).hp;
      axis.reach = Column.get(reaches, c);
      axis.from = Rows.stride(set, c);
      axis.to = Rows.stride(left, c);
      axis.law = law;
      if (isHurt) law *= <usize>Joint.extent(axis.reach);
      last++;
    }
    pitch = Rows.pitch(set);
    Shift.along(0, from, to, table);
  }

  /** Goes along an axis; on the last one moves rows. */
  static along(index: i32, from: usize, to: usize, law: usize): void {
    const axis = Shift.axis(index);
    if (index === last) {
      Shift.row(axis, from, to, law);
      return;
    }
    const hp = axis.hp;
    const reach = axis.reach;
    if (axis.what === LIVES) {
      for (let after = 0; after < hp; after++) {
        for (let damage = 0, most = min(reach, after); damage <= most; damage++) {
          const source = from + <usize>(after - damage) * axis.from;
          Shift.along(index + 1, source, to + <usize>after * axis.to, law + <usize>damage * axis.law);
        }
      }
    } else if (axis.what === FALLS) {
      for (let k = 0; k < reach; k++) {
        const source = from + <usize>(hp - reach + k) * axis.from;
        Shift.along(index + 1, source, to, law + <usize>(reach + 1 + k) * axis.law);
      }
    } else {
      for (let wounds = 0; wounds < hp; wounds++) {
        Shift.along(index + 1, from + <usize>wounds * axis.from, to + <usize>wounds * axis.to, law);
      }
    }
  }

  @inline static row(axis: Axis, from: usize, to: usize, law: usize): void {
    if (Rows.isEmpty(from, pitch)) return;
    if (axis.what === LIVES) Shift.spread(axis, from, to, law);
    else if (axis.what === FALLS) Shift.fell(axis, from, to, law);
    else Shift.scale(axis, from, to, load<f64>(law));
  }

  /** Adds a row, shifted by each damage. */
  static spread(axis: Axis, from: usize, to: usize, law: usize): void {
    for (let after = 0; after < axis.hp; after += BLOCK) {
      const into = to + ((<usize>after) << 3);
      let source = from + ((<usize>after) << 3);
      let a = v128.load(into);
      let b = v128.load(into, 16);
      let c = v128.load(into, 32);
      let d = v128.load(into, 48);
      const end = law + ((<usize>min(axis.reach, after + BLOCK - 1)) << 3);
      for (let at = law; at <= end; at += 8) {
        const share = v128.load64_splat(at);
        a = f64x2.add(a, f64x2.mul(share, v128.load(source)));
        b = f64x2.add(b, f64x2.mul(share, v128.load(source, 16)));
        c = f64x2.add(c, f64x2.mul(share, v128.load(source, 32)));
        d = f64x2.add(d, f64x2.mul(share, v128.load(source, 48)));
        source -= 8;
      }
      v128.store(into, a);
      v128.store(into, b, 16);
      v128.store(into, c, 32);
      v128.store(into, d, 48);
    }
  }

  /** Adds the falling part of a row to one number. */
  static fell(axis: Axis, from: usize, to: usize, law: usize): void {
    const reach = axis.reach;
    let source = from + ((<usize>(axis.hp - reach)) << 3);
    let at = law + ((<usize>(reach + 1)) << 3);
    let sums = f64x2.splat(0.0);
    for (const end = at + ((<usize>(reach & ~1)) << 3); at < end; at += 16) {
      sums = f64x2.add(sums, f64x2.mul(v128.load(source), v128.load(at)));
      source += 16;
    }
    let sum = f64x2.extract_lane(sums, 0) + f64x2.extract_lane(sums, 1);
    if (reach & 1) sum += load<f64>(source) * load<f64>(at);
    store<f64>(to, load<f64>(to) + sum);
  }

  /** Adds a row times a probability. */
  static scale(axis: Axis, from: usize, to: usize, probability: f64): void {
    if (probability === 0.0) return;
    const share = f64x2.splat(probability);
    for (let at: usize = 0, end = (<usize>axis.hp) << 3; at < end; at += 16) {
      v128.store(to + at, f64x2.add(v128.load(to + at), f64x2.mul(share, v128.load(from + at))));
    }
  }
}
