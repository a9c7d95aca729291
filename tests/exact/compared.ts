/** Comparison of distributions from a kernel with the chain of the same model. */
import { expect } from 'vitest';
import { type ExactBudget, FULL_BUDGET } from '../../src/engines/exact/budget.ts';
import { type ExactDistribution, solveModel } from '../../src/engines/kernel/chain-solver.ts';
import { solveInKernel } from '../../src/engines/kernel/kernel-solver.ts';
import { getBoundScenario } from '../../src/rules/bound-scenario.ts';
import { SHIPPED_REGISTRY } from '../../src/rules/index.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { listValueCounts } from '../../src/stats/counts.ts';
import { within } from './budgets.ts';

/** Budget of chains in these tests. */
const AFFORDABLE: ExactBudget = { steps: 300_000, moves: 20_000_000 };

export function inKernel(scenario: Scenario, budget: ExactBudget = FULL_BUDGET): ExactDistribution | undefined {
  return solveInKernel(getBoundScenario(scenario), budget);
}

/** Returns the largest difference of two distributions in any outcome and any metric value by outcome. */
function apart(scenario: Scenario, one: ExactDistribution, other: ExactDistribution): number {
  const { outcomes, metrics } = SHIPPED_REGISTRY.system(scenario.system).model(scenario);
  const gaps = outcomes.flatMap((_, o) => {
    const values = metrics.flatMap((_metric, m) => {
      const [a, b] = [one, other].map(
        ({ distribution: exactDistribution }) => new Map(listValueCounts(exactDistribution, m, o)),
      );
      const all = new Set([...(a?.keys() ?? []), ...(b?.keys() ?? [])]);
      return [...all].map((value) => (a?.get(value) ?? 0) - (b?.get(value) ?? 0));
    });
    return [(one.distribution.outcomes[o] ?? 0) - (other.distribution.outcomes[o] ?? 0), ...values];
  });
  return Math.max(...gaps.map(Math.abs));
}

/** Returns true if the kernel has an answer within the budget. */
export function isAnswered(scenario: Scenario, budget: ExactBudget): boolean {
  return within(() => inKernel(scenario, budget)) !== undefined;
}

/** Compares the kernel with the chain; returns false if either exceeds its budget. */
export function compared(scenario: Scenario, affordable: ExactBudget = AFFORDABLE): boolean {
  const chain = within(() => solveModel(SHIPPED_REGISTRY.system(scenario.system).model(scenario), affordable));
  const what = JSON.stringify(scenario);
  const exactDistribution = chain && within(() => inKernel(scenario) ?? expect.fail(`no law of ${what}`));
  if (chain === undefined || exactDistribution === undefined) return false;
  expect(apart(scenario, exactDistribution, chain), what).toBeLessThan(1e-12);
  expect(Math.abs(exactDistribution.lost - chain.lost), what).toBeLessThan(1e-15);
  return true;
}
