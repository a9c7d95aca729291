/** Decides whether a number of a scenario lies within bounds: exactly, or by playing until an interval tells. */

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
import { computeAffordableBudget, type ExactResult, findExactAnswer, solveOffThread } from './solve.ts';

/** How a number is known. */
export interface MeasuredValue {
  readonly value: number;
  /** Absent if the value is exact. */
  readonly interval?: Interval;
  /** Of a mean by playing: by how much values that came in no battle may move it, at 97.5 %; the interval counts them. */
  readonly unobserved?: number;
  /** That were played; 0 if the value is exact. */
  readonly battles: number;
}

/** `interrupted`: a signal came first; what is known then has no interval. */
export interface BoundsDecision extends Partial<MeasuredValue> {
  readonly verdict: BoundsVerdict | 'interrupted';
  readonly battles: number;
}

/** How battles are played. */
export interface SequentialTestOptions extends Omit<ExecutionOptions, 'workers'>, Pick<RunLegsOptions, 'workers'> {
  readonly seed: bigint;
  /** Index of the first battle. */
  readonly from?: number;
  /** How many may be played. */
  readonly battles: number;
  /** With what probability the decision may be wrong at most. */
  readonly error: number;
  /** Means have intervals that hold for every law in the declared range. */
  readonly bounded?: boolean | undefined;
}

/** Decides by an exact law. */
export function decideExactly(law: Counts, quantity: Estimand, bounds: Bounds): BoundsDecision & MeasuredValue {
  const value = quantity.computeValue(law);
  return { verdict: judgeValue(value, bounds), value, battles: 0 };
}

/** What is known of a number after battles; without an interval if a signal came before the first look. */
export interface Measurement extends Partial<MeasuredValue> {
  readonly battles: number;
  /** False if a signal came before it was enough. */
  readonly complete: boolean;
}

/**
 * Plays, look by look, until the interval of a number is enough, or all battles are played. Threads change no result.
 * @param enough is asked at each look
 */
export async function measureUntil(
  scenario: Scenario,
  quantity: Estimand,
  enough: (interval: Interval) => boolean,
  { seed, from = 0, battles, error, bounded, ...execution }: SequentialTestOptions,
): Promise<Measurement> {
  const { analyses, interval } = createInterimSchedule(quantity, battles, error, bounded);
  const { tally, complete } = await runLegs(
    { engine: 'kernel', scenario, seed, from, to: from + battles },
    scheduleAnalyses(analyses, (so) => enough(interval(so))),
    execution,
  );
  const played = getBattleCount(tally);
  const value = played > 0 ? { value: quantity.computeValue(tally) } : {};
  if (!analyses.includes(played)) return { ...value, battles: played, complete: false };
  const unseen = quantity.kind === 'mean' ? { unobserved: computeUnobservedShift(played, quantity.range) } : {};
  const found = interval(tally);
  return { ...value, interval: found, ...unseen, battles: played, complete: complete || enough(found) };
}

/** Decides by playing. */
export async function decideBySimulation(
  scenario: Scenario,
  quantity: Estimand,
  bounds: Bounds,
  play: SequentialTestOptions,
): Promise<BoundsDecision> {
  const judge = (interval: Interval): BoundsVerdict => judgeInterval(interval, bounds);
  const { complete, ...found } = await measureUntil(scenario, quantity, (so) => judge(so) !== 'undecided', play);
  const { interval } = found;
  return { ...found, verdict: complete && interval !== undefined ? judge(interval) : 'interrupted' };
}

/** What any command can wait for before it hears a signal: about a second. */
const BRIEF_BUDGET = createSideBudget(Number.POSITIVE_INFINITY);

const isBrief = ({ steps, moves }: ExactBudget): boolean => steps <= BRIEF_BUDGET.steps && moves <= BRIEF_BUDGET.moves;

/**
 * The exact answer of `answerTo`; what would take longer than about a second is worked out in a thread, so
 * that the caller hears signals meanwhile.
 * @param signal ends it; without one the answer is worked out in the calling thread
 * @throws BudgetError if it is always asked for and too large
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
  if (signal === undefined || exact === 'never' || isBrief(budget))
    return findExactAnswer(scenario, exact, battles, steps);
  try {
    return await solveOffThread(scenario, budget, { signal });
  } catch (error) {
    if (error instanceof BudgetError && exact === 'auto') return undefined;
    throw error;
  }
}
