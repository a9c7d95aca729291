/** Decisions about an object: types of units and structures, and the actions that stand for them. */
import { Pending, Side } from '../generated/cube-bag';
import { Extras, Offer } from '../rollout/scene';
import { ANY, Party } from './party';
import { Removal } from './removal';
import { course, Stages } from './stages';

export class Types {
  /** The action that stands for what lies in a slot of a side. */
  @inline static action(side: usize, slot: i32): i32 {
    return Extras.word(<usize>(slot + (side === 0 ? 0 : Party.word(0, Side.slots))));
  }

  /** The first slot of a side that an action stands for and that has units to convert, or -1. */
  static unit(side: usize, action: i32): i32 {
    for (let slot = 0, n = Party.word(side, Side.troops); slot < n; slot++) {
      if (Types.action(side, slot) === action && Party.has(side, slot, course.army)) return slot;
    }
    return -1;
  }

  /** The type of a side that an action stands for, or -1. */
  static kind(side: usize, action: i32): i32 {
    for (let slot = 0, n = Party.word(side, Side.slots); slot < n; slot++) {
      if (Types.action(side, slot) === action) return Party.kind(side, slot);
    }
    return -1;
  }

  /** The side of whose objects one is chosen. */
  @inline static side(): usize {
    return course.pending === Pending.unit ? 1 - Stages.side() : Stages.falling();
  }

  /** Offers units to convert. */
  static offerUnits(side: usize): void {
    for (let slot = 0, n = Party.word(side, Side.troops); slot < n; slot++) {
      if (Party.has(side, slot, course.army)) Offer.add(Types.action(side, slot));
    }
  }

  /** Offers objects to remove. */
  static offerObjects(side: usize): void {
    Removal.look(side, course.damage);
    for (let i = 0, n = Party.word(side, Side.targetCount); i < n; i++) {
      if (Removal.allows(side, i, course.damage)) Offer.add(Types.action(side, Party.target(side, i).slot));
    }
  }

  static take(side: usize, action: i32): void {
    if (course.pending !== Pending.unit) {
      course.damage = Removal.take(side, Types.kind(side, action), course.damage);
      return;
    }
    Party.lose(side, Types.unit(side, action));
    course.pending = Pending.nothing;
    course.army = ANY;
  }
}
