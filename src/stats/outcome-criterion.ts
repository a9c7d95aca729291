/**
 * Stopping criterion of a run that estimates the probabilities of all outcomes. Unobserved outcomes cost nothing: at an
 * interim analysis only the intervals of observed outcomes share the 5 %, and the schedule is the one for this number
 * of outcomes. Unobserved outcomes are bounded by a small part of the 5 % that is reserved for all of them together.
 *
 * Until all possible outcomes have been observed, there are schedules for fewer, so a run may switch from the schedule
 * of k outcomes to the one of more. Given the time at which rare outcomes first occurred, the others are as in a run of
 * k outcomes before, and of more after it. The error that is added by a switch between the last analyses of k is not
 * bounded here; tests/stats/precision.test.ts computes that the 95 % hold there, too.
 */

import { ALPHA, roundUpToStep } from './analysis-schedule.ts';
import { clopperPearson } from './binomial.ts';
import { type Counts, getBattleCount } from './counts.ts';
import { computeMaxHalfWidth, type HalfWidthTarget } from './half-width-target.ts';
import type { Interval } from './intervals.ts';
import { computeSufficientBattles, hasNarrowOutcomes } from './outcome-analysis.ts';
import { type OutcomeSchedule, scheduleOutcomeAnalyses } from './outcome-schedule.ts';

/** Reserved error rate for unobserved outcomes. */
const UNOBSERVED_ERROR = 0.0005;

/** Maximum battles of a schedule, relative to those that suffice for a quarter of 5 %, shared evenly. */
const RESERVE = 1.25;

/** Numbers of outcomes with their own schedules; each further one is double the previous. */
const SIZES: readonly number[] = [1, 2, 3, 4];

/** Chooses the schedule for a number of observed outcomes. */
function chooseScheduleSize(came: number, outcomes: number): number {
  const sizes = [...SIZES];
  while ((sizes.at(-1) ?? 0) < came) sizes.push(2 * (sizes.at(-2) ?? 1));
  return Math.max(Math.min(2, outcomes), Math.min(outcomes, sizes.find((size) => size >= came) ?? outcomes));
}

const countObservedOutcomes = ({ outcomes }: Counts): number =>
  outcomes.reduce((sum, count) => sum + Number(count > 0), 0);

/** Interim analysis of a run. */
export interface ScheduledAnalysis {
  readonly schedule: OutcomeSchedule;
  /** Index in the schedule; -1: not scheduled. */
  readonly index: number;
}

export class OutcomeCriterion {
  readonly #aim: HalfWidthTarget;
  readonly #outcomes: number;
  readonly #most: number;
  readonly #schedules = new Map<number, OutcomeSchedule>();

  /** @param most maximum number of battles */
  constructor(aim: HalfWidthTarget, outcomes: number, most: number) {
    this.#aim = aim;
    this.#outcomes = outcomes;
    this.#most = most;
  }

  /** Maximum battles of any schedule. */
  get most(): number {
    return Math.min(
      this.#most,
      roundUpToStep(RESERVE * computeSufficientBattles(this.#aim, ALPHA / (4 * this.#outcomes))),
    );
  }

  /** Returns the battles of the next interim analysis; undefined if the present counts suffice. */
  nextAnalysis(counts: Counts): number | undefined {
    const battles = getBattleCount(counts);
    if (battles > 0 && (battles >= this.#most || this.isReached(counts))) return undefined;
    return this.locate(counts).schedule.analyses.find((analysis) => analysis.battles > battles)?.battles;
  }

  /** Returns the schedule for counts, and their index in it. */
  locate(counts: Counts): ScheduledAnalysis {
    const schedule = this.#schedule(chooseScheduleSize(countObservedOutcomes(counts), this.#outcomes));
    const battles = getBattleCount(counts);
    return { schedule, index: schedule.analyses.findIndex((analysis) => analysis.battles === battles) };
  }

  /** Returns true if the counts of an interim analysis are precise enough. */
  isReached(counts: Counts): boolean {
    const { schedule, index } = this.locate(counts);
    const here = schedule.analyses[index];
    if (here === undefined) return false;
    const battles = getBattleCount(counts);
    const varying = counts.outcomes.filter((count) => count > 0 && count < battles);
    const [low, high] = this.#getFixedInterval(0, battles);
    return hasNarrowOutcomes(varying, here) && (high - low) / 2 <= computeMaxHalfWidth(this.#aim, 0);
  }

  /** Computes the simultaneous intervals of all outcomes. */
  intervals(counts: Counts): Interval[] {
    const battles = getBattleCount(counts);
    const { level } = this.locate(counts).schedule;
    return Array.from(counts.outcomes, (count) =>
      count > 0 && count < battles ? clopperPearson(count, battles, level) : this.#getFixedInterval(count, battles),
    );
  }

  /** Returns the interval of an outcome that is unobserved, or the only observed one. */
  #getFixedInterval(count: number, battles: number): Interval {
    return clopperPearson(count, battles, (2 * UNOBSERVED_ERROR) / this.#outcomes);
  }

  #schedule(size: number): OutcomeSchedule {
    let schedule = this.#schedules.get(size);
    if (schedule === undefined) {
      schedule = scheduleOutcomeAnalyses(this.#aim, size, this.#most, ALPHA - UNOBSERVED_ERROR);
      this.#schedules.set(size, schedule);
    }
    return schedule;
  }
}
