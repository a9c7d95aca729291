/** The scenario at hand, and what is shown of its battle: the observation and the mask of the deciding player. */
import { Scenario } from '../core/kernel';
import { Fields, LACKS_FEATURES, maskRow, observationRow, Variant } from './fields';
import * as Game from './game';
import { NONE, Record } from './record';
import { Row } from './row';

/** The scenario of the battle at hand. */
export let variant: Variant = changetype<Variant>(0);

/** Where a mask or an observation is being written. */
let mask: usize = 0;
let sight: usize = 0;
let actionOf: usize = 0;
let slotOf: usize = 0;

/** How systems say what the pending decision allows. */
export class Offer {
  @inline static add(action: i32): void {
    store<u8>(mask + <usize>load<i32>(actionOf + ((<usize>action) << 2)), 1);
  }
}

/** How systems say what a player sees. */
export class Sight {
  @inline static set(feature: i32, value: i32): void {
    store<f32>(sight + ((<usize>load<i32>(slotOf + ((<usize>feature) << 2))) << 2), <f32>value);
  }
}

/** The words that src/systems/<id>/rollout.ts adds to the scenario at hand. */
export class Extras {
  @inline static word(index: usize): i32 {
    return load<i32>(Extras.at(index));
  }

  @inline static at(index: usize): usize {
    return Fields.at(variant.extras) + (index << 2);
  }
}

export class View {
  @inline static use(index: i32): void {
    variant = Fields.variant(index);
    Scenario.use(Fields.at(variant.body));
  }

  /** The index of the agent that a player is, or -1. */
  @inline static agent(player: i32): i32 {
    return load<i32>(Fields.at(variant.agents) + ((<usize>player) << 2));
  }

  /** The number among all actions of one of the scenario's. */
  @inline static common(own: i32): i32 {
    return load<i32>(Fields.at(variant.actionOf) + ((<usize>own) << 2));
  }

  /** The scenario's number of an action, or -1. */
  @inline static own(action: i32): i32 {
    return load<i32>(Fields.at(variant.localOf) + ((<usize>action) << 2));
  }

  /** Shows what the deciding player sees, or everything at the end. */
  static look(at: usize, record: Record): void {
    sight = at;
    slotOf = Fields.at(variant.slotOf);
    if (variant.flags & LACKS_FEATURES) Row.clear(sight, observationRow);
    const over = record.point < 0;
    Game.observe(over ? NONE : record.player);
    // Last, for features that are left out of observations have been written here.
    store<f32>(sight, over ? 0 : <f32>record.player);
    for (let point = 0, n = Fields.of().points; point < n; point++) {
      store<f32>(sight + ((<usize>point) << 2), <f32>i32(point === record.point), 4);
    }
  }

  /** Marks what is legal; everything when the episode is over. */
  static mark(at: usize, record: Record): void {
    if (record.isOver) {
      memory.fill(at, 1, maskRow);
      return;
    }
    Row.clear(at, maskRow);
    mask = at;
    actionOf = Fields.at(variant.actionOf);
    Game.offer();
  }
}
