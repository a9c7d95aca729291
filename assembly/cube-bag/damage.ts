/** Damage on the objects of a side, in the enemy's order or object by object as the enemy chooses. */
import { Scenario } from '../core/kernel';
import { Head, Side, Target } from '../generated/cube-bag';
import { Force, Party } from './side';

// Places damage on the objects of a side, in the order of the enemy.

/** Address of the marks on remaining structures. */
let marks: usize = memory.data(4);

export class Damage {
  /** Stores the number of marks at `at` from now on. */
  @inline static bind(at: usize): void {
    marks = at;
  }

  /** Returns the marks on remaining structures. */
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

  /** Returns the damage that is left after a target has taken its part. */
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

  /** Returns true if a part of a target remains after `damage`. */
  @inline static stands(own: Force, target: Target, damage: i32): bool {
    return target.marks >= 0 ? target.need > damage : own.units(target.slot) > 0;
  }

  /** Places damage on a side group by group, while nothing of a group remains. */
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

// Objects that fall one at a time, each as the side that deals the damage chooses.

const NONE: i32 = -1;

/** Bits of a group: a priority has at most 50, and omitted objects are one more. No group has all bits set. */
const GROUP_BITS: u64 = 6;
const NO_GROUP: u64 = (1 << GROUP_BITS) - 1;

/**
 * The first remaining group of each zone by the last search, those of later zones in higher bits. A side has at most 10
 * zones: the target hex, one for each army, and all others together. A copy in memory would be shared.
 */
let groups: u64 = 0;

/** Result of the search: the first target, a structure that needs no damage, and whether zones differ. */
let first: i32 = NONE;
let free: i32 = NONE;
let isMixed: bool = false;

export class Removal {
  /**
   * Returns the number of structures of its slot that fall before a remaining target, 0 for units; below 0 if nothing
   * of it remains.
   */
  static ahead(side: usize, index: i32): i32 {
    const target = Party.target(side, index);
    const own = Party.force(side);
    if (target.marks < 0) return own.units(target.slot) > 0 ? 0 : -1;
    return target.before - own.fallen(target.slot);
  }

  /** True if so much damage fells or marks a target that is the next of its slot. */
  @inline static bears(target: Target, damage: i32): bool {
    return target.need <= damage || (target.marks >= 0 && damage > 0);
  }

  /** Returns the first remaining group in the zone of a target. */
  @inline static group(target: Target): i32 {
    return <i32>((groups >> (<u64>target.zone * GROUP_BITS)) & NO_GROUP);
  }

  /** Sets the group of a target as the first of its zone. */
  @inline static open(target: Target): void {
    const shift = <u64>target.zone * GROUP_BITS;
    groups = (groups & ~(NO_GROUP << shift)) | ((<u64>target.group) << shift);
  }

  /** Finds the first remaining group of each zone; all objects without a priority are one group, 0. */
  static survey(side: usize): void {
    groups = ~NO_GROUP;
    for (let i = 0, n = Party.word(side, Side.targetCount); i < n; i++) {
      const target = Party.target(side, i);
      if (target.group < Removal.group(target) && Removal.ahead(side, i) >= 0) Removal.open(target);
    }
  }

  /**
   * Finds the objects that an amount of damage can affect, if all are in one zone: in the first remaining group.
   * Returns the number of their types. Objects of one type are adjacent, groups are in order.
   */
  static within(side: usize, damage: i32): i32 {
    let kinds = 0;
    let last = NONE;
    let group = NONE;
    for (let i = 0, n = Party.word(side, Side.targetCount); i < n; i++) {
      const target = Party.target(side, i);
      if (group !== NONE && target.group > group) break;
      const ahead = Removal.ahead(side, i);
      if (ahead < 0) continue;
      if (group === NONE) {
        group = target.group;
        Removal.open(target);
      }
      if (ahead > 0 || !Removal.bears(target, damage)) continue;
      if (target.need === 0 && free === NONE) free = i;
      if (target.kind === last) continue;
      last = target.kind;
      if (kinds++ === 0) first = i;
    }
    return kinds;
  }

  /** Finds them for several zones: in the first remaining group of each. */
  static across(side: usize, damage: i32): i32 {
    let kinds = 0;
    let last = NONE;
    let zone = NONE;
    Removal.survey(side);
    for (let i = 0, n = Party.word(side, Side.targetCount); i < n; i++) {
      if (!Removal.allows(side, i, damage)) continue;
      const target = Party.target(side, i);
      if (zone !== NONE && zone !== target.zone) isMixed = true;
      zone = target.zone;
      if (target.need === 0 && free === NONE) free = i;
      if (target.kind === last) continue;
      last = target.kind;
      if (kinds++ === 0) first = i;
    }
    return kinds;
  }

  /** Finds the objects that an amount of damage can affect, and returns the number of their types. */
  static touched(side: usize, damage: i32): i32 {
    first = NONE;
    free = NONE;
    isMixed = false;
    return Party.word(side, Side.mixed) ? Removal.across(side, damage) : Removal.within(side, damage);
  }

  /**
   * Finds them after structures that need no damage have fallen. If objects of several zones can fall, that is a choice
   * as any other.
   */
  static look(side: usize, damage: i32): i32 {
    let kinds = Removal.touched(side, damage);
    while (free !== NONE && !isMixed) {
      Damage.onto(Party.force(side), Party.target(side, free), damage);
      kinds = Removal.touched(side, damage);
    }
    return kinds;
  }

  /** Returns true if a target can be chosen, by the groups of the last search. */
  static allows(side: usize, index: i32, damage: i32): bool {
    const target = Party.target(side, index);
    if (target.group !== Removal.group(target)) return false;
    return Removal.bears(target, damage) && Removal.ahead(side, index) === 0;
  }

  /** Places damage by the policy of the scenario. */
  static place(side: usize, damage: i32): void {
    let left = damage;
    while (Removal.look(side, left) > 0) left = Damage.onto(Party.force(side), Party.target(side, first), left);
  }

  /** Places damage while there is no choice; returns the remaining damage at a choice, or -1. */
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
