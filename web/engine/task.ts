/** Work of the engine that can be ended: every long function takes the number of its task. */
import { BudgetError } from '../../src/core/index.ts';
import { holdKernels } from '../../src/core/platform/browser/kernels.ts';
import { sideBudget } from '../../src/engines/index.ts';
import type { Scenario } from '../../src/rules/index.ts';
import { simulate, solveWithin } from '../../src/studies/index.ts';
import type { Leading } from '../../src/tell/index.ts';
import { scenarioOf } from './check.ts';
import { Watched } from './watched.ts';

const tasks = new Map<number, AbortController>();

function controllerOf(task: number): AbortController {
  const known = tasks.get(task) ?? new AbortController();
  tasks.set(task, known);
  return known;
}

/** The signal of a task. */
export const signalOf = (task: number): AbortSignal => controllerOf(task).signal;

export const task = {
  /** Answers as soon as the engine is there. */
  ping(): true {
    return true;
  },
  /** Ends a task, begun or not; what it has so far is given back. */
  stop(number: number): void {
    controllerOf(number).abort();
  },
  /** Forgets a task that is over. */
  over(number: number): void {
    tasks.delete(number);
  },
};

// What is known of a scenario at once: its law where that is cheap, else battles that are played.

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

// Scenarios that may be solved: what solves them must have been loaded before.

/** The scenario of a text, with the kernels that its exact answer takes. @throws InputError */
export async function solvable(text: string, place?: string): Promise<Scenario> {
  const scenario = scenarioOf(text, place);
  await holdKernels(['chain', scenario.system]);
  return scenario;
}
