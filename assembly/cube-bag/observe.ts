/** What is seen of a battle, in the order of src/rules/cube-bag/rollout.ts; nothing is hidden. */
import { Bag } from '../core/bag';
import { BUILDING_WORDS, Building, Side, Stage } from '../generated/cube-bag';
import { Extras, Sight } from '../rollout/scene';
import { Damage } from './damage';
import { Party } from './party';
import { course } from './stages';

/** Features before those of the sides. */
const COMMON: i32 = 10;

export class Seen {
  /** What a side may still do of so much in all. */
  @inline static left(stage: i32, all: i32): i32 {
    if (course.stage > stage) return 0;
    return course.stage === stage ? all - course.tries : all;
  }

  /** Shows a side from a feature on; returns the one behind. */
  static side(side: usize, from: i32): i32 {
    const own = Party.force(side);
    Sight.set(from, Party.word(side, Side.courage));
    Sight.set(from + 1, Seen.left(Stage.conversionAttacker - <i32>side, Party.word(side, Side.conversions)));
    Sight.set(from + 2, Seen.left(Stage.redrawAttacker + <i32>side, Party.word(side, Side.redraw) >> 1));
    Sight.set(from + 3, own.conversions);
    Sight.set(from + 4, own.recoveries);
    Sight.set(from + 5, own.experience);
    Sight.set(from + 6, own.lost);
    return from + 7;
  }

  static units(side: usize, from: i32): i32 {
    const n = Party.word(side, Side.troops);
    for (let slot = 0; slot < n; slot++) Sight.set(from + slot, Party.force(side).units(slot));
    return from + n;
  }

  /** Structures that stand: for each feature extra words have side, slot, how many there were, and how many fall before. */
  static structures(from: i32): void {
    let at = <usize>(Party.word(0, Side.slots) + Party.word(1, Side.slots) + 1);
    const n = Extras.word(at++);
    for (let i = 0; i < n; i++) {
      const fallen = Party.force(Extras.word(at + Building.side)).fallen(Extras.word(at + Building.slot));
      const count = Extras.word(at + Building.count);
      Sight.set(from + i, min(count, max(0, Extras.word(at + Building.before) + count - fallen)));
      at += BUILDING_WORDS;
    }
  }

  static all(): void {
    const bag = Bag.inside();
    const drawn = Bag.drawn();
    Sight.set(0, course.stage);
    Sight.set(1, bag.first);
    Sight.set(2, bag.second);
    Sight.set(3, bag.third);
    Sight.set(4, drawn.first);
    Sight.set(5, drawn.second);
    Sight.set(6, drawn.third);
    Sight.set(7, course.damage);
    Sight.set(8, Damage.marks());
    Sight.set(9, course.army);
    const units = Seen.side(1, Seen.side(0, COMMON));
    Seen.structures(Seen.units(1, Seen.units(0, units)));
  }
}
