/**
 * How long a run is that is to tell the mean of a metric to so much. The interval at each look is that of A. Maurer and
 * M. Pontil (Empirical Bernstein bounds and sample variance penalization, COLT 2009, theorem 4, on both sides): for n
 * values in a range of width R with sample variance V the mean is off by more than
 *
 *     sqrt(2 V x / n) + 7 R x / (3 (n - 1)),  x = ln(4 / level)
 *
 * with probability `level` at most, whatever their law. The level of a look is 5 % over the number of looks, so all of
 * them hold together, and where the run ends does not matter.
 */
import { ln } from './elementary.ts';
import type { Interval } from './intervals.ts';
import { ALPHA, type Look, places, type Schedule } from './stopping.ts';

/** Each look has so many times the battles of the one before. */
const RATIO = 1.5;

/** What does not depend on the variance takes at most so much of the half-width at the first look. */
const FIRST = 0.8;

/** The sums of a metric's values, counted in steps of its unit. */
export interface Sums {
  readonly sum: bigint;
  readonly squares: bigint;
}

/** @param pairs [value, count], both integers */
export function sumsOf(pairs: Iterable<readonly [value: number, count: number]>): Sums {
  let [sum, squares] = [0n, 0n];
  for (const [value, count] of pairs) {
    const part = BigInt(value) * BigInt(count);
    sum += part;
    squares += part * BigInt(value);
  }
  return { sum, squares };
}

/** battles x (battles - 1) x the sample variance, exactly. */
function scatter({ sum, squares }: Sums, battles: number): bigint {
  return BigInt(battles) * squares - sum * sum;
}

function weight(level: number): number {
  return ln(4 / level);
}

/** The part of the half-width that does not depend on the variance. */
function fixedPart(range: number, battles: number, x: number): number {
  return (7 * range * x) / (3 * (battles - 1));
}

/** Battles that suffice whatever the law: its variance is at most a quarter of the square of the range. */
function enough(precision: number, range: number, x: number): number {
  // precision = b s + c s^2 with s = 1 / sqrt(battles - 1)
  const b = range * Math.sqrt(x / 2);
  const c = (7 * range * x) / 3;
  const root = (b + Math.sqrt(b * b + 4 * c * precision)) / (2 * precision);
  return Math.ceil(root * root) + 2;
}

function threshold(precision: number, range: number, battles: number, x: number): number {
  const left = precision - fixedPart(range, battles, x);
  if (left < 0 || battles < 2) return -1;
  return Math.floor(((left * left * battles) / (2 * x)) * battles * (battles - 1));
}

/**
 * The looks of a run that ends once the 95 % interval of a mean has at most this half-width.
 * @param precision above 0, in steps of the metric's unit
 * @param range of the values, in the same
 * @param most battles that may be played
 */
export function meanLooks(precision: number, range: number, most: number): Schedule {
  const at = (level: number): number[] => {
    const x = weight(level);
    const first = Math.max(1, (7 * range * x) / (3 * FIRST * precision));
    return places(first, enough(precision, range, x), RATIO, most);
  };
  // More looks need a lower level, and a lower level moves the looks: one more than needed is never wrong.
  let count = 1;
  while (at(ALPHA / count).length > count) count++;
  const level = ALPHA / count;
  const looks = at(level).map((battles) => ({
    battles,
    most: threshold(precision, range, battles, weight(level)),
  }));
  return { looks, level };
}

/** True if the interval is narrow enough at a look. */
export function meanNarrow(sums: Sums, { battles, most }: Look): boolean {
  return most >= 0 && scatter(sums, battles) <= BigInt(most);
}

/**
 * The interval of the mean, in steps of the metric's unit.
 * @param range of the values
 * @returns all numbers for a single battle
 */
export function maurerPontil(sums: Sums, range: number, battles: number, level: number): Interval {
  if (battles < 2) return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const x = weight(level);
  const mean = Number(sums.sum) / battles;
  const variance = Number(scatter(sums, battles)) / battles / (battles - 1);
  const spread = Math.sqrt((2 * variance * x) / battles) + fixedPart(range, battles, x);
  return [mean - spread, mean + spread];
}
