/**
 * All possible states of a side. The units that fall depend only on the side itself and on the hits, so a side has a
 * finite number of states, whose successors by number of hits are computed once. A state is the address of its record;
 * records have the rows of the rolls of the side, and its successors.
 */
import { Chance } from '../core/chance';
import { Scenario } from '../core/kernel';
import { Head, RATIO_STEPS, Side } from '../generated/phased-dice';
import { POOL_CHUNK } from '../generated/rules';
import { Allocation, Army, BY_TROOP } from './side';

// Lookup of the hits of up to 64 dice: a row has a byte for each value of the top bits of a word. It contains the hits
// of all words with these bits, or a mark that they differ; then the quantile table of the distribution is searched.
//
// Source of the method, a guide with cut points: H.-C. Chen, Y. Asau, "On generating random variates from an empirical
// distribution", AIIE Transactions 6 (1974).

/** Bits of a word below those that choose the byte. */
export const LOW: u32 = 21;

/**
 * A row is the address of its bytes of hits; before them are the quantile table or 0, the dice, and the mark of
 * differing hits.
 */
const HEAD: usize = 16;
const LENGTH: usize = 1 << (32 - LOW);
const ROW_BYTES: usize = HEAD + LENGTH;

/** Values of dice, all from 6 on being one. */
const VALUES: i32 = 6;

/** Index with the address of the row for each value and number of dice, or 0. */
const LAWS_BYTES: usize = 4 * VALUES * POOL_CHUNK;

export class Rows {
  /** Returns the position in the index of the row of a distribution. */
  @inline static slot(index: usize, value: i32, dice: i32): usize {
    return index + ((<usize>((min(value, VALUES) - 1) * POOL_CHUNK + dice - 1)) << 2);
  }

  /** Writes a row to this address; `mixed` is the mark of differing hits. */
  static write(at: usize, value: i32, dice: i32, mixed: i32): usize {
    const row = at + HEAD;
    const table = value < VALUES ? Scenario.table(Head.hits + <usize>((value - 1) * POOL_CHUNK + dice - 1)) : 0;
    store<u32>(at, <u32>table);
    store<u32>(at, <u32>dice, 4);
    store<u32>(at, <u32>mixed, 8);
    Rows.fill(row, 0, table ? 0 : dice);
    if (table) Rows.part(row, table, mixed);
    return row;
  }

  /** Writes the hits from byte `from` to the last. */
  @inline static fill(row: usize, from: usize, hits: i32): void {
    memory.fill(row + from, <u8>hits, LENGTH - from);
  }

  /** Writes the hits that the thresholds of a table part. */
  static part(row: usize, table: usize, mixed: i32): void {
    for (let k: u32 = 0, n = Chance.thresholds(table); k < n; k++) {
      const threshold = Chance.threshold(table, k);
      const at = <usize>(threshold >> LOW);
      const inside = <usize>i32((threshold & ((1 << LOW) - 1)) !== 0);
      if (inside) store<u8>(row + at, <u8>mixed);
      Rows.fill(row, at + inside, k + 1);
    }
  }

  /** The hits of a word. */
  @inline static hits(row: usize, word: u32): i32 {
    const hits = <i32>load<u8>(row + (word >> LOW));
    return hits === load<i32>(row - HEAD, 8) ? Rows.search(row, word) : hits;
  }

  static search(row: usize, word: u32): i32 {
    const table = <usize>load<u32>(row - HEAD);
    return table ? Chance.quantile(table, word) : load<i32>(row - HEAD, 4);
  }
}

// The states of a side.

/** Remaining strength of a side, for the outcome. */
const ARMED: i32 = 0;
export const UNARMED: i32 = 1;
export const AIR_ONLY: i32 = 2;
export const GONE: i32 = 3;

/** Unknown state of a side, because hits could not be looked up. */
export const LOST: i32 = 4;

/** Multiplier of the classes of attackers. */
export const CLASSES: i32 = 8;

/** Number of ends of a battle: the outcomes, and a retreat that destroys. */
export const ENDS: i32 = 6;

/**
 * Bytes of a record before its parts: strength, class, counters by end, the first two rows of each phase, the successor
 * by number of hits. Further rows of all phases come last.
 */
