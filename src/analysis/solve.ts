/** The exact answer to a scenario. */

import { BudgetError, createOptionsCheck } from '../core/index.ts';
import {
  checkDistribution,
  checkStart,
  createBudget,
  createSideBudget,
  crossCheckDistribution,
  type ExactBudget,
  type ExactDistribution,
  FULL_BUDGET,
  offload,
  PROGRESS_OPTIONS,
  type ProgressOptions,
  solveInKernel,
  solveModel,
} from '../engines/index.ts';
import { type BoundScenario, describeRulesError, getBoundScenario, type Scenario } from '../rules/index.ts';
import {
  type Counts,
  type CountsShape,
  createResultHeader,
  hashScenario,
  type Summary,
  summarizeDistribution,
  toDistributionJson,
  withToJson,
} from '../stats/index.ts';
import type { ExactMode } from './shared-options.ts';

/** Options of `solveSync`. */
export interface SolveSyncOptions {
  /** Maximum number of steps (transitions before merging), 1..10^10; default 4 000 000 (several seconds). */
  readonly budget?: number | undefined;
}

/** Options of `solve`. */
export interface SolveOptions extends SolveSyncOptions, ProgressOptions {}

const checkSyncOptions = createOptionsCheck<SolveSyncOptions>('solveSync', { budget: true });
const checkOptions = createOptionsCheck<SolveOptions>('solve', { budget: true, ...PROGRESS_OPTIONS });

/** Exact distribution of a scenario. */
export interface ExactData {
  readonly scenario: Scenario;
  readonly scenarioHash: string;
  readonly shape: CountsShape;
  /** Probabilities instead of counts. */
  readonly distribution: Counts;
  readonly summary: Summary;
  /**
   * Upper bound of the probability of battles that exceed the followed rounds; below 1e-15 of the least likely outcome
   * if the budget allows.
   */
  readonly truncated: number;
  /** States of the chain, and transitions before merging. */
  readonly states: number;
  readonly steps: number;
  readonly elapsedSeconds: number;
}

/** Converts an exact answer to JSON, the output of `warpool exact --json`. */
export function toExactJson(exact: ExactData) {
  const { elapsedSeconds, states, steps, truncated } = exact;
  return {
    ...createResultHeader(exact.scenario, exact.scenarioHash),
    ...{ engine: 'exact' as const, elapsedSeconds, states, steps, truncated },
    ...toDistributionJson(exact.summary, exact.shape, exact.distribution),
  };
}

/** JSON output of `warpool exact --json`. */
export type ExactJson = ReturnType<typeof toExactJson>;

/** Exact answer of `solve` and `solveSync`. */
export interface ExactResult extends ExactData {
  /**
   * Converts the result for `JSON.stringify`: outcomes and metrics by name, without tables. See docs/reference/json.md.
   */
  toJSON(): ExactJson;
}

function solveRules(open: BoundScenario, budget: ExactBudget): ExactDistribution {
  try {
    return solveModel(open.model, budget);
  } catch (error) {
    throw describeRulesError(error, open);
  }
}

/**
 * Solves a scenario in the calling thread.
 * @throws RulesError, BudgetError as `solve` does
 */
export function solveWithBudget(scenario: Scenario, budget: ExactBudget = FULL_BUDGET): ExactResult {
  const began = performance.now();
  const open = getBoundScenario(scenario);
  const { shape } = open;
  const known = solveInKernel(open, budget);
  const { distribution, lost, states, steps } = known ?? solveRules(open, budget);
  checkDistribution(open, distribution.outcomes, lost);
  const summary = summarizeDistribution(shape, distribution, lost);
  crossCheckDistribution(open, summary, steps);
  const elapsedSeconds = (performance.now() - began) / 1000;
  const hash = hashScenario(scenario);
  const exact: ExactData = {
    scenario,
    scenarioHash: hash,
    shape,
    distribution,
    summary,
    truncated: lost,
    states,
    steps,
    elapsedSeconds,
  };
  return createExactResult(exact);
}

const createExactResult = (exact: ExactData): ExactResult => withToJson(exact, () => toExactJson(exact));

const resolveExactBudget = (steps: number | undefined): ExactBudget =>
  steps === undefined ? FULL_BUDGET : createBudget(steps);

/** Budget of problems that `solve` computes in the calling thread: less time than the start of a thread. */
const SMALL_BUDGET: ExactBudget = { steps: 5000, moves: 2_000_000, skipEstimate: true, requireComplete: true };

/** Solves a scenario in a thread, or here if it is small. The result is the one of `solveWithBudget`. */
export async function solveOffThread(
  scenario: Scenario,
  budget: ExactBudget,
  watch: ProgressOptions,
): Promise<ExactResult> {
  checkStart(watch.signal);
  try {
    const steps = Math.min(SMALL_BUDGET.steps, budget.steps);
    return solveWithBudget(scenario, { ...SMALL_BUDGET, steps, moves: Math.min(SMALL_BUDGET.moves, budget.moves) });
  } catch (error) {
    if (!(error instanceof BudgetError)) throw error;
  }
  const solved = await offload('solve', scenario, budget, watch, (): ExactData => solveWithBudget(scenario, budget));
  return createExactResult({ ...solved, scenario });
}

/**
 * Solves a scenario exactly, in double precision: outcome probabilities and the distribution of every metric. Computes
 * in a worker thread unless the scenario is small; a system that was passed as a value, not loaded by `loadSystems`, is
 * solved in the calling thread and ignores signals.
 * @throws InputError if an option is invalid
 * @throws RulesError if the rules of the system fail, or the probabilities do not sum to 1 or contradict battles: for
 *   custom systems up to a hundred battles are simulated as a check
 * @throws BudgetError if the scenario exceeds the budget; the message has its estimated size, `suggested` a budget
 *   that may suffice
 * @throws AbortError if the signal comes first
 */
export async function solve(scenario: Scenario, options: SolveOptions = {}): Promise<ExactResult> {
  checkOptions(options);
  return await solveOffThread(scenario, resolveExactBudget(options.budget), options);
}

/**
 * Solves like `solve` in the calling thread, which blocks the event loop.
 * @throws InputError, RulesError, BudgetError as `solve` does
 */
export function solveSync(scenario: Scenario, options: SolveSyncOptions = {}): ExactResult {
  checkSyncOptions(options);
  return solveWithBudget(scenario, resolveExactBudget(options.budget));
}

/** Computes the budget of an exact answer next to a number of simulated battles. */
export function computeAffordableBudget(exact: ExactMode, battles: number, steps: number | undefined): ExactBudget {
  if (steps !== undefined) return createBudget(steps);
  return exact === 'always' ? FULL_BUDGET : createSideBudget(battles);
}

/**
 * Computes the exact answer of a scenario next to a number of battles; undefined if it is not requested or not
 * affordable.
 * @param steps overrides the budget
 * @throws BudgetError if `exact` is `always` and the answer exceeds the budget
 */
export function findExactAnswer(
  scenario: Scenario,
  exact: ExactMode,
  battles: number,
  steps?: number,
): ExactResult | undefined {
  if (exact === 'never') return undefined;
  try {
    // The reason is not reported.
    return solveWithBudget(scenario, {
      ...computeAffordableBudget(exact, battles, steps),
      ...(exact === 'auto' && { skipEstimate: true }),
    });
  } catch (error) {
    if (error instanceof BudgetError && exact === 'auto') return undefined;
    throw error;
  }
}
