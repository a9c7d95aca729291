/** A scenario as what is solved for one of its players. */
import { InputError } from '../../core/errors.ts';
import type { State } from '../../rules/system.ts';
import type { Variant } from '../configuration.ts';
import type { Contest } from './game.ts';

/** The battles of a scenario as a game of its only agent. */
export function contestOf(
  { spec, model, byOutcome, byMetric }: Variant,
  agent: string,
  points: readonly string[],
): Contest<State> {
  const { roundsMetric } = model;
  if (roundsMetric !== undefined && byMetric[roundsMetric]?.[0] !== 0) {
    throw new InputError('reward', 'metrics that a state of the battle has', 'the number of rounds');
  }
  const weights = byMetric.map(([weight = 0]) => weight);
  const weighs = weights.some((weight) => weight !== 0);
  return {
    model,
    decides: (point, player) => player === agent && points.includes(point),
    sees: (state) => spec.observe(state, agent),
    shows: (state) => spec.observe(state, undefined),
    worth(state, outcome) {
      const worth = byOutcome[outcome]?.[0] ?? 0;
      if (!weighs) return worth;
      return model.measure(state).reduce((sum, value, m) => sum + (weights[m] ?? 0) * value, worth);
    },
  };
}
