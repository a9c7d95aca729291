/** Objects that fall one at a time, each as the side that deals the damage chooses. */
import { Damage } from './damage';
import { MIXED, OPEN, Party, TARGET_COUNT } from './party';

const NONE: i32 = -1;

/** The first group in which anything stands, as the last look has found it. */
let group: i32 = NONE;

/** What it has found to choose from: the first target, a structure that falls for nothing, and whether any is open. */
let first: i32 = NONE;
let free: i32 = NONE;
let isOpen: bool = false;

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
    return (damage > 0 || target.need === 0) && Removal.before(side, index) === Party.force(side).fallen(target.slot);
  }

  /** The first group in which anything stands, where open objects lie between those of groups. */
  static lowest(side: usize): i32 {
    let lowest = i32.MAX_VALUE;
    for (let i = 0, n = Party.word(side, TARGET_COUNT); i < n; i++) {
      const target = Party.target(side, i);
      if (target.group !== OPEN && target.group < lowest && Removal.stands(side, i)) lowest = target.group;
    }
    return lowest;
  }

  /**
   * Looks for objects that so much damage touches: of the first group in which anything stands, and open ones. Returns of
   * how many types they are. Objects of one type lie side by side.
   */
  static touched(side: usize, damage: i32): i32 {
    const isMixed = Party.word(side, MIXED) !== 0;
    let kinds = 0;
    let last = NONE;
    group = isMixed ? Removal.lowest(side) : NONE;
    first = NONE;
    free = NONE;
    isOpen = false;
    for (let i = 0, n = Party.word(side, TARGET_COUNT); i < n; i++) {
      const target = Party.target(side, i);
      if (group !== NONE && target.group > group) {
        if (isMixed) continue;
        break;
      }
      if (!Removal.stands(side, i)) continue;
      if (!isMixed) group = target.group;
      if (!Removal.touches(side, i, damage)) continue;
      if (target.group === OPEN) isOpen = true;
      if (target.need === 0 && free === NONE) free = i;
      if (target.kind === last) continue;
      last = target.kind;
      if (kinds++ === 0) first = i;
    }
    return kinds;
  }

  /**
   * The same, when structures that fall for nothing have fallen. Where something else is open, that is a choice as any
   * other.
   */
  static look(side: usize, damage: i32): i32 {
    let kinds = Removal.touched(side, damage);
    while (free !== NONE && !isOpen) {
      Damage.onto(Party.force(side), Party.target(side, free), damage);
      kinds = Removal.touched(side, damage);
    }
    return kinds;
  }

  /** True if a target can be chosen, by the group that the last look has found. */
  static allows(side: usize, index: i32, damage: i32): bool {
    const target = Party.target(side, index);
    if (target.group !== group && target.group !== OPEN) return false;
    return Removal.stands(side, index) && Removal.touches(side, index, damage);
  }

  /** Places damage as the scenario's policy has it. */
  static place(side: usize, damage: i32): void {
    let left = damage;
    while (Removal.look(side, left) > 0) left = Damage.onto(Party.force(side), Party.target(side, first), left);
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

  /** The slot that the scenario's policy chooses where there is a choice. */
  static choice(side: usize, damage: i32): i32 {
    Removal.look(side, damage);
    return Party.target(side, first).slot;
  }

  /** The target that a choice of a type means, or -1. */
  static find(side: usize, kind: i32, damage: i32): i32 {
    Removal.look(side, damage);
    for (let i = 0, n = Party.word(side, TARGET_COUNT); i < n; i++) {
      if (Party.target(side, i).kind === kind && Removal.allows(side, i, damage)) return i;
    }
    return NONE;
  }

  /** Removes one object of a type, or marks it; returns the damage left. */
  static take(side: usize, kind: i32, damage: i32): i32 {
    const target = Party.target(side, Removal.find(side, kind, damage));
    if (target.marks >= 0) return Damage.onto(Party.force(side), target, damage);
    Party.force(side).fell(target.slot, 1);
    return damage - target.need;
  }
}
