/** What is known of a scenario at once: its law where that is cheap, else battles that are played. */
import { BudgetError } from '../../src/core/errors.ts';
import { sideBudget } from '../../src/engines/exact/budget.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { simulate } from '../../src/studies/simulate.ts';
import { solveWithin } from '../../src/studies/solve.ts';
import type { Leading } from '../../src/tell/odds/lead.ts';
import { signalOf } from './task.ts';
import { Watched } from './watched.ts';

/** Battles that are played at most: half of a 95 % interval is then 0.1 points at most. */
export const MOST = 1_000_000;

export interface AtOnce {
  readonly seed: string;
  readonly battles: number;
  /** Steps that the law may take. */
  readonly steps: number;
}

const NOBODY = (): void => undefined;

/** @throws RunError if it was stopped before the first battles were finished */
export async function knownAtOnce(scenario: Scenario, asked: AtOnce, task: number): Promise<Leading> {
  const { seed, battles, steps } = asked;
  try {
    const { summary, law } = solveWithin(scenario, sideBudget(steps));
    return { scenario, exact: { summary, tally: law } };
  } catch (error) {
    if (!(error instanceof BudgetError)) throw error;
  }
  const pool = new Watched(NOBODY);
  const { summary, tally, from, to } = await simulate(scenario, { battles, seed, pool, signal: signalOf(task) });
  return { scenario, played: { summary, tally, battles: to - from } };
}
