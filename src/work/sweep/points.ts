/** The points of the sides in the cells of a sweep, as further columns. */
import { InputError } from '../../core/errors.ts';
import { opened } from '../../rules/opened.ts';
import { type Price, pointsBy, readCosts, roundedPoints } from '../../rules/scenario/costs.ts';
import { stepsOf, valueAt } from '../../rules/scenario/problem.ts';
import { type Axis, type Column, kindOf, type Setting } from './axis.ts';
import type { SweepSpec } from './sweep.ts';

/** Sums that are listed one by one; where there may be more, their range is known. */
const LISTED = 1000;

export interface Points {
  /** Behind those of the axes: `points.attacker`. */
  readonly columns: readonly Column[];
  /** By column. */
  labels(settings: readonly Setting[]): number[];
}

/** Values of fields that an axis sets: cases, and values that are mappings, may reach a field from above or below. */
function countAt(settings: readonly Setting[], base: object, path: string): unknown {
  const steps = stepsOf(path);
  for (const [set, value] of settings.flatMap(({ values }) => values)) {
    if (set === path) return value;
    const above = stepsOf(set);
    if (above.length < steps.length && above.every((step, s) => step === steps[s]))
      return valueAt(value, steps.slice(above.length));
  }
  return valueAt(base, steps);
}

/** Sums of one term of each list, ascending; the least and the greatest alone if there are too many. */
function sumsOf(terms: readonly (readonly number[])[]): {
  readonly labels: readonly number[];
  readonly whole: boolean;
} {
  let [all, whole] = [[0], true];
  for (const each of terms) {
    all = [...new Set(all.flatMap((sum) => each.map((term) => roundedPoints(sum + term))))].sort((a, b) => a - b);
    whole = whole && all.length <= LISTED;
    if (!whole) all = [all[0] ?? 0, all.at(-1) ?? 0];
  }
  return { labels: all, whole };
}

/** What the levels of an axis, or the ends of its range, add to what a side costs in the scenario itself. */
function termsOf(axis: Axis, prices: readonly Price[], base: object): number[] {
  const count = axis.levels ?? 2;
  const settings = Array.from({ length: count }, (_, k) => (axis.levels === undefined ? axis.at(k) : axis.level(k)));
  const sum = (setting: readonly Setting[]): number =>
    [...pointsBy(prices, (path) => countAt(setting, base, path)).values()][0] ?? 0;
  return [...new Set(settings.map((setting) => roundedPoints(sum([setting]) - sum([]))))];
}

function columnOf(side: string, prices: readonly Price[], axes: readonly Axis[], base: object): Column {
  const own = [...pointsBy(prices, (path) => countAt([], base, path)).values()];
  const drawn = axes.some(({ levels }) => levels === undefined);
  const { labels, whole } = sumsOf([own, ...axes.map((axis) => termsOf(axis, prices, base))]);
  const ends = [labels[0] ?? 0, labels.at(-1) ?? 0] as const;
  const swept = axes.flatMap(({ columns }) => columns.flatMap(({ paths }) => paths));
  const isSwept = (path: string): boolean => swept.some((each) => each === path || path.startsWith(`${each}.`));
  const there = prices.filter(({ path }) => isSwept(path) || (countAt([], base, path) ?? 0) !== 0);
  return {
    name: `points.${side}`,
    paths: there.map(({ path }) => path),
    prices: there.map(({ price }) => price),
    ...(whole && !drawn ? { labels, kind: kindOf(labels) } : { range: ends, kind: 'number' }),
  };
}

/**
 * @param place what messages call the sweep
 * @throws InputError if something has a price that the scenario does not count
 */
export function pointsIn({ scenario: base, costs = {} }: SweepSpec, axes: readonly Axis[], place: string): Points {
  const { prices, problems } = readCosts(opened(base).system.schema, base, costs, () => 0);
  for (const problem of problems) {
    const { expected, found } = problem.tell();
    throw new InputError(`${place} costs`, expected, found);
  }
  const sides = [...new Set(prices.map(({ side }) => side))];
  return {
    columns: sides.map((side) =>
      columnOf(
        side,
        prices.filter((each) => each.side === side),
        axes,
        base,
      ),
    ),
    labels: (settings) => [...pointsBy(prices, (path) => countAt(settings, base, path)).values()],
  };
}
