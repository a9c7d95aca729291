/** Tabulates what can become of both sides, breadth first from their armies at the start. */
import { Chance } from '../core/chance';
import { Scenario } from '../core/kernel';
import { Head, RATIO_STEPS, Side } from '../generated/phased-dice';
import { POOL_CHUNK } from '../generated/rules';
import { Allocation } from './allocation';
import { Army, BY_TROOP } from './army';
import { LAWS_BYTES, ROW_BYTES, Rows } from './rows';
import {
  AIR_ONLY,
  ARMED,
  CLASS,
  CLASSES,
  COUNTERS,
  ENDS,
  FIRST,
  GONE,
  LOST,
  NEXT,
  NOWHERE,
  OPENING,
  ROLLS_MAX,
  States,
  UNARMED,
  UNHURT,
} from './states';

/** As many states as a side can have; the index has twice as many places. */
const STATES_MAX: i32 = 4096;
const INDEX_BITS: u32 = 13;

/** As many hits as a side can take in one phase. */
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

/** Numbers of hits from 0 on for which a record says what follows. */
let columns: i32 = 0;

/** What rows hold instead of hits that differ: more than there can be. */
let mixed: i32 = 0;

export class Tables {
  /** Tabulates both sides in so many bytes of memory and by so many placements of hits; false if that is too little. */
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

  /** True if tables were given up because too many placements would have had to be worked out. */
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

  /** Dice of a pool in the force at hand. */
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

  /** Makes a state of the force at hand; -1 if there is no room. */
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

  /** The state of the force at hand; -1 if there is no room. */
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

  /** True if the reserve of a state fells a unit without a new hit: what the aircraft could not take waits for others. */
  static places(side: usize, state: i32): bool {
    const force = States.force(side, state);
    for (let t = 0, n = Army.word(side, Side.troops); t < n; t++) {
      const troop = Army.troop(side, t);
      const living = load<i32>(force + ((<usize>t) << 2), BY_TROOP);
      if (troop.phase > 0 && living > 0 && troop.hits <= load<i32>(force)) return true;
    }
    return false;
  }

  /** Hits from which on more make no difference, at least 1, or as many as the side can take; 0 if it is beaten. */
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

  /** The state after hits that are placed in a phase; -1 if there is no room for it. */
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
   * The attacker's weight and the weight from which on it fights on: whether the one is less says all but what the
   * number of rounds does, that a side is beaten, that the attacker retreats for weakness, and that nobody has dice.
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

  /** The row of a law, written when it is first asked for; 0 if there is no room. */
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
