/** The exact answer to a scenario. */

import {
  asJson,
  headOf,
  lawJson,
  type Summary,
  scenarioHash,
  summariseLaw,
  type Tally,
  type TallyShape,
} from '../answers/index.ts';
import { BudgetError, optionsOf } from '../core/index.ts';
import {
  budgetOf,
  checkLaw,
  checkStart,
  type ExactBudget,
  type ExactLaw,
  FULL_BUDGET,
  offload,
  proveLaw,
  sideBudget,
  solveInKernel,
  solveModel,
  WATCH,
  type WatchOptions,
} from '../engines/index.ts';
import { type Opened, opened, type Scenario, toldRules } from '../rules/index.ts';
import type { Exactness } from './questions.ts';

/** Options of `solveSync`. */
export interface SolveSyncOptions {
  /** Steps (transitions before merging) that may be computed, 1..10^10; 4 000 000 (some seconds) by default. */
  readonly budget?: number | undefined;
}

/** Options of `solve`. */
export interface SolveOptions extends SolveSyncOptions, WatchOptions {}

const checkSyncOptions = optionsOf<SolveSyncOptions>('solveSync', { budget: true });
const checkOptions = optionsOf<SolveOptions>('solve', { budget: true, ...WATCH });

/** The law of a scenario. */
export interface Solved {
  readonly scenario: Scenario;
  readonly scenarioHash: string;
  readonly shape: TallyShape;
  /** Probabilities in the place of counts. */
  readonly law: Tally;
  readonly summary: Summary;
  /** At most so many battles last longer than what was followed; below 1e-15 of the least likely outcome if the budget allows. */
  readonly lost: number;
  /** States of the chain, and transitions before merging. */
  readonly states: number;
  readonly steps: number;
  readonly elapsedSeconds: number;
}

/** An exact answer as JSON: what `warpool exact --json` prints. */
export function exactJson(exact: Solved) {
  const { elapsedSeconds, states, steps, lost } = exact;
  return {
    ...headOf(exact.scenario, exact.scenarioHash),
    ...{ engine: 'exact' as const, elapsedSeconds, states, steps, lost },
    ...lawJson(exact.summary, exact.shape, exact.law),
  };
}

/** What `warpool exact --json` prints. */
export type ExactJson = ReturnType<typeof exactJson>;

/** Exact answer of `solve` and `solveSync`. */
export interface ExactResult extends Solved {
  /** For `JSON.stringify`: outcomes and metrics by their names, without the tables. See docs/reference/json.md. */
  toJSON(): ExactJson;
}

function solveRules(open: Opened, budget: ExactBudget): ExactLaw {
  try {
    return solveModel(open.model, budget);
  } catch (error) {
    throw toldRules(error, open);
  }
}

/**
 * Solves a scenario in the calling thread.
 * @throws RulesError, BudgetError as `solve` does
 */
export function solveWithin(scenario: Scenario, budget: ExactBudget = FULL_BUDGET): ExactResult {
  const began = performance.now();
  const open = opened(scenario);
  const { shape } = open;
  const known = solveInKernel(open, budget);
  const { law, lost, states, steps } = known ?? solveRules(open, budget);
  checkLaw(open, law.outcomes, lost);
  const summary = summariseLaw(shape, law, lost);
  proveLaw(open, summary, steps);
  const elapsedSeconds = (performance.now() - began) / 1000;
  const hash = scenarioHash(scenario);
  const exact: Solved = { scenario, scenarioHash: hash, shape, law, summary, lost, states, steps, elapsedSeconds };
  return exactResult(exact);
}

const exactResult = (exact: Solved): ExactResult => asJson(exact, () => exactJson(exact));

const exactBudget = (steps: number | undefined): ExactBudget => (steps === undefined ? FULL_BUDGET : budgetOf(steps));

/** Problems that `solve` computes in the calling thread: they take less time than to start a thread. */
const SMALL: ExactBudget = { steps: 5000, moves: 2_000_000, brief: true, whole: true };

/** Solves a scenario in a thread, or here if it is small. The result is that of `solveWithin`. */
export async function solvePatiently(
  scenario: Scenario,
  budget: ExactBudget,
  watch: WatchOptions,
): Promise<ExactResult> {
  checkStart(watch.signal);
  try {
    const steps = Math.min(SMALL.steps, budget.steps);
    return solveWithin(scenario, { ...SMALL, steps, moves: Math.min(SMALL.moves, budget.moves) });
  } catch (error) {
    if (!(error instanceof BudgetError)) throw error;
  }
  const solved = await offload('solve', scenario, budget, watch, (): Solved => solveWithin(scenario, budget));
  return exactResult({ ...solved, scenario });
}

/**
 * Solves a scenario exactly, in double precision: outcome probabilities and the distribution of every metric. It
 * computes in a thread of the process, unless the scenario is small; a system that was given as a value, and not by
 * `loadSystems`, is solved in the calling thread, which hears no signal meanwhile.
 * @throws InputError if an option is wrong
 * @throws RulesError if the rules of the system fail, or what they come to is no law or contradicts battles: a hundred are
 *                    played by the rules of a system of one's own, as far as that takes little beside the answer
 * @throws BudgetError if the scenario is larger; the message names its size, `suggested` the steps of a budget that may
 *                     be enough
 * @throws AbortError if the signal comes first
 */
export async function solve(scenario: Scenario, options: SolveOptions = {}): Promise<ExactResult> {
  checkOptions(options);
  return await solvePatiently(scenario, exactBudget(options.budget), options);
}

/**
 * Solves a scenario as `solve` does, in the calling thread: it blocks the event loop until the result is there.
 * @throws InputError, RulesError, BudgetError as `solve` does
 */
export function solveSync(scenario: Scenario, options: SolveSyncOptions = {}): ExactResult {
  checkSyncOptions(options);
  return solveWithin(scenario, exactBudget(options.budget));
}

/** What an exact answer beside so many battles may cost. */
export function affordable(exact: Exactness, battles: number, steps: number | undefined): ExactBudget {
  if (steps !== undefined) return budgetOf(steps);
  return exact === 'always' ? FULL_BUDGET : sideBudget(battles);
}

/**
 * The exact answer to a scenario beside so many battles; undefined if it is not asked for or not affordable.
 * @param steps of the budget, in the place of the one that fits the battles
 * @throws BudgetError if it is always asked for and too large
 */
export function answerTo(
  scenario: Scenario,
  exact: Exactness,
  battles: number,
  steps?: number,
): ExactResult | undefined {
  if (exact === 'never') return undefined;
  try {
    // Nobody reads why it is not affordable.
    return solveWithin(scenario, { ...affordable(exact, battles, steps), ...(exact === 'auto' && { brief: true }) });
  } catch (error) {
    if (error instanceof BudgetError && exact === 'auto') return undefined;
    throw error;
  }
}
