/** Plays battles step by step, with somebody who watches. */
import type { Door } from '../core/chance/door.ts';
import { type BattleResult, endingAt, verdict } from './battle.ts';
import type { Model, State } from './system.ts';

/** Steps that one battle may take here. */
const BATTLE_STEPS = 200_000;

export interface Watched {
  /** Undefined if the battle was left before its end. */
  readonly result: BattleResult | undefined;
  readonly state: State;
  readonly steps: number;
}

/** Does a step: `state` is undefined at the start. */
export type Around = (state: State | undefined, act: () => State) => State;

/**
 * Plays a battle.
 * @param most   steps, after which it is left
 * @param around each step
 */
export function watch(
  model: Model<State>,
  door: Door,
  most: number = BATTLE_STEPS,
  around: Around = (_, act) => act(),
): Watched {
  let state = around(undefined, () => model.start(door));
  for (let steps = 0; ; steps++) {
    const outcome = verdict(model, state);
    if (outcome !== undefined) return { result: endingAt(model, state, outcome), state, steps };
    if (steps >= most) return { result: undefined, state, steps };
    const before = state;
    state = around(before, () => model.step(before, door));
  }
}
