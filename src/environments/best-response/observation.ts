/** Observations of positions by feature. */
import type { State } from '../../rules/index.ts';
import type { Variant } from '../env-spec.ts';

/** Values of the features that a player sees, by name. */
export type Observation = Readonly<Record<string, number>>;

/** Returns the features of a position, without a round counter if the position is the same in every round. */
export function describeObservation({ model, spec }: Variant, state: State, player: string): Observation {
  const later = { ...state, round: state.round + 1 };
  const seen = spec.observe(state, player);
  const seenLater = model.key(later) === model.key(state) ? spec.observe(later, player) : seen;
  const values = spec.features.map(({ name }, f) => [name, seen[f] ?? 0] as const);
  return Object.fromEntries(values.filter(([, value], f) => value === seenLater[f]));
}
