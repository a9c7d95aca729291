/** Sides of a battle, in the layout of src/rules/phased-dice/encode.ts, and the units that fall. */
import { Chance } from '../core/chance';
import { Scenario } from '../core/kernel';
import { List } from '../core/list';
import { Row } from '../environments/row';
import { Force, Head, SIDE_WORDS, Side, Troop } from '../generated/phased-dice';

/** Maximum number of troops of a side, of the table and added ones; each may roll a separate pool. */
const TROOPS_MAX: i32 = 128;

/** Bytes before the units by phase, and before those by troop. */
export const BY_PHASE: usize = offsetof<Force>('byPhase0');
export const BY_TROOP: usize = offsetof<Force>();

/** Address of the sides of a battle without interruption. */
const own: usize = memory.data(2 * (BY_TROOP + 8 * TROOPS_MAX));

/**
 * Remaining forces of the sides of the current battle, in sequence with a fixed distance, in the layout of encode.ts: a
 * `Force`, then units by phase, units by troop, dice by pool.
 */
let forces: usize = own;
let stride: usize = 0;

export class Army {
  /** Word `at` of a side's part of the head; side 0 is the attacker. */
  @inline static word(side: usize, at: usize): i32 {
    return Scenario.word(Head.sides + side * SIDE_WORDS + at);
  }

  @inline static table(side: usize, at: usize): usize {
    return Scenario.table(Head.sides + side * SIDE_WORDS + at);
  }

  /** Bytes of a side. */
  @inline static bytes(side: usize): usize {
    return Army.word(side, Side.forceBytes);
  }

  /** Uses the sides at an address as the current ones. */
  @inline static bind(at: usize): void {
    forces = at;
    stride = Army.bytes(0);
  }

  /** Uses the static memory. */
  static bindOwn(): void {
    Army.bind(own);
  }

  /** Returns the address of the remaining force of a side. */
  @inline static at(side: usize): usize {
    return forces + side * stride;
  }

  @inline static force(side: usize): Force {
    return changetype<Force>(Army.at(side));
  }

  @inline static troop(side: usize, index: i32): Troop {
    return changetype<Troop>(Army.table(side, Side.troopTable) + <usize>index * offsetof<Troop>());
  }

  /** Returns word `index` of the part of the force of a side that starts after `before` bytes. */
  @inline static left(side: usize, before: usize, index: i32): i32 {
    return Army.leftOf(Army.force(side), before, index);
  }

  /** Returns such a word of a force. */
  @inline static leftOf(force: Force, before: usize, index: i32): i32 {
    return load<i32>(changetype<usize>(force) + before + ((<usize>index) << 2));
  }

  @inline static muster(side: usize): void {
    Row.copy(Army.at(side), Army.table(side, Side.force), Army.bytes(side));
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
    return Army.word(side, Side.pools + <usize>phase);
  }

  /** Counts the units except aircraft of a force at any address. */
  @inline static unitsOf(force: usize): i32 {
    return load<i32>(force, offsetof<Force>('units'));
  }

  /** Units of all troops. */
  @inline static all(side: usize): i32 {
    return Army.force(side).units + Army.aircraft(side);
  }

  /** Rolls the hits of a side in a phase; its words start at `place`. */
  @inline static roll(side: usize, phase: i32, place: u32): i32 {
    const values = Army.table(side, Side.poolValues);
    const force = Army.force(side);
    const dice = BY_TROOP + ((<usize>Army.word(side, Side.troops)) << 2);
    const end = Army.firstPool(side, phase + 1);
    let word = place;
    let hits = 0;
    for (let pool = Army.firstPool(side, phase); pool < end; pool++) {
      const rolled = Army.leftOf(force, dice, pool);
      hits += Chance.hits(Head.hits, load<i32>(values + ((<usize>pool) << 2)), rolled, word);
      word += Chance.hitsWords(rolled);
    }
    return hits;
  }
}

// Units that the hits destroy; port of src/rules/phased-dice/policies.ts.

export class Allocation {
  /** Removes units of a troop. */
  @inline static fell(side: usize, force: Force, t: i32, units: i32): void {
    const troop = Army.troop(side, t);
    const dice = units * troop.dice;
    const slot = changetype<usize>(force) + BY_TROOP + ((<usize>t) << 2);
    const group = changetype<usize>(force) + BY_PHASE + ((<usize>troop.phase) << 2);
    const pool = changetype<usize>(force) + <usize>troop.pool;
    store<i32>(slot, load<i32>(slot) - units);
    store<i32>(group, load<i32>(group) - units);
    store<i32>(pool, load<i32>(pool) - dice);
    if (troop.phase === 0) return;
    force.units -= units;
    force.dice -= dice;
    force.weight -= units * troop.weight;
  }

  /** Removes units of a list, in its order, as long as any fits; returns the hits that are left. */
  static onto(side: usize, list: usize, hits: i32): i32 {
    const force = Army.force(side);
    let left = hits;
    for (let i = 0, n = List.length(list); i < n; i++) {
      const t = List.at(list, i);
      const living = Army.leftOf(force, BY_TROOP, t);
      const each = Army.troop(side, t).hits;
      if (living === 0 || each > left) continue;
      const fallen = left < 2 * each ? 1 : min(living, left / each);
      Allocation.fell(side, force, t, fallen);
      left -= fallen * each;
      if (left === 0) break;
    }
    return left;
  }

  /** Returns the value for the enemy of the units of a class that fit into the pool. */
  @inline static worth(side: usize, phase: i32, pool: i32): i32 {
    const force = Army.force(side);
    const group = Army.table(side, Side.groups + <usize>phase);
    let worth = 0;
    for (let i = 0, n = List.length(group); i < n; i++) {
      const t = List.at(group, i);
      const troop = Army.troop(side, t);
      if (troop.hits <= pool) worth += Army.leftOf(force, BY_TROOP, t) * troop.worth;
    }
    return worth;
  }

  /** The phase of the class that the enemy names. */
  @inline static named(side: usize, pool: i32): i32 {
    const force = Army.force(side);
    const weighed = Army.word(side, Side.weighed);
    let named = 0;
    let most = -1;
    for (let i: usize = 0, n = <usize>Scenario.word(Head.phases) - 1; i < n; i++) {
      const phase = Army.word(side, Side.named + i);
      if (Army.leftOf(force, BY_PHASE, phase) === 0) continue;
      if (!weighed) return phase;
      const worth = Allocation.worth(side, phase, pool);
      if (worth <= most) continue;
      most = worth;
      named = phase;
    }
    return named;
  }

  /** Places the hits of a side in a phase, with its reserve; without hits only the reserve. */
  static place(side: usize, phase: i32, hits: i32): void {
    const force = Army.force(side);
    // Outside the air phase aircraft are hit by nothing.
    if (phase > 0 && force.units === 0) return;
    let left = force.reserve + hits;
    if (hits > 0) {
      const first = phase === 0 ? 0 : Allocation.named(side, left);
      left = Allocation.onto(side, Army.table(side, Side.groups + <usize>first), left);
    }
    if (left > 0 && (phase > 0 || Army.aircraft(side) === 0)) {
      left = Allocation.onto(side, Army.table(side, Side.ground), left);
    }
    force.reserve = left;
  }
}
