/** A side: its part of the head of the scenario, its units and its state. */
import { Column } from '../core/column';
import { Scenario } from '../core/kernel';
import { Head, Holding, Prey, SIDE_WORDS, Side, Slot, Target, Force as Words } from '../generated/cube-bag';

/** Maximum number of slots of a side: 8 armies of units of the table and added ones, and structures. */
const SLOTS_MAX: i32 = 916;

/** Any army: armies have numbers from 1. */
export const ANY: i32 = 0;

/** State of a side in a battle, followed by a `Holding` for each slot. */
@unmanaged
export class Force extends Words {
  @inline holding(slot: i32): Holding {
    return changetype<Holding>(changetype<usize>(this) + offsetof<Force>() + <usize>slot * offsetof<Holding>());
  }

  /** Units of a slot in the battle. */
  @inline units(slot: i32): i32 {
    return this.holding(slot).units;
  }

  /** Objects of a slot destroyed. */
  @inline fallen(slot: i32): i32 {
    return this.holding(slot).fallen;
  }

  /** Destroys a structure of a slot. */
  @inline raze(slot: i32): void {
    this.holding(slot).fallen++;
    this.lost++;
  }

  /** Destroys a number of units of a slot. */
  @inline fell(slot: i32, count: i32): void {
    const holding = this.holding(slot);
    holding.units -= count;
    holding.fallen += count;
    this.lost += count;
    this.unitsLost += count;
    this.left -= count;
  }

  /** Gives away one unit of a slot. */
  @inline give(slot: i32): void {
    this.holding(slot).units--;
    this.left--;
  }
}

const FORCE_BYTES: i32 = offsetof<Force>();
const HOLDING_BYTES: i32 = offsetof<Holding>();

/** Addresses of the forces of the two sides. */
let attacker: usize = memory.data(FORCE_BYTES + SLOTS_MAX * HOLDING_BYTES);
let defender: usize = memory.data(FORCE_BYTES + SLOTS_MAX * HOLDING_BYTES);

export class Party {
  /** Word `at` of a side's part of the head; side 0 is the attacker. */
  @inline static word(side: usize, at: usize): i32 {
    return Scenario.word(Head.sides + side * SIDE_WORDS + at);
  }

  @inline static table(side: usize, at: usize): usize {
    return Scenario.table(Head.sides + side * SIDE_WORDS + at);
  }

  /** Bytes of the force of a side. */
  @inline static bytes(side: usize): i32 {
    return FORCE_BYTES + HOLDING_BYTES * Party.word(side, Side.slots);
  }

  /** Stores the forces at `at` from now on. */
  @inline static bind(at: usize): void {
    attacker = at;
    defender = at + <usize>Party.bytes(0);
  }

  @inline static force(side: usize): Force {
    return changetype<Force>(side === 0 ? attacker : defender);
  }

  @inline static target(side: usize, index: i32): Target {
    return changetype<Target>(Party.table(side, Side.targets) + <usize>index * offsetof<Target>());
  }

  @inline static muster(side: usize): void {
    const muster = Party.table(side, Side.muster);
    const troops = Party.word(side, Side.troops);
    const own = Party.force(side);
    let left = 0;
    for (let slot = 0, n = Party.word(side, Side.slots); slot < n; slot++) {
      const count = slot < troops ? Column.get(muster, slot) : 0;
      own.holding(slot).units = count;
      own.holding(slot).fallen = 0;
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
    return own.left === 0 && own.lost - own.unitsLost === Party.word(side, Side.structures);
  }

  /** Returns the type of a slot. */
  @inline static kind(side: usize, slot: i32): i32 {
    return changetype<Slot>(Party.table(side, Side.slotTable) + <usize>slot * offsetof<Slot>()).kind;
  }

  @inline static army(side: usize, slot: i32): i32 {
    return changetype<Slot>(Party.table(side, Side.slotTable) + <usize>slot * offsetof<Slot>()).army;
  }

  /** True if a slot has units that the enemy can take out of an army, or of any. */
  @inline static has(side: usize, slot: i32, army: i32): bool {
    return Party.force(side).units(slot) > 0 && (army === ANY || Party.army(side, slot) === army);
  }

  /** Returns the slot of the unit that the enemy takes first from an army, or from any; -1 if no unit is left. */
  static next(side: usize, army: i32): i32 {
    const order = Party.table(side, Side.taken);
    for (let i = 0, n = Party.word(side, Side.troops); i < n; i++) {
      const slot = Column.get(order, i);
      if (Party.has(side, slot, army)) return slot;
    }
    return -1;
  }

  /** Transfers one unit of a slot to the enemy. */
  @inline static lose(side: usize, slot: i32): void {
    Party.force(side).give(slot);
    Party.force(1 - side).conversions++;
  }

  /** Counts the types with units left in an army, or in any. Slots of one type are adjacent. */
  static kinds(side: usize, army: i32): i32 {
    let kinds = 0;
    let last = -1;
    for (let slot = 0, n = Party.word(side, Side.troops); slot < n; slot++) {
      if (!Party.has(side, slot, army) || Party.kind(side, slot) === last) continue;
      last = Party.kind(side, slot);
      kinds++;
    }
    return kinds;
  }

  @inline static prey(side: usize, index: i32): Prey {
    return changetype<Prey>(Party.table(side, Side.prey) + <usize>index * offsetof<Prey>());
  }

  /** Returns the army from which the enemy takes a unit first, or `ANY` if none has its own complexity. */
  static hunted(side: usize): i32 {
    for (let i = 0, n = Party.word(side, Side.preyCount); i < n; i++) {
      const army = Party.prey(side, i).army;
      if (Party.kinds(side, army) > 0) return army;
    }
    return ANY;
  }

  /** Counts the armies from which the enemy can take a unit, if one of them has its own complexity. */
  static herds(side: usize): i32 {
    let herds = 0;
    for (let i = 0, n = Party.word(side, Side.preyCount); i < n; i++) {
      herds += i32(Party.kinds(side, Party.prey(side, i).army) > 0);
    }
    return herds;
  }

  /** Returns the cubes of the check by which the enemy of a side converts a unit of an army, or of any. */
  static complexity(side: usize, army: i32): i32 {
    for (let i = 0, n = Party.word(side, Side.preyCount); i < n; i++) {
      if (Party.prey(side, i).army === army) return Party.prey(side, i).complexity;
    }
    return Party.word(1 - side, Side.conversion);
  }
}
