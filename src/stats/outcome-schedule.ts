/**
 * Schedules a run that estimates the probability of every outcome to a precision. At each interim analysis every
 * outcome has an interval of Clopper and Pearson; the run ends at the first analysis at which all are narrow enough.
 *
 * The intervals of all analyses need not hold together, because most analyses do not stop the run. Let `level` be the
 * error rate of one interval and m the number of intervals. Counts that are not narrow enough at an analysis are
 * between two numbers, `upTo` and `from`; let [low, high] be the union of the intervals of these counts. It shrinks
 * from analysis to analysis. p is the probability of the outcome which it excludes last: the one closest to 1/2, or to
 * the floor of a relative precision.
 *
 * 1. At the first analysis at which p is outside [low, high] no probability of an outcome is inside, so an outcome that
 * is not narrow misses. So except for the misses of this one analysis, m x level together, no run continues.
 * 2. At an earlier analysis the run ends only if the outcome of p counts `upTo` or less, or `from` or more: tails of
 * the binomial distribution, because p is far from there.
 * 3. If it ends, that outcome can miss on one side only, the one opposite to [low, high]: at most (m - 1/2) x level.
 *
 * Between the ends of all [low, high] and of the adjacent intervals one tail increases with p, the other decreases: the
 * supremum over all probabilities is at most the maximum of a few numbers. `level` is chosen so that it is 5 % at most.
 * Similar to J. Frey (Fixed-width sequential confidence intervals for a proportion, The American Statistician 2010),
 * who adjusts the level of an interval until the coverage under stopping is as stated.
 */

import { exp } from '../core/index.ts';
import { ALPHA, spaceAnalyses } from './analysis-schedule.ts';
import { clopperPearson, computeLogTail } from './binomial.ts';
import { computeMaxHalfWidth, type HalfWidthTarget } from './half-width-target.ts';
import { computeSufficientBattles, createOutcomeAnalysis, type OutcomeAnalysis } from './outcome-analysis.ts';

/** Ratio of the battles of successive interim analyses. */
const RATIO = 1.25;

/** Shares below this number of half-widths are not distinguished from 0: the intervals of analyses would overlap. */
const FIRST = 8;

/** The first analysis for a relative precision is the one that suffices for this probability. */
const GREATEST = 0.9;

/** Schedule of interim analyses, and the error rate of one interval. */
export interface OutcomeSchedule {
  readonly analyses: readonly OutcomeAnalysis[];
  readonly level: number;
}

/**
 * An interim analysis with the union of the intervals of its counts that are not narrow, and with the adjacent ends.
 */
interface BoundedAnalysis extends OutcomeAnalysis {
  readonly low: number;
  readonly high: number;
  readonly turns: readonly number[];
}

function boundAnalysis(analysis: OutcomeAnalysis, level: number): BoundedAnalysis {
  const { battles, upTo, from } = analysis;
  const listEnds = (count: number) => clopperPearson(Math.max(0, Math.min(battles, count)), battles, level);
  const [low, high] = [listEnds(upTo + 1)[0], listEnds(from - 1)[1]];
  return { ...analysis, low, high, turns: [low, high, listEnds(upTo)[1], listEnds(from)[0]] };
}

/** Computes P(X <= upTo) at probability p, or 1 if that is below the mean. */
function computeLowerTail({ upTo, battles }: OutcomeAnalysis, p: number): number {
  if (upTo < 0) return 0;
  return p <= 0 ? 1 : exp(Math.max(-600, computeLogTail(battles - upTo, battles, 1 - p)));
}

/** Computes P(X >= from) at probability p, or 1 if that is above the mean. */
function computeUpperTail({ from, battles }: OutcomeAnalysis, p: number): number {
  if (from > battles) return 0;
  return p >= 1 ? 1 : exp(Math.max(-600, computeLogTail(from, battles, p)));
}

/** Computes the error that an analysis before the last one adds, for probabilities p to q; see above. */
function computeAddedError(
  analysis: BoundedAnalysis,
  [p, q]: readonly [number, number],
  level: number,
  intervals: number,
): number {
  const most = (intervals - 0.5) * level;
  return Math.min(
    intervals * level,
    Math.min(most, computeLowerTail(analysis, p)) + Math.min(most, computeUpperTail(analysis, q)),
  );
}

/** Computes a bound of the probability that an interval misses when the run ends, for all probabilities. */
export function computeErrorBound({ analyses, level }: OutcomeSchedule, intervals: number, relative: boolean): number {
  const all = analyses.slice(0, -1).map((analysis) => boundAnalysis(analysis, level));
  // For an absolute precision p and 1 - p are equivalent.
  const end = relative ? 1 : 0.5;
  const turns = [0, ...all.flatMap((analysis) => analysis.turns.filter((p) => p > 0 && p < end)), end].sort(
    (a, b) => a - b,
  );
  const errors = turns.slice(1).map((q, i) => {
    const p = turns[i] ?? 0;
    const found = all.findIndex(({ low, high }) => q <= low || p >= high);
    const before = found < 0 ? all : all.slice(0, found);
    return before.reduce(
      (sum, analysis) => sum + computeAddedError(analysis, [p, q], level, intervals),
      intervals * level,
    );
  });
  return Math.max(...errors, intervals * level);
}

function listOutcomeAnalyses(aim: HalfWidthTarget, level: number, most: number | undefined): OutcomeAnalysis[] {
  const last = computeSufficientBattles(aim, level);
  const share = Math.min(0.5, FIRST * computeMaxHalfWidth(aim, 0));
  const first = aim.part === undefined ? 4 * share * (1 - share) : (aim.floor * (1 - GREATEST)) / GREATEST;
  const found = spaceAnalyses(first * last, last, RATIO, most ?? last);
  return found.map((battles) => createOutcomeAnalysis(battles, aim, level, aim.part === undefined ? 0 : share));
}

/** Counts the intervals of m outcomes: of two, each determines the other. */
export function countIntervals(outcomes: number): number {
  return outcomes === 2 ? 1 : outcomes;
}

/**
 * Schedules a run that ends when the simultaneous intervals of all outcomes are narrow enough.
 * @param outcomes maximum number of outcomes
 * @param most maximum number of battles; default: as many as can be needed
 * @param error error rate of all intervals together
 */
export function scheduleOutcomeAnalyses(
  aim: HalfWidthTarget,
  outcomes: number,
  most?: number,
  error: number = ALPHA,
): OutcomeSchedule {
  const m = countIntervals(outcomes);
  for (let level = error / m; ; level = Math.min(level * 0.97, error / (1.5 * m))) {
    const schedule = { analyses: listOutcomeAnalyses(aim, level, most), level };
    if (computeErrorBound(schedule, m, aim.part !== undefined) <= error) return schedule;
  }
}
