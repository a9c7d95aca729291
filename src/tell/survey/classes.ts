/** The values of an axis parted into classes: one for each value where they are few, else runs of neighbours. */
import type { AxisValue, StoredAxis } from '../../work/index.ts';
import { axisText, axisTitle, type Titled } from './quantity.ts';

export interface Classes {
  readonly axis: string;
  /** What people read of the axis. */
  readonly title: string;
  readonly labels: readonly string[];
  /** The middle of each class, if all values are numbers. */
  readonly middles?: readonly number[];
  /** True if a class holds several values. */
  readonly grouped: boolean;
  /** The class of a value; undefined for one that the axis does not have. */
  of(value: AxisValue | undefined): number | undefined;
}

/** The axis of some classes. */
export const titledOf = ({ axis, title }: Classes): Titled => ({ name: axis, label: title });

/** Classes of a range from which points were drawn, unless fewer are allowed. */
const DRAWN = 16;

/** Whole numbers of a range that are listed to be parted. */
const LISTED = 10_000;

/** Digits of the ends of a class. */
const DIGITS = 3;

const isNumber = (value: AxisValue): value is number => typeof value === 'number';

function rangeLabel(low: string, high: string): string {
  return low === high ? low : `${low}..${high}`;
}

function ofRange(axis: Titled, [low, high]: readonly [number, number], most: number): Classes {
  const count = Math.min(DRAWN, most);
  const edge = (k: number): number => low + ((high - low) * k) / count;
  const label = (k: number): string => axisText(Number(edge(k).toPrecision(DIGITS)));
  const all = Array.from({ length: count }, (_, k) => k);
  return {
    axis: axis.name,
    title: axisTitle(axis),
    labels: all.map((k) => rangeLabel(label(k), label(k + 1))),
    middles: all.map((k) => (edge(k) + edge(k + 1)) / 2),
    grouped: true,
    of(value) {
      if (typeof value !== 'number' || value < low || value > high) return undefined;
      return high === low ? 0 : Math.min(count - 1, Math.floor((count * (value - low)) / (high - low)));
    },
  };
}

function ofValues(axis: Titled, given: readonly AxisValue[], most: number): Classes {
  const values = given.every(isNumber) ? given.toSorted((a, b) => a - b) : given;
  const size = Math.ceil(values.length / most);
  const runs = Array.from({ length: Math.ceil(values.length / size) }, (_, k) =>
    values.slice(k * size, (k + 1) * size),
  );
  const places = new Map(values.map((value, v) => [value, Math.floor(v / size)]));
  const middle = (run: readonly AxisValue[]): number =>
    run.filter(isNumber).reduce((sum, x) => sum + x, 0) / run.length;
  return {
    axis: axis.name,
    title: axisTitle(axis),
    labels: runs.map((run) => rangeLabel(axisText(run[0]), axisText(run.at(-1)))),
    ...(values.every(isNumber) && { middles: runs.map(middle) }),
    grouped: size > 1,
    of: (value) => (value === undefined ? undefined : places.get(value)),
  };
}

/**
 * The classes of an axis, numbers ascending, other values in the order given.
 * @param most how many classes there may be
 */
export function classesOf(axis: StoredAxis, most: number): Classes {
  const { values, range: [low, high] = [0, 1], whole = false } = axis;
  if (values !== undefined) return ofValues(axis, values, most);
  if (!whole || high - low >= LISTED) return ofRange(axis, [low, high], most);
  const all = Array.from({ length: high - low + 1 }, (_, k) => low + k);
  return ofValues(axis, all, Math.min(DRAWN, most));
}
