/**
 * How long a run is that is to tell the probability of every outcome to so much. At each look every outcome has an
 * interval of Clopper and Pearson; the run ends at the first look at which all are narrow enough.
 *
 * All intervals of all looks need not hold together, for a run looks at most of them in vain. Let `level` be what one
 * interval misses and m the intervals. Counts that are not narrow enough at a look lie between two numbers, `upTo` and
 * `from`; let [low, high] be all that the intervals of these counts hold. It shrinks from look to look. p is the
 * probability of the outcome for which it is the last to shrink past: the one closest to 1/2, or to the floor where the
 * precision is relative.
 *
 * 1. At the first look at which p is outside [low, high] no outcome's probability is inside, so an outcome that is not
 *    narrow misses. So but for the misses of this one look, m x level together, no run gets further.
 * 2. At a look before it the run ends only if the outcome of p counts `upTo` or less, or `from` or more: tails of the
 *    binomial law, where p is far from there.
 * 3. If it does, that outcome can miss on one side only, the one where [low, high] is not: (m - 1/2) x level at most.
 *
 * Between the ends of all [low, high] and of the intervals next to them one tail grows with p, the other falls: the
 * supremum over all probabilities is at most the maximum of a few numbers. `level` is chosen so that it is 5 % at most.
 * In the spirit of J. Frey (Fixed-width sequential confidence intervals for a proportion, The American Statistician
 * 2010), who adjusts the level of an interval until the coverage under stopping is as stated.
 */

import { ALPHA, spaceAnalyses } from './analysis-schedule.ts';
import { clopperPearson, lnTail } from './binomial.ts';
import { exp } from './elementary.ts';
import { computeMaxHalfWidth, type HalfWidthTarget } from './half-width-target.ts';
import { computeSufficientBattles, createOutcomeAnalysis, type OutcomeAnalysis } from './outcome-analysis.ts';

/** Each look has so many times the battles of the one before. */
const RATIO = 1.25;

/** Shares of less than so many half-widths are not told apart from nothing: the intervals of looks would overlap. */
const FIRST = 8;

/** The first look for a relative precision is where so great a probability can be told. */
const GREATEST = 0.9;

/** The looks of a run for outcomes, and by how much the confidence of one interval falls short of 1. */
export interface OutcomeSchedule {
  readonly analyses: readonly OutcomeAnalysis[];
  readonly level: number;
}

/** A look with all that the intervals of its counts that are not narrow hold, and with the ends next to them. */
interface BoundedAnalysis extends OutcomeAnalysis {
  readonly low: number;
  readonly high: number;
  readonly turns: readonly number[];
}

function boundAnalysis(look: OutcomeAnalysis, level: number): BoundedAnalysis {
  const { battles, upTo, from } = look;
  const ends = (count: number) => clopperPearson(Math.max(0, Math.min(battles, count)), battles, level);
  const [low, high] = [ends(upTo + 1)[0], ends(from - 1)[1]];
  return { ...look, low, high, turns: [low, high, ends(upTo)[1], ends(from)[0]] };
}

/** P(X <= upTo) at probability p, or 1 where that is below the mean. */
function computeLowerTail({ upTo, battles }: OutcomeAnalysis, p: number): number {
  if (upTo < 0) return 0;
  return p <= 0 ? 1 : exp(Math.max(-600, lnTail(battles - upTo, battles, 1 - p)));
}

/** P(X >= from) at probability p, or 1 where that is above the mean. */
function computeUpperTail({ from, battles }: OutcomeAnalysis, p: number): number {
  if (from > battles) return 0;
  return p >= 1 ? 1 : exp(Math.max(-600, lnTail(from, battles, p)));
}

/** What a look before the last that matters adds to the error, for probabilities p to q; see above. */
function computeAddedError(
  look: BoundedAnalysis,
  [p, q]: readonly [number, number],
  level: number,
  intervals: number,
): number {
  const most = (intervals - 0.5) * level;
  return Math.min(
    intervals * level,
    Math.min(most, computeLowerTail(look, p)) + Math.min(most, computeUpperTail(look, q)),
  );
}

/** A bound of the probability that some interval misses when the run ends, whatever the probabilities. */
export function computeErrorBound({ analyses, level }: OutcomeSchedule, intervals: number, relative: boolean): number {
  const all = analyses.slice(0, -1).map((look) => boundAnalysis(look, level));
  // With an absolute precision p and 1 - p are alike.
  const end = relative ? 1 : 0.5;
  const turns = [0, ...all.flatMap((look) => look.turns.filter((p) => p > 0 && p < end)), end].sort((a, b) => a - b);
  const errors = turns.slice(1).map((q, i) => {
    const p = turns[i] ?? 0;
    const found = all.findIndex(({ low, high }) => q <= low || p >= high);
    const before = found < 0 ? all : all.slice(0, found);
    return before.reduce((sum, look) => sum + computeAddedError(look, [p, q], level, intervals), intervals * level);
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

/** How many intervals m outcomes need: of two, each tells the other. */
export function countIntervals(outcomes: number): number {
  return outcomes === 2 ? 1 : outcomes;
}

/**
 * The looks of a run that ends once the intervals of all outcomes, which hold together, are narrow enough.
 * @param outcomes how many there can be
 * @param most battles that may be played; unless given, as many as can be needed
 * @param error what all intervals together may miss
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
