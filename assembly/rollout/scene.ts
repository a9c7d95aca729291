/** The scenario at hand, and how systems say what its battle allows and shows. */
import { Scenario } from '../core/kernel';
import { Variant } from '../generated/environments';
import { Fields } from './fields';

export let variant: Variant = changetype<Variant>(0);

/** Where a mask or an observation is being written. */
let mask: usize = 0;
let sight: usize = 0;
let actionOf: usize = 0;
let slotOf: usize = 0;

/** How systems say what the pending decision allows. */
export class Offer {
  @inline static begin(at: usize): void {
    mask = at;
    actionOf = Fields.at(variant.actionOf);
  }

  @inline static add(action: i32): void {
    store<u8>(mask + <usize>load<i32>(actionOf + ((<usize>action) << 2)), 1);
  }
}

/** How systems say what a player sees. */
export class Sight {
  @inline static begin(at: usize): void {
    sight = at;
    slotOf = Fields.at(variant.slotOf);
  }

  @inline static set(feature: i32, value: i32): void {
    store<f32>(sight + ((<usize>load<i32>(slotOf + ((<usize>feature) << 2))) << 2), <f32>value);
  }
}

/** The words that src/rules/<id>/rollout.ts adds to the scenario at hand. */
export class Extras {
  @inline static word(index: usize): i32 {
    return load<i32>(Extras.at(index));
  }

  @inline static at(index: usize): usize {
    return Fields.at(variant.extras) + (index << 2);
  }
}

export class Scene {
  @inline static use(index: i32): void {
    variant = Fields.variant(index);
    Scenario.use(Fields.at(variant.body));
  }

  /** The index of the agent that a player is, or NONE. */
  @inline static agent(player: i32): i32 {
    return load<i32>(Fields.at(variant.agents) + ((<usize>player) << 2));
  }

  /** The number among all actions of one of the scenario's. */
  @inline static common(own: i32): i32 {
    return load<i32>(Fields.at(variant.actionOf) + ((<usize>own) << 2));
  }

  /** The scenario's number of an action, or NONE. */
  @inline static own(action: i32): i32 {
    return load<i32>(Fields.at(variant.localOf) + ((<usize>action) << 2));
  }
}
