/** The points of the sides in the cells of a sweep: columns behind those of the axes. */
import { InputError } from '../../core/index.ts';
import {
  opened,
  type Price,
  pointsBy,
  readCosts,
  roundedPoints,
  type Scenario,
  stepsOf,
  valueAt,
  withField,
} from '../../rules/index.ts';
import { type Axis, type Column, kindOf, type Setting } from './axis.ts';
import type { SweepFile } from './file.ts';

/** Sums that are listed one by one; of more, their range is known. */
const LISTED = 1000;

export interface SweepPoints {
  /** `points.attacker` */
  readonly columns: readonly Column[];
  /** By column. */
  labels(settings: readonly Setting[]): number[];
}

/** What sides cost, by side, with what axes set. */
function pointsAt(base: object, prices: readonly Price[], settings: readonly Setting[]): number[] {
  if (prices.length === 0) return [];
  const given = settings.flatMap(({ values }) => values);
  const changed = given.reduce<unknown>((value, [path, field]) => withField(value, stepsOf(path), field, path), base);
  return [...pointsBy(prices, (path) => valueAt(changed, stepsOf(path))).values()];
}

function columnOf(side: string, prices: readonly Price[], axes: readonly Axis[], base: object): Column {
  const of = (settings: readonly Setting[]): number => pointsAt(base, prices, settings)[0] ?? 0;
  // What the scenario costs, and what the levels of each axis, or the ends of its range, add to that.
  const added = axes.map((axis) =>
    Array.from({ length: axis.levels ?? 2 }, (_, k) => of([axis.levels ? axis.level(k) : axis.at(k)]) - of([])),
  );
  const terms = [[of([])], ...added];
  let sums = [0];
  for (const each of terms)
    if (sums.length <= LISTED)
      sums = [...new Set(sums.flatMap((sum) => each.map((term) => roundedPoints(sum + term))))];
  const labels = sums.toSorted((a, b) => a - b);
  const listed = sums.length <= LISTED && axes.every(({ levels }) => levels !== undefined);
  const end = (pick: (...values: number[]) => number): number =>
    terms.reduce((sum, each) => roundedPoints(sum + pick(...each)), 0);
  const set = axes.flatMap(({ columns }) => columns.flatMap(({ paths }) => paths));
  const isSet = (path: string): boolean => set.some((each) => each === path || path.startsWith(`${each}.`));
  const there = prices.filter(({ path }) => isSet(path) || (valueAt(base, stepsOf(path)) ?? 0) !== 0);
  return {
    name: `points.${side}`,
    paths: there.map(({ path }) => path),
    prices: there.map(({ price }) => price),
    ...(listed ? { labels, kind: kindOf(labels) } : { range: [end(Math.min), end(Math.max)], kind: 'number' }),
  };
}

/**
 * @param place what messages call the sweep
 * @throws InputError if something has a price that the scenario does not count
 */
export function pointsIn(base: Scenario, costs: SweepFile['costs'], axes: readonly Axis[], place: string): SweepPoints {
  const { prices, problems } = readCosts(opened(base).system.schema, base, costs ?? {}, () => 0);
  const [wrong] = problems.map(({ tell }) => tell());
  if (wrong !== undefined) throw new InputError(`${place} costs`, wrong.expected, wrong.found);
  const sides = [...new Set(prices.map(({ side }) => side))];
  const of = (side: string): Price[] => prices.filter((each) => each.side === side);
  return {
    columns: sides.map((side) => columnOf(side, of(side), axes, base)),
    labels: (settings) => pointsAt(base, prices, settings),
  };
}
