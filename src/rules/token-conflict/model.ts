/** The turn of a scenario, with the outcomes that it can have. */
import type { Model } from '../system.ts';
import type { TokenConflict } from './fields.ts';
import { gameOf } from './game.ts';
import { impossible, joined, outcomesByArea } from './outcomes.ts';
import { planOf } from './plan.ts';
import type { ConflictState } from './state.ts';

export function model(scenario: TokenConflict): Model<ConflictState> {
  const plan = planOf(scenario);
  const outcomes = joined(outcomesByArea(scenario, plan));
  return { ...gameOf(plan, outcomes), impossible: (outcome) => impossible(plan, outcome) };
}
