/** What is said of a run that was to be so precise. */
import type { Stopping } from '../simulate.ts';
import { grouped } from './digits.ts';

/** A half-width without digits that mean nothing. */
function halfWidth(value: number): string {
  return String(Number(value.toPrecision(3)));
}

const LAWS = {
  'clopper-pearson': '95 % intervals of Clopper and Pearson, for all outcomes together, valid wherever the run ends',
  'chow-robbins': '95 % interval of Chow and Robbins for this mean, made for a run that ends by itself',
};

/** Says that the precision was not reached, and what was. */
export function notReached({ of, precision, halfWidth: found, most }: Stopping): string {
  const where = `${of} within ±${halfWidth(found)} after ${grouped(most)} battles, ±${String(precision)} asked for`;
  return `precision not reached: ${where}; more --battles may do it`;
}

/** Two lines: how precise the run is, and what its intervals are. */
export function stoppingLines(stopping: Stopping): string[] {
  const { of, precision, halfWidth: found, look, looks, interval } = stopping;
  const reached = `precision reached: ${of} within ±${halfWidth(found)}, ±${String(precision)} asked for`;
  const ended = `ended at look ${String(look)} of ${String(looks)}`;
  return [stopping.reached ? reached : notReached(stopping), `${ended}; ${LAWS[interval]}`];
}
