/** Isolines of values on a grid, and hatching of missing values. */

/** Straight line between two points, in grid steps. */
export type LineSegment = readonly [x1: number, y1: number, x2: number, y2: number];

/** Value at column x and row y; undefined if there is none. */
export type GridField = (x: number, y: number) => number | undefined;

type Point = readonly [x: number, y: number];

/** Corners of a square in order around it; each edge connects a corner with the next one. */
const CORNERS: readonly Point[] = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
];

/** Crossings of the level on the edges of a square, in order around it. */
function findEdgeCrossings(values: readonly number[], level: number): Point[] {
  return CORNERS.flatMap(([ax, ay], c): Point[] => {
    const [bx = 0, by = 0] = CORNERS[(c + 1) % 4] ?? [];
    const [a = 0, b = 0] = [values[c], values[(c + 1) % 4]];
    if (a >= level === b >= level) return [];
    const part = (level - a) / (b - a);
    return [[ax + part * (bx - ax), ay + part * (by - ay)]];
  });
}

/** Lines within a square. With four crossings, its mean decides which corners are connected. */
function findSquareSegments(values: readonly number[], level: number): (readonly [Point, Point])[] {
  const [p, q, r, s] = findEdgeCrossings(values, level);
  if (p === undefined || q === undefined) return [];
  if (r === undefined || s === undefined) return [[p, q]];
  const mean = values.reduce((sum, value) => sum + value, 0) / 4;
  const joined = mean >= level === (values[0] ?? 0) >= level;
  return joined
    ? [
        [p, q],
        [r, s],
      ]
    : [
        [s, p],
        [q, r],
      ];
}

/**
 * Computes the isoline of a level by linear interpolation (marching squares, after W. E. Lorensen and H. E. Cline
 * 1987). Squares with a corner without a value have no line.
 */
export function traceIsoline(field: GridField, columns: number, rows: number, level: number): LineSegment[] {
  const segments: LineSegment[] = [];
  for (let y = 0; y + 1 < rows; y++)
    for (let x = 0; x + 1 < columns; x++) {
      const values = CORNERS.map(([dx, dy]) => field(x + dx, y + dy)).filter((value) => value !== undefined);
      if (values.length < 4) continue;
      for (const [[ax, ay], [bx, by]] of findSquareSegments(values, level))
        segments.push([x + ax, y + ay, x + bx, y + by]);
    }
  return segments;
}

/** Computes hatching lines that rise to the right over a rectangle, `gap` apart along its edges. */
export function createHatching(width: number, height: number, gap: number): LineSegment[] {
  const segments: LineSegment[] = [];
  for (let start = gap - height; start < width; start += gap) {
    const [from, to] = [Math.max(0, start), Math.min(width, start + height)];
    segments.push([from, from - start, to, to - start]);
  }
  return segments;
}
