/** Cubes from a bag; twin of src/systems/cube-bag/, whose encode.ts lays the scenario out. */
import { Bag } from '../core/bag';
import { Column } from '../core/column';
import { Scenario } from '../core/kernel';
import { Stream } from '../core/stream';
import { Tally } from '../core/tally';
import { Ways } from '../core/ways';
import { Damage, marks } from '../cube-bag/damage';
import {
  CONVERSION,
  CONVERSIONS,
  COURAGE,
  fallen,
  Party,
  RECOVERIES,
  RECOVERY,
  REDRAW,
  TYPES,
} from '../cube-bag/party';

export { clear, configure, reserve, scenarioAddress, tallyAddress, valuesAddress } from '../core/kernel';
export { lawAddress, lost, spansAddress, states, steps } from '../core/law';

/** Outcomes in the order of the model. */
const ATTACKER: i32 = 0;
const DEFENDER: i32 = 1;
const MUTUAL: i32 = 2;
const UNDECIDED: i32 = 3;

/** Words of the head. */
const DRAW: usize = 3;
const EXTRA_DRAW: usize = 4;
const DISCARD_FAILED: usize = 5;

/** Policies of extraDraw and redraw. */
const NEVER: i32 = 0;
const EXTRA_IF_BEHIND: i32 = 2;

/** Purposes of draws, in the upper half of their place. */
const FOR_CONVERSION: u32 = 1;
const FOR_DRAW: u32 = 2;
const FOR_REDRAW: u32 = 3;
const FOR_RECOVERY: u32 = 4;

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

class Battle {
  static start(): void {
    Bag.fill(Scenario.word(0), Scenario.word(1), Scenario.word(2));
    Party.muster(0);
    Party.muster(1);
    Damage.muster();
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

/** Works out the exact law: see core/law.ts. */
export function solve(moves: f64): i32 {
  return Ways.solve(Battle.play, moves);
}
