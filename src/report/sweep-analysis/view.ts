/** Which part of a sweep the pictures show: the axes of a map, the axis of its panels, the values of all others. */
import { InputError } from '../../core/index.ts';
import {
  type AxisValue,
  listCellColumns,
  type ResultRow,
  type StoredAxis,
  type StoreInfo,
} from '../../storage/index.ts';
import { type AxisClasses, createAxisClasses } from './axis-classes.ts';
import { formatAxisTitle, formatAxisValue } from './quantity.ts';

/** What the user asked for. */
export interface SweepViewOptions {
  readonly x?: string | undefined;
  readonly y?: string | undefined;
  /** By the axis's name. */
  readonly fix?: ReadonlyMap<string, string> | undefined;
}

/** What is known of a sweep before its results. */
export type SweepOutline = Pick<StoreInfo, 'axes' | 'costs' | 'design'>;

export interface SweepView {
  /** True if the points are drawn, not combined: pictures show them as points. */
  readonly scattered: boolean;
  /** Absent if there are no axes. */
  readonly x?: AxisClasses;
  /** Absent if there is one axis. */
  readonly y?: AxisClasses;
  /** A panel for each of its values. */
  readonly panels?: AxisClasses;
  /** Where the scenario itself is, as classes of x and y: it is marked. */
  readonly currentCell?: readonly [x: number, y: number];
  /** Axes that stand still, with their values. */
  readonly fixed: ReadonlyMap<StoredAxis, AxisValue>;
}

/** Classes along a line and along an edge of a map, and tiles of all panels of a map together. */
const MAX_CLASSES_ON_EDGE = 200;
const MAX_TILES = MAX_CLASSES_ON_EDGE ** 2;

/** An axis of so many values at most gets panels. */
const MAX_PANELS = 6;

const countAxisValues = ({ values }: StoredAxis): number => values?.length ?? Number.POSITIVE_INFINITY;

function findAxis(facts: SweepOutline, name: string, place: string): StoredAxis {
  const axes = listCellColumns(facts);
  const axis = axes.find((each) => each.name === name);
  if (axis !== undefined) return axis;
  throw new InputError(place, `an axis of the sweep: ${axes.map((each) => each.name).join(', ')}`, `"${name}"`);
}

function parseFixedValue({ name, values = [] }: StoredAxis, text: string): AxisValue {
  const found = values.find((value) => formatAxisValue(value) === text || String(value) === text);
  if (found !== undefined) return found;
  throw new InputError(`--fix ${name}`, `one of its values: ${values.map(formatAxisValue).join(', ')}`, `"${text}"`);
}

/** The value in the middle, the lower one of two. */
function getMiddleValue({ values = [] }: StoredAxis): AxisValue {
  const numbers = values.filter((value) => typeof value === 'number').sort((a, b) => a - b);
  const ordered = numbers.length === values.length ? numbers : values;
  return ordered[Math.floor((ordered.length - 1) / 2)] ?? null;
}

/** Axes by their number of values, those with most first; of equal ones the first. */
function sortByLength(axes: readonly StoredAxis[]): StoredAxis[] {
  return axes.toSorted((a, b) => countAxisValues(b) - countAxisValues(a));
}

function resolveFixedAxes(facts: SweepOutline, wishes: SweepViewOptions): Map<StoredAxis, AxisValue> {
  const fixed = new Map<StoredAxis, AxisValue>();
  for (const [name, text] of wishes.fix ?? []) {
    const axis = findAxis(facts, name, '--fix');
    if (name === wishes.x || name === wishes.y) throw new InputError('--fix', 'an axis that is not drawn', `"${name}"`);
    if (axis.values === undefined) throw new InputError('--fix', 'an axis with single values', `"${name}", a range`);
    fixed.set(axis, parseFixedValue(axis, text));
  }
  return fixed;
}

/** The axes that are drawn: those asked for, then those first in `free`. */
function chooseDisplayedAxes(
  facts: SweepOutline,
  { x, y }: SweepViewOptions,
  free: readonly StoredAxis[],
): StoredAxis[] {
  if (x !== undefined && x === y) throw new InputError('--y', 'another axis than --x', `"${y}"`);
  const asked = [
    x === undefined ? [] : [findAxis(facts, x, '--x')],
    y === undefined ? [] : [findAxis(facts, y, '--y')],
  ];
  const rest = free.filter(({ name }) => name !== x && name !== y);
  const [first = rest.shift()] = asked[0] ?? [];
  const [second = rest.shift()] = asked[1] ?? [];
  return [first, second].filter((axis) => axis !== undefined);
}

/**
 * What is drawn of a sweep. Of a grid: the two axes with most values, a panel for each value of a third one that has
 * few, the others at their middle values. Of drawn points: the two axes that come first in `order`, all points.
 * @param order axes by name, those with the greatest effect first
 * @throws InputError if a wish names no axis or value
 */
export function createSweepView(facts: SweepOutline, wishes: SweepViewOptions, order: readonly string[]): SweepView {
  const scattered = facts.design !== 'grid';
  const fixed = resolveFixedAxes(facts, wishes);
  const rank = ({ name }: StoredAxis): number => order.indexOf(name);
  const moving = (axis: StoredAxis): boolean =>
    countAxisValues(axis) > 1 || axis.name === wishes.x || axis.name === wishes.y;
  // Points are sums of what is priced: where they are drawn, or stand still, they take the place of its axes.
  const { costs = [] } = facts;
  const summed = costs.some((each) => each.name === wishes.x || each.name === wishes.y || fixed.has(each));
  const isSummed = (axis: StoredAxis): boolean =>
    summed && costs.some(({ paths }) => axis.paths.some((path) => paths.includes(path)));
  const candidates = [...facts.axes.filter((axis) => !isSummed(axis)), ...(summed ? costs : [])];
  const free = candidates.filter((axis) => !fixed.has(axis) && moving(axis));
  const [x, y] = chooseDisplayedAxes(
    facts,
    wishes,
    scattered ? free.toSorted((a, b) => rank(a) - rank(b)) : sortByLength(free),
  );
  if (x === undefined) return { scattered, fixed };
  if (y === undefined) return { scattered, fixed, x: createAxisClasses(x, MAX_CLASSES_ON_EDGE) };
  const others = scattered
    ? []
    : sortByLength(free.filter((axis) => axis !== x && axis !== y && facts.axes.includes(axis)));
  const third = others.find((axis) => countAxisValues(axis) <= MAX_PANELS);
  for (const axis of others) if (axis !== third) fixed.set(axis, getMiddleValue(axis));
  const maps = third === undefined ? 1 : countAxisValues(third);
  const fits = countAxisValues(x) * countAxisValues(y) * maps <= MAX_TILES;
  const most = fits ? MAX_CLASSES_ON_EDGE : Math.floor(Math.sqrt(MAX_TILES / maps));
  const panels = third && createAxisClasses(third, MAX_PANELS);
  return { scattered, fixed, x: createAxisClasses(x, most), y: createAxisClasses(y, most), ...(panels && { panels }) };
}

/** The values at which other axes stand, or nothing. */
export function formatFixedValues({ fixed }: SweepView): string {
  return [...fixed].map(([axis, value]) => `${formatAxisTitle(axis)} = ${formatAxisValue(value)}`).join(', ');
}

/** Whether a cell lies in the part that is shown. */
export function isShown({ fixed }: SweepView, axes: ResultRow['axes']): boolean {
  for (const [{ name }, value] of fixed) if (axes[name] !== value) return false;
  return true;
}
