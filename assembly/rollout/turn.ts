/** What `advance` of a system says: who decides next, or how the battle has ended. */

/** Set by the last `advance`. */
export let decider: i32 = 0;
export let ending: i32 = 0;

export class Turn {
  /** A player decides at a decision point; what `advance` returns then. */
  @inline static ask(point: i32, player: i32): i32 {
    decider = player;
    return point;
  }

  /** The battle has ended; what `advance` returns then. */
  @inline static end(outcome: i32): i32 {
    ending = outcome;
    return -1;
  }
}
