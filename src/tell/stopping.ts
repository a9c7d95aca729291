/** What is said of a run that was to be so precise. */

import type { Interval } from '../answers/index.ts';
import type { Stopping } from '../studies/index.ts';
import { GIVEN, intervalText, percent } from './figure.ts';
import { grouped } from './text/digits.ts';

/** A half-width without digits that mean nothing. */
function rounded(value: number): string {
  return String(Number(value.toPrecision(3)));
}

const LAWS = {
  'clopper-pearson': '95 % intervals of Clopper and Pearson, for all outcomes together, valid wherever the run ends',
  'chow-robbins': '95 % interval of Chow and Robbins for this mean, made for a run that ends by itself',
  betting: '95 % interval by betting for this mean, valid for every law in its declared range, wherever the run ends',
};

/** `outcomes within ±0.00098`, or `±9.8 % of each value (of 0.001 where it is less)`. */
function found({ of, halfWidth, part, floor }: Stopping): string {
  if (part === undefined || floor === undefined) return `${of} within ±${rounded(halfWidth)}`;
  return `${of} within ±${percent(rounded, part)} of each value (of ${String(floor)} where it is less)`;
}

const asked = ({ precision, floor }: Stopping): string =>
  `±${floor === undefined ? String(precision) : percent(rounded, precision)} asked for`;

/** Says that the precision was not reached, and what was. */
export function notReached(stopping: Stopping): string {
  const where = `${found(stopping)} after ${grouped(stopping.most)} battles, ${asked(stopping)}`;
  return `precision not reached: ${where}; more --battles may do it`;
}

/** `: 8.374 .. 8.462`; the estimate need not be in the middle. */
function ends(interval: Interval | undefined): string {
  if (interval === undefined || interval[0] === interval[1]) return '';
  return `: ${intervalText(GIVEN, { interval })}`;
}

/**
 * Two lines: how precise the run is, and what its intervals are.
 * @param mean the interval of the mean that it was about
 */
export function stoppingLines(stopping: Stopping, mean?: Interval): string[] {
  const { look, looks, interval } = stopping;
  const reached = `precision reached: ${found(stopping)}, ${asked(stopping)}`;
  const ended = `ended at look ${String(look)} of ${String(looks)}`;
  return [stopping.reached ? reached : notReached(stopping), `${ended}; ${LAWS[interval]}${ends(mean)}`];
}
