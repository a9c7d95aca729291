/** The difference of two cells that played the same battles. */

import type { Interval } from '../../answers/intervals.ts';
import { shareDifference } from '../../answers/paired.ts';
import { meanDifference, rangeOfDifference, Sums } from '../../answers/paired-means.ts';
import type { Subject } from '../comparing/subject.ts';
import type { StudyCell } from './cells.ts';

/** Exact values that differ by less, in units of the larger, are equal: rounding makes this much. */
const ROUNDING = 1e-11;

/** Second minus first. */
export interface Difference {
  readonly effect: number;
  readonly ci95: Interval;
  /** True if both values are exact; the interval has then no width. */
  readonly exact: boolean;
  /** False if the two are equal in every battle, or exactly. */
  readonly differs: boolean;
}

/** The difference of two exact values; 0 if rounding explains it. */
export function exactDifference(first: number, second: number): number {
  const scale = Math.max(1, Math.abs(first), Math.abs(second));
  return Math.abs(second - first) <= ROUNDING * scale ? 0 : second - first;
}

/** Sums over the battles that two cells have both played. */
function sumsOf(first: Float64Array, second: Float64Array) {
  const sums = { first: new Sums(), second: new Sums(), gaps: new Sums() };
  for (const [battle, x] of first.entries()) {
    const y = second[battle] ?? 0;
    sums.first.count(x);
    sums.second.count(y);
    sums.gaps.count(y - x);
  }
  return sums;
}

/**
 * The difference of two cells, battle by battle where both were played.
 * @param tail probability of either side of the interval
 */
export function differenceOf(first: StudyCell, second: StudyCell, subject: Subject, tail: number): Difference {
  if (first.battles === undefined || second.battles === undefined) {
    const effect = exactDifference(first.value, second.value);
    return { effect, ci95: [effect, effect], exact: true, differs: effect !== 0 };
  }
  const n = first.battles.length;
  const sums = sumsOf(first.battles, second.battles);
  const { difference, ci95, differing } =
    subject.kind === 'outcome'
      ? shareDifference(pairsOf(sums), n, tail)
      : meansApart(sums, first, second, subject, tail);
  return { effect: difference, ci95, exact: false, differs: differing > 0 };
}

/** Battles that ended so in both cells, in the first only, in the second only. */
function pairsOf({ first, gaps }: ReturnType<typeof sumsOf>) {
  const gained = (gaps.others + gaps.sum) / 2;
  const lost = gaps.others - gained;
  return { both: first.sum - lost, lost, gained };
}

function meansApart(
  sums: ReturnType<typeof sumsOf>,
  first: StudyCell,
  second: StudyCell,
  { unit }: Subject,
  tail: number,
) {
  const range = rangeOfDifference(first.range ?? [0, 0], second.range ?? [0, 0]);
  return meanDifference(sums, first.battles?.length ?? 0, { unit, range }, tail);
}

/** The mean over the first and over the second half of a cell's battles: independent of each other, or both exact. */
export function halvesOf({ value, battles }: StudyCell, unit: number): readonly [number, number] {
  if (battles === undefined) return [value, value];
  const half = Math.floor(battles.length / 2);
  const mean = (part: Float64Array): number => (part.reduce((sum, x) => sum + x, 0) / part.length) * unit;
  return [mean(battles.subarray(0, half)), mean(battles.subarray(half))];
}

/**
 * The variance that luck gives to the difference of two cells: that of the paired differences over their number; where
 * one of them is exact, that of the other alone.
 */
export function noiseOf(first: StudyCell, second: StudyCell, unit: number): number {
  const n = first.battles?.length ?? second.battles?.length ?? 0;
  if (n < 2) return 0;
  let [sum, squares] = [0, 0];
  for (let battle = 0; battle < n; battle++) {
    const gap = (second.battles?.[battle] ?? 0) - (first.battles?.[battle] ?? 0);
    sum += gap;
    squares += gap * gap;
  }
  return (Math.max(0, squares - (sum * sum) / n) / (n - 1) / n) * unit * unit;
}
