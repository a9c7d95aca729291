/** Quantities of the cells of a sweep: the probability of an outcome or the mean of a metric. */

import type { MetricLabels } from '../../rules/index.ts';
import type { AxisValue, ResultRow, StoredAxis } from '../../storage/index.ts';
import { type EstimatedValue, formatInterval, formatValue, formatZScore, getScale } from '../sheet/estimated-value.ts';
import { sanitizeXmlText } from '../text/sanitize.ts';
import { formatOutcome, isClause } from './outcome-text.ts';

export interface SweepQuantity {
  readonly kind: ResultRow['kind'];
  readonly name: string;
}

/** Value of a row: the exact value if it is known, otherwise the estimate. */
export interface CellReading {
  readonly cell: number;
  readonly axes: ResultRow['axes'];
  readonly value: number;
  /** 95 % interval; absent if the value is exact. */
  readonly interval?: readonly [low: number, high: number];
  readonly standardError?: number;
  /** Estimate of an exact value, if there are battles, and its z-score. */
  readonly simulated?: EstimatedValue & { readonly value: number; readonly z?: number };
}

/** Unique key of a quantity. */
export function getQuantityKey({ kind, name }: SweepQuantity): string {
  return `${kind} ${name}`;
}

/** Map by quantity without string keys, for millions of lookups. */
export class QuantityMap<T> {
  readonly #kinds = { outcome: new Map<string, T>(), metric: new Map<string, T>() };

  get({ kind, name }: SweepQuantity): T | undefined {
    return this.#kinds[kind].get(name);
  }

  set({ kind, name }: SweepQuantity, value: T): T {
    this.#kinds[kind].set(name, value);
    return value;
  }

