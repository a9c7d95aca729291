/** Classes of the values of an axis: one for each value if there are few, otherwise ranges of neighboring values. */
import type { AxisValue, StoredAxis } from '../../storage/index.ts';
import { type AxisTitle, formatAxisTitle, formatAxisValue } from './quantity.ts';

export interface AxisClasses {
  readonly axis: string;
  /** Title of the axis. */
  readonly title: string;
  readonly labels: readonly string[];
  /** Center of each class, if all values are numbers. */
  readonly middles?: readonly number[];
  /** True if a class contains several values. */
  readonly grouped: boolean;
  /** Class of a value; undefined for values that are not on the axis. */
  of(value: AxisValue | undefined): number | undefined;
}

export const toAxisTitle = ({ axis, title }: AxisClasses): AxisTitle => ({ name: axis, label: title });

/** Maximum number of classes of a range with random points. */
const MAX_SAMPLED_CLASSES = 16;

/** Ranges with at most this many integers have their integers as values. */
const MAX_LISTED_NUMBERS = 10_000;

/** Significant digits of the ends of a class. */
const BOUND_DIGITS = 3;

const isNumber = (value: AxisValue): value is number => typeof value === 'number';

function formatRangeLabel(low: string, high: string): string {
  return low === high ? low : `${low}..${high}`;
}

function createRangeClasses(axis: AxisTitle, [low, high]: readonly [number, number], most: number): AxisClasses {
  const count = Math.min(MAX_SAMPLED_CLASSES, most);
  const getEdge = (k: number): number => low + ((high - low) * k) / count;
  const label = (k: number): string => formatAxisValue(Number(getEdge(k).toPrecision(BOUND_DIGITS)));
  const all = Array.from({ length: count }, (_, k) => k);
  return {
    axis: axis.name,
    title: formatAxisTitle(axis),
    labels: all.map((k) => formatRangeLabel(label(k), label(k + 1))),
    middles: all.map((k) => (getEdge(k) + getEdge(k + 1)) / 2),
    grouped: true,
    of(value) {
      if (typeof value !== 'number' || value < low || value > high) return undefined;
      return high === low ? 0 : Math.min(count - 1, Math.floor((count * (value - low)) / (high - low)));
    },
  };
}

function createValueClasses(axis: AxisTitle, given: readonly AxisValue[], most: number): AxisClasses {
  const values = given.every(isNumber) ? given.toSorted((a, b) => a - b) : given;
  const size = Math.ceil(values.length / most);
  const runs = Array.from({ length: Math.ceil(values.length / size) }, (_, k) =>
    values.slice(k * size, (k + 1) * size),
  );
  const places = new Map(values.map((value, v) => [value, Math.floor(v / size)]));
  const getMiddle = (run: readonly AxisValue[]): number =>
    run.filter(isNumber).reduce((sum, x) => sum + x, 0) / run.length;
  return {
    axis: axis.name,
    title: formatAxisTitle(axis),
    labels: runs.map((run) => formatRangeLabel(formatAxisValue(run[0]), formatAxisValue(run.at(-1)))),
    ...(values.every(isNumber) && { middles: runs.map(getMiddle) }),
    grouped: size > 1,
    of: (value) => (value === undefined ? undefined : places.get(value)),
  };
}

/**
 * Creates the classes of an axis: numbers in ascending order, other values in their declared order.
 * @param most maximum number of classes
 */
export function createAxisClasses(axis: StoredAxis, most: number): AxisClasses {
  const { values, range: [low, high] = [0, 1], whole = false } = axis;
  if (values !== undefined) return createValueClasses(axis, values, most);
  if (!whole || high - low >= MAX_LISTED_NUMBERS) return createRangeClasses(axis, [low, high], most);
  const all = Array.from({ length: high - low + 1 }, (_, k) => low + k);
  return createValueClasses(axis, all, Math.min(MAX_SAMPLED_CLASSES, most));
}
