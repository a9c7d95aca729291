/** Decisions about an object: types of units and structures, and the actions that stand for them. */
import { Extras, Offer } from '../rollout/view';
import { Party, TARGET_COUNT, TROOPS, TYPES } from './party';
import { Removal } from './removal';
import { course, NOTHING, Stages, UNIT } from './stages';

export class Types {
  /** The action that stands for a type of a side. */
  @inline static action(side: usize, slot: i32): i32 {
    return Extras.word(<usize>(slot + (side === 0 ? 0 : Party.word(0, TYPES))));
  }

  /** The type of a side that an action stands for, or -1. */
  static slot(side: usize, action: i32): i32 {
    for (let slot = 0, n = Party.word(side, TYPES); slot < n; slot++) {
      if (Types.action(side, slot) === action) return slot;
    }
    return -1;
  }

  /** The side of whose objects one is chosen. */
  @inline static side(): usize {
    return course.pending === UNIT ? 1 - Stages.side() : Stages.falling();
  }

  static allows(side: usize, slot: i32): bool {
    if (slot < 0) return false;
    if (course.pending !== UNIT) return Removal.find(side, slot, course.damage) >= 0;
    return slot < Party.word(side, TROOPS) && Party.force(side).units(slot) > 0;
  }

  /** Offers units to convert. */
  static offerUnits(side: usize): void {
    for (let slot = 0, n = Party.word(side, TROOPS); slot < n; slot++) {
      if (Party.force(side).units(slot) > 0) Offer.add(Types.action(side, slot));
    }
  }

  /** Offers objects to remove. */
  static offerObjects(side: usize): void {
    Removal.look(side, course.damage);
    for (let i = 0, n = Party.word(side, TARGET_COUNT); i < n; i++) {
      if (Removal.isOpen(side, i, course.damage)) Offer.add(Types.action(side, Party.target(side, i).slot));
    }
  }

  static take(side: usize, slot: i32): void {
    if (course.pending !== UNIT) {
      course.damage = Removal.take(side, slot, course.damage);
      return;
    }
    Party.lose(side, slot);
    course.pending = NOTHING;
  }
}
