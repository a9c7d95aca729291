/** Combines many tiles to a few shapes: a heat map of 40 000 cells has one path for each color step. */
import type { GridField } from './contour.ts';

/** Number of color steps. */
const COLOR_STEPS = 64;

/** Size of a tile, in pixels. */
export type TileSize = readonly [width: number, height: number];

interface TileShape {
  readonly type: 'Feature';
  /** Value at the center of the step. */
  readonly value: number;
  readonly geometry: { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly Ring[])[] };
}

type Ring = readonly (readonly [x: number, y: number])[];

/** Columns from `from` to before `to`; rows from `start`. */
type ColumnRun = readonly [from: number, to: number, start: number];

/** Runs of consecutive positions in a row. */
function findRuns(inside: (x: number) => boolean, columns: number): [from: number, to: number][] {
  const runs: [number, number][] = [];
  for (let x = 0; x < columns; x++) {
    const last = runs.at(-1);
    if (!inside(x)) continue;
    if (last?.[1] === x) last[1] = x + 1;
    else runs.push([x, x + 1]);
  }
  return runs;
}

/** Covers positions with rectangles; equal runs of neighboring rows are merged. The first row is at the bottom. */
function createRings(inside: (x: number, y: number) => boolean, columns: number, rows: number, size: TileSize): Ring[] {
  const [width, height] = size;
  const rings: Ring[] = [];
  let open: ColumnRun[] = [];
  for (let y = 0; y <= rows; y++) {
    const runs = y === rows ? [] : findRuns((x) => inside(x, y), columns);
    const areEqual = (run: readonly number[], other: readonly number[]) => run[0] === other[0] && run[1] === other[1];
    for (const run of open) {
      if (runs.some((each) => areEqual(each, run))) continue;
      const [left, right] = [run[0] * width, run[1] * width];
      const [top, bottom] = [(rows - y) * height, (rows - run[2]) * height];
      rings.push([
        [left, top],
        [right, top],
        [right, bottom],
        [left, bottom],
        [left, top],
      ]);
    }
    open = runs.map(([from, to]): ColumnRun => [from, to, open.find((run) => areEqual(run, [from, to]))?.[2] ?? y]);
  }
  return rings;
}

/**
 * Creates shapes to be drawn in order. Each covers all positions of its color step and above, so that there are no gaps
 * between steps. If that takes more rectangles than positions, each covers only positions of its own step.
 * @param field displayed values, in the units of the domain
 */
export function createTileShapes(
  field: GridField,
  columns: number,
  rows: number,
  { domain: [low, high], size }: { readonly domain: readonly [number, number]; readonly size: TileSize },
): TileShape[] {
  const step = (high - low) / COLOR_STEPS;
  const steps = Array.from({ length: columns * rows }, (_, at) => {
    const value = field(at % columns, Math.floor(at / columns));
    return value === undefined ? -1 : Math.min(COLOR_STEPS - 1, Math.max(0, Math.floor((value - low) / step)));
  });
  const used = [...new Set(steps)].filter((each) => each >= 0).sort((a, b) => a - b);
  const traceRings = (covers: (step: number, each: number) => boolean): Ring[][] =>
    used.map((each) => createRings((x, y) => covers(steps[y * columns + x] ?? -1, each), columns, rows, size));
  const nested = traceRings((step, each) => step >= each);
  const count = nested.reduce((sum, { length }) => sum + length, 0);
  const shapes = count <= steps.length ? nested : traceRings((step, each) => step === each);
  return used.map((each, s) => {
    const rings = shapes[s] ?? [];
    const geometry = { type: 'MultiPolygon' as const, coordinates: rings.map((ring) => [ring]) };
    return { type: 'Feature', value: low + (each + 0.5) * step, geometry };
  });
}
