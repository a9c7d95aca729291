/** Which part of a sweep the pictures show: the axes of a map, the axis of its panels, the values of all others. */
import { InputError } from '../../core/index.ts';
import { type AxisValue, placesOf, type Row, type StoredAxis, type StoreFacts } from '../../work/index.ts';
import { type Classes, classesOf } from './classes.ts';
import { axisText, axisTitle } from './quantity.ts';

/** What the user asked for. */
export interface ViewWishes {
  readonly x?: string | undefined;
  readonly y?: string | undefined;
  /** By the axis's name. */
  readonly fix?: ReadonlyMap<string, string> | undefined;
}

/** What is known of a sweep before its results. */
export type Swept = Pick<StoreFacts, 'axes' | 'costs' | 'design'>;

export interface View {
  /** True if the points are drawn, not combined: pictures show them as points. */
  readonly scattered: boolean;
  /** Absent if there are no axes. */
  readonly x?: Classes;
  /** Absent if there is one axis. */
  readonly y?: Classes;
  /** A panel for each of its values. */
  readonly panels?: Classes;
  /** Where the scenario itself is, as classes of x and y: it is marked. */
  readonly here?: readonly [x: number, y: number];
  /** Axes that stand still, with their values. */
  readonly fixed: ReadonlyMap<StoredAxis, AxisValue>;
}

/** Classes along a line and along an edge of a map, and tiles of all panels of a map together. */
const ON_EDGE = 200;
const TILES = ON_EDGE ** 2;

/** An axis of so many values at most gets panels. */
const PANELS = 6;

const sizeOf = ({ values }: StoredAxis): number => values?.length ?? Number.POSITIVE_INFINITY;

function named(facts: Swept, name: string, place: string): StoredAxis {
  const axes = placesOf(facts);
  const axis = axes.find((each) => each.name === name);
  if (axis !== undefined) return axis;
  throw new InputError(place, `an axis of the sweep: ${axes.map((each) => each.name).join(', ')}`, `"${name}"`);
}

function fixedValue({ name, values = [] }: StoredAxis, text: string): AxisValue {
  const found = values.find((value) => axisText(value) === text || String(value) === text);
  if (found !== undefined) return found;
  throw new InputError(`--fix ${name}`, `one of its values: ${values.map(axisText).join(', ')}`, `"${text}"`);
}

/** The value in the middle, the lower one of two. */
function middle({ values = [] }: StoredAxis): AxisValue {
  const numbers = values.filter((value) => typeof value === 'number').sort((a, b) => a - b);
  const ordered = numbers.length === values.length ? numbers : values;
  return ordered[Math.floor((ordered.length - 1) / 2)] ?? null;
}

/** Axes by their number of values, those with most first; of equal ones the first. */
function longest(axes: readonly StoredAxis[]): StoredAxis[] {
  return axes.toSorted((a, b) => sizeOf(b) - sizeOf(a));
}

function fixedAxes(facts: Swept, wishes: ViewWishes): Map<StoredAxis, AxisValue> {
  const fixed = new Map<StoredAxis, AxisValue>();
  for (const [name, text] of wishes.fix ?? []) {
    const axis = named(facts, name, '--fix');
    if (name === wishes.x || name === wishes.y) throw new InputError('--fix', 'an axis that is not drawn', `"${name}"`);
    if (axis.values === undefined) throw new InputError('--fix', 'an axis with single values', `"${name}", a range`);
    fixed.set(axis, fixedValue(axis, text));
  }
  return fixed;
}

/** The axes that are drawn: those asked for, then those first in `free`. */
function drawnAxes(facts: Swept, { x, y }: ViewWishes, free: readonly StoredAxis[]): StoredAxis[] {
  if (x !== undefined && x === y) throw new InputError('--y', 'another axis than --x', `"${y}"`);
  const asked = [x === undefined ? [] : [named(facts, x, '--x')], y === undefined ? [] : [named(facts, y, '--y')]];
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
export function viewOf(facts: Swept, wishes: ViewWishes, order: readonly string[]): View {
  const scattered = facts.design !== 'grid';
  const fixed = fixedAxes(facts, wishes);
  const rank = ({ name }: StoredAxis): number => order.indexOf(name);
  const moving = (axis: StoredAxis): boolean => sizeOf(axis) > 1 || axis.name === wishes.x || axis.name === wishes.y;
  // Points are sums of what is priced: where they are drawn, or stand still, they take the place of its axes.
  const { costs = [] } = facts;
  const summed = costs.some((each) => each.name === wishes.x || each.name === wishes.y || fixed.has(each));
  const isSummed = (axis: StoredAxis): boolean =>
    summed && costs.some(({ paths }) => axis.paths.some((path) => paths.includes(path)));
  const candidates = [...facts.axes.filter((axis) => !isSummed(axis)), ...(summed ? costs : [])];
  const free = candidates.filter((axis) => !fixed.has(axis) && moving(axis));
  const [x, y] = drawnAxes(facts, wishes, scattered ? free.toSorted((a, b) => rank(a) - rank(b)) : longest(free));
  if (x === undefined) return { scattered, fixed };
  if (y === undefined) return { scattered, fixed, x: classesOf(x, ON_EDGE) };
  const others = scattered ? [] : longest(free.filter((axis) => axis !== x && axis !== y && facts.axes.includes(axis)));
  const third = others.find((axis) => sizeOf(axis) <= PANELS);
  for (const axis of others) if (axis !== third) fixed.set(axis, middle(axis));
  const maps = third === undefined ? 1 : sizeOf(third);
  const fits = sizeOf(x) * sizeOf(y) * maps <= TILES;
  const most = fits ? ON_EDGE : Math.floor(Math.sqrt(TILES / maps));
  const panels = third && classesOf(third, PANELS);
  return { scattered, fixed, x: classesOf(x, most), y: classesOf(y, most), ...(panels && { panels }) };
}

/** The values at which other axes stand, or nothing. */
export function fixedText({ fixed }: View): string {
  return [...fixed].map(([axis, value]) => `${axisTitle(axis)} = ${axisText(value)}`).join(', ');
}

/** Whether a cell lies in the part that is shown. */
export function isShown({ fixed }: View, axes: Row['axes']): boolean {
  for (const [{ name }, value] of fixed) if (axes[name] !== value) return false;
  return true;
}
