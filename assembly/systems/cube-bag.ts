/** Cubes from a bag; twin of src/systems/cube-bag/, whose encode.ts lays the scenario out. */
import { Bag } from '../core/bag';
import { Column } from '../core/column';
import { Scenario } from '../core/kernel';
import { Stream } from '../core/stream';
import { Tally } from '../core/tally';

export { clear, configure, reserve, scenarioAddress, tallyAddress, valuesAddress } from '../core/kernel';

/** Outcomes in the order of the model. */
const ATTACKER: i32 = 0;
const DEFENDER: i32 = 1;
const MUTUAL: i32 = 2;
const UNDECIDED: i32 = 3;

/** As many types as a side can have: units of the table, those added, structures. */
const TYPES_MAX: i32 = 128;

/** Words of the head. */
const DRAW: usize = 3;
const EXTRA_DRAW: usize = 4;
const DISCARD_FAILED: usize = 5;
const SIDES: usize = 6;
const SIDE_WORDS: usize = 13;

/** Words of a side, counted from its own first. */
const COURAGE: usize = 0;
const TROOPS: usize = 1;
const TYPES: usize = 2;
const STRUCTURES: usize = 3;
const MUSTER: usize = 4;
const TARGETS: usize = 5;
const TARGET_COUNT: usize = 6;
const TAKEN: usize = 7;
const CONVERSIONS: usize = 8;
const CONVERSION: usize = 9;
const RECOVERIES: usize = 10;
const RECOVERY: usize = 11;
const REDRAW: usize = 12;

/** Policies of extraDraw and redraw. */
const NEVER: i32 = 0;
const EXTRA_IF_BEHIND: i32 = 2;

/** Purposes of draws, in the upper half of their place. */
const FOR_CONVERSION: u32 = 1;
const FOR_DRAW: u32 = 2;
const FOR_REDRAW: u32 = 3;
const FOR_RECOVERY: u32 = 4;

@unmanaged
class Target {
  group: i32;
  slot: i32;
  need: i32;
  /** -1 for units. */
  marks: i32;
}

/** What has come of a side besides its objects. */
@unmanaged
class Gains {
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
const gains: usize = memory.data(2 * GAINS_BYTES);

/** Units in the battle and objects destroyed, by side and type. */
const units: usize = memory.data(2 * TYPES_MAX * 4);
const fallen: usize = memory.data(2 * TYPES_MAX * 4);

let marks: i32 = 0;

class Party {
  /** Word `at` of a side's part of the head; side 0 is the attacker. */
  @inline static word(side: usize, at: usize): i32 {
    return Scenario.word(SIDES + side * SIDE_WORDS + at);
  }

  @inline static table(side: usize, at: usize): usize {
    return Scenario.table(SIDES + side * SIDE_WORDS + at);
  }

  @inline static gains(side: usize): Gains {
    return changetype<Gains>(gains + side * <usize>GAINS_BYTES);
  }

  /** A side's part of `units` or `fallen`, by type. */
  @inline static column(both: usize, side: usize): usize {
    return both + ((side * <usize>TYPES_MAX) << 2);
  }

  @inline static target(side: usize, index: i32): Target {
    return changetype<Target>(Party.table(side, TARGETS) + <usize>index * offsetof<Target>());
  }

  @inline static muster(side: usize): void {
    const muster = Party.table(side, MUSTER);
    const own = Party.column(units, side);
    let left = 0;
    for (let type = 0, n = Party.word(side, TROOPS); type < n; type++) {
      Column.set(own, type, Column.get(muster, type));
      left += Column.get(own, type);
    }
    memory.fill(Party.column(fallen, side), 0, (<usize>Party.word(side, TYPES)) << 2);
    memory.fill(gains + side * <usize>GAINS_BYTES, 0, GAINS_BYTES);
    Party.gains(side).left = left;
  }

  /** True if nothing of a side is left in the battle. */
  @inline static gone(side: usize): bool {
    const own = Party.gains(side);
    return own.left === 0 && own.lost - own.unitsLost === Party.word(side, STRUCTURES);
  }

  /** The enemy takes one unit over: the first in his order. */
  static lose(side: usize): void {
    const order = Party.table(side, TAKEN);
    const own = Party.column(units, side);
    for (let i = 0, n = Party.word(side, TROOPS); i < n; i++) {
      const type = Column.get(order, i);
      if (Column.get(own, type) === 0) continue;
      Column.add(own, type, -1);
      Party.gains(side).left--;
      return;
    }
  }
}

class Draws {
  @inline static place(purpose: u32, side: usize, tries: u32): u32 {
    return (purpose << 16) | ((<u32>side) << 12) | (tries << 2);
  }

  /** A check of a side; true if it passes. */
  static check(side: usize, complexity: i32, place: u32): bool {
    const cubes = min(complexity, Bag.size(Bag.inside()));
    if (cubes === 0) return false;
    Bag.look(cubes, place);
    const passed = Bag.of(Bag.hand(), 1 - side) === 0;
    if (passed) Party.gains(side).experience += Bag.of(Bag.hand(), side);
    if (passed || Scenario.word(DISCARD_FAILED)) Bag.remove(Bag.inside());
    return passed;
  }

  @inline static extra(): void {
    const drawn = Bag.drawn();
    const policy = Scenario.word(EXTRA_DRAW);
    if (policy === NEVER || (policy === EXTRA_IF_BEHIND && drawn.second >= drawn.first)) return;
    const cubes = min(Party.word(1, COURAGE) - Bag.size(drawn), Bag.size(Bag.inside()));
    if (cubes > 0) Bag.draw(cubes, Draws.place(FOR_DRAW, 1, 0));
  }

