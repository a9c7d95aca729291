/** Objects that fall one at a time, each as the side that deals the damage chooses. */
import { Side, Target } from '../generated/cube-bag';
import { Damage } from './damage';
import { OPEN, Party } from './party';

const NONE: i32 = -1;

/** The first group in which anything stands, as the last look has found it. */
let group: i32 = NONE;

/** What it has found to choose from: the first target, a structure that falls for nothing, and whether any is open. */
let first: i32 = NONE;
let free: i32 = NONE;
let isOpen: bool = false;

export class Removal {
  /** How many structures of its type fall before a target that stands, 0 for units; below 0 if nothing of it stands. */
  static ahead(side: usize, index: i32): i32 {
    const target = Party.target(side, index);
    const own = Party.force(side);
    if (target.marks < 0) return own.units(target.slot) > 0 ? 0 : -1;
    let ahead = -own.fallen(target.slot);
    for (let i = index - 1; i >= 0 && Party.target(side, i).slot === target.slot; i--) ahead++;
    return ahead;
  }

  /** True if so much damage fells or marks a target that is the next of its type. */
  @inline static bears(target: Target, damage: i32): bool {
    return target.need <= damage || (target.marks >= 0 && damage > 0);
  }

  /** The first group in which anything stands, where open objects lie between those of groups. */
  static lowest(side: usize): i32 {
    let lowest = i32.MAX_VALUE;
    for (let i = 0, n = Party.word(side, Side.targetCount); i < n; i++) {
      const target = Party.target(side, i);
      if (target.group !== OPEN && target.group < lowest && Removal.ahead(side, i) >= 0) lowest = target.group;
    }
    return lowest;
  }

  /**
   * Looks for objects that so much damage touches: of the first group in which anything stands, and open ones. Returns of
   * how many types they are. Objects of one type lie side by side.
   */
  static touched(side: usize, damage: i32): i32 {
    const isMixed = Party.word(side, Side.mixed) !== 0;
    let kinds = 0;
    let last = NONE;
    group = isMixed ? Removal.lowest(side) : NONE;
    first = NONE;
    free = NONE;
    isOpen = false;
    for (let i = 0, n = Party.word(side, Side.targetCount); i < n; i++) {
      const target = Party.target(side, i);
      if (group !== NONE && target.group > group) {
        if (isMixed) continue;
        break;
      }
      const ahead = Removal.ahead(side, i);
      if (ahead < 0) continue;
      if (!isMixed) group = target.group;
      if (ahead > 0 || !Removal.bears(target, damage)) continue;
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
    return Removal.bears(target, damage) && Removal.ahead(side, index) === 0;
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
    for (let i = 0, n = Party.word(side, Side.targetCount); i < n; i++) {
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
