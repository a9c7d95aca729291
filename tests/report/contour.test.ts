/** Isolines of functions with known level lines, and hatching. */
import { describe, expect, test } from 'vitest';
import { createHatching, type LineSegment, traceIsoline } from '../../src/report/figures/contour.ts';

const ends = (segments: readonly LineSegment[]): (readonly [number, number])[] =>
  segments.flatMap(([x1, y1, x2, y2]): (readonly [number, number])[] => [
    [x1, y1],
    [x2, y2],
  ]);

describe('isoline', () => {
  test('of a plane is the straight line at the level', () => {
    // 0.1 x + 0.05 y = 0.42
    const segments = traceIsoline((x, y) => 0.1 * x + 0.05 * y, 8, 6, 0.42);
    expect(segments.length).toBeGreaterThan(5);
    for (const [x, y] of ends(segments)) expect(0.1 * x + 0.05 * y).toBeCloseTo(0.42, 12);
    const columns = ends(segments).map(([x]) => x);
    expect([Math.min(...columns), Math.max(...columns)]).toEqual([expect.closeTo(1.7, 12), expect.closeTo(4.2, 12)]);
  });

  test('around a peak is closed: each point is the end of two segments', () => {
    const segments = traceIsoline((x, y) => -((x - 4) ** 2) - (y - 4) ** 2, 9, 9, -6);
    const counts = new Map<string, number>();
    for (const [x, y] of ends(segments)) {
      const key = `${x.toFixed(9)} ${y.toFixed(9)}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      // Linear interpolation of a square is at most 1/4 off the level.
      expect(Math.abs((x - 4) ** 2 + (y - 4) ** 2 - 6)).toBeLessThanOrEqual(0.25);
    }
    expect(new Set(counts.values())).toEqual(new Set([2]));
  });

  test('of a saddle connects the two corners on the same side of the level as their mean', () => {
    const saddle = (high: number) => traceIsoline((x, y) => (x === y ? high : 0), 2, 2, 0.5);
    // Mean 0.6: the high corners are connected, and the low ones are cut off.
    expect(saddle(1.2)).toEqual([
      [expect.closeTo(7 / 12, 12), 0, 1, expect.closeTo(5 / 12, 12)],
      [expect.closeTo(5 / 12, 12), 1, 0, expect.closeTo(7 / 12, 12)],
    ]);
    // Mean 0.4: the high corners are cut off.
    expect(saddle(0.8)).toEqual([
      [0, expect.closeTo(3 / 8, 12), expect.closeTo(3 / 8, 12), 0],
      [1, expect.closeTo(5 / 8, 12), expect.closeTo(5 / 8, 12), 1],
    ]);
  });

  test('is empty where a corner has no value, or all values are on one side', () => {
    expect(traceIsoline((x, y) => (x === 1 && y === 1 ? undefined : x), 3, 3, 0.5)).toEqual([]);
    expect(traceIsoline(() => 0.5, 3, 3, 0.5)).toEqual([]);
    expect(traceIsoline((x) => x, 1, 1, 0.5)).toEqual([]);
  });
});

test('hatching lines run from edge to edge', () => {
  const lines = createHatching(30, 20, 10);
  expect(lines).toEqual([
    [0, 10, 10, 20],
    [0, 0, 20, 20],
    [10, 0, 30, 20],
    [20, 0, 30, 10],
  ]);
});
