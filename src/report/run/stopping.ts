/** Texts on the end of a run with a precision. */

import type { StoppingResult } from '../../analysis/index.ts';
import type { Interval } from '../../stats/index.ts';
import { formatInterval, formatPercent, INPUT_SCALE } from '../sheet/estimated-value.ts';
import { formatGrouped } from '../text/number-format.ts';

/** Formats a half-width with three significant digits. */
function formatHalfWidth(value: number): string {
  return String(Number(value.toPrecision(3)));
}

const INTERVAL_METHODS = {
  'clopper-pearson': 'Clopper-Pearson 95 % intervals, simultaneous for all outcomes, valid whenever the run stops',
  'chow-robbins': 'Chow-Robbins 95 % interval for this mean, for runs that stop at a precision',
  betting:
    'betting 95 % interval for this mean, valid for every distribution in its declared range, whenever the run stops',
};

/** `outcomes within ±0.00098`, or `±9.8 % of each value (of 0.001 for smaller values)`. */
function formatReachedPrecision({ of, halfWidth, relativeHalfWidth, floor }: StoppingResult): string {
  if (relativeHalfWidth === undefined || floor === undefined) return `${of} within ±${formatHalfWidth(halfWidth)}`;
  return `${of} within ±${formatPercent(formatHalfWidth, relativeHalfWidth)} of each value (of ${String(floor)} for smaller values)`;
}

const formatRequestedPrecision = ({ precision, floor }: StoppingResult): string =>
  `requested ±${floor === undefined ? String(precision) : formatPercent(formatHalfWidth, precision)}`;

/** Formats the reached precision of a run that did not reach the requested one. */
export function formatPrecisionNotReached(stopping: StoppingResult): string {
  const where = `${formatReachedPrecision(stopping)} after ${formatGrouped(stopping.maxBattles)} battles, ${formatRequestedPrecision(stopping)}`;
  return `precision not reached: ${where}; increase the number of battles`;
}

/** `: 8.374 .. 8.462`; empty for an interval of one value. */
function formatIntervalSuffix(interval: Interval | undefined): string {
  if (interval === undefined || interval[0] === interval[1]) return '';
  return `: ${formatInterval(INPUT_SCALE, { interval })}`;
}

/**
 * Formats two lines: the reached precision, and the method of the intervals.
 * @param mean interval of the mean that has the precision
 */
export function formatStopping(stopping: StoppingResult, mean?: Interval): string[] {
  const { analysis, analyses, intervalMethod } = stopping;
  const reached = `precision reached: ${formatReachedPrecision(stopping)}, ${formatRequestedPrecision(stopping)}`;
  const ended = `stopped at interim analysis ${String(analysis)} of ${String(analyses)}`;
  return [
    stopping.reached ? reached : formatPrecisionNotReached(stopping),
    `${ended}; ${INTERVAL_METHODS[intervalMethod]}${formatIntervalSuffix(mean)}`,
  ];
}
