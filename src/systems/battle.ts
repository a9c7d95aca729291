/** Plays one battle of a model: the loop that all systems share. */
import type { Door } from '../chance/door.ts';
import type { Model, State } from './system.ts';

/** How a battle ended. */
export interface BattleResult {
  /** Index among the model's outcomes. */
  readonly outcome: number;
  /** Values of the metrics, in the model's order, in their integer units. */
  readonly metrics: readonly number[];
}

/** The outcome of a battle that has come to `state`, if it is over there. */
export function verdict<S extends State>(model: Model<S>, state: S): string | undefined {
  const outcome = model.outcome(state);
  if (outcome !== undefined) return outcome;
  return model.resting(state) && state.round >= model.maxRounds ? 'stalemate' : undefined;
}

/** Plays a battle to its end. */
export function playBattle<S extends State>(model: Model<S>, door: Door): BattleResult {
  let state = model.start(door);
  for (;;) {
    const outcome = verdict(model, state);
    if (outcome !== undefined) {
      const index = model.outcomes.indexOf(outcome);
      if (index < 0) throw new Error(`the outcome ${outcome} is not among the model's outcomes`);
      return { outcome: index, metrics: model.measure(state) };
    }
    state = model.step(state, door);
  }
}
