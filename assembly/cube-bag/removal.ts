/** Objects that fall one at a time, each as the side that deals the damage chooses. */
import { Damage } from './damage';
import { Party, TARGET_COUNT } from './party';

const NONE: i32 = -1;

/** What the last look has found: the first target that can be chosen, and the group of all that can. */
let first: i32 = NONE;
let group: i32 = NONE;

export class Removal {
  /** Structures of a target's type that fall before it. */
  static before(side: usize, index: i32): i32 {
    const slot = Party.target(side, index).slot;
    let before = 0;
    while (before < index && Party.target(side, index - before - 1).slot === slot) before++;
    return before;
  }

  static stands(side: usize, index: i32): bool {
    const target = Party.target(side, index);
    if (target.marks < 0) return Party.force(side).units(target.slot) > 0;
    return Removal.before(side, index) >= Party.force(side).fallen(target.slot);
  }

  /** True if a target that stands is the next of its type, and so much damage touches it. */
  static touches(side: usize, index: i32, damage: i32): bool {
    const target = Party.target(side, index);
    if (target.marks < 0) return target.need <= damage;
    return damage > 0 && Removal.before(side, index) === Party.force(side).fallen(target.slot);
  }

  /**
   * Looks for objects that so much damage touches, all in the first group in which anything stands; structures that
   * fall for nothing have fallen then. Returns of how many types they are.
   */
  static look(side: usize, damage: i32): i32 {
    let kinds = 0;
    first = NONE;
    group = NONE;
    for (let i = 0, n = Party.word(side, TARGET_COUNT); i < n; i++) {
      const target = Party.target(side, i);
      if (group !== NONE && target.group !== group) break;
      if (!Removal.stands(side, i)) continue;
      if (target.need === 0) {
        Damage.onto(Party.force(side), target, damage);
        continue;
      }
      group = target.group;
      if (!Removal.touches(side, i, damage)) continue;
      if (kinds++ === 0) first = i;
    }
    return kinds;
  }

  /** True if a target can be chosen, by what the last look has found. */
  static isOpen(side: usize, index: i32, damage: i32): bool {
    const target = Party.target(side, index);
    return target.group === group && Removal.stands(side, index) && Removal.touches(side, index, damage);
  }

  /** Places damage as long as that leaves no choice; returns what is left if there is one, or -1. */
  static settle(side: usize, damage: i32): i32 {
    let left = damage;
    let kinds = Removal.look(side, left);
    while (kinds === 1) {
      left = Damage.onto(Party.force(side), Party.target(side, first), left);
      kinds = Removal.look(side, left);
    }
    return kinds > 1 ? left : NONE;
  }

  /** The type that the scenario's policy chooses where there is a choice. */
  static choice(side: usize, damage: i32): i32 {
    Removal.look(side, damage);
    return Party.target(side, first).slot;
  }

  /** The target that a choice of a type means, or -1. */
  static find(side: usize, slot: i32, damage: i32): i32 {
    Removal.look(side, damage);
    for (let i = 0, n = Party.word(side, TARGET_COUNT); i < n; i++) {
      if (Party.target(side, i).slot === slot && Removal.isOpen(side, i, damage)) return i;
    }
    return NONE;
  }

  /** Removes one object of a type, or marks it; returns the damage left. */
  static take(side: usize, slot: i32, damage: i32): i32 {
    const target = Party.target(side, Removal.find(side, slot, damage));
    if (target.marks >= 0) return Damage.onto(Party.force(side), target, damage);
    Party.force(side).fell(target.slot, 1);
    return damage - target.need;
  }
}
