/** Observed battles: outcomes, and metrics if they are known. */

import { checkList, findAmount, InputError, suggestName } from '../../core/index.ts';
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
}

/** Numbers of battles. */
const BATTLE_COUNT = 'a whole number 0..2^53-1';

const isBattleCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

/** @throws InputError if the name is unknown */
function findIndex(names: readonly string[], name: string, place: string, what: string): number {
  const index = names.indexOf(name);
  if (index >= 0) return index;
  const found = `"${name}"${suggestName(name, names)}`;
  throw new InputError(place, `${what}: ${names.join(', ')}`, found);
}

/**
 * Counts observations by result.
 * @throws InputError if there are none, or the scenario has no such outcome or metric
 */
export function countObservations(
  { outcomes, metrics: declared }: CountsShape,
  observations: readonly ObservedBattles[],
): ObservationTable {
  checkList('observations', 'a list of results such as [{ outcome }]', observations, 'object');
  const names = Object.keys(observations[0]?.metrics ?? {});
  const metricNames = declared.map(({ name }) => name);
  const metrics = names.map((name) =>
    findIndex(metricNames, name, 'observations[0].metrics', 'metrics of the scenario'),
  );
  const byResult = new Map<string, ObservedResult & { count: number }>();
  let battles = 0;
  for (const [o, { outcome: name, metrics: given = {}, count = 1 }] of observations.entries()) {
    const place = `observations[${String(o)}]`;
    const outcome = findIndex(outcomes, name, `${place}.outcome`, 'outcomes of the scenario');
    if (Object.keys(given).join() !== names.join())
      throw new InputError(
        `${place}.metrics`,
        `the metrics ${names.join(', ') || '(none)'}`,
        Object.keys(given).join(', ') || 'none',
      );
    if (!isBattleCount(count)) throw new InputError(`${place}.count`, BATTLE_COUNT, String(count));
    const values = names.map((metric) => given[metric] ?? 0);
    const key = [outcome, ...values].join();
    const known = byResult.get(key);
    if (known === undefined) byResult.set(key, { outcome, values, count });
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
    return { outcome, metrics, count };
  });
  if (observed.every(({ count }) => count === 0)) throw new InputError(place, 'at least one battle', 'none');
  return observed;
}
