/** Results of `advance` of a system: the next decision, or the end of the battle. */

/** Set by the last `advance`. */
export let decider: i32 = 0;
export let ending: i32 = 0;

export class Turn {
  /** Returns the result of `advance` for a decision of a player at a decision point. */
  @inline static ask(point: i32, player: i32): i32 {
    decider = player;
    return point;
  }

  /** Returns the result of `advance` for the end of a battle. */
  @inline static end(outcome: i32): i32 {
    ending = outcome;
    return -1;
  }
}
