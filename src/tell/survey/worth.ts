/**
 * At which points two sides are even: in each line of cells along a priced axis, where the main outcome crosses one half. A
 * pass of its own over the rows, of sweeps with prices on two sides.
 */
import type { Row, Store, StoredAxis, StoredPoints } from '../../work/store/rows.ts';
import { bestOf } from './even.ts';
import { type Quantity, type Reading, readingOf } from './quantity.ts';

/** Cells that are looked at: lines need all of theirs at once. */
const CELLS = 500_000;

const EVEN = 0.5;

/** Where a line of cells is even. */
export interface EvenLine {
  /** Values of all other axes. */
  readonly axes: Row['axes'];
  /** Points of the other side, the same in all cells of the line. */
  readonly against: number;
  /** Points of the side that the line goes along: interpolated linearly between two neighbouring cells. */
  readonly points: number;
  /** These two cells, by the points of the side. */
  readonly between: readonly [low: number, high: number];
  /** Where the ends of the 95 % intervals cross one half, cell by cell; null if an end does not, absent if all is exact. */
  readonly interval?: readonly [low: number, high: number] | null;
}

/** What prices ask, and what cells say. */
export interface Worth {
  /** The outcome that has one half where the sides are even. */
  readonly of: string;
  /** The axis that lines go along. */
  readonly along: string;
  /** Columns of the points of that side, and of the other. */
  readonly sides: readonly [string, string];
  /** Where each side is one kind of thing: what each is, and its price. */
  readonly kinds?: readonly [
    { readonly path: string; readonly price: number },
    { readonly path: string; readonly price: number },
  ];
  readonly lines: readonly EvenLine[];
  /** Lines that cross one half not at all, and those that do more than once and so have no answer. */
  readonly uncrossed: number;
  readonly crossedAgain: number;
}

type Sides = readonly [own: StoredPoints, other: StoredPoints];

/** The axis with most values that is priced on one side alone, and that side. */
function alongOf({
  axes,
  costs = [],
}: Store['facts']): { readonly axis: StoredAxis; readonly sides: Sides } | undefined {
  const [first, second, ...more] = costs;
  if (first === undefined || second === undefined || more.length > 0) return undefined;
  const numbers = axes.filter(({ values }) => values?.every((value) => typeof value === 'number') === true);
  const longest = numbers.toSorted((a, b) => (b.values?.length ?? 0) - (a.values?.length ?? 0));
  for (const axis of longest.filter(({ values = [] }) => values.length > 1)) {
    const own = [first, second].find(({ paths }) => axis.paths.every((path) => paths.includes(path)));
    if (own !== undefined) return { axis, sides: own === first ? [first, second] : [second, first] };
  }
  return undefined;
}

/** A place on a line, and a value there. */
type Mark = readonly [at: number, value: number];

/** Neighbours between which a line crosses one half, and where it does. */
function crossings(marks: readonly Mark[]): { readonly at: number; readonly between: readonly [number, number] }[] {
  return marks.slice(1).flatMap(([b, after], m) => {
    const [a, before] = marks[m] ?? [0, 0];
    // A value of one half belongs to the gap before it.
    if (before === EVEN ? m > 0 : (before - EVEN) * (after - EVEN) > 0) return [];
    if (before === after) return [];
    return [{ at: a + ((EVEN - before) / (after - before)) * (b - a), between: [a, b] as const }];
  });
}

function evenOf(line: readonly Reading[], { sides: [own, other], axis }: NonNullable<ReturnType<typeof alongOf>>) {
  const at = ({ axes }: Reading): number => Number(axes[own.name]);
  const ordered = line.toSorted((a, b) => at(a) - at(b));
  const found = crossings(ordered.map((each) => [at(each), bestOf(each)]));
  const [first] = ordered;
  const [crossing] = found;
  if (first === undefined || crossing === undefined || found.length > 1) return found.length;
  const { [axis.name]: _along, [own.name]: _own, ...axes } = first.axes;
  const even = { axes, against: Number(first.axes[other.name]), points: crossing.at, between: crossing.between };
  if (ordered.every(({ exact, interval }) => exact !== undefined || interval === undefined)) return even;
  const ends = [0, 1].flatMap((end) =>
    crossings(ordered.map((each) => [at(each), each.exact ?? each.interval?.[end] ?? each.value])).map(
      (each) => each.at,
    ),
  );
  return { ...even, interval: ends.length < 2 ? null : ([Math.min(...ends), Math.max(...ends)] as const) };
}

/** The only thing that a side is made of. */
function kindOf({ paths, prices }: StoredPoints) {
  const [path, ...more] = paths;
  const price = prices[0] ?? 0;
  return path === undefined || more.length > 0 || price === 0 ? undefined : { path, price };
}

/** Readings of an outcome by line of cells; undefined if there are too many. */
async function linesOf(store: Store, of: string, others: readonly StoredAxis[]): Promise<Reading[][] | undefined> {
  const lines = new Map<string, Reading[]>();
  let cells = 0;
  for await (const rows of store.parts())
    for (const row of rows) {
      const reading = row.kind === 'outcome' && row.name === of ? readingOf(row) : undefined;
      if (reading === undefined) continue;
      cells += 1;
      const key = JSON.stringify(others.map(({ name }) => row.axes[name]));
      const line = lines.get(key) ?? [];
      line.push(reading);
      lines.set(key, line);
      if (cells > CELLS) return undefined;
    }
  return [...lines.values()];
}

/** @returns undefined unless the sweep is a grid, two sides have prices, and an axis counts what one of them has alone */
export async function worthOf(store: Store, main: Quantity): Promise<Worth | undefined> {
  const along = alongOf(store.facts);
  if (along === undefined || store.facts.design !== 'grid') return undefined;
  const { axis, sides } = along;
  const others = store.facts.axes.filter((each) => each !== axis);
  const lines = await linesOf(store, main.name, others);
  if (lines === undefined) return undefined;
  const found = lines.map((line) => evenOf(line, along));
  const [one, two] = sides.map(kindOf);
  return {
    of: main.name,
    along: axis.name,
    sides: [sides[0].name, sides[1].name],
    ...(one && two && { kinds: [one, two] as const }),
    lines: found.filter((line) => typeof line !== 'number'),
    uncrossed: found.filter((line) => line === 0).length,
    crossedAgain: found.filter((line) => typeof line === 'number' && line > 0).length,
  };
}