  @inline static redraw(side: usize): void {
    const word = Party.word(side, REDRAW);
    const drawn = Bag.drawn();
    const enemy = Bag.of(drawn, 1 - side);
    if ((word & 1) !== 0 && Bag.of(drawn, side) >= enemy) return;
    const cubes = min(word >> 1, enemy + drawn.third);
    if (cubes === 0) return;
    Bag.putBack(cubes, side);
    Bag.draw(cubes, Draws.place(FOR_REDRAW, side, 0));
  }
}

class Damage {
  /** Damage left once a target has taken what it can. */
  @inline static onto(side: usize, target: Target, damage: i32): i32 {
    const own = Party.gains(side);
    const dead = Party.column(fallen, side);
    if (target.marks >= 0) {
      if (target.need > damage) {
        marks += damage;
        return 0;
      }
      Column.add(dead, target.slot, 1);
      own.lost++;
      marks -= target.marks;
      return damage - target.need;
    }
    const living = Party.column(units, side);
    const count = Column.get(living, target.slot);
    const felled = min(count, damage / target.need);
    Column.set(living, target.slot, count - felled);
    Column.set(dead, target.slot, felled);
    own.lost += felled;
    own.unitsLost += felled;
    own.left -= felled;
    return damage - felled * target.need;
  }

  /** True if something of a target stands that had `damage` to take. */
  @inline static stands(side: usize, target: Target, damage: i32): bool {
    return target.marks >= 0 ? target.need > damage : Column.get(Party.column(units, side), target.slot) > 0;
  }

  /** Places damage on a side group by group, as long as nothing of a group stands. */
  static place(side: usize, damage: i32): void {
    let left = damage;
    let group = 0;
    let standing = false;
    for (let i = 0, n = Party.word(side, TARGET_COUNT); i < n; i++) {
      const target = Party.target(side, i);
      if (target.group !== group) {
        if (standing) return;
        group = target.group;
      }
      const taken = left;
      left = Damage.onto(side, target, taken);
      if (Damage.stands(side, target, taken)) standing = true;
    }
  }
}

class Battle {
  static start(): void {
    Bag.fill(Scenario.word(0), Scenario.word(1), Scenario.word(2));
    Party.muster(0);
    Party.muster(1);
    marks = 0;
    for (let i = 0, n = Party.word(1, TARGET_COUNT); i < n; i++) marks += max(0, Party.target(1, i).marks);
  }

  static convert(side: usize): void {
    const enemy = Party.gains(1 - side);
    for (let i = 0, n = Party.word(side, CONVERSIONS); i < n && enemy.left > 0; i++) {
      if (!Draws.check(side, Party.word(side, CONVERSION), Draws.place(FOR_CONVERSION, side, i))) continue;
      Party.gains(side).conversions++;
      Party.lose(1 - side);
    }
  }

  static recover(side: usize): void {
    const own = Party.gains(side);
    for (let i = 0, n = Party.word(side, RECOVERIES); i < n && own.recoveries < own.unitsLost; i++) {
      if (Draws.check(side, Party.word(side, RECOVERY), Draws.place(FOR_RECOVERY, side, i))) own.recoveries++;
    }
  }

  @inline static outcome(): i32 {
    if (Party.gone(0)) return Party.gone(1) ? MUTUAL : DEFENDER;
    return Party.gone(1) ? ATTACKER : UNDECIDED;
  }

  static report(): void {
    const drawn = Bag.drawn();
    Tally.set(0, drawn.first);
    Tally.set(1, drawn.second);
    Tally.set(2, drawn.third);
    let metric = 5;
    for (let side: usize = 0; side < 2; side++) {
      Tally.set(3 + <i32>side, Party.gains(side).lost);
      for (let type = 0, n = Party.word(side, TYPES); type < n; type++) {
        Tally.set(metric++, Column.get(Party.column(fallen, side), type));
      }
    }
    for (let side: usize = 0; side < 2; side++) {
      Tally.set(metric + <i32>side, Party.gains(side).conversions);
      Tally.set(metric + 2 + <i32>side, Party.gains(side).recoveries);
      Tally.set(metric + 4 + <i32>side, Party.gains(side).experience);
    }
    Tally.set(metric + 6, marks);
  }

  static play(): i32 {
    Battle.start();
    Battle.convert(1);
    Battle.convert(0);
    const cubes = min(Scenario.word(DRAW), Bag.size(Bag.inside()));
    if (cubes > 0) Bag.draw(cubes, Draws.place(FOR_DRAW, 0, 0));
    Draws.extra();
    Draws.redraw(0);
    Draws.redraw(1);
    Damage.place(1, Bag.drawn().first);
    Damage.place(0, Bag.drawn().second);
    Battle.recover(1);
    Battle.recover(0);
    Battle.report();
    return Battle.outcome();
  }
}

/** Plays one battle: returns its outcome and leaves its metrics in `valuesAddress`. */
export function play(runKey: u64, index: u64): i32 {
  Stream.open(runKey, index);
  return Battle.play();
}

/** Plays and counts battles from..from + count - 1. */
export function run(runKey: u64, from: u64, count: u32): void {
  for (let i: u32 = 0; i < count; i++) Tally.add(play(runKey, from + i));
}
