/** Places damage on the objects of a side, in the enemy's order. */
import { Scenario } from '../core/kernel';
import { Head, Side, Target } from '../generated/cube-bag';
import { Force, Party } from './party';

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
  @inline static muster(): void {
    store<i32>(marks, Scenario.word(Head.marks));
  }

  /** Damage left once a target has taken what it can. */
  @inline static onto(own: Force, target: Target, damage: i32): i32 {
    if (target.marks < 0) {
      const felled = min(own.units(target.slot), damage / target.need);
      own.fell(target.slot, felled);
      return damage - felled * target.need;
    }
    if (target.need > damage) {
      Damage.mark(damage);
      return 0;
    }
    own.raze(target.slot);
    Damage.mark(-target.marks);
    return damage - target.need;
  }

  /** True if something of a target stands that had `damage` to take. */
  @inline static stands(own: Force, target: Target, damage: i32): bool {
    return target.marks >= 0 ? target.need > damage : own.units(target.slot) > 0;
  }

  /** Places damage on a side group by group, as long as nothing of a group stands. */
  static place(side: usize, damage: i32): void {
    const own = Party.force(side);
    let left = damage;
    let group = 0;
    let standing = false;
    for (let i = 0, n = Party.word(side, Side.targetCount); i < n; i++) {
      const target = Party.target(side, i);
      if (target.group !== group) {
        if (standing) return;
        group = target.group;
      }
      const taken = left;
      left = Damage.onto(own, target, taken);
      if (Damage.stands(own, target, taken)) standing = true;
    }
  }
}
