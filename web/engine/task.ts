/** Work of the engine that can be ended: every long function takes the number of its task. */

import { simulate, solveWithBudget } from '../../src/analysis/index.ts';
import { BudgetError } from '../../src/core/index.ts';
import { preloadKernels } from '../../src/core/platform/browser/kernels.ts';
import { createSideBudget } from '../../src/engines/index.ts';
import type { AnsweredScenario } from '../../src/report/index.ts';
import type { Scenario } from '../../src/rules/index.ts';
import { parseScenarioText } from './editing/check.ts';
import { ProgressiveRunner } from './progressive-runner.ts';

const tasks = new Map<number, AbortController>();

function getController(task: number): AbortController {
  const known = tasks.get(task) ?? new AbortController();
  tasks.set(task, known);
  return known;
}

/** The signal of a task. */
export const getSignal = (task: number): AbortSignal => getController(task).signal;

export const task = {
  /** Answers as soon as the engine is there. */
  ping(): true {
    return true;
  },
  /** Ends a task, begun or not; what it has so far is given back. */
  stop(number: number): void {
    getController(number).abort();
  },
  /** Forgets a task that is over. */
  over(number: number): void {
    tasks.delete(number);
  },
};

// What is known of a scenario at once: its law where that is cheap, else battles that are played.

/** Battles that are played at most: half of a 95 % interval is then 0.1 points at most. */
export const MAX_QUICK_BATTLES = 1_000_000;

export interface QuickAnswerOptions {
  readonly seed: string;
  readonly battles: number;
  /** Steps that the law may take. */
  readonly steps: number;
}

const noop = (): void => undefined;

/** @throws RunError if it was stopped before the first battles were finished */
export async function computeQuickAnswer(
  scenario: Scenario,
  options: QuickAnswerOptions,
  task: number,
): Promise<AnsweredScenario> {
  const { seed, battles, steps } = options;
  try {
    const { summary, distribution } = solveWithBudget(scenario, createSideBudget(steps));
    return { scenario, exact: { summary, tally: distribution } };
  } catch (error) {
    if (!(error instanceof BudgetError)) throw error;
  }
  const pool = new ProgressiveRunner(noop);
  const { summary, tally, from, to } = await simulate(scenario, { battles, seed, pool, signal: getSignal(task) });
  return { scenario, simulated: { summary, tally, battles: to - from } };
}

// Scenarios that may be solved: what solves them must have been loaded before.

/** The scenario of a text, with the kernels that its exact answer takes. @throws InputError */
export async function loadSolvableScenario(text: string, place?: string): Promise<Scenario> {
  const scenario = parseScenarioText(text, place);
  await preloadKernels(['chain', scenario.system]);
  return scenario;
}
