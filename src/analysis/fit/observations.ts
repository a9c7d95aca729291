/** Observed battles: outcomes, and metrics if they are known. */

import { checkList, describeFound, findAmount, InputError, quote, suggestName } from '../../core/index.ts';
import type { CountsShape } from '../../stats/index.ts';

/** Observed battles with equal results. */
export interface ObservedBattles {
  readonly outcome: string;
  /** Values by name of the metric; all observations have the same metrics. */
  readonly metrics?: Readonly<Record<string, number>> | undefined;
  /** Number of battles with this result; default: 1. */
  readonly count?: number | undefined;
}

/** Observed battles by result. */
export interface ObservationTable {
  /** Indices of the observed metrics. */
  readonly metrics: readonly number[];
  readonly results: readonly ObservedResult[];
  readonly battles: number;
}

/** A result with its number of battles. */
export interface ObservedResult {
  /** Index of the outcome. */
  readonly outcome: number;
  /** Values of the observed metrics, in their order. */
  readonly values: readonly number[];
  readonly count: number;
  /** Place of the first observation with the result in error messages. */
  readonly place: string;
}

/** Lines of observations that were read from a file. */
const LINES = new WeakMap<ObservedBattles, string>();

const KEYS = ['outcome', 'metrics', 'count'];

/** Numbers of battles. */
const BATTLE_COUNT = 'a whole number 0..2^53-1';

const isBattleCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

/** @throws InputError if the name is unknown */
function findIndex(names: readonly string[], name: unknown, place: string, what: string): number {
  const index = names.indexOf(name as string);
  if (index >= 0) return index;
  const found = `${describeFound(name)}${typeof name === 'string' ? suggestName(name, names) : ''}`;
  throw new InputError(place, `${what}: ${names.join(', ')}`, found);
}

/** Checks the keys and the metrics of an observation. @throws InputError */
function checkObservation(observation: object, metricNames: readonly string[], place: string): void {
  const keys = `a mapping with the keys ${KEYS.join(', ')}`;
  if (Array.isArray(observation)) throw new InputError(place, keys, describeFound(observation));
  for (const [key, value] of Object.entries(observation)) {
    if (KEYS.includes(key)) continue;
    const nested = ` (did you mean metrics: { ${quote(key)}: ${describeFound(value)} }?)`;
    const suggestion = metricNames.includes(key) ? nested : suggestName(key, KEYS);
    throw new InputError(place, keys, `${quote(key)}${suggestion}`);
  }
  const { metrics = {} } = observation as { readonly metrics?: unknown };
  if (typeof metrics !== 'object' || metrics === null || Array.isArray(metrics))
    throw new InputError(`${place}.metrics`, 'a mapping of numbers', describeFound(metrics));
  for (const [name, value] of Object.entries(metrics))
    if (!Number.isFinite(value))
      throw new InputError(`${place}.metrics.${name}`, 'a finite number', describeFound(value));
}

const isSameSet = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((each) => others.includes(each));

/**
 * Counts observations by result.
 * @throws InputError if there are none, or the scenario has no such outcome or metric
 */
export function countObservations(
  { outcomes, metrics: declared }: CountsShape,
  observations: readonly ObservedBattles[],
): ObservationTable {
  checkList('observations', 'a list of results such as [{ outcome }]', observations, 'object');
  const metricNames = declared.map(({ name }) => name);
  const places = observations.map((each, o) => LINES.get(each) ?? `observations[${String(o)}]`);
  for (const [o, each] of observations.entries()) checkObservation(each, metricNames, places[o] ?? '');
  const names = Object.keys(observations[0]?.metrics ?? {});
  const metrics = names.map((name) =>
    findIndex(metricNames, name, 'observations[0].metrics', 'metrics of the scenario'),
  );
  const byResult = new Map<string, ObservedResult & { count: number }>();
  let battles = 0;
  for (const [o, { outcome: name, metrics: given = {}, count = 1 }] of observations.entries()) {
    const place = places[o] ?? '';
    const outcome = findIndex(outcomes, name, `${place}.outcome`, 'outcomes of the scenario');
    if (!isSameSet(Object.keys(given), names))
      throw new InputError(
        `${place}.metrics`,
        `the metrics ${names.join(', ') || '(none)'}`,
        Object.keys(given).join(', ') || 'none',
      );
    if (!isBattleCount(count)) throw new InputError(`${place}.count`, BATTLE_COUNT, describeFound(count));
    const values = names.map((metric) => given[metric] ?? 0);
    const key = [outcome, ...values].join();
    const known = byResult.get(key);
    if (known === undefined) byResult.set(key, { outcome, values, count, place });
    else known.count += count;
    battles += count;
  }
  const results = [...byResult.values()].filter(({ count }) => count > 0);
  if (battles === 0) throw new InputError('observations', 'at least one battle', 'none');
  return { metrics, results, battles };
}

/** Parses a number of a column. @throws InputError if it is none, or a count that is not a whole number */
function parseCell(cell: string | undefined, column: string, place: string): number {
  const text = (cell ?? '').trim();
  const isCount = column === 'count';
  const value = findAmount(text)?.value;
  if (value !== undefined && !(isCount && !isBattleCount(value))) return value;
  throw new InputError(place, isCount ? BATTLE_COUNT : 'a number', `"${text}"`);
}

/**
 * Reads observed battles from rows of a table: a column `outcome`, columns of metrics, and optionally `count`.
 * @param rows cells by column, the head first
 * @param shape outcomes and metrics of the scenario
 * @param place name of the file in error messages
 * @throws InputError with the line of the first wrong cell
 */
export function parseObservations(
  rows: readonly (readonly string[])[],
  { outcomes, metrics: declared }: CountsShape,
  place: string,
): ObservedBattles[] {
  const [head = [], ...body] = rows;
  const columns = head.map((name) => name.trim());
  const at = columns.indexOf('outcome');
  if (at < 0) throw new InputError(`${place}:1`, 'a column "outcome"', `columns ${columns.join(', ') || '(none)'}`);
  const twice = columns.find((name, c) => columns.indexOf(name) < c);
  if (twice !== undefined) throw new InputError(`${place}:1`, 'each column once', `"${twice}" twice`);
  const known = ['outcome', 'count', ...declared.map(({ name }) => name)];
  for (const name of columns) findIndex(known, name, `${place}:1`, 'columns');
  const observed = body.map((cells, r) => {
    const metrics: Record<string, number> = {};
    let count = 1;
    const outcome = (cells[at] ?? '').trim();
    findIndex(outcomes, outcome, `${place}:${String(r + 2)} outcome`, 'outcomes of the scenario');
    for (const [c, name] of columns.entries()) {
      if (c === at) continue;
      const value = parseCell(cells[c], name, `${place}:${String(r + 2)} ${name}`);
      if (name === 'count') count = value;
      else metrics[name] = value;
    }
    const battles = { outcome, metrics, count };
    LINES.set(battles, `${place}:${String(r + 2)}`);
    return battles;
  });
  if (observed.every(({ count }) => count === 0)) throw new InputError(place, 'at least one battle', 'none');
  return observed;
}
