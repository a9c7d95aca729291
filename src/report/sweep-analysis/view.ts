/** Displayed part of a sweep: the axes of a heat map, the axis of its panels, and fixed values of all others. */
import { createConflictError, InputError } from '../../core/index.ts';
import {
  type AxisValue,
  listCellColumns,
  type ResultRow,
  type StoredAxis,
  type StoreInfo,
} from '../../storage/index.ts';
import { type AxisClasses, createAxisClasses } from './axis-classes.ts';
import { formatAxisTitle, formatAxisValue } from './quantity.ts';

/** Requested axes and fixed values. */
export interface SweepViewOptions {
  readonly x?: string | undefined;
  readonly y?: string | undefined;
  /** Fixed values, by name of the axis. */
  readonly fix?: ReadonlyMap<string, string> | undefined;
}

/** Facts of a sweep that are known before its results. */
export type SweepOutline = Pick<StoreInfo, 'axes' | 'costs' | 'design'>;

export interface SweepView {
  /** True for random points instead of a grid, which figures show as points. */
  readonly scattered: boolean;
  /** Absent if there are no axes. */
  readonly x?: AxisClasses;
  /** Absent if there is one axis. */
  readonly y?: AxisClasses;
  /** Axis with a panel for each of its values. */
  readonly panels?: AxisClasses;
  /** Classes of x and y of the unchanged scenario, which figures mark. */
  readonly currentCell?: readonly [x: number, y: number];
  /** Fixed axes, with their values. */
  readonly fixed: ReadonlyMap<StoredAxis, AxisValue>;
}

/** Maximum numbers of classes of a line, of classes of an axis of a heat map, and of tiles of all its panels. */
const MAX_CLASSES_ON_EDGE = 200;
const MAX_TILES = MAX_CLASSES_ON_EDGE ** 2;

/** Maximum number of values of an axis with panels. */
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

/** Median value, the lower one of two. */
function getMiddleValue({ values = [] }: StoredAxis): AxisValue {
  const numbers = values.filter((value) => typeof value === 'number').sort((a, b) => a - b);
  const ordered = numbers.length === values.length ? numbers : values;
  return ordered[Math.floor((ordered.length - 1) / 2)] ?? null;
}

/** Sorts axes by their number of values, the largest first (stable). */
function sortByLength(axes: readonly StoredAxis[]): StoredAxis[] {
  return axes.toSorted((a, b) => countAxisValues(b) - countAxisValues(a));
}

function resolveFixedAxes(facts: SweepOutline, targets: SweepViewOptions): Map<StoredAxis, AxisValue> {
  const fixed = new Map<StoredAxis, AxisValue>();
  for (const [name, text] of targets.fix ?? []) {
    const axis = findAxis(facts, name, '--fix');
    const drawn = (['x', 'y'] as const).find((option) => targets[option] === name);
    if (drawn !== undefined) throw createConflictError(`--fix ${name}`, `--${drawn} ${name}`);
    if (axis.values === undefined) throw new InputError('--fix', 'an axis with single values', `"${name}", a range`);
    fixed.set(axis, parseFixedValue(axis, text));
  }
  return fixed;
}

/** Selects the displayed axes: the requested ones, then the first ones in `free`. */
function chooseDisplayedAxes(
  facts: SweepOutline,
  { x, y }: SweepViewOptions,
  free: readonly StoredAxis[],
): StoredAxis[] {
  if (x !== undefined && x === y) throw createConflictError(`--y ${y}`, `--x ${x}`);
  const requested = [
    x === undefined ? [] : [findAxis(facts, x, '--x')],
    y === undefined ? [] : [findAxis(facts, y, '--y')],
  ];
  const rest = free.filter(({ name }) => name !== x && name !== y);
  const [first = rest.shift()] = requested[0] ?? [];
  const [second = rest.shift()] = requested[1] ?? [];
  return [first, second].filter((axis) => axis !== undefined);
}

/**
 * Selects the displayed part of a sweep. For a grid: the two axes with most values, a panel for each value of a third
 * one with few values, the others at their median values. For random points: the first two axes in `order`, all points.
 * @param order names of axes, the largest effect first
 * @throws InputError if an option names an unknown axis or value
 */
export function createSweepView(facts: SweepOutline, targets: SweepViewOptions, order: readonly string[]): SweepView {
  const scattered = facts.design !== 'grid';
  const fixed = resolveFixedAxes(facts, targets);
  const rank = ({ name }: StoredAxis): number => order.indexOf(name);
  const isVaried = (axis: StoredAxis): boolean =>
    countAxisValues(axis) > 1 || axis.name === targets.x || axis.name === targets.y;
  // Points are sums over priced fields, so displayed or fixed points replace the axes of these fields.
  const { costs = [] } = facts;
  const summed = costs.some((each) => each.name === targets.x || each.name === targets.y || fixed.has(each));
  const isSummed = (axis: StoredAxis): boolean =>
    summed && costs.some(({ paths }) => axis.paths.some((path) => paths.includes(path)));
  const candidates = [...facts.axes.filter((axis) => !isSummed(axis)), ...(summed ? costs : [])];
  const free = candidates.filter((axis) => !fixed.has(axis) && isVaried(axis));
  const [x, y] = chooseDisplayedAxes(
    facts,
    targets,
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

/** Formats the values of the fixed axes. */
export function formatFixedValues({ fixed }: SweepView): string {
  return [...fixed].map(([axis, value]) => `${formatAxisTitle(axis)} = ${formatAxisValue(value)}`).join(', ');
}

/** True if a cell is in the displayed part. */
export function isShown({ fixed }: SweepView, axes: ResultRow['axes']): boolean {
  for (const [{ name }, value] of fixed) if (axes[name] !== value) return false;
  return true;
}
