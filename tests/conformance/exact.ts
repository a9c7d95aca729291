/** Comparison of simulations with exact answers: shipped scenarios, examples and, in deep runs, generated scenarios. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { simulate } from '../../src/analysis/simulate.ts';
import { type ExactResult, solveWithBudget } from '../../src/analysis/solve.ts';
import { BudgetError } from '../../src/core/errors.ts';
import { ThreadPool } from '../../src/engines/pool/thread-pool.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import type { Scenario, System } from '../../src/rules/system.ts';
import { listValueCounts } from '../../src/stats/counts.ts';
import { modesOf, namedModes, sampleScenarios } from '../arbitraries.ts';
import { DEPTH, some } from '../depth.ts';
import { within } from '../exact/budgets.ts';
import { shipped } from './shipped.ts';

const BATTLES = DEPTH === 1 ? 50_000 : 100_000;
/** Threads for all scenarios of a deep run, because starting threads takes longer than simulating one scenario. */
let pool: ThreadPool | undefined;

/** Budget of an exact answer. */
const BUDGET = { steps: 2_000_000, moves: 500_000_000 };

/** Number of generated scenarios of a system, and the budget of each; scenarios that need more are skipped. */
const GENERATED = 100;
const LITTLE = { steps: 20_000, moves: 20_000_000 };

/** Shipped scenarios that exceed the budget; their tests expect a BudgetError. */
const BEYOND = new Set(['attrition-mass.yaml', 'attrition-hunters.yaml']);

/**
 * Returns chi-square of counts against a distribution, as a standard normal deviate (Wilson and Hilferty 1931). Values
 * with an expected count below 5 are pooled. Values of probability 0 must not occur.
 */
function deviate(
  counts: readonly (readonly [number, number])[],
  exactDistribution: readonly (readonly [number, number])[],
): number {
  const found = new Map(counts);
  const cells: [number, number][] = [];
  let pooled: [number, number] = [0, 0];
  for (const [value, p] of exactDistribution) {
    const expected = p * BATTLES;
    const count = found.get(value) ?? 0;
    found.delete(value);
    if (expected < 5) pooled = [pooled[0] + count, pooled[1] + expected];
    else cells.push([count, expected]);
  }
  expect([...found.keys()], 'values that the exact law excludes').toEqual([]);
  if (pooled[1] > 0.5) cells.push(pooled);
  const degrees = cells.length - 1;
  if (degrees < 1) return 0;
  const chi = cells.reduce((sum, [count, expected]) => sum + (count - expected) ** 2 / expected, 0);
  return (Math.cbrt(chi / degrees) - 1 + 2 / (9 * degrees)) / Math.sqrt(2 / (9 * degrees));
}

export async function expectAgreement(scenario: Scenario, exact: ExactResult): Promise<void> {
  const who = pool === undefined ? { workers: 1 } : { pool };
  const { counts, shape } = await simulate(scenario, { battles: BATTLES, seed: 2026, ...who });
  const outcomes = (counts: Float64Array): [number, number][] => [...counts.entries()];
  const seen = outcomes(counts.outcomes).filter(([, count]) => count > 0);
  const possible = outcomes(exact.distribution.outcomes).filter(([, p]) => p > 0);
  // The one-sided probability of a deviate above 5 is 3e-7; there are about a hundred deviates, with a fixed seed.
  expect(deviate(seen, possible), 'outcomes').toBeLessThan(5);
  for (const [m, { name }] of shape.metrics.entries()) {
    expect(deviate(listValueCounts(counts, m), listValueCounts(exact.distribution, m)), name).toBeLessThan(5);
    for (const [o, outcome] of shape.outcomes.entries()) {
      const given = new Set(listValueCounts(exact.distribution, m, o).map(([value]) => value));
      const excluded = listValueCounts(counts, m, o).filter(([value]) => !given.has(value));
      expect(excluded, `${name} with ${outcome}`).toEqual([]);
    }
  }
}

export function exactTests(system: System): void {
  beforeAll(async () => {
    pool = DEPTH > 1 ? await ThreadPool.create({ workers: 2 }) : undefined;
  });
  afterAll(async () => {
    await pool?.end();
    // tests/exact/mass.test.ts can be the next file of this process.
    pool = undefined;
  });

  test.each(some(shipped(system.id)))('%s', async (file) => {
    const scenario = await loadScenario(`scenarios/${file}`);
    if (BEYOND.has(file)) expect(() => solveWithBudget(scenario, BUDGET)).toThrow(BudgetError);
    else await expectAgreement(scenario, solveWithBudget(scenario, BUDGET));
  });

  test.each(some(system.examples))('$name', async ({ scenario }) => {
    const complete = system.schema.parse(scenario);
    const exact = within(() => solveWithBudget(complete, BUDGET));
    if (exact !== undefined) await expectAgreement(complete, exact);
  });

  // The scenarios are the same in all runs, because new ones would occasionally have a deviate above 5.
  test.runIf(DEPTH > 1).each(namedModes(system))('generated scenarios, %s', { timeout: 600_000 }, async (_, mode) => {
    const count = Math.ceil(GENERATED / modesOf(system).length);
    let answered = 0;
    for (const scenario of sampleScenarios(system, mode, count)) {
      const exact = within(() => solveWithBudget(scenario, LITTLE));
      if (exact === undefined) continue;
      answered++;
      await expectAgreement(scenario, exact);
    }
    // Most mass battles have too many possible rolls of defense.
    expect(answered).toBeGreaterThanOrEqual(mode === 'mass' ? 1 : count / 3);
  });
}
