/** Detection of contradictions between simulated battles and an exact distribution. */
import { describe, expect, test } from 'vitest';
import { Stream } from '../../src/core/chance/stream.ts';
import { describeContradiction, findContradiction } from '../../src/stats/agreement.ts';
import { addBattle, type CountsShape, createEmptyCounts } from '../../src/stats/counts.ts';
import { type Summary, summarizeBattles, summarizeDistribution } from '../../src/stats/summary.ts';

const SHAPE: CountsShape = { outcomes: ['red', 'blue', 'never'], metrics: [{ name: 'loot', min: 0, max: 1_000_000 }] };

type Ending = readonly [outcome: number, loot: number, weight: number];

const lawOf = (...endings: readonly Ending[]): Summary => {
  const exactDistribution = createEmptyCounts(SHAPE);
  for (const [outcome, loot, weight] of endings) addBattle(exactDistribution, outcome, [loot], weight);
  return summarizeDistribution(SHAPE, exactDistribution);
};

const playedOf = (...endings: readonly Ending[]): Summary => {
  const counts = createEmptyCounts(SHAPE);
  for (const [outcome, loot, count] of endings) addBattle(counts, outcome, [loot], count);
  return summarizeBattles(SHAPE, counts);
};

const EVEN = lawOf([0, 1, 0.5], [1, 1, 0.5]);

describe('findContradiction', () => {
  test('reports an outcome that deviates by more than six standard errors', () => {
    // The standard error is 500 of 1 000 000 battles.
    const of = (red: number) => findContradiction(playedOf([0, 1, red], [1, 1, 1_000_000 - red]), EVEN, 1_000_000);
    expect(of(500_000)).toBeUndefined();
    expect(of(502_950)).toBeUndefined();
    expect(of(497_050)).toBeUndefined();
    expect(of(503_050)).toEqual({ what: 'red', simulated: 0.50305, exact: 0.5, kind: 'share' });
    expect(of(496_950)).toMatchObject({ what: 'red' });
  });

  test('reports a single battle with an impossible outcome or value', () => {
    expect(findContradiction(playedOf([0, 1, 5], [2, 1, 1]), EVEN, 6)).toMatchObject({ what: 'never', exact: 0 });
    const found = findContradiction(playedOf([0, 1, 3], [1, 2, 3]), EVEN, 6);
    expect(found).toMatchObject({ what: 'loot of 2', exact: 0 });
    expect(found && describeContradiction(found, 6)).toBe('loot of 2 is 50 % in 6 battles, but exactly 0 %');
  });

  test('reports a deviating mean if no share deviates', () => {
    const exactDistribution = lawOf(...Array.from({ length: 1000 }, (_, k) => [0, k, 0.001] as const));
    // Larger values are slightly more frequent: 7 standard errors of the mean, 6.2 of the share below the median.
    const tilt = (k: number): number => Math.round((12.4 * (k - 499.5)) / 499.5);
    const shifted = playedOf(...Array.from({ length: 1000 }, (_, k) => [0, k, 1000 + tilt(k)] as const));
    expect(findContradiction(shifted, exactDistribution, 1_000_000)).toMatchObject({ what: 'loot', kind: 'mean' });
  });

  test('accepts one occurrence of a value of 1 000 000 with probability 1e-6', () => {
    const exactDistribution = lawOf([0, 0, 1 - 1e-6], [0, 1_000_000, 1e-6]);
    // Ten standard errors in the normal approximation, but not unlikely in the binomial distribution.
    expect(findContradiction(playedOf([0, 0, 9999], [0, 1_000_000, 1]), exactDistribution, 10_000)).toBeUndefined();
    expect(findContradiction(playedOf([0, 0, 9993], [0, 1_000_000, 7]), exactDistribution, 10_000)).toMatchObject({
      kind: 'share',
    });
  });

  test('accepts an outcome without probability if the exact answer lost enough mass', () => {
    const exactDistribution = lawOf([0, 1, 0.5], [1, 1, 0.49]);
    expect(findContradiction(playedOf([0, 1, 50], [1, 1, 49], [2, 1, 1]), exactDistribution, 100)).toBeUndefined();
  });
});

/** The probability of a false alarm is 1 in 50 000. */
test('findContradiction reports nothing for 2000 correct runs of a skewed distribution', () => {
  const weights = [0.9, 0.0899, 0.01, 0.0001];
  const exactDistribution = lawOf(...weights.map((weight, k) => [k < 2 ? 0 : 1, 10 ** k, weight] as const));
  for (let run = 0; run < 2000; run++) {
    const stream = Stream.forBattle(7n, run);
    const counts = [0, 0, 0, 0];
    for (let battle = 0; battle < 300; battle++) {
      let share = stream.word() / 2 ** 32;
      let at = 0;
      for (; at < 3 && share >= (weights[at] ?? 0); at++) share -= weights[at] ?? 0;
      counts[at] = (counts[at] ?? 0) + 1;
    }
    const endings = counts.flatMap((count, k): Ending[] => (count > 0 ? [[k < 2 ? 0 : 1, 10 ** k, count]] : []));
    expect(findContradiction(playedOf(...endings), exactDistribution, 300)).toBeUndefined();
  }
});
