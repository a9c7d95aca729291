/**
 * All that can become of a side. Which units fall depends on the side itself and on the hits alone, so a side is one
 * of a number of states, and where it comes from each by so many hits is computed once. A state is the address of its
 * record; records say which rows the side rolls from and which state follows.
 */
/** What is left of a side, for the outcome. */
export const ARMED: i32 = 0;
export const UNARMED: i32 = 1;
export const AIR_ONLY: i32 = 2;
export const GONE: i32 = 3;

/** A side about which nothing is known, since hits could not be looked up. */
export const LOST: i32 = 4;

/** Classes of attackers are held times this. */
export const CLASSES: i32 = 8;

/** As many ways in which a battle can be counted: the outcomes, and a retreat that destroys. */
export const ENDS: i32 = 6;

/**
 * Bytes of a record before its parts: strength, class, counters by end, the first two rows of each phase, the state
 * that follows each number of hits. Further rows of all phases come last.
 */
export const CLASS: usize = 4;
export const COUNTERS: usize = 8;
export const FIRST_ROWS: usize = 32;
export const NEXT: usize = 64;

/** Rows of each phase that have a place of their own. */
export const FIRST: i32 = 2;

/** The states that every side has: before the first phase, after a roll that was not looked up, and with all units. */
export const OPENING: i32 = 0;
export const NOWHERE: i32 = 1;
export const UNHURT: i32 = 2;

/** As many rolls as a side can make in one phase. */
export const ROLLS_MAX: i32 = 16;

/** What is known of each side. */
const sides: usize = memory.data(2 * 64);

@unmanaged
export class Roster {
  /** The first record, and bytes of a record. */
  first: usize;
  bytes: usize;
  states: i32;
  /** As many hits as the side can take in one phase. */
  hits: i32;
  /** Bytes of a force. */
  force: usize;
  /** The force of the first state lies below this address, all others below it in turn. */
  top: usize;
  /** An index of states by their forces. */
  index: usize;
  /** By phase: bytes of a record before its further rows, and a byte for the rolls. */
  further0: usize;
  further1: usize;
  further2: usize;
  further3: usize;
  rolls: u32;
}

export class States {
  @inline static roster(side: usize): Roster {
    return changetype<Roster>(sides + (side << 6));
  }

  /** Bytes of a record before its rows for a phase but the first two. */
  @inline static further(side: usize, phase: i32): usize {
    return load<u32>(sides + (side << 6) + offsetof<Roster>('further0') + ((<usize>phase) << 2));
  }

  @inline static setFurther(side: usize, phase: i32, bytes: usize): void {
    store<u32>(sides + (side << 6) + offsetof<Roster>('further0') + ((<usize>phase) << 2), <u32>bytes);
  }

  /** Words that a side takes in a phase as long as it has all its dice. */
  @inline static rolls(side: usize, phase: i32): i32 {
    return load<u8>(sides + (side << 6) + offsetof<Roster>('rolls') + <usize>phase);
  }

  @inline static setRolls(side: usize, phase: i32, words: i32): void {
    store<u8>(sides + (side << 6) + offsetof<Roster>('rolls') + <usize>phase, <u8>words);
  }

  /** Bytes of a record before the row of one of a side's rolls in a phase. */
  @inline static rowAt(side: usize, phase: i32, roll: i32): usize {
    if (roll < FIRST) return FIRST_ROWS + ((<usize>(phase * FIRST + roll)) << 2);
    return States.further(side, phase) + ((<usize>(roll - FIRST)) << 2);
  }

  /** The row of one of a side's rolls in a phase. */
  @inline static row(side: usize, state: usize, phase: i32, roll: i32): usize {
    return load<u32>(state + States.rowAt(side, phase, roll));
  }

  @inline static record(side: usize, state: i32): usize {
    const roster = States.roster(side);
    return roster.first + <usize>state * roster.bytes;
  }

  @inline static force(side: usize, state: i32): usize {
    const roster = States.roster(side);
    return roster.top - <usize>(state + 1) * roster.force;
  }
}
