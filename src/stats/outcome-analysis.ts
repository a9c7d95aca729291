/** Determines the counts whose intervals of Clopper and Pearson are narrow enough. */

import { roundUpToStep } from './analysis-schedule.ts';
import { clopperPearson } from './binomial.ts';
import { computeMaxHalfWidth, type HalfWidthTarget } from './half-width-target.ts';

/** A number of battles at which a run for outcomes may end: if no count is between the two bounds. */
export interface OutcomeAnalysis {
  readonly battles: number;
  /** Counts up to this are narrow; -1: none. */
  readonly upTo: number;
  /** Counts from this on are narrow; more than the battles: none. */
  readonly from: number;
}

/** Computes half the width of the interval of a count, divided by the allowed one. */
function computeRelativeWidth(count: number, battles: number, aim: HalfWidthTarget, level: number): number {
  const [low, high] = clopperPearson(count, battles, level);
  return (high - low) / 2 / computeMaxHalfWidth(aim, count / battles);
}

/** Computes the share below 1/2 with this variance, 0..1/4. */
function computeShareFromVariance(variance: number): number {
  return (1 - Math.sqrt(Math.max(0, 1 - 4 * variance))) / 2;
}

/**
 * Finds the greatest count from `most` down that has at most this half-width, or one slightly below; -1 if there is
 * none.
 */
function findGreatestNarrowCount(most: number, battles: number, halfWidth: number, level: number): number {
  let count = most;
  for (let turn = 0; turn < 40; turn++) {
    const far = computeRelativeWidth(count, battles, { halfWidth }, level);
    if (far <= 1) return count;
    if (count === 0) return -1;
    const share = count / battles;
    const next = Math.floor(battles * computeShareFromVariance((share * (1 - share)) / (far * far)));
    count = Math.max(0, Math.min(count - 1, next));
  }
  return -1;
}

/** Finds the least count from `first` up that is narrow enough, or one slightly above; battles + 1 if there is none. */
function findLeastNarrowCount(first: number, battles: number, aim: HalfWidthTarget, level: number): number {
  let count = Math.max(1, first);
  for (let turn = 0; turn < 40 && count <= battles; turn++) {
    const far = computeRelativeWidth(count, battles, aim, level);
    if (far <= 1) return count;
    const odds = (battles / count - 1) / (far * far);
    count = Math.max(count + 1, Math.ceil(battles / (1 + odds)));
  }
  return battles + 1;
}

/**
 * Computes the bounds for a number of battles.
 * @param first share below which counts are not considered narrow unless all are
 */
export function createOutcomeAnalysis(
  battles: number,
  aim: HalfWidthTarget,
  level: number,
  first: number,
): OutcomeAnalysis {
  const middle = Math.floor(battles * (aim.part === undefined ? 0.5 : aim.floor));
  const found = findGreatestNarrowCount(middle, battles, computeMaxHalfWidth(aim, 0), level);
  if (found === middle) return { battles, upTo: battles, from: 0 };
  const upTo = found < battles * first ? -1 : found;
  return {
    battles,
    upTo,
    from: aim.part === undefined ? battles - found : findLeastNarrowCount(middle + 1, battles, aim, level),
  };
}

/** Computes the number of battles that suffices for all probabilities. */
export function computeSufficientBattles(aim: HalfWidthTarget, level: number): number {
  const share = aim.part === undefined ? 0.5 : aim.floor;
  const halfWidth = computeMaxHalfWidth(aim, 0);
  const isFar = (battles: number): number => computeRelativeWidth(Math.floor(battles * share), battles, aim, level);
  let battles = roundUpToStep((4 * share * (1 - share)) / (halfWidth * halfWidth));
  for (let turn = 0; turn < 8; turn++) {
    const next = roundUpToStep(battles * isFar(battles) ** 2);
    if (next === battles) break;
    battles = next;
  }
  while (isFar(battles) > 1) battles = roundUpToStep(battles + 1);
  return battles;
}

/** Returns true if every count is narrow enough. */
export function hasNarrowOutcomes(counts: Iterable<number>, { upTo, from }: OutcomeAnalysis): boolean {
  for (const count of counts) if (count > upTo && count < from) return false;
  return true;
}
