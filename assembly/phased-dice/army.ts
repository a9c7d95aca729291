/** What the sides of a battle have, as src/systems/phased-dice/encode.ts lays it out. */
import { Chance } from '../core/chance';
import { Scenario } from '../core/kernel';
import { Row } from '../rollout/row';

/** As many troops as a side can have, those of the table and those added; each may roll a pool of its own. */
const TROOPS_MAX: i32 = 128;

/** Words of the head. */
export const PHASES: usize = 0;
export const MAX_ROUNDS: usize = 1;
export const AIR_STALEMATE: usize = 2;
export const RETREAT_AFTER: usize = 3;
export const RETREAT_RATIO: usize = 4;
export const NO_WAY_OUT: usize = 5;
export const GOES_HOME: usize = 6;
const SIDES: usize = 7;
const SIDE_WORDS: usize = 19;
export const TABLES: usize = SIDES + 2 * SIDE_WORDS;

/** Words of a side, counted from its own first. */
export const TROOPS: usize = 0;
const MUSTER_BYTES: usize = 1;
const MUSTER: usize = 2;
const TROOP_TABLE: usize = 3;
export const POOL_VALUES: usize = 4;
const POOLS: usize = 5;
export const GROUPS: usize = 10;
export const GROUND: usize = 14;
export const WEIGHED: usize = 15;
export const NAMED: usize = 16;

/** Steps in which the ratio of a retreat is given. */
export const RATIO_STEPS: i64 = 1000000;

/** Words of the stream that a side's roll in one phase can take, as a power of 2. */
export const PHASE_BITS: u32 = 10;

/** Where the sides of a battle lie that is played in one go. */
const own: usize = memory.data(2 * 4 * (9 + 2 * TROOPS_MAX));

/**
 * What the sides of the battle at hand have left, one behind the other and so many bytes apart, laid out as encode.ts
 * does: a `Force`, then units by phase, units by troop, dice by pool.
 */
let forces: usize = own;
let stride: usize = 0;

@unmanaged
export class Force {
  reserve: i32;
  /** Units, dice and weight of all troops but aircraft. */
  units: i32;
  dice: i32;
  weight: i32;
  /** Dice of aircraft at the start. */
  airDice: i32;
}

/** Bytes before the units by phase, and before those by troop. */
export const BY_PHASE: usize = 20;
export const BY_TROOP: usize = 36;

@unmanaged
export class Troop {
  dice: i32;
  hits: i32;
  weight: i32;
  worth: i32;
  phase: i32;
  /** Bytes before the dice of its pool. */
  pool: i32;
}

export class Army {
  /** Word `at` of a side's part of the head; side 0 is the attacker. */
  @inline static word(side: usize, at: usize): i32 {
    return Scenario.word(SIDES + side * SIDE_WORDS + at);
  }

  @inline static table(side: usize, at: usize): usize {
    return Scenario.table(SIDES + side * SIDE_WORDS + at);
  }

  /** Bytes of a side. */
  @inline static bytes(side: usize): usize {
    return Army.word(side, MUSTER_BYTES);
  }

  /** Makes the sides that lie at an address those at hand. */
  @inline static bind(at: usize): void {
    forces = at;
    stride = Army.bytes(0);
  }

  /** Plays in memory of its own. */
  static bindOwn(): void {
    Army.bind(own);
  }

  /** Where what a side has left lies. */
  @inline static at(side: usize): usize {
    return forces + side * stride;
  }

  @inline static force(side: usize): Force {
    return changetype<Force>(Army.at(side));
  }

  @inline static troop(side: usize, index: i32): Troop {
    return changetype<Troop>(Army.table(side, TROOP_TABLE) + <usize>index * offsetof<Troop>());
  }

  /** Word `index` of the part of a side's force that begins after `before` bytes. */
  @inline static left(side: usize, before: usize, index: i32): i32 {
    return Army.leftOf(Army.force(side), before, index);
  }

  /** The same of a force that is at hand already. */
  @inline static leftOf(force: Force, before: usize, index: i32): i32 {
    return load<i32>(changetype<usize>(force) + before + ((<usize>index) << 2));
  }

  @inline static muster(side: usize): void {
    Row.copy(Army.at(side), Army.table(side, MUSTER), Army.bytes(side));
  }

  /** Removes all units. */
  @inline static destroy(side: usize): void {
    Row.clear(Army.at(side), Army.bytes(side));
  }

  @inline static aircraft(side: usize): i32 {
    return Army.left(side, BY_PHASE, 0);
  }

  /** The first pool of a phase, or the one after the last. */
  @inline static firstPool(side: usize, phase: i32): i32 {
    return Army.word(side, POOLS + <usize>phase);
  }

  /** Units but aircraft of a force that lies anywhere. */
  @inline static unitsOf(force: usize): i32 {
    return load<i32>(force, offsetof<Force>('units'));
  }

  /** Units of all troops. */
  @inline static all(side: usize): i32 {
    return Army.force(side).units + Army.aircraft(side);
  }

  /** Hits that the side rolls in a phase, its words beginning at `place`. */
  @inline static roll(side: usize, phase: i32, place: u32): i32 {
    const values = Army.table(side, POOL_VALUES);
    const force = Army.force(side);
    const dice = BY_TROOP + ((<usize>Army.word(side, TROOPS)) << 2);
    const end = Army.firstPool(side, phase + 1);
    let word = place;
    let hits = 0;
    for (let pool = Army.firstPool(side, phase); pool < end; pool++) {
      const rolled = Army.leftOf(force, dice, pool);
      hits += Chance.hits(TABLES, load<i32>(values + ((<usize>pool) << 2)), rolled, word);
      word += Chance.hitsWords(rolled);
    }
    return hits;
  }
}
