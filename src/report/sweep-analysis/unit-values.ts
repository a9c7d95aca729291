/** Points at which two sides have 50 %, in a separate pass over the rows of a sweep with prices on two sides. */
import type { ResultRow, Store } from '../../storage/index.ts';
import { type CellReading, createReading, READING_KEYS } from './quantity.ts';

/** Maximum number of cells in memory. */
const MAX_CELLS = 500_000;

const EVEN_PROBABILITY = 0.5;

/** Crossing of 50 % on a line of cells along a priced axis. */
export interface BreakEvenLine {
  /** Values of the other axes, and points of the other side. */
  readonly axes: ResultRow['axes'];
  readonly against: number;
  /** Points of the side of the axis, interpolated linearly between two neighboring cells with the points `between`. */
  readonly points: number;
  readonly between: readonly [low: number, high: number];
  /** Crossings of the ends of the 95 % intervals; null if an end does not cross 50 %, absent if cells are exact. */
  readonly interval?: readonly [low: number, high: number] | null;
}

export interface BreakEvenPoints {
  /** Outcome that has 50 %. */
  readonly of: string;
  /** Axis along the lines. */
  readonly along: string;
  /** Columns with the points of the side of the axis, and of the other side. */
  readonly sides: readonly [own: string, other: string];
  readonly lines: readonly BreakEvenLine[];
  /** Number of lines that do not cross 50 % exactly once. */
  readonly omittedLines: number;
}

/** Positions at which values along a line cross 50 %; a value of exactly 50 % belongs to the gap before it. */
function findCrossings(marks: readonly (readonly [at: number, value: number])[]) {
  return marks.slice(1).flatMap(([b, after], m) => {
    const [a, before] = marks[m] ?? [b, after];
    const crosses =
      (before - EVEN_PROBABILITY) * (after - EVEN_PROBABILITY) <= 0 &&
      before !== after &&
      (before !== EVEN_PROBABILITY || m === 0);
    return crosses
      ? [{ at: a + ((EVEN_PROBABILITY - before) / (after - before)) * (b - a), between: [a, b] as const }]
      : [];
  });
}

function findBreakEvenLine(
  line: readonly CellReading[],
  along: string,
  [own, other]: BreakEvenPoints['sides'],
): BreakEvenLine | undefined {
  const at = ({ axes }: CellReading): number => Number(axes[own]);
  const ordered = line.toSorted((a, b) => at(a) - at(b));
  const [crossing, ...more] = findCrossings(ordered.map((each) => [at(each), each.value]));
  if (crossing === undefined || more.length > 0) return undefined;
  const { [along]: _along, [own]: _own, ...axes } = ordered[0]?.axes ?? {};
  const even = { axes, against: Number(axes[other]), points: crossing.at, between: crossing.between };
  if (ordered.every(({ interval }) => interval === undefined)) return even;
  const ends = [0, 1].map((end) =>
    findCrossings(ordered.map((each) => [at(each), each.interval?.[end] ?? each.value])),
  );
  const places = ends.flat().map((each) => each.at);
  const open = ends.some(({ length }) => length === 0);
  return { ...even, interval: open ? null : [Math.min(...places), Math.max(...places)] };
}

/**
 * @returns undefined unless the sweep is a grid, two sides have prices, and an axis varies the points of only one of
 *   them
 */
export async function computeUnitValues(store: Store, of: string): Promise<BreakEvenPoints | undefined> {
  const { axes, costs = [], design } = store.info;
  const countValues = ({ values = [] }: (typeof axes)[number]): number =>
    values.every((value) => typeof value === 'number') ? values.length : 0;
  const priced = axes.filter(({ paths }) => costs.some((side) => paths.every((path) => side.paths.includes(path))));
  const [axis] = priced.toSorted((a, b) => countValues(b) - countValues(a));
  const own = costs.find(({ paths }) => axis?.paths.every((path) => paths.includes(path)));
  const other = costs.find((each) => each !== own);
  if (axis === undefined || own === undefined || other === undefined || costs.length > 2) return undefined;
  if (countValues(axis) < 2 || design !== 'grid') return undefined;
  const lines = new Map<string, CellReading[]>();
  let cells = 0;
  for await (const rows of store.parts(READING_KEYS))
    for (const row of rows.filter(({ kind, name }) => kind === 'outcome' && name === of)) {
      const key = JSON.stringify(axes.map(({ name }) => name !== axis.name && row.axes[name]));
      const [line, reading] = [lines.get(key) ?? [], createReading(row)];
      if (reading !== undefined) lines.set(key, line).get(key)?.push(reading);
      if (++cells > MAX_CELLS) return undefined;
    }
  const sides = [own.name, other.name] as const;
  const found = [...lines.values()].flatMap((line) => findBreakEvenLine(line, axis.name, sides) ?? []);
  return { of, along: axis.name, sides, lines: found, omittedLines: lines.size - found.length };
}
