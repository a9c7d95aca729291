/** What is said of a run that was to be so precise. */

import type { StoppingResult } from '../../analysis/index.ts';
import type { Interval } from '../../stats/index.ts';
import { formatInterval, formatPercent, INPUT_SCALE } from '../sheet/estimated-value.ts';
import { formatGrouped } from '../text/number-format.ts';

/** A half-width without digits that mean nothing. */
function formatHalfWidth(value: number): string {
  return String(Number(value.toPrecision(3)));
}

const INTERVAL_METHODS = {
  'clopper-pearson': '95 % intervals of Clopper and Pearson, for all outcomes together, valid wherever the run ends',
  'chow-robbins': '95 % interval of Chow and Robbins for this mean, made for a run that ends by itself',
  betting: '95 % interval by betting for this mean, valid for every law in its declared range, wherever the run ends',
};

/** `outcomes within ±0.00098`, or `±9.8 % of each value (of 0.001 where it is less)`. */
function formatReachedPrecision({ of, halfWidth, relativeHalfWidth, floor }: StoppingResult): string {
  if (relativeHalfWidth === undefined || floor === undefined) return `${of} within ±${formatHalfWidth(halfWidth)}`;
  return `${of} within ±${formatPercent(formatHalfWidth, relativeHalfWidth)} of each value (of ${String(floor)} where it is less)`;
}

const formatRequestedPrecision = ({ precision, floor }: StoppingResult): string =>
  `±${floor === undefined ? String(precision) : formatPercent(formatHalfWidth, precision)} asked for`;

/** Says that the precision was not reached, and what was. */
export function formatPrecisionNotReached(stopping: StoppingResult): string {
  const where = `${formatReachedPrecision(stopping)} after ${formatGrouped(stopping.maxBattles)} battles, ${formatRequestedPrecision(stopping)}`;
  return `precision not reached: ${where}; more --battles may do it`;
}

/** `: 8.374 .. 8.462`; the estimate need not be in the middle. */
function formatIntervalSuffix(interval: Interval | undefined): string {
  if (interval === undefined || interval[0] === interval[1]) return '';
  return `: ${formatInterval(INPUT_SCALE, { interval })}`;
}

/**
 * Two lines: how precise the run is, and what its intervals are.
 * @param mean the interval of the mean that it was about
 */
export function formatStopping(stopping: StoppingResult, mean?: Interval): string[] {
  const { analysis, analyses, intervalMethod } = stopping;
  const reached = `precision reached: ${formatReachedPrecision(stopping)}, ${formatRequestedPrecision(stopping)}`;
  const ended = `ended at look ${String(analysis)} of ${String(analyses)}`;
  return [
    stopping.reached ? reached : formatPrecisionNotReached(stopping),
    `${ended}; ${INTERVAL_METHODS[intervalMethod]}${formatIntervalSuffix(mean)}`,
  ];
}
