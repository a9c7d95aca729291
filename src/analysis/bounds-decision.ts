/**
 * Decides whether a number of a scenario is within bounds: exactly, or by simulating until the interval is conclusive.
 */

import { BudgetError } from '../core/index.ts';
import {
  createSideBudget,
  type ExactBudget,
  type RunLegsOptions,
  runLegs,
  scheduleAnalyses,
} from '../engines/index.ts';
import type { Scenario } from '../rules/index.ts';
import {
  type Bounds,
  type BoundsVerdict,
  type Counts,
  computeUnobservedShift,
  createInterimSchedule,
  type Estimand,
  getBattleCount,
  type Interval,
  judgeInterval,
  judgeValue,
} from '../stats/index.ts';
import type { ExecutionOptions } from './execution-options.ts';
import type { ExactMode } from './shared-options.ts';
import {
  computeAffordableBudget,
  type ExactResult,
  findExactAnswer,
  solveOffThread,
  solveWithBudget,
} from './solve.ts';

/** A value, exact or estimated. */
export interface MeasuredValue {
  readonly value: number;
  /** Absent if the value is exact. */
  readonly interval?: Interval;
  /** Of an estimated mean: its maximum change by unobserved values, at 97.5 %; included in the interval. */
  readonly unobserved?: number;
  /** Simulated battles; 0 if the value is exact. */
  readonly battles: number;
}

/** A decision; `interrupted`: the signal came first, and the value has no interval. */
export interface BoundsDecision extends Partial<MeasuredValue> {
  readonly verdict: BoundsVerdict | 'interrupted';
  readonly battles: number;
}

/** Options of the simulation. */
export interface SequentialTestOptions extends Omit<ExecutionOptions, 'workers'>, Pick<RunLegsOptions, 'workers'> {
  readonly seed: bigint;
  /** Index of the first battle. */
  readonly from?: number;
  /** Maximum number of battles. */
  readonly battles: number;
  /** Maximum probability of a wrong decision. */
  readonly error: number;
  /** Intervals of means are valid for every distribution in the declared range of the metric. */
  readonly bounded?: boolean | undefined;
}

/** Decides by an exact distribution. */
export function decideExactly(
  distribution: Counts,
  quantity: Estimand,
  bounds: Bounds,
): BoundsDecision & MeasuredValue {
  const value = quantity.computeValue(distribution);
  return { verdict: judgeValue(value, bounds), value, battles: 0 };
}

/** Measurement of a number; without an interval if the signal came before the first interim analysis. */
export interface Measurement extends Partial<MeasuredValue> {
  readonly battles: number;
  /** False if the signal stopped it. */
  readonly complete: boolean;
}

/**
 * Simulates from one interim analysis to the next until the interval is conclusive or all battles are simulated. The
 * number of threads does not affect the result.
 * @param enough called at each interim analysis
 */
export async function measureUntil(
  scenario: Scenario,
  quantity: Estimand,
  enough: (interval: Interval) => boolean,
  { seed, from = 0, battles, error, bounded, ...execution }: SequentialTestOptions,
): Promise<Measurement> {
  const { analyses, interval } = createInterimSchedule(quantity, battles, error, bounded);
  const { counts, complete } = await runLegs(
    { engine: 'kernel', scenario, seed, from, to: from + battles },
    scheduleAnalyses(analyses, (so) => enough(interval(so))),
    execution,
  );
  const played = getBattleCount(counts);
  const value = played > 0 ? { value: quantity.computeValue(counts) } : {};
  if (!analyses.includes(played)) return { ...value, battles: played, complete: false };
  const unseen = quantity.kind === 'mean' ? { unobserved: computeUnobservedShift(played, quantity.range) } : {};
  const found = interval(counts);
  return { ...value, interval: found, ...unseen, battles: played, complete: complete || enough(found) };
}

/** Decides by simulation. */
export async function decideBySimulation(
  scenario: Scenario,
  quantity: Estimand,
  bounds: Bounds,
  play: SequentialTestOptions,
): Promise<BoundsDecision> {
  const compareWithBounds = (interval: Interval): BoundsVerdict => judgeInterval(interval, bounds);
  const { complete, ...found } = await measureUntil(
    scenario,
    quantity,
    (so) => compareWithBounds(so) !== 'undecided',
    play,
  );
  const { interval } = found;
  return { ...found, verdict: complete && interval !== undefined ? compareWithBounds(interval) : 'interrupted' };
}

/** Budgets that block a thread for at most about 0.1 seconds, and a command for at most about a second. */
const [MOMENT, BRIEF_BUDGET] = [createSideBudget(0), createSideBudget(Number.POSITIVE_INFINITY)];

const isWithin = ({ steps, moves }: ExactBudget, most: ExactBudget): boolean =>
  steps <= most.steps && moves <= most.moves;

/**
 * Computes the exact answer of `findExactAnswer` if that takes at most about 0.1 seconds.
 * @throws BudgetError if it takes longer
 */
export function findBriefExactAnswer(
  scenario: Scenario,
  exact: ExactMode,
  battles: number,
  steps: number | undefined,
): ExactResult | undefined {
  const budget = computeAffordableBudget(exact, battles, steps);
  if (exact === 'never' || isWithin(budget, MOMENT)) return findExactAnswer(scenario, exact, battles, steps);
  const least = { steps: Math.min(MOMENT.steps, budget.steps), moves: Math.min(MOMENT.moves, budget.moves) };
  return solveWithBudget(scenario, { ...least, skipEstimate: true, requireComplete: true });
}

/**
 * Computes the exact answer of `findExactAnswer`; longer than about a second only in a thread, so that the caller can
 * react to signals.
 * @param signal stops it; without one the answer is computed in the calling thread
 * @throws BudgetError if `exact` is `always` and the answer exceeds the budget
 * @throws AbortError if the signal comes first
 */
export async function findExactAnswerOffThread(
  scenario: Scenario,
  exact: ExactMode,
  battles: number,
  steps: number | undefined,
  signal: AbortSignal | undefined,
): Promise<ExactResult | undefined> {
  const budget = computeAffordableBudget(exact, battles, steps);
  if (signal === undefined || exact === 'never' || isWithin(budget, BRIEF_BUDGET))
    return findExactAnswer(scenario, exact, battles, steps);
  try {
    return await solveOffThread(scenario, budget, { signal });
  } catch (error) {
    if (error instanceof BudgetError && exact === 'auto') return undefined;
    throw error;
  }
}
