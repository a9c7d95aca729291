/**
 * A run that is to tell the probabilities of all outcomes. Outcomes that did not come cost nothing: at a look only as
 * many intervals share the 5 % as outcomes came, and the looks are those of a run of so many outcomes. What did not come
 * is bounded by a small part of the 5 % that is set aside for it, together for all of them.
 *
 * Until outcomes that came are as many as there can come, there are looks of fewer, so a run may pass from the looks of
 * k outcomes to those of more. Given when rare outcomes came first, the others are as in a run of k outcomes before, and
 * of more after. What a passage adds to the error where it comes between the last looks of k is not bounded here; that
 * 95 % hold there too is computed in tests/stats/precision.test.ts.
 */

import { ALPHA, roundUpToStep } from './analysis-schedule.ts';
import { clopperPearson } from './binomial.ts';
import { type Counts, getBattleCount } from './counts.ts';
import { computeMaxHalfWidth, type HalfWidthTarget } from './half-width-target.ts';
import type { Interval } from './intervals.ts';
import { computeSufficientBattles, hasNarrowOutcomes } from './outcome-analysis.ts';
import { type OutcomeSchedule, scheduleOutcomeAnalyses } from './outcome-schedule.ts';

/** What is set aside for outcomes that did not come. */
const UNOBSERVED_ERROR = 0.0005;

/** No schedule has more than so many times the battles that suffice for a quarter of 5 %, shared evenly. */
const RESERVE = 1.25;

/** So many outcomes or fewer have looks of their own; each further number is that before the last, doubled. */
const SIZES: readonly number[] = [1, 2, 3, 4];

/** The number of outcomes whose looks are used where so many came. */
function chooseScheduleSize(came: number, outcomes: number): number {
  const sizes = [...SIZES];
  while ((sizes.at(-1) ?? 0) < came) sizes.push(2 * (sizes.at(-2) ?? 1));
  return Math.max(Math.min(2, outcomes), Math.min(outcomes, sizes.find((size) => size >= came) ?? outcomes));
}

const countObservedOutcomes = ({ outcomes }: Counts): number =>
  outcomes.reduce((sum, count) => sum + Number(count > 0), 0);

/** What is known of the looks of a run. */
export interface ScheduledAnalysis {
  readonly schedule: OutcomeSchedule;
  /** The place of the look among those of the schedule; -1: it is none. */
  readonly index: number;
}

export class OutcomeCriterion {
  readonly #aim: HalfWidthTarget;
  readonly #outcomes: number;
  readonly #most: number;
  readonly #schedules = new Map<number, OutcomeSchedule>();

  /** @param most battles that may be played */
  constructor(aim: HalfWidthTarget, outcomes: number, most: number) {
    this.#aim = aim;
    this.#outcomes = outcomes;
    this.#most = most;
  }

  /** Battles after which the run has ended for certain: no schedule is longer. */
  get most(): number {
    return Math.min(
      this.#most,
      roundUpToStep(RESERVE * computeSufficientBattles(this.#aim, ALPHA / (4 * this.#outcomes))),
    );
  }

  /** Battles of the next look after those of a tally; undefined if they are enough. */
  nextAnalysis(tally: Counts): number | undefined {
    const battles = getBattleCount(tally);
    if (battles > 0 && (battles >= this.#most || this.isReached(tally))) return undefined;
    return this.locate(tally).schedule.analyses.find((look) => look.battles > battles)?.battles;
  }

  /** The looks that a tally is for, and which of them it is. */
  locate(tally: Counts): ScheduledAnalysis {
    const schedule = this.#schedule(chooseScheduleSize(countObservedOutcomes(tally), this.#outcomes));
    const battles = getBattleCount(tally);
    return { schedule, index: schedule.analyses.findIndex((look) => look.battles === battles) };
  }

  /** True if the tally of a look is precise enough. */
  isReached(tally: Counts): boolean {
    const { schedule, index } = this.locate(tally);
    const here = schedule.analyses[index];
    if (here === undefined) return false;
    const battles = getBattleCount(tally);
    const varying = tally.outcomes.filter((count) => count > 0 && count < battles);
    const [low, high] = this.#fixed(0, battles);
    return hasNarrowOutcomes(varying, here) && (high - low) / 2 <= computeMaxHalfWidth(this.#aim, 0);
  }

  /** The intervals of all outcomes, which hold together. */
  intervals(tally: Counts): Interval[] {
    const battles = getBattleCount(tally);
    const { level } = this.locate(tally).schedule;
    return Array.from(tally.outcomes, (count) =>
      count > 0 && count < battles ? clopperPearson(count, battles, level) : this.#fixed(count, battles),
    );
  }

  /** Of an outcome that never came, or of one beside which none came. */
  #fixed(count: number, battles: number): Interval {
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
