/** What a sweep asked of each cell: the probability of an outcome or the mean of a metric. */

import type { Counts } from '../../rules/system.ts';
import type { AxisValue, Row } from '../../work/store/rows.ts';
import { cleanText } from '../text/clean.ts';
import { boundAbove, boundBelow, decimalsFor, exactly, fixed, plain } from '../text/digits.ts';
import { isClause, outcomeText } from './outcomes.ts';

export interface Quantity {
  readonly kind: Row['kind'];
  readonly name: string;
}

/** What is read off a row: its estimate, or the exact value where no battle was played. */
export interface Reading {
  readonly cell: number;
  readonly axes: Row['axes'];
  readonly value: number;
  /** 95 %; absent if the value is exact. */
  readonly interval?: readonly [low: number, high: number];
  readonly exact?: number;
  readonly z?: number;
}

/** One text for each quantity. */
export function keyOf({ kind, name }: Quantity): string {
  return `${kind} ${name}`;
}

/** @returns undefined for a row that has neither an estimate nor an exact value */
export function readingOf(row: Row): Reading | undefined {
  const { cell, axes, estimate, low, high, exact, z } = row;
  const value = estimate ?? exact;
  if (value === null) return undefined;
  return {
    cell,
    axes,
    value,
    ...(estimate !== null && low !== null && high !== null && { interval: [low, high] as const }),
    ...(exact !== null && { exact }),
    ...(z !== null && { z }),
  };
}

/** What a metric is counted in; empty where its name says it, or nobody does. */
export function unitOf({ kind, name }: Quantity, counts: Counts): string {
  if (kind === 'outcome') return '%';
  const [first = ''] = name.split('.');
  return Object.hasOwn(counts, first) ? cleanText(counts[first] ?? '') : '';
}

/** What a column is headed: `attacker wins`, `hp.attacker`. */
export function headOf({ kind, name }: Quantity): string {
  return kind === 'outcome' ? outcomeText(name) : cleanText(name);
}

/** A title for an axis or a legend: `mean of hp.attacker (hit points)`, `probability that attacker wins`. */
export function titleOf(quantity: Quantity, counts: Counts): string {
  const name = cleanText(quantity.name);
  if (quantity.kind === 'outcome') return `probability ${isClause(name) ? 'that' : 'of'} ${outcomeText(name)}`;
  const unit = unitOf(quantity, counts);
  return `mean of ${name}${unit === '' ? '' : ` (${unit})`}`;
}

/** The factor between a value and what is shown: probabilities are shown in per cent. */
export function scaleOf({ kind }: Quantity): number {
  return kind === 'outcome' ? 100 : 1;
}

/** Decimals of values without an interval. */
const EXACT_DECIMALS = 4;

function sharedDecimals([low, high]: readonly [number, number], scale: number): number {
  const halfWidth = (scale * (high - low)) / 2;
  return halfWidth > 0 ? Math.max(0, decimalsFor(halfWidth)) : EXACT_DECIMALS;
}

/** A value with as many digits as its interval supports, and `%` behind a probability. */
export function valueText(quantity: Quantity, { value, interval }: Pick<Reading, 'value' | 'interval'>): string {
  const scale = scaleOf(quantity);
  const sign = quantity.kind === 'outcome' ? ' %' : '';
  if (interval === undefined) return exactly(scale * value, EXACT_DECIMALS) + sign;
  if (quantity.kind === 'outcome' && (value === 0 || value === 1)) return `${String(scale * value)}${sign}`;
  if (interval[0] === interval[1]) return plain(value);
  return fixed(scale * value, sharedDecimals(interval, scale)) + sign;
}

/** An interval: `56.98 .. 58.35 %`, `< 0.019 %` where nothing was counted; empty for exact values. */
export function intervalText(quantity: Quantity, { value, interval }: Pick<Reading, 'value' | 'interval'>): string {
  if (interval === undefined) return '';
  const scale = scaleOf(quantity);
  const sign = quantity.kind === 'outcome' ? ' %' : '';
  const [low, high] = [scale * interval[0], scale * interval[1]];
  if (quantity.kind === 'outcome' && value === 0) return `< ${boundAbove(high)}${sign}`;
  if (quantity.kind === 'outcome' && value === 1) return `> ${boundBelow(low, scale)}${sign}`;
  const decimals = sharedDecimals(interval, scale);
  return `${fixed(low, decimals)} .. ${fixed(high, decimals)}${sign}`;
}

/** The value of an axis as text. */
export function axisText(value: AxisValue | undefined): string {
  if (typeof value !== 'number') return cleanText(value === null || value === undefined ? 'none' : String(value));
  return String(Number(value.toPrecision(6)));
}

/** Where a cell lies: `attack 3, hp 20`. */
export function placeText(axes: Row['axes'], names: readonly string[]): string {
  return names.map((name) => `${cleanText(name)} ${axisText(axes[name])}`).join(', ');
}

/** All that is known of a reading, in one line: what a mark says when it is pointed at. */
export function readingText(quantity: Quantity, reading: Reading): string {
  const interval = intervalText(quantity, reading);
  const parts = [`${headOf(quantity)}: ${valueText(quantity, reading)}`];
  if (interval !== '') {
    parts.push(`95 %: ${interval}`);
    if (reading.exact !== undefined) parts.push(`exact ${valueText(quantity, { value: reading.exact })}`);
  }
  if (reading.z !== undefined) parts.push(`z ${signed(reading.z)}`);
  return parts.join(', ');
}

/** A z-score with its sign: `+1.2`. */
export function signed(z: number): string {
  if (!Number.isFinite(z)) return z > 0 ? '+inf' : '-inf';
  const digits = fixed(Math.abs(z), 1);
  return digits === '0.0' ? digits : `${z > 0 ? '+' : '-'}${digits}`;
}