export const CLASS: usize = 4;
export const COUNTERS: usize = 8;
export const FIRST_ROWS: usize = 32;
export const NEXT: usize = 64;

/** Rows of each phase with a fixed position. */
export const FIRST: i32 = 2;

/** States of every side: before the first phase, after a roll that was not looked up, and with all units. */
export const OPENING: i32 = 0;
const NOWHERE: i32 = 1;
export const UNHURT: i32 = 2;

/** Maximum number of rolls of a side in one phase. */
const ROLLS_MAX: i32 = 16;

/** Tables of each side. */
const sides: usize = memory.data(2 * 64);

@unmanaged
class Roster {
  /** The first record, and bytes of a record. */
  first: usize;
  bytes: usize;
  states: i32;
  /** Maximum hits of the side in one phase. */
  hits: i32;
  /** Bytes of a force. */
  force: usize;
  /** The force of the first state is below this address, all others follow below it. */
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

  /** Words of a side in a phase with all its dice. */
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

  /** The state whose record this is. */
  @inline static of(side: usize, record: usize): i32 {
    const roster = States.roster(side);
    return <i32>((record - roster.first) / roster.bytes);
  }

  @inline static force(side: usize, state: i32): usize {
    const roster = States.roster(side);
    return roster.top - <usize>(state + 1) * roster.force;
  }
}

// Tabulates the possible states of both sides, breadth first from their initial armies.

/** Maximum number of states of a side; the index has twice the number of places. */
const STATES_MAX: i32 = 4096;
const INDEX_BITS: u32 = 13;

/** Maximum hits of a side in one phase. */
const HITS_MAX: i32 = 255;

/** A value for which no table is needed. */
const NEVER: i32 = 6;

/** The memory for tables, which grow from below, and for forces, which grow from above. */
let low: usize = 0;
let high: usize = 0;
let laws: usize = 0;
let empty: usize = 0;

/** Placements of hits that may still be worked out. */
let budget: i32 = 0;

/** Numbers of hits from 0 on with a successor in a record. */
let columns: i32 = 0;

/** Mark of differing hits in rows: more than possible. */
let mixed: i32 = 0;

export class Tables {
  /** Tabulates both sides in a number of bytes and by a number of placements of hits; false if that is not enough. */
  static make(memoryAt: usize, bytes: usize, placements: i32): bool {
    budget = placements;
    low = memoryAt;
    high = memoryAt + bytes;
    laws = low;
    low += LAWS_BYTES;
    memory.fill(laws, 0, LAWS_BYTES);
    Army.muster(0);
    Army.muster(1);
    mixed = 0;
    if (!Tables.measure(0) || !Tables.measure(1)) return false;
    columns = FIRST * mixed + 1;
    empty = Rows.write(low, NEVER, 0, mixed);
    low += ROW_BYTES;
    return Tables.walk(0) && Tables.walk(1);
  }

  /** Returns true if the tables were abandoned because of too many placements. */
  @inline static isBroke(): bool {
    return budget < 0;
  }

  /** Words and dice of the largest roll of each phase; the armies are mustered. */
  static measure(side: usize): bool {
    const roster = States.roster(side);
    let further: usize = 0;
    let hits = 0;
    roster.rolls = 0;
    for (let phase = 0, n = Scenario.word(Head.phases); phase < n; phase++) {
      let rolls = 0;
      let dice = 0;
      for (let p = Army.firstPool(side, phase), end = Army.firstPool(side, phase + 1); p < end; p++) {
        const rolled = Tables.dice(side, p);
        dice += rolled;
        rolls += <i32>Chance.hitsWords(rolled);
      }
      if (rolls > ROLLS_MAX) return false;
      hits = max(hits, dice);
      States.setFurther(side, phase, further);
      States.setRolls(side, phase, rolls);
      further += (<usize>max(0, rolls - FIRST)) << 2;
    }
    States.roster(1 - side).hits = hits;
    roster.force = (Army.bytes(side) + 7) & ~7;
    roster.bytes = further;
    mixed = max(mixed, hits + 1);
    return mixed <= HITS_MAX;
  }