  /** Values of outcomes before values of metrics, otherwise in insertion order. */
  get values(): T[] {
    return [...this.#kinds.outcome.values(), ...this.#kinds.metric.values()];
  }
}

/** Keys of a row from which readings are created. */
export const READING_KEYS = [
  ...(['cell', 'axes', 'kind', 'name', 'estimate'] as const),
  ...(['low', 'high', 'standard_error', 'exact', 'z'] as const),
] as const;

/** Keys of a row that the analysis needs. */
export const REPORT_KEYS = [
  ...READING_KEYS,
  ...(['battles', 'reached', 'standard_deviation', 'min', 'max', 'q05', 'q95'] as const),
] as const;

export type ReadingRow = Pick<ResultRow, (typeof READING_KEYS)[number]>;
export type ReportRow = Pick<ResultRow, (typeof REPORT_KEYS)[number]>;

/** @returns undefined for a row that has neither an estimate nor an exact value */
export function createReading(row: ReadingRow): CellReading | undefined {
  const { cell, axes, estimate, low, high, standard_error: error, exact, z } = row;
  const value = exact ?? estimate;
  if (value === null) return undefined;
  const interval = low === null || high === null ? {} : { interval: [low, high] as const, standardError: error ?? 0 };
  if (exact === null) return { cell, axes, value, ...interval };
  if (estimate === null) return { cell, axes, value };
  return { cell, axes, value, simulated: { value: estimate, ...interval, ...(z !== null && { z }) } };
}

/** Probabilities within this distance of 0 and 1 count as 0 and 1: one battle in a billion. */
const CERTAINTY_TOLERANCE = 1e-9;

/** Rounds probabilities near 0 and 1 to these; returns other values unchanged. */
export function snapProbability({ kind }: Pick<SweepQuantity, 'kind'>, value: number): number {
  if (kind === 'metric') return value;
  return value <= CERTAINTY_TOLERANCE ? 0 : value >= 1 - CERTAINTY_TOLERANCE ? 1 : value;
}

/** Unit of a metric; empty if its name includes it, or none is declared. */
export function getMetricUnit({ kind, name }: SweepQuantity, counts: MetricLabels): string {
  if (kind === 'outcome') return '%';
  const [first = ''] = name.split('.');
  return Object.hasOwn(counts, first) ? sanitizeXmlText(counts[first] ?? '') : '';
}

/** Formats a column head: `attacker wins`, `hp.attacker`. */
export function formatQuantityHeading({ kind, name }: SweepQuantity): string {
  return kind === 'outcome' ? formatOutcome(name) : sanitizeXmlText(name);
}

/** Formats a title of an axis or a legend: `mean of hp.attacker (hit points)`, `probability that attacker wins`. */
export function formatQuantityTitle(quantity: SweepQuantity, counts: MetricLabels): string {
  const name = sanitizeXmlText(quantity.name);
  if (quantity.kind === 'outcome') return `probability ${isClause(name) ? 'that' : 'of'} ${formatOutcome(name)}`;
  const unit = getMetricUnit(quantity, counts);
  return `mean of ${name}${unit === '' ? '' : ` (${unit})`}`;
}

/** Formats the value of an axis. */
export function formatAxisValue(value: AxisValue | undefined): string {
  if (typeof value !== 'number') return sanitizeXmlText(value === null || value === undefined ? 'none' : String(value));
  return String(Number(value.toPrecision(6)));
}

/** Axis with its declared label. */
export type AxisTitle = Pick<StoredAxis, 'name' | 'label'>;

/** Title of an axis. */
export const formatAxisTitle = ({ name, label = name }: AxisTitle): string => sanitizeXmlText(label);

/** Creates a function that returns the title of an axis by its name. */
export function createAxisTitles(axes: readonly AxisTitle[]): (name: string) => string {
  const titles = new Map(axes.map((axis) => [axis.name, formatAxisTitle(axis)]));
  return (name) => titles.get(name) ?? sanitizeXmlText(name);
}

/** Separates the owner from the field: `attacker’s rifleman`, `Hunters’ attack`. */
const OWNER_SUFFIX = /’s? /;

/** Shortest distinct titles: only the fields, or only their owners. */
function createShortTitles(axes: readonly AxisTitle[]): string[] {
  const titles = axes.map(formatAxisTitle);
  const fields = titles.map((title) => title.split(OWNER_SUFFIX).at(-1) ?? title);
  const owners = titles.map((title) => title.split(OWNER_SUFFIX)[0] ?? title);
  return [fields, owners].find((short) => new Set(short).size === titles.length) ?? titles;
}

/** Formats the axis values of a cell: `attack 3, hp 20`. */
export function formatCellPlace(values: ResultRow['axes'], axes: readonly AxisTitle[]): string {
  return axes.map((axis) => `${formatAxisTitle(axis)} ${formatAxisValue(values[axis.name])}`).join(', ');
}

/** Formats the axis values of a cell in short, words without titles: `rifleman 8, tank 6, open`. */
export function formatShortCellPlace(values: ResultRow['axes'], axes: readonly AxisTitle[]): string {
  const short = createShortTitles(axes);
  const text = (value: AxisValue | undefined, a: number): string =>
    typeof value === 'string' ? sanitizeXmlText(value) : `${short[a] ?? ''} ${formatAxisValue(value)}`;
  return axes.map(({ name }, a) => text(values[name], a)).join(', ');
}

/** Formats a reading as one line, for labels of marks. */
export function formatReading(quantity: SweepQuantity, reading: CellReading): string {
  return `${formatQuantityHeading(quantity)}: ${formatReadingValue(quantity, reading)}`;
}

/** Formats a reading without the name: `57.65 % exact, simulated 57.7 % (95 %: 57.6 .. 57.8 %), z +0.4`. */
function formatReadingValue(quantity: SweepQuantity, reading: CellReading): string {
  const { value, interval, simulated } = reading;
  const scale = getScale(quantity);
  const text = (figure: EstimatedValue): string =>
    `${formatValue(scale, figure)} (95 %: ${formatInterval(scale, figure)})`;
  if (interval !== undefined) return text(reading);
  const exact = `${formatValue(scale, { value })} exact`;
  if (simulated === undefined) return exact;
  return `${exact}, simulated ${text(simulated)}${simulated.z === undefined ? '' : `, z ${formatZScore(simulated.z)}`}`;
}
