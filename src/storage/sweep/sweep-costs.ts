/** Points of the sides in the cells of a sweep: columns after those of the axes. */
import { InputError } from '../../core/index.ts';
import {
  getBoundScenario,
  getValueAt,
  type Price,
  readCosts,
  roundCosts,
  type Scenario,
  setField,
  splitPath,
  sumCostsBySide,
} from '../../rules/index.ts';
import { type Axis, type AxisColumn, type AxisSetting, findColumnKind } from './axis.ts';
import type { SweepFile } from './sweep-file.ts';

/** Maximum number of sums to list; of more, only the range is known. */
const LISTED_SUMS_MAX = 1000;

export interface SweepCosts {
  /** `points.attacker` */
  readonly columns: readonly AxisColumn[];
  /** By column. */
  labels(settings: readonly AxisSetting[]): number[];
}

/** Computes the points of each side, including the values that axes set. */
function computeSideCosts(base: object, prices: readonly Price[], settings: readonly AxisSetting[]): number[] {
  if (prices.length === 0) return [];
  const given = settings.flatMap(({ values }) => values);
  const changed = given.reduce<unknown>((value, [path, field]) => setField(value, splitPath(path), field, path), base);
  return [...sumCostsBySide(prices, (path) => getValueAt(changed, splitPath(path))).values()];
}

function createCostColumn(side: string, prices: readonly Price[], axes: readonly Axis[], base: object): AxisColumn {
  const of = (settings: readonly AxisSetting[]): number => computeSideCosts(base, prices, settings)[0] ?? 0;
  // Points of the base scenario, and the changes by the levels of each axis, or by the ends of its range.
  const added = axes.map((axis) =>
    Array.from({ length: axis.levels ?? 2 }, (_, k) => of([axis.levels ? axis.level(k) : axis.at(k)]) - of([])),
  );
  const terms = [[of([])], ...added];
  let sums = [0];
  for (const each of terms)
    if (sums.length <= LISTED_SUMS_MAX)
      sums = [...new Set(sums.flatMap((sum) => each.map((term) => roundCosts(sum + term))))];
  const labels = sums.toSorted((a, b) => a - b);
  const listed = sums.length <= LISTED_SUMS_MAX && axes.every(({ levels }) => levels !== undefined);
  const end = (pick: (...values: number[]) => number): number =>
    terms.reduce((sum, each) => roundCosts(sum + pick(...each)), 0);
  const set = axes.flatMap(({ columns }) => columns.flatMap(({ paths }) => paths));
  const isSet = (path: string): boolean => set.some((each) => each === path || path.startsWith(`${each}.`));
  const there = prices.filter(({ path }) => isSet(path) || (getValueAt(base, splitPath(path)) ?? 0) !== 0);
  return {
    name: `points.${side}`,
    paths: there.map(({ path }) => path),
    prices: there.map(({ price }) => price),
    ...(listed ? { labels, kind: findColumnKind(labels) } : { range: [end(Math.min), end(Math.max)], kind: 'number' }),
  };
}

/**
 * @param place name of the sweep in messages
 * @throws InputError if a priced field is not a count of the scenario
 */
export function openSweepCosts(
  base: Scenario,
  costs: SweepFile['costs'],
  axes: readonly Axis[],
  place: string,
): SweepCosts {
  const { prices, problems } = readCosts(getBoundScenario(base).system.schema, base, costs ?? {}, () => 0);
  const [wrong] = problems.map(({ describe }) => describe());
  if (wrong !== undefined) throw new InputError(`${place} costs`, wrong.expected, wrong.found);
  const sides = [...new Set(prices.map(({ side }) => side))];
  const of = (side: string): Price[] => prices.filter((each) => each.side === side);
  return {
    columns: sides.map((side) => createCostColumn(side, of(side), axes, base)),
    labels: (settings) => computeSideCosts(base, prices, settings),
  };
}