  /** Returns the dice of a pool in the current force. */
  @inline static dice(side: usize, pool: i32): i32 {
    return Army.left(side, BY_TROOP + ((<usize>Army.word(side, Side.troops)) << 2), pool);
  }

  static walk(side: usize): bool {
    const roster = States.roster(side);
    const before = NEXT + ((<usize>columns) << 2);
    for (let phase = 0; phase < 4; phase++) {
      States.setFurther(side, phase, States.further(side, phase) + before);
    }
    roster.bytes += before;
    roster.index = low;
    low += 2 << INDEX_BITS;
    memory.fill(roster.index, 0, 2 << INDEX_BITS);
    low = (low + 63) & ~63;
    roster.first = low;
    roster.top = high;
    roster.states = 0;
    Army.muster(side);
    if (Tables.append(side) < 0 || Tables.append(side) < 0 || Tables.intern(side) < 0) return false;
    if (!Tables.follow(side, OPENING, 0)) return false;
    for (let state = UNHURT; state < roster.states; state++) if (!Tables.follow(side, state, 1)) return false;
    const lost = States.record(side, NOWHERE);
    for (let hits = 0; hits < columns; hits++) store<u32>(lost + ((<usize>hits) << 2), <u32>lost, NEXT);
    return Tables.arm(side);
  }

  /** Creates a state of the current force; -1 if memory is exhausted. */
  static append(side: usize): i32 {
    const roster = States.roster(side);
    const state = roster.states;
    if (state >= STATES_MAX || low + roster.bytes > high - roster.force) return -1;
    low += roster.bytes;
    high -= roster.force;
    roster.states = state + 1;
    memory.copy(States.force(side, state), Army.at(side), roster.force);
    return state;
  }

  /** Returns the state of the current force; -1 if memory is exhausted. */
  static intern(side: usize): i32 {
    const force = Army.force(side);
    const roster = States.roster(side);
    if (force.units === 0) force.reserve = 0;
    const here = Army.at(side);
    const end = <usize>Army.word(side, Side.troops);
    let hash: u32 = force.reserve;
    for (let t: usize = 0; t < end; t++) hash = (hash ^ <u32>Army.left(side, BY_TROOP, <i32>t)) * 0x9e3779b1;
    let at = hash >> (32 - INDEX_BITS);
    let state = Tables.indexed(side, at);
    while (state !== 0) {
      if (memory.compare(States.force(side, state), here, BY_TROOP + (end << 2)) === 0) return state;
      at = (at + 1) & ((1 << INDEX_BITS) - 1);
      state = Tables.indexed(side, at);
    }
    state = Tables.append(side);
    if (state > 0) store<u16>(roster.index + ((<usize>at) << 1), <u16>state);
    return state;
  }

  @inline static indexed(side: usize, at: u32): i32 {
    return load<u16>(States.roster(side).index + ((<usize>at) << 1));
  }

  /** Writes which state follows after each number of hits that are placed in a phase. */
  static follow(side: usize, state: i32, phase: i32): bool {
    const record = States.record(side, state);
    const most = phase === 0 ? States.roster(side).hits : Tables.fatal(side, state);
    const least = i32(!Tables.places(side, state));
    let next = max(UNHURT, state);
    for (let hits = 0; hits < columns; hits++) {
      if (hits >= mixed) next = NOWHERE;
      else if (hits >= least && hits <= most) next = Tables.hurt(side, state, phase, hits);
      if (next < 0) return false;
      store<u32>(record + ((<usize>hits) << 2), <u32>States.record(side, next), NEXT);
    }
    return true;
  }

  /**
   * Returns true if the reserve of a state destroys a unit without a new hit: hits that the aircraft could not take are
   * for others.
   */
  static places(side: usize, state: i32): bool {
    const force = States.force(side, state);
    for (let t = 0, n = Army.word(side, Side.troops); t < n; t++) {
      const troop = Army.troop(side, t);
      const living = load<i32>(force + ((<usize>t) << 2), BY_TROOP);
      if (troop.phase > 0 && living > 0 && troop.hits <= load<i32>(force)) return true;
    }
    return false;
  }

