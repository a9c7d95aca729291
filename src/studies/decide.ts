/** Decides whether a number of a scenario lies within bounds: exactly, or by playing until an interval tells. */

import {
  type Bounds,
  battlesIn,
  type Interval,
  judgeInterval,
  judgeValue,
  type Quantity,
  type Tally,
  unseenMove,
  type Verdict,
  watch,
} from '../answers/index.ts';
import { BudgetError } from '../core/index.ts';
import { type ExactBudget, fixedLooks, type LegsOptions, playLegs, sideBudget } from '../engines/index.ts';
import type { Scenario } from '../rules/index.ts';
import type { Execution } from './execution.ts';
import type { Exactness } from './questions.ts';
import { affordable, answerTo, type ExactResult, solvePatiently } from './solve.ts';

/** How a number is known. */
export interface KnownNumber {
  readonly value: number;
  /** Absent if the value is exact. */
  readonly interval?: Interval;
  /** Of a mean by playing: by how much values that came in no battle may move it, at 97.5 %; the interval counts them. */
  readonly unseen?: number;
  /** That were played; 0 if the value is exact. */
  readonly battles: number;
}

/** `interrupted`: a signal came first; what is known then has no interval. */
export interface Decided extends Partial<KnownNumber> {
  readonly verdict: Verdict | 'interrupted';
  readonly battles: number;
}

/** How battles are played. */
export interface Play extends Omit<Execution, 'workers'>, Pick<LegsOptions, 'workers'> {
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
export function decideExactly(law: Tally, quantity: Quantity, bounds: Bounds): Decided & KnownNumber {
  const value = quantity.value(law);
  return { verdict: judgeValue(value, bounds), value, battles: 0 };
}

/** What is known of a number after battles; without an interval if a signal came before the first look. */
export interface MeasuredNumber extends Partial<KnownNumber> {
  readonly battles: number;
  /** False if a signal came before it was enough. */
  readonly complete: boolean;
}

/**
 * Plays, look by look, until the interval of a number is enough, or all battles are played. Threads change no result.
 * @param enough is asked at each look
 */
export async function measure(
  scenario: Scenario,
  quantity: Quantity,
  enough: (interval: Interval) => boolean,
  { seed, from = 0, battles, error, bounded, ...execution }: Play,
): Promise<MeasuredNumber> {
  const { looks, interval } = watch(quantity, battles, error, bounded);
  const { tally, complete } = await playLegs(
    { engine: 'kernel', scenario, seed, from, to: from + battles },
    fixedLooks(looks, (so) => enough(interval(so))),
    execution,
  );
  const played = battlesIn(tally);
  const value = played > 0 ? { value: quantity.value(tally) } : {};
  if (!looks.includes(played)) return { ...value, battles: played, complete: false };
  const unseen = quantity.kind === 'mean' ? { unseen: unseenMove(played, quantity.range) } : {};
  const found = interval(tally);
  return { ...value, interval: found, ...unseen, battles: played, complete: complete || enough(found) };
}

/** Decides by playing. */
export async function decideByPlaying(
  scenario: Scenario,
  quantity: Quantity,
  bounds: Bounds,
  play: Play,
): Promise<Decided> {
  const judge = (interval: Interval): Verdict => judgeInterval(interval, bounds);
  const { complete, ...found } = await measure(scenario, quantity, (so) => judge(so) !== 'undecided', play);
  const { interval } = found;
  return { ...found, verdict: complete && interval !== undefined ? judge(interval) : 'interrupted' };
}

/** What any command can wait for before it hears a signal: about a second. */
const BRIEF = sideBudget(Number.POSITIVE_INFINITY);

const isBrief = ({ steps, moves }: ExactBudget): boolean => steps <= BRIEF.steps && moves <= BRIEF.moves;

/**
 * The exact answer of `answerTo`; what would take longer than about a second is worked out in a thread, so
 * that the caller hears signals meanwhile.
 * @param signal ends it; without one the answer is worked out in the calling thread
 * @throws BudgetError if it is always asked for and too large
 * @throws AbortError if the signal comes first
 */
export async function answerPatiently(
  scenario: Scenario,
  exact: Exactness,
  battles: number,
  steps: number | undefined,
  signal: AbortSignal | undefined,
): Promise<ExactResult | undefined> {
  const budget = affordable(exact, battles, steps);
  if (signal === undefined || exact === 'never' || isBrief(budget)) return answerTo(scenario, exact, battles, steps);
  try {
    return await solvePatiently(scenario, budget, { signal });
  } catch (error) {
    if (error instanceof BudgetError && exact === 'auto') return undefined;
    throw error;
  }
}
