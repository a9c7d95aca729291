/** Plays one battle of a model: the loop that all systems share. */
import type { Door } from '../core/chance/door.ts';
import { RulesError } from '../core/errors.ts';
import type { Model, State } from './system.ts';

/** How a battle ended. */
export interface BattleResult {
  /** Index among the model's outcomes. */
  readonly outcome: number;
  /** Values of the metrics, in the model's order, in their integer units. */
  readonly metrics: readonly number[];
}

/** Steps that a round can have. */
const STEPS_MAX = 1_000_000;

/** The outcome of a battle that has come to `state`, if it is over there. */
export function verdict<S extends State>(model: Model<S>, state: S): string | undefined {
  const outcome = model.outcome(state);
  if (outcome !== undefined) return outcome;
  return model.resting(state) && state.round >= model.maxRounds ? 'stalemate' : undefined;
}

/**
 * The ending of a battle that is over.
 * @throws RulesError if the outcome is none of the model's, or a metric is not as it was declared
 */
export function endingAt<S extends State>(model: Model<S>, state: S, name: string): BattleResult {
  const outcome = model.outcomes.indexOf(name);
  if (outcome < 0) throw new RulesError(`the outcome "${name}" is none of ${model.outcomes.join(', ')}`);
  const metrics = model.measure(state);
  for (const [m, { name: metric, min, max }] of model.metrics.entries()) {
    const value = metrics[m];
    if (value !== undefined && Number.isInteger(value) && value >= min && value <= max) continue;
    const range = `an integer ${String(min)}..${String(max)}`;
    throw new RulesError(`the metric "${metric}" is declared as ${range}, but a battle ended with ${String(value)}`);
  }
  return { outcome, metrics };
}

/**
 * Plays a battle to its end.
 * @throws RulesError if a round does not end, or the battle ends as none can
 */
export function playBattle<S extends State>(model: Model<S>, door: Door): BattleResult {
  let state = model.start(door);
  for (let [steps, round] = [0, state.round]; ; steps++) {
    const outcome = verdict(model, state);
    if (outcome !== undefined) return endingAt(model, state, outcome);
    if (state.round !== round) [steps, round] = [0, state.round];
    if (steps > STEPS_MAX) throw new RulesError(`round ${String(round)} has more than ${String(STEPS_MAX)} steps`);
    state = model.step(state, door);
  }
}
