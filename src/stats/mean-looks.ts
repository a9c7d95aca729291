/**
 * How long a run is that is to tell the mean of a metric to so much: the fixed-width sequential interval of Y. S. Chow
 * and H. Robbins (On the asymptotic theory of fixed-width sequential confidence intervals for the mean, Annals of
 * Mathematical Statistics 1965), at looks. The run ends at the first look of n battles at which
 *
 *     h = z sqrt((V + 4 W^2 / n) / n) <= the precision,
 *
 * V the sample variance, W the greatest distance of two values that came, at least one step; the interval is the mean
 * +- h. It is asymptotic: it holds where n is large enough for the means of two looks to be normal.
 *
 * 4 W^2 / n counts four more battles, each W off the mean (as A. Agresti and B. Coull do for a proportion, The American
 * Statistician 1998). It keeps a run from ending on a variance of a few rare values, or of none.
 *
 * z: V settles faster than the looks grow, so there are two looks at most at which the run can end, and it ends at the
 * earlier if V is below a bound. In the limit V there and the means at both looks are jointly normal. The worst that
 * such a choice can do, over all bounds and all correlations of V and mean, makes 4 % at each look 4.9 % together.
 */
import type { Interval } from './intervals.ts';
import { type Look, placesUp, roundUp, type Schedule } from './stopping.ts';

/** Battles of the first look: of what comes once in a thousand battles some sixteen have been seen. */
export const FIRST_LOOK: number = 2 ** 14;

/** Each look has at most so many times the battles of the one before. */
const RATIO = 1.25;

/** What one interval at one look misses, and the quantile of the normal law that makes it so. */
const LEVEL = 0.04;
const Z = 2.053748910631823;

/** So many battles are added, each as far off the mean as two values are from each other. */
const ADDED = 4;

/** The sums of a metric's values, counted in steps of its unit. */
export interface Sums {
  readonly sum: bigint;
  readonly squares: bigint;
  /** The greatest distance of two values, at least 1. */
  readonly span: bigint;
}

/** @param pairs [value, count], both integers, by ascending values */
export function sumsOf(pairs: readonly (readonly [value: number, count: number])[]): Sums {
  let [sum, squares] = [0n, 0n];
  for (const [value, count] of pairs) {
    const part = BigInt(value) * BigInt(count);
    sum += part;
    squares += part * BigInt(value);
  }
  const span = (pairs.at(-1)?.[0] ?? 0) - (pairs[0]?.[0] ?? 0);
  return { sum, squares, span: BigInt(Math.max(1, span)) };
}

/** battles x (battles - 1) x (V + 4 W^2 / battles), exactly. */
function scatter({ sum, squares, span }: Sums, battles: number): bigint {
  const n = BigInt(battles);
  return n * squares - sum * sum + BigInt(ADDED) * span * span * (n - 1n);
}

/** Battles that suffice whatever the law: V is at most range^2 battles / (4 battles - 4), W at most the range. */
function enough(precision: number, range: number): number {
  const square = precision * precision;
  const b = (Z * Z * range * range) / 4;
  return Math.ceil((b + Math.sqrt(b * b + 4 * (2 + 4 * ADDED) * b * square)) / (2 * square));
}

function threshold(precision: number, battles: number): number {
  if (battles < 2) return -1;
  return Math.floor(((precision * precision) / (Z * Z)) * battles * battles * (battles - 1));
}

/**
 * The looks of a run that ends once the 95 % interval of a mean has at most this half-width.
 * @param precision above 0, in steps of the metric's unit
 * @param range of the values, in the same; it bounds the looks and has no part in the interval
 * @param most battles that may be played
 */
export function meanLooks(precision: number, range: number, most: number): Schedule {
  const widest = Math.max(1, range);
  const within = Math.min(precision, widest);
  // Before this the four added battles alone are too wide.
  const first = Math.max(FIRST_LOOK, (Z * Math.sqrt(ADDED)) / within);
  const last = Math.min(most, roundUp(Math.max(first, enough(within, widest))));
  const looks = placesUp(first, RATIO, last).map((battles) => ({
    battles,
    most: threshold(within, battles),
  }));
  return { looks, level: LEVEL };
}

/** True if the interval is narrow enough at a look. */
export function meanNarrow(sums: Sums, { battles, most }: Look): boolean {
  return most >= 0 && scatter(sums, battles) <= BigInt(most);
}

/**
 * The interval of the mean, in steps of the metric's unit.
 * @param z how many standard errors it reaches; unless given, as many as a run that ends by itself needs
 * @returns all numbers for a single battle
 */
export function chowRobbins(sums: Sums, battles: number, z: number = Z): Interval {
  if (battles < 2) return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const mean = Number(sums.sum) / battles;
  const spread = (z * Math.sqrt(Number(scatter(sums, battles)) / (battles - 1))) / battles;
  return [mean - spread, mean + spread];
}
