import { describe, expect, test } from 'vitest';
import { Stream } from '../../src/chance/stream.ts';
import { student95 } from '../../src/stats/intervals.ts';
import { normalUpper, studentUpper } from '../../src/stats/quantiles.ts';
import { FigureTally, type Gap, groupsOf } from '../../src/stats/ranking.ts';

const uniform = (stream: Stream): number => stream.word() / 2 ** 32;

/** Values of all scenarios in one battle: most of the luck is shared, some is each one's own. */
function battleOf(stream: Stream, laws: readonly ((u: number) => number)[], shared: number): number[] {
  const luck = uniform(stream);
  return laws.map((law) => {
    const [which, own] = [uniform(stream), uniform(stream)];
    return law(which < shared ? luck : own);
  });
}

interface Study {
  readonly laws: readonly ((u: number) => number)[];
  /** What the figures truly are. */
  readonly truth: readonly number[];
  readonly shares: boolean;
  readonly battles: number;
  readonly shared: number;
}

const STUDIES = 1500;

/** The share of simulated comparisons in which the intervals of all pairs hold the true differences at once. */
function coverage({ laws, truth, shares, battles, shared }: Study, seed: bigint): number {
  let covered = 0;
  for (let study = 0; study < STUDIES; study++) {
    const stream = Stream.of(seed, study);
    const tally = new FigureTally(laws.length, shares);
    for (let battle = 0; battle < battles; battle++) tally.count(battleOf(stream, laws, shared));
    const holds = ({ first, second, ci95: [low, high] = [1, -1] }: Gap): boolean => {
      const difference = (truth[second] ?? 0) - (truth[first] ?? 0);
      return low <= difference && difference <= high;
    };
    if (tally.gaps().every(holds)) covered++;
  }
  return covered / STUDIES;
}

const shareStudy = (truth: readonly number[], battles: number, shared: number): Study => ({
  laws: truth.map((p) => (u: number) => (u < p ? 1 : 0)),
  truth,
  shares: true,
  battles,
  shared,
});

describe('coverage at 95 % over 1 500 simulated comparisons', () => {
  test.each([
    [[0.001, 0.004], 1500, 1],
    [[0.001, 0.002], 3000, 0.5],
    [[0.01, 0.01], 400, 0.5],
    [[0.1, 0.13], 200, 0.9],
    [[0.1, 0.2], 100, 1],
    [[0.5, 0.5], 100, 0.8],
    [[0.5, 0.55], 200, 0],
  ])('of two shares %j, %i battles, %f of the luck shared', (truth, battles, shared) => {
    const found = coverage(shareStudy(truth, battles, shared), 1n);
    expect(found).toBeGreaterThanOrEqual(0.94);
    expect(found).toBeLessThan(1);
  });

  test.each([
    [[0.01, 0.01, 0.02], 400, 0.5],
    [[0.1, 0.12, 0.15, 0.15], 300, 0.8],
    [[0.4, 0.5, 0.5, 0.5, 0.55, 0.6], 100, 0.5],
  ])('of all differences of shares %j at once, %i battles, %f of the luck shared', (truth, battles, shared) => {
    const found = coverage(shareStudy(truth, battles, shared), 2n);
    expect(found).toBeGreaterThanOrEqual(0.94);
    expect(found).toBeLessThan(1);
  });

  test.each([2, 4])('of the means of %i dice with modifiers', (size) => {
    const laws = Array.from({ length: size }, (_, i) => (u: number) => Math.floor(u * (6 + i)));
    const truth = laws.map((_, i) => (5 + i) / 2);
    const found = coverage({ laws, truth, shares: false, battles: 60, shared: 0.7 }, 3n);
    expect(found).toBeGreaterThanOrEqual(0.94);
    expect(found).toBeLessThan(1);
  });
});

test("Wald's interval fails the same test where few battles differ; this one does not", () => {
  const [low, high, battles] = [0.001, 0.002, 2000];
  let [wald, ours] = [0, 0];
  for (let study = 0; study < STUDIES; study++) {
    const stream = Stream.of(4n, study);
    const tally = new FigureTally(2, true);
    let gained = 0;
    for (let battle = 0; battle < battles; battle++) {
      const values = battleOf(stream, shareStudy([low, high], 0, 1).laws, 1);
      tally.count(values);
      gained += (values[1] ?? 0) - (values[0] ?? 0);
    }
    const truth = high - low;
    if (Math.abs(gained / battles - truth) <= (1.96 * Math.sqrt(gained)) / battles) wald++;
    const [from, to] = tally.gaps()[0]?.ci95 ?? [1, -1];
    if (from <= truth && truth <= to) ours++;
  }
  expect(wald / STUDIES).toBeLessThan(0.9);
  expect(ours / STUDIES).toBeGreaterThanOrEqual(0.94);
});

describe('gaps', () => {
  test('of equal scenarios are ties of no spread, and no number of battles would tell them', () => {
    const tally = new FigureTally(2, false, 0.5);
    for (let battle = 0; battle < 1000; battle++) tally.count([battle % 7, battle % 7]);
    const [gap] = tally.gaps();
    expect(gap).toMatchObject({ difference: 0, ci95: [0, 0], verdict: 'tie' });
    expect(gap?.needed).toBeUndefined();
  });

  test('need the battles that tell them four times of five', () => {
    const { laws } = shareStudy([0.3, 0.36], 0, 0);
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
