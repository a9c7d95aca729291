import { describe, expect, test } from 'vitest';
import { Stream } from '../../src/chance/stream.ts';
import { student95 } from '../../src/stats/intervals.ts';
import { normalUpper, studentUpper } from '../../src/stats/quantiles.ts';
import { FigureTally, groupsOf } from '../../src/stats/ranking.ts';

const uniform = (stream: Stream): number => stream.word() / 2 ** 32;

/** Values of all scenarios in one battle: most of the luck is shared, some is each one's own. */
function battleOf(stream: Stream, laws: readonly ((u: number) => number)[], shared: number): number[] {
  const luck = uniform(stream);
  return laws.map((law) => {
    const [which, own] = [uniform(stream), uniform(stream)];
    return law(which < shared ? luck : own);
  });
}

describe('gaps', () => {
  test('of equal scenarios are ties of no spread, and no number of battles would tell them', () => {
    const tally = new FigureTally(2, false, 0.5);
    for (let battle = 0; battle < 1000; battle++) tally.count([battle % 7, battle % 7]);
    const [gap] = tally.gaps();
    expect(gap).toMatchObject({ difference: 0, ci95: [0, 0], verdict: 'tie' });
    expect(gap?.needed).toBeUndefined();
  });

  test('need the battles that tell them four times of five', () => {
    const laws = [0.3, 0.36].map((p) => (u: number) => (u < p ? 1 : 0));
    const pilot = new FigureTally(2, true);
    const stream = Stream.of(5n, 0);
    for (let battle = 0; battle < 400_000; battle++) pilot.count(battleOf(stream, laws, 0.6));
    const needed = pilot.gaps()[0]?.needed ?? 0;
    let told = 0;
    for (let study = 0; study < 500; study++) {
      const tally = new FigureTally(2, true);
      for (let battle = 0; battle < needed; battle++) tally.count(battleOf(stream, laws, 0.6));
      if (tally.gaps()[0]?.verdict === 'higher') told++;
    }
    expect(told / 500).toBeGreaterThan(0.74);
    expect(told / 500).toBeLessThan(0.86);
  });

  test('of a single battle say nothing of means', () => {
    const tally = new FigureTally(2, false);
    tally.count([1, 5]);
    expect(tally.gaps()[0]).toMatchObject({ difference: 4, verdict: 'tie' });
    expect(tally.gaps()[0]?.ci95).toBeUndefined();
  });
});

describe('groups', () => {
  test.each([
    [[], [[0, 1, 2]]],
    [
      [[0, 2]],
      [
        [0, 1],
        [1, 2],
      ],
    ],
    [
      [
        [0, 1],
        [0, 2],
      ],
      [[0], [1, 2]],
    ],
    [
      [
        [0, 1],
        [0, 2],
        [1, 2],
      ],
      [[0], [1], [2]],
    ],
    [
      [[0, 1]],
      [
        [0, 2],
        [1, 2],
      ],
    ],
  ] as const)('when %j are apart', (apart, groups) => {
    expect(groupsOf([0, 1, 2], apart)).toEqual(groups);
  });

  test('are in the order of their members', () => {
    expect(groupsOf([2, 0, 1], [[1, 2]])).toEqual([
      [2, 0],
      [0, 1],
    ]);
  });
});

describe('quantiles', () => {
  test('of the normal law, against published tables', () => {
    expect(normalUpper(0.025)).toBeCloseTo(1.959963984540054, 11);
    expect(normalUpper(0.2)).toBeCloseTo(0.8416212335729143, 9);
    expect(normalUpper(0.0005)).toBeCloseTo(3.2905267314918945, 11);
  });

  test("of Student's law, against published tables", () => {
    for (const degrees of [1, 2, 3, 5, 10]) expect(studentUpper(0.025, degrees)).toBeCloseTo(student95(degrees), 3);
    for (const [degrees, quantile] of [
      [1, 636.619],
      [2, 31.599],
      [3, 12.924],
      [10, 4.587],
      [30, 3.646],
      [40, 3.551],
      [120, 3.373],
    ] as const) {
      expect(Math.abs(studentUpper(0.0005, degrees) / quantile - 1)).toBeLessThan(1e-3);
    }
  });
});
