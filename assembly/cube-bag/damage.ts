/** Places damage on the objects of a side, in the enemy's order. */
import { Column } from '../core/column';
import { Party, TARGET_COUNT, Target } from './party';

/** Where the marks on structures that stand are counted. */
let marks: usize = memory.data(4);

export class Damage {
  /** Keeps the count of marks at `at` from here on. */
  @inline static bind(at: usize): void {
    marks = at;
  }

  /** Marks on structures that stand. */
  @inline static marks(): i32 {
    return load<i32>(marks);
  }

  @inline static mark(damage: i32): void {
    store<i32>(marks, load<i32>(marks) + damage);
  }

  /** Marks on structures before the battle. */
  static muster(): void {
    let before = 0;
    for (let i = 0, n = Party.word(1, TARGET_COUNT); i < n; i++) before += max(0, Party.target(1, i).marks);
    store<i32>(marks, before);
  }

  /** Fells so many units of a target; returns the damage left. */
  @inline static fell(side: usize, target: Target, felled: i32, damage: i32): i32 {
    const own = Party.gains(side);
    Column.add(Party.units(side), target.slot, -felled);
    Column.add(Party.fallen(side), target.slot, felled);
    own.lost += felled;
    own.unitsLost += felled;
    own.left -= felled;
    return damage - felled * target.need;
  }

  /** Damage left once a target has taken what it can. */
  @inline static onto(side: usize, target: Target, damage: i32): i32 {
    if (target.marks < 0) {
      const felled = min(Column.get(Party.units(side), target.slot), damage / target.need);
      return Damage.fell(side, target, felled, damage);
    }
    if (target.need > damage) {
      Damage.mark(damage);
      return 0;
    }
    Column.add(Party.fallen(side), target.slot, 1);
    Party.gains(side).lost++;
    Damage.mark(-target.marks);
    return damage - target.need;
  }

  /** True if something of a target stands that had `damage` to take. */
  @inline static stands(side: usize, target: Target, damage: i32): bool {
    return target.marks >= 0 ? target.need > damage : Column.get(Party.units(side), target.slot) > 0;
  }

  /** Places damage on a side group by group, as long as nothing of a group stands. */
  static place(side: usize, damage: i32): void {
    let left = damage;
    let group = 0;
    let standing = false;
    for (let i = 0, n = Party.word(side, TARGET_COUNT); i < n; i++) {
      const target = Party.target(side, i);
      if (target.group !== group) {
        if (standing) return;
        group = target.group;
      }
      const taken = left;
      left = Damage.onto(side, target, taken);
      if (Damage.stands(side, target, taken)) standing = true;
    }
  }
}
