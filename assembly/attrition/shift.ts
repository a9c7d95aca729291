/**
 * Moves the mass of a set of the living by the joint law of damages of some of them. Along each member one of three
 * things happens: nothing, a shift by its damage if it lives on, or a sum over all damages that are enough if it falls.
 * The table of a law has, along each victim, the probabilities of damages 0 to its reach, then those of so much or more:
 * from its reach down to 1.
 */
import { Column } from '../core/column';
import { Joint } from './joint';
import { BLOCK, Rows, Sets } from './living';
import { Mass } from './mass';

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
   * Adds to `to` what becomes of the mass of `set` in `from`.
   * @param victims those whose damages `table` tells, `fallen` those of them who fall, `reaches` the greatest damages
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

  /** Adds to one number what of a row falls. */
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
