/** Numbers that should be within bounds, and how they are known, as text. */
import type { Bounds } from '../../answers/bounds.ts';
import type { Interval } from '../../answers/intervals.ts';
import { decimalsFor, exactly, fixed, plain } from './digits.ts';

/** Decimals of a value that is known exactly. */
const DECIMALS = 5;

/** How a number is known. */
export interface Told {
  readonly value?: number;
  readonly interval?: Interval;
}

function decimals(interval: Interval | undefined): number {
  const halfWidth = interval === undefined ? 0 : (interval[1] - interval[0]) / 2;
  return halfWidth > 0 && Number.isFinite(halfWidth) ? Math.max(0, decimalsFor(halfWidth)) : DECIMALS;
}

/** With as many decimals as its interval supports; a value without one is exact. */
export function valueText({ value, interval }: Told): string {
  if (value === undefined) return '';
  return interval === undefined ? exactly(value, DECIMALS) : fixed(value, decimals(interval));
}

/** The interval, with a digit more than the value for the bounds that it may be close to; `exact`, or nothing. */
export function intervalText({ value, interval }: Told): string {
  if (interval === undefined) return value === undefined ? '' : 'exact';
  const digits = decimals(interval) + 1;
  return interval.map((end) => fixed(end, digits)).join(' .. ');
}

/** `0.45 .. 0.55`, `at least 0.45`, `at most 12`. */
export function boundsText([low, high]: Bounds): string {
  if (low === Number.NEGATIVE_INFINITY) return `at most ${plain(high)}`;
  return high === Number.POSITIVE_INFINITY ? `at least ${plain(low)}` : `${plain(low)} .. ${plain(high)}`;
}
