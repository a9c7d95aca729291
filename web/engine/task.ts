/** Cancelable work of the engine: every long method takes a task number. */

import { simulate, solveWithBudget } from '../../src/analysis/index.ts';
import { BudgetError } from '../../src/core/index.ts';
import { preloadSolver } from '../../src/core/platform/browser/kernels.ts';
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

/** Returns the signal of a task. */
export const getSignal = (task: number): AbortSignal => getController(task).signal;

export const task = {
  /** Responds when the engine is ready. */
  ping(): true {
    return true;
  },
  /** Stops a task, started or not; it returns its partial result. */
  stop(number: number): void {
    getController(number).abort();
  },
  /** Removes a finished task. */
  over(number: number): void {
    tasks.delete(number);
  },
};

// Quick answers: exact where that is cheap, else simulated.

/** Maximum number of simulated battles: the half-width of a 95 % interval is then at most 0.1 percentage points. */
export const MAX_QUICK_BATTLES = 1_000_000;

export interface QuickAnswerOptions {
  readonly seed: string;
  readonly battles: number;
  /** Budget of the exact answer in steps. */
  readonly steps: number;
}

const noop = (): void => undefined;

/** Computes a quick answer. @throws RunError if it was stopped before the first battles were finished */
export async function computeQuickAnswer(
  scenario: Scenario,
  options: QuickAnswerOptions,
  task: number,
): Promise<AnsweredScenario> {
  const { seed, battles, steps } = options;
  try {
    const { summary, distribution } = solveWithBudget(scenario, createSideBudget(steps));
    return { scenario, exact: { summary, counts: distribution } };
  } catch (error) {
    if (!(error instanceof BudgetError)) throw error;
  }
  const pool = new ProgressiveRunner(noop);
  const { summary, counts, from, to } = await simulate(scenario, { battles, seed, pool, signal: getSignal(task) });
  return { scenario, simulated: { summary, counts, battles: to - from } };
}

// Scenarios that may be solved: their kernels must be loaded first.

/** Parses a scenario and loads the kernels of its exact answer. @throws InputError */
export async function loadSolvableScenario(text: string, place?: string): Promise<Scenario> {
  const scenario = parseScenarioText(text, place);
  await preloadSolver(scenario);
  return scenario;
}