  /**
   * Returns the number of hits from which on more make no difference, at least 1, or the maximum of the side; 0 if it
   * is defeated.
   */
  static fatal(side: usize, state: i32): i32 {
    const force = States.force(side, state);
    if (Army.unitsOf(force) === 0) return 0;
    let hits = -load<i32>(force);
    for (let t = 0, n = Army.word(side, Side.troops); t < n; t++) {
      const troop = Army.troop(side, t);
      if (troop.phase > 0) hits += troop.hits * load<i32>(force + ((<usize>t) << 2), BY_TROOP);
    }
    return min(max(1, hits), States.roster(side).hits);
  }

  /** Returns the state after hits in a phase; -1 if memory is exhausted. */
  static hurt(side: usize, state: i32, phase: i32, hits: i32): i32 {
    if (--budget < 0) return -1;
    memory.copy(Army.at(side), States.force(side, state), States.roster(side).force);
    Allocation.place(side, phase, hits);
    return Tables.intern(side);
  }

  /** Writes all else of the records. */
  static arm(side: usize): bool {
    const roster = States.roster(side);
    for (let state = 0; state < roster.states; state++) {
      const record = States.record(side, state);
      memory.copy(Army.at(side), States.force(side, state), roster.force);
      const isLost = state === NOWHERE;
      store<i32>(record, isLost ? Tables.beaten(side) : Tables.strength(side));
      store<i32>(record, (isLost ? LOST : Tables.class(side)) * (side === 0 ? CLASSES : 1), CLASS);
      memory.fill(record + COUNTERS, 0, 4 * ENDS);
      for (let phase = 0, n = Scenario.word(Head.phases); phase < n; phase++) {
        if (!Tables.draw(side, phase, record, (phase === 0) === (state === OPENING) && !isLost)) return false;
      }
    }
    return true;
  }

  static class(side: usize): i32 {
    const force = Army.force(side);
    if (force.units > 0) return force.dice > 0 ? ARMED : UNARMED;
    return Army.all(side) > 0 ? AIR_ONLY : GONE;
  }

  /**
   * Computes the weight of the attacker and the threshold from which on it fights on: their comparison decides
   * everything except the effects of the number of rounds, that is, whether a side is defeated, the attacker retreats
   * for weakness, or both lack dice.
   */
  static strength(side: usize): i32 {
    const force = Army.force(side);
    if (force.units === 0) return Tables.beaten(side);
    if (side === 0) return force.weight;
    if (force.weight === 0) return 1;
    const least = (<i64>Scenario.word(Head.retreatRatio) * <i64>force.weight + RATIO_STEPS - 1) / RATIO_STEPS;
    return <i32>min<i64>(least, i32.MAX_VALUE);
  }

  @inline static beaten(side: usize): i32 {
    return side === 0 ? -1 : i32.MAX_VALUE;
  }

  /** Writes the rows of a phase, one for each word; empty ones if the side does not roll. */
  static draw(side: usize, phase: i32, record: usize, isRolled: bool): bool {
    const values = Army.table(side, Side.poolValues);
    let roll = 0;
    for (let p = Army.firstPool(side, phase), n = Army.firstPool(side, phase + 1); p < n; p++) {
      for (let left = isRolled ? Tables.dice(side, p) : 0; left > 0; left -= POOL_CHUNK) {
        const row = Tables.row(load<i32>(values + ((<usize>p) << 2)), min(left, POOL_CHUNK));
        if (row === 0) return false;
        store<u32>(record + States.rowAt(side, phase, roll++), <u32>row);
      }
    }
    for (const n = max(FIRST, States.rolls(side, phase)); roll < n; roll++) {
      store<u32>(record + States.rowAt(side, phase, roll), <u32>empty);
    }
    return true;
  }

  /** Returns the row of a distribution, written on demand; 0 if memory is exhausted. */
  static row(value: i32, dice: i32): usize {
    const slot = Rows.slot(laws, value, dice);
    const known = <usize>load<u32>(slot);
    if (known !== 0) return known;
    if (low + ROW_BYTES > high) return 0;
    const row = Rows.write(low, value, dice, mixed);
    low += ROW_BYTES;
    store<u32>(slot, <u32>row);
    return row;
  }
}
