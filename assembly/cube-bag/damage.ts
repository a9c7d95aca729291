/** Places damage on the objects of a side, in the enemy's order. */
import { Column } from '../core/column';
import { fallen, Party, TARGET_COUNT, Target, units } from './party';

/** Marks on structures that stand. */
export let marks: i32 = 0;

export class Damage {
  /** Marks on structures before the battle. */
  static muster(): void {
    marks = 0;
    for (let i = 0, n = Party.word(1, TARGET_COUNT); i < n; i++) marks += max(0, Party.target(1, i).marks);
  }

  /** Damage left once a target has taken what it can. */
  @inline static onto(side: usize, target: Target, damage: i32): i32 {
    const own = Party.gains(side);
    const dead = Party.column(fallen, side);
    if (target.marks >= 0) {
      if (target.need > damage) {
        marks += damage;
        return 0;
      }
      Column.add(dead, target.slot, 1);
      own.lost++;
      marks -= target.marks;
      return damage - target.need;
    }
    const living = Party.column(units, side);
    const count = Column.get(living, target.slot);
    const felled = min(count, damage / target.need);
    Column.set(living, target.slot, count - felled);
    Column.set(dead, target.slot, felled);
    own.lost += felled;
    own.unitsLost += felled;
    own.left -= felled;
    return damage - felled * target.need;
  }

  /** True if something of a target stands that had `damage` to take. */
  @inline static stands(side: usize, target: Target, damage: i32): bool {
    return target.marks >= 0 ? target.need > damage : Column.get(Party.column(units, side), target.slot) > 0;
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
