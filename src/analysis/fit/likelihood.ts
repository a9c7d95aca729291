/** Probabilities of observed results under a scenario: exact, or from simulated battles. */

import { InputError } from '../../core/index.ts';
import { type ExactBudget, solveFinalStates } from '../../engines/index.ts';
import { getBoundScenario, type Scenario } from '../../rules/index.ts';
import { type Counts, getBattleCount, listValueCounts } from '../../stats/index.ts';
import { findExactAnswerOffThread } from '../bounds-decision.ts';
import type { ExactMode } from '../shared-options.ts';
import { simulate } from '../simulate.ts';
import type { ObservationTable } from './observations.ts';

/** Options of the computation of probabilities. */
export interface LikelihoodOptions {
  readonly exact: ExactMode;
  readonly budget: number | undefined;
  readonly battles: number;
  readonly seed: bigint;
  readonly workers: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Probabilities of the results of a scenario by key: the outcome and the values of the observed metrics. */
export interface ResultProbabilities {
  readonly byKey: ReadonlyMap<string, number>;
  readonly exact: boolean;
}

/** Creates the key of a result. */
export const createResultKey = (outcome: number, values: readonly number[]): string => [outcome, ...values].join();

/** Lists the weights of the results: of outcomes, or of outcomes and the values of one metric. */
function listWeights(counts: Counts, outcomes: number, metric: number | undefined): Map<string, number> {
  const weights = new Map<string, number>();
  for (let outcome = 0; outcome < outcomes; outcome++) {
    if (metric === undefined) weights.set(createResultKey(outcome, []), counts.outcomes[outcome] ?? 0);
    else
      for (const [value, weight] of listValueCounts(counts, metric, outcome))
        weights.set(createResultKey(outcome, [value]), weight);
  }
  return weights;
}

/** Enumerates the joint distribution of several metrics. @throws BudgetError if that exceeds the budget */
function enumerateJointly(scenario: Scenario, metrics: readonly number[], budget: ExactBudget): ResultProbabilities {
  const byKey = new Map<string, number>();
  for (const { outcome, metrics: all, probability } of solveFinalStates(getBoundScenario(scenario).model, budget)) {
    const key = createResultKey(
      outcome,
      metrics.map((m) => all[m] ?? 0),
    );
    byKey.set(key, (byKey.get(key) ?? 0) + probability);
  }
  return { byKey, exact: true };
}

/** Steps of a joint distribution, if no budget was requested. */
const JOINT_STEPS = 1_000_000;

/**
 * Computes the probabilities of the results of a scenario.
 * @throws BudgetError if an exact answer is required, also for several metrics, and exceeds the budget; InputError for
 * several metrics without exact answers
 */
export async function computeResultProbabilities(
  scenario: Scenario,
  { metrics }: ObservationTable,
  { exact, budget, battles, seed, workers, signal }: LikelihoodOptions,
): Promise<ResultProbabilities> {
  const outcomes = getBoundScenario(scenario).shape.outcomes.length;
  if (metrics.length > 1) {
    if (exact === 'never')
      throw new InputError('exact', 'auto or always, because several metrics require exact answers', '"never"');
    const steps = budget ?? JOINT_STEPS;
    return enumerateJointly(scenario, metrics, { steps, moves: 100 * steps });
  }
  const answer = await findExactAnswerOffThread(scenario, exact, battles, budget, signal);
  if (answer !== undefined) return { byKey: listWeights(answer.distribution, outcomes, metrics[0]), exact: true };
  const { counts } = await simulate(scenario, { battles, seed, workers, signal });
  // Results that did not occur have half a battle, so that no observation is impossible.
  const total = getBattleCount(counts) + 1;
  const weights = listWeights(counts, outcomes, metrics[0]);
  return { byKey: new Map(Array.from(weights, ([key, weight]) => [key, weight / total])), exact: false };
}

/** Computes the logarithm of the likelihood of the observations. @param least probability of a result that did not occur */
export function computeLogLikelihood(
  { results }: ObservationTable,
  { byKey }: ResultProbabilities,
  least: number,
): number {
  return results.reduce(
    (sum, { outcome, values, count }) =>
      sum + count * Math.log(Math.max(least, byKey.get(createResultKey(outcome, values)) ?? 0)),
    0,
  );
}
