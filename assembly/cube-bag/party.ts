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

/** What has come of a side besides its objects. */
@unmanaged
export class Gains {
  conversions: i32;
  recoveries: i32;
  experience: i32;
  /** Units, and all objects, destroyed. */
  unitsLost: i32;
  lost: i32;
  /** Units in the battle. */
  left: i32;
}

const GAINS_BYTES: i32 = 24;

/** Bytes of a column, one word for each type. */
let column: usize = (<usize>TYPES_MAX) << 2;

/** What has come of each side: gains, then columns of its units in the battle and of its objects destroyed, by type. */
let parties: usize = memory.data(2 * (GAINS_BYTES + 2 * TYPES_MAX * 4));

export class Party {
  /** Word `at` of a side's part of the head; side 0 is the attacker. */
  @inline static word(side: usize, at: usize): i32 {
    return Scenario.word(SIDES + side * SIDE_WORDS + at);
  }

  @inline static table(side: usize, at: usize): usize {
    return Scenario.table(SIDES + side * SIDE_WORDS + at);
  }

  /** Types that each column has room for where there is no more room than needed. */
  @inline static types(): i32 {
    return max(Party.word(0, TYPES), Party.word(1, TYPES));
  }

  /** Keeps what comes of the sides at `at` from here on. */
  @inline static bind(at: usize): void {
    parties = at;
    column = (<usize>Party.types()) << 2;
  }

  /** Bytes of a side that has columns of so many types. */
  @inline static bytes(types: i32): i32 {
    return GAINS_BYTES + 8 * types;
  }

  @inline static at(side: usize): usize {
    return parties + side * (<usize>GAINS_BYTES + (column << 1));
  }

  @inline static gains(side: usize): Gains {
    return changetype<Gains>(Party.at(side));
  }

  /** Units in the battle, by type. */
  @inline static units(side: usize): usize {
    return Party.at(side) + <usize>GAINS_BYTES;
  }

  /** Objects destroyed, by type. */
  @inline static fallen(side: usize): usize {
    return Party.units(side) + column;
  }

  @inline static target(side: usize, index: i32): Target {
    return changetype<Target>(Party.table(side, TARGETS) + <usize>index * offsetof<Target>());
  }

  @inline static muster(side: usize): void {
    const muster = Party.table(side, MUSTER);
    const own = Party.units(side);
    let left = 0;
    for (let type = 0, n = Party.word(side, TROOPS); type < n; type++) {
      Column.set(own, type, Column.get(muster, type));
      left += Column.get(own, type);
    }
    memory.fill(Party.fallen(side), 0, (<usize>Party.word(side, TYPES)) << 2);
    memory.fill(Party.at(side), 0, GAINS_BYTES);
    Party.gains(side).left = left;
  }

  /** True if nothing of a side is left in the battle. */
  @inline static gone(side: usize): bool {
    const own = Party.gains(side);
    return own.left === 0 && own.lost - own.unitsLost === Party.word(side, STRUCTURES);
  }

  /** The type that the enemy takes over first, or -1 if no unit is left. */
  static next(side: usize): i32 {
    const order = Party.table(side, TAKEN);
    for (let i = 0, n = Party.word(side, TROOPS); i < n; i++) {
      const type = Column.get(order, i);
      if (Column.get(Party.units(side), type) > 0) return type;
    }
    return -1;
  }

  /** The enemy takes one unit of a type over. */
  @inline static lose(side: usize, type: i32): void {
    Column.add(Party.units(side), type, -1);
    Party.gains(side).left--;
    Party.gains(1 - side).conversions++;
  }

  /** Types of which units are left. */
  static kinds(side: usize): i32 {
    let kinds = 0;
    for (let type = 0, n = Party.word(side, TROOPS); type < n; type++) {
      kinds += i32(Column.get(Party.units(side), type) > 0);
    }
    return kinds;
  }
}
