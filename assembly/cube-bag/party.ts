/** What a side has: its part of the scenario's head, its units and what has come of it. */
import { Column } from '../core/column';
import { Scenario } from '../core/kernel';

/** As many types as a side can have: units of the table, those added, structures. */
const TYPES_MAX: i32 = 128;

/** Words of the head before the sides', and of each side. */
const SIDES: usize = 6;
const SIDE_WORDS: usize = 13;

/** Words of a side, counted from its own first. */
export const COURAGE: usize = 0;
export const TROOPS: usize = 1;
export const TYPES: usize = 2;
const STRUCTURES: usize = 3;
const MUSTER: usize = 4;
const TARGETS: usize = 5;
export const TARGET_COUNT: usize = 6;
const TAKEN: usize = 7;
export const CONVERSIONS: usize = 8;
export const CONVERSION: usize = 9;
export const RECOVERIES: usize = 10;
export const RECOVERY: usize = 11;
export const REDRAW: usize = 12;

@unmanaged
export class Target {
  group: i32;
  slot: i32;
  need: i32;
  /** -1 for units. */
  marks: i32;
}

/** What a side has in a battle, and what has come of it; behind it two words for each type: units, and objects destroyed. */
@unmanaged
export class Force {
  conversions: i32;
  recoveries: i32;
  experience: i32;
  /** Units, and all objects, destroyed. */
  unitsLost: i32;
  lost: i32;
  /** Units in the battle. */
  left: i32;

  @inline at(type: i32): usize {
    return changetype<usize>(this) + offsetof<Force>() + ((<usize>type) << 3);
  }

  /** Units of a type in the battle. */
  @inline units(type: i32): i32 {
    return load<i32>(this.at(type));
  }

  /** Objects of a type destroyed. */
  @inline fallen(type: i32): i32 {
    return load<i32>(this.at(type), 4);
  }

  /** Destroys an object of a type that is no unit. */
  @inline raze(type: i32): void {
    store<i32>(this.at(type), this.fallen(type) + 1, 4);
    this.lost++;
  }

  /** Destroys so many units of a type. */
  @inline fell(type: i32, count: i32): void {
    const at = this.at(type);
    store<i32>(at, load<i32>(at) - count);
    store<i32>(at, load<i32>(at, 4) + count, 4);
    this.lost += count;
    this.unitsLost += count;
    this.left -= count;
  }

  /** Gives one unit of a type away. */
  @inline give(type: i32): void {
    store<i32>(this.at(type), this.units(type) - 1);
    this.left--;
  }
}

const FORCE_BYTES: i32 = offsetof<Force>();

/** Where the two sides' forces lie. */
let attacker: usize = memory.data(FORCE_BYTES + TYPES_MAX * 8);
let defender: usize = memory.data(FORCE_BYTES + TYPES_MAX * 8);

export class Party {
  /** Word `at` of a side's part of the head; side 0 is the attacker. */
  @inline static word(side: usize, at: usize): i32 {
    return Scenario.word(SIDES + side * SIDE_WORDS + at);
  }

  @inline static table(side: usize, at: usize): usize {
    return Scenario.table(SIDES + side * SIDE_WORDS + at);
  }

  /** Bytes that a side's force takes. */
  @inline static bytes(side: usize): i32 {
    return FORCE_BYTES + 8 * Party.word(side, TYPES);
  }

  /** Keeps the forces at `at` from here on. */
  @inline static bind(at: usize): void {
    attacker = at;
    defender = at + <usize>Party.bytes(0);
  }

  @inline static force(side: usize): Force {
    return changetype<Force>(side === 0 ? attacker : defender);
  }

  @inline static target(side: usize, index: i32): Target {
    return changetype<Target>(Party.table(side, TARGETS) + <usize>index * offsetof<Target>());
  }

  @inline static muster(side: usize): void {
    const muster = Party.table(side, MUSTER);
    const troops = Party.word(side, TROOPS);
    const own = Party.force(side);
    let left = 0;
    for (let type = 0, n = Party.word(side, TYPES); type < n; type++) {
      const count = type < troops ? Column.get(muster, type) : 0;
      store<i32>(own.at(type), count);
      store<i32>(own.at(type), 0, 4);
      left += count;
    }
    own.conversions = 0;
    own.recoveries = 0;
    own.experience = 0;
    own.unitsLost = 0;
    own.lost = 0;
    own.left = left;
  }

  /** True if nothing of a side is left in the battle. */
  @inline static gone(side: usize): bool {
    const own = Party.force(side);
    return own.left === 0 && own.lost - own.unitsLost === Party.word(side, STRUCTURES);
  }

  /** The type that the enemy takes over first, or -1 if no unit is left. */
  static next(side: usize): i32 {
    const order = Party.table(side, TAKEN);
    const own = Party.force(side);
    for (let i = 0, n = Party.word(side, TROOPS); i < n; i++) {
      const type = Column.get(order, i);
      if (own.units(type) > 0) return type;
    }
    return -1;
  }

  /** The enemy takes one unit of a type over. */
  @inline static lose(side: usize, type: i32): void {
    Party.force(side).give(type);
    Party.force(1 - side).conversions++;
  }

  /** Types of which units are left. */
  static kinds(side: usize): i32 {
    const own = Party.force(side);
    let kinds = 0;
    for (let type = 0, n = Party.word(side, TROOPS); type < n; type++) kinds += i32(own.units(type) > 0);
    return kinds;
  }
}
