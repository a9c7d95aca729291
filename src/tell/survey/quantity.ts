/** What a sweep asked of each cell: the probability of an outcome or the mean of a metric. */

import type { Counts } from '../../rules/index.ts';
import type { AxisValue, Row, StoredAxis } from '../../work/index.ts';
import { type Figure, intervalText, scaleOf, scoreText, valueText } from '../figure.ts';
import { cleanText } from '../text/clean.ts';
import { isClause, outcomeText } from './outcomes.ts';

export interface Quantity {
  readonly kind: Row['kind'];
  readonly name: string;
}

/** What is read off a row: the exact value where it is known, else the estimate. */
export interface Reading {
  readonly cell: number;
  readonly axes: Row['axes'];
  readonly value: number;
  /** 95 %; absent if the value is exact. */
  readonly interval?: readonly [low: number, high: number];
  readonly standardError?: number;
  /** The estimate beside an exact value, if battles were played, and its z-score. */
  readonly played?: Figure & { readonly value: number; readonly z?: number };
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
  const { cell, axes, estimate, low, high, standard_error: error, exact, z } = row;
  const value = exact ?? estimate;
  if (value === null) return undefined;
  const interval = low === null || high === null ? {} : { interval: [low, high] as const, standardError: error ?? 0 };
  if (exact === null) return { cell, axes, value, ...interval };
  if (estimate === null) return { cell, axes, value };
  return { cell, axes, value, played: { value: estimate, ...interval, ...(z !== null && { z }) } };
}

/** Probabilities this close to 0 and 1 count as such: of a billion battles one is otherwise. */
const ALMOST = 1e-9;

/** A value, or the end of the probabilities that it is as good as at. */
export function settled({ kind }: Pick<Quantity, 'kind'>, value: number): number {
  if (kind === 'metric') return value;
  return value <= ALMOST ? 0 : value >= 1 - ALMOST ? 1 : value;
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

/** An axis with the words that it has for people. */
export type Titled = Pick<StoredAxis, 'name' | 'label'>;

/** What people read of an axis. */
export const axisTitle = ({ name, label = name }: Titled): string => cleanText(label);

/** The same of each axis by its name. */
export function titlesOf(axes: readonly Titled[]): (name: string) => string {
  const titles = new Map(axes.map((axis) => [axis.name, axisTitle(axis)]));
  return (name) => titles.get(name) ?? cleanText(name);
}

/** What parts whose field it is from the field: `attacker’s rifleman`, `Hunters’ attack`. */
const OWNER = /’s? /;

/** Titles as short as they can be told apart: the fields, else their owners. */
function shortTitles(axes: readonly Titled[]): string[] {
  const titles = axes.map(axisTitle);
  const fields = titles.map((title) => title.split(OWNER).at(-1) ?? title);
  const owners = titles.map((title) => title.split(OWNER)[0] ?? title);
  return [fields, owners].find((short) => new Set(short).size === titles.length) ?? titles;
}

/** Where a cell lies: `attack 3, hp 20`. */
export function placeText(values: Row['axes'], axes: readonly Titled[]): string {
  return axes.map((axis) => `${axisTitle(axis)} ${axisText(values[axis.name])}`).join(', ');
}

/** The same in short, words by themselves: `rifleman 8, tank 6, open`. */
export function shortPlace(values: Row['axes'], axes: readonly Titled[]): string {
  const short = shortTitles(axes);
  const text = (value: AxisValue | undefined, a: number): string =>
    typeof value === 'string' ? cleanText(value) : `${short[a] ?? ''} ${axisText(value)}`;
  return axes.map(({ name }, a) => text(values[name], a)).join(', ');
}

/** All that is known of a reading, in one line: what a mark says when it is pointed at. */
export function readingText(quantity: Quantity, reading: Reading): string {
  return `${headOf(quantity)}: ${wholeText(quantity, reading)}`;
}

/** The same without the name: `57.65 % exact, played 57.7 % (95 %: 57.6 .. 57.8 %), z +0.4`. */
function wholeText(quantity: Quantity, reading: Reading): string {
  const { value, interval, played } = reading;
  const scale = scaleOf(quantity);
  const text = (figure: Figure): string => `${valueText(scale, figure)} (95 %: ${intervalText(scale, figure)})`;
  if (interval !== undefined) return text(reading);
  const exact = `${valueText(scale, { value })} exact`;
  if (played === undefined) return exact;
  return `${exact}, played ${text(played)}${played.z === undefined ? '' : `, z ${scoreText(played.z)}`}`;
}
