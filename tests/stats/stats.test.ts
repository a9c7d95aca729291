import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Scenario } from '../../src/rules/system.ts';
import { clopperPearson95 } from '../../src/stats/binomial.ts';
import {
  addBattle,
  type Counts,
  createEmptyCounts,
  getBattleCount,
  listValueCounts,
  mergeCounts,
} from '../../src/stats/counts.ts';
import { computeDigest, hashScenario } from '../../src/stats/digest.ts';
import { computeMeanInterval95, student95, zScore } from '../../src/stats/intervals.ts';
import { summarizeBattles } from '../../src/stats/summary.ts';

const shape = {
  outcomes: ['attacker', 'defender'],
  metrics: [
    { name: 'rounds', min: 0, max: 100 },
    { name: 'margin', min: -40, max: 40, unit: 0.5 },
  ],
};

type Battle = readonly [outcome: number, rounds: number, margin: number];

const battles = fc.array(
  fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 0, max: 100 }), fc.integer({ min: -40, max: 40 })),
  { minLength: 1, maxLength: 60 },
);

function count(...list: readonly Battle[]): Counts {
  const counts = createEmptyCounts(shape);
  for (const [outcome, ...metrics] of list) addBattle(counts, outcome, metrics);
  return counts;
}

const simulation = { scenarioHash: 'x', system: 's', seed: 1n, from: 0, to: 1 };
const print = (counts: Counts): string => computeDigest(simulation, shape, counts);

describe('counts', () => {
  test('merged parts equal the whole in any order', () => {
    fc.assert(
      fc.property(battles, battles, battles, (a, b, c) => {
        const whole = count(...a, ...b, ...c);
        const merged = createEmptyCounts(shape);
        for (const part of [c, a, b]) mergeCounts(merged, count(...part));
        expect(print(merged)).toBe(print(whole));
        expect(getBattleCount(merged)).toBe(a.length + b.length + c.length);
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  test('merging empty counts changes nothing', () => {
    const one = count([1, 7, -3]);
    const merged = createEmptyCounts(shape);
    mergeCounts(merged, createEmptyCounts(shape));
    mergeCounts(merged, one);
    mergeCounts(merged, createEmptyCounts(shape));
    expect(print(merged)).toBe(print(one));
  });

  test('listValueCounts returns values of all outcomes or of one', () => {
    const counts = count([0, 3, 1], [0, 3, 2], [1, 5, 2]);
    expect(listValueCounts(counts, 0)).toEqual([
      [3, 2],
      [5, 1],
    ]);
    expect(listValueCounts(counts, 0, 1)).toEqual([[5, 1]]);
    expect(listValueCounts(counts, 1, 0)).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });
});

test('hashScenario computes the current hash of a scenario with mutable fields', () => {
  const attacker = { hp: 9 };
  const scenario: Scenario = Object.freeze({ system: 'attrition', attacker });
  const before = hashScenario(scenario);
  attacker.hp = 10;
  expect(hashScenario(scenario)).not.toBe(before);
});

describe('digests', () => {
  test('depend on the scenario, the simulated battles and every count', () => {
    const counts = count([0, 3, 1], [1, 4, 1]);
    const others = [
      computeDigest({ ...simulation, seed: 2n }, shape, counts),
      computeDigest({ ...simulation, from: 1 }, shape, counts),
      computeDigest({ ...simulation, to: 2 }, shape, counts),
      computeDigest({ ...simulation, scenarioHash: 'y' }, shape, counts),
      computeDigest({ ...simulation, drawn: true }, shape, counts),
      print(count([0, 3, 1], [0, 4, 1])),
      print(count([0, 3, 1], [1, 4, 2])),
      print(count([0, 4, 1], [1, 3, 1])),
    ];
    expect(new Set([print(counts), ...others]).size).toBe(9);
  });

  test('do not depend on the stored range of counts', () => {
    const wide = count([0, 90, 0]);
    mergeCounts(wide, count([0, 2, 0]));
    expect(print(wide)).toBe(print(count([0, 2, 0], [0, 90, 0])));
  });
});

describe('summaries', () => {
  const { outcomes, metrics } = summarizeBattles(shape, count([0, 2, -1], [0, 4, 3], [1, 9, 0], [1, 9, 2]));

  test('contain counts and probabilities of outcomes', () => {
    expect(outcomes.map(({ name, count: n, p }) => [name, n, p])).toEqual([
      ['attacker', 2, 0.5],
      ['defender', 2, 0.5],
    ]);
  });

  test('contain mean, variance, range and quantiles of a metric', () => {
    const rounds = metrics[0];
    expect(rounds).toMatchObject({ mean: 6, variance: (16 + 4 + 9 + 9) / 4, min: 2, max: 9 });
    expect(rounds?.quantiles).toEqual({ 0.05: 2, 0.25: 2, 0.5: 4, 0.75: 9, 0.95: 9 });
  });

  test('contain means by outcome', () => {
    expect(metrics[0]?.meanByOutcome).toEqual({ attacker: 3, defender: 9 });
  });

  test('scale values by the unit of the metric', () => {
    expect(metrics[1]).toMatchObject({ mean: 0.5, min: -0.5, max: 1.5 });
    expect(metrics[1]?.histogram.map(([value]) => value)).toEqual([-0.5, 0, 1, 1.5]);
  });
});

describe('intervals', () => {
  test('of Clopper and Pearson equal published values', () => {
    // Newcombe 1998, table I, method 5: 81/263, 15/148, 0/20, 1/29.
    const round = (interval: readonly number[]): number[] => interval.map((end) => Number(end.toFixed(4)));
    expect(round(clopperPearson95(81, 263))).toEqual([0.2527, 0.3676]);
    expect(round(clopperPearson95(15, 148))).toEqual([0.0578, 0.1617]);
    expect(round(clopperPearson95(0, 20))).toEqual([0, 0.1684]);
    expect(round(clopperPearson95(1, 29))).toEqual([0.0009, 0.1776]);
    expect(clopperPearson95(20, 20)[1]).toBe(1);
  });

  test("use quantiles of Student's distribution that equal published tables", () => {
    const table = { 1: 12.7062, 5: 2.5706, 10: 2.2281, 11: 2.201, 20: 2.086, 30: 2.0423, 120: 1.9799 };
    for (const [degrees, quantile] of Object.entries(table))
      expect(student95(Number(degrees))).toBeCloseTo(quantile, 3);
    expect(student95(1e9)).toBeCloseTo(1.959964, 6);
  });

  test('of a mean are undefined for a single battle', () => {
    expect(computeMeanInterval95(3, 0, 1)).toBeUndefined();
    expect(computeMeanInterval95(3, 1, 5)).toEqual([
      expect.closeTo(3 - 2.7764 * 0.5, 4),
      expect.closeTo(3 + 2.7764 * 0.5, 4),
    ]);
  });

  test('zScore is 0 for equal values and infinite for a deviation without variance', () => {
    expect(zScore(0.5, 0.5, 0.25, 100)).toBe(0);
    expect(zScore(0.55, 0.5, 0.25, 100)).toBeCloseTo(1, 12);
    expect(zScore(0.1, 0, 0, 100)).toBe(Number.POSITIVE_INFINITY);
  });
});
