/** How much work the kit does for a scenario. It is counted, not timed: the same call finds the same. */
export interface CheckEffort {
  /** Battles that are played by the rules as written. */
  readonly battles: number;
  /** Steps that these battles may take, all together. */
  readonly steps: number;
  /** Ways of a step that are explored. */
  readonly ways: number;
  /** Battles that are compared with the exact answer. */
  readonly compared: number;
  /** Steps that an automaton may take. */
  readonly compiled: number;
}

export const FULL: CheckEffort = { battles: 200, steps: 40_000, ways: 60_000, compared: 50_000, compiled: 60_000 };

/** Also for scenarios that are made from the schema. */
export const QUICK: CheckEffort = { battles: 30, steps: 6000, ways: 6000, compared: 4000, compiled: 6000 };
