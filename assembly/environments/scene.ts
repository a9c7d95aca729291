/** The current scenario, and the interface by which systems write actions and observations. */
import { Scenario } from '../core/kernel';
import { Variant } from '../generated/environments';
import { Fields } from './fields';
import { Row } from './row';

export let variant: Variant = changetype<Variant>(0);

/** Addresses of the mask and of the observation. */
let mask: usize = 0;
let observation: usize = 0;
let actionOf: usize = 0;
let slotOf: usize = 0;

/** Writer of the actions of the pending decision. */
export class ActionMask {
  @inline static begin(at: usize): void {
    mask = at;
    actionOf = Fields.at(variant.actionOf);
  }

  @inline static add(action: i32): void {
    store<u8>(mask + <usize>load<i32>(actionOf + ((<usize>action) << 2)), 1);
  }
}

/** Writer of the observation of a player. */
export class Observation {
  @inline static begin(at: usize): void {
    observation = at;
    slotOf = Fields.at(variant.slotOf);
  }

  @inline static set(feature: i32, value: i32): void {
    store<f32>(observation + ((<usize>load<i32>(slotOf + ((<usize>feature) << 2))) << 2), <f32>value);
  }

  /** Copies row `index` of a table, whose columns are those of an observation after the player and the points. */
  @inline static copy(table: usize, index: u32): void {
    const first = <usize>(1 + Fields.of().points);
    const bytes = (<usize>Fields.of().features - first) << 2;
    Row.copy(observation + (first << 2), table + <usize>index * bytes, bytes);
  }
}

/** Words that src/rules/<id>/environment.ts adds to the current scenario. */
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
