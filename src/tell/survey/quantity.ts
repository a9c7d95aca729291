/** What a sweep asked of each cell: the probability of an outcome or the mean of a metric. */

import type { Counts } from '../../rules/system.ts';
import type { AxisValue, Row } from '../../work/store/rows.ts';
import { intervalText, scaleOf, scoreText, valueText } from '../figure.ts';
import { cleanText } from '../text/clean.ts';
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

/** Something by quantity, found without a text for it: rows are looked up by the million. */
export class ByQuantity<T> {
  readonly #kinds = { outcome: new Map<string, T>(), metric: new Map<string, T>() };

  get({ kind, name }: Quantity): T | undefined {
    return this.#kinds[kind].get(name);
  }

  set({ kind, name }: Quantity, value: T): T {
    this.#kinds[kind].set(name, value);
    return value;
  }

  /** Of outcomes before those of metrics, otherwise as they came. */
  get values(): T[] {
    return [...this.#kinds.outcome.values(), ...this.#kinds.metric.values()];
  }
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
  const scale = scaleOf(quantity);
  const interval = intervalText(scale, reading);
  const parts = [`${headOf(quantity)}: ${valueText(scale, reading)}`];
  if (interval !== '') {
    parts.push(`95 %: ${interval}`);
    if (reading.exact !== undefined) parts.push(`exact ${valueText(scale, { value: reading.exact })}`);
  }
  if (reading.z !== undefined) parts.push(`z ${scoreText(reading.z)}`);
  return parts.join(', ');
}
