/** Selection of example battles for a report: definitions, ties and all shipped systems. */
import { describe, expect, test } from 'vitest';
import { replay } from '../../src/analysis/replay.ts';
import { simulate } from '../../src/analysis/simulate.ts';
import { solveSync } from '../../src/analysis/solve.ts';
import { createClosenessMeasure, findClosestBattle } from '../../src/report/examples/closeness.ts';
import { chooseExamples, MAX_EXAMINED, simulateFirstBattles } from '../../src/report/examples/examples.ts';
import {
  computeQuantile,
  createRarityMeasure,
  type ExaminedBattle,
  findMostFrequentOutcome,
  findRarestBattle,
  findTypicalBattle,
} from '../../src/report/examples/selection.ts';
import { SHIPPED_REGISTRY, shippedSystems } from '../../src/rules/index.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { addBattle, type CountsShape, createCountsShape, createEmptyCounts } from '../../src/stats/counts.ts';
import { DUEL } from './store.ts';

const SHAPE: CountsShape = {
  outcomes: ['red', 'blue'],
  metrics: [
    { name: 'rounds', min: 0, max: 99 },
    { name: 'hp.red', min: 0, max: 9, unit: 0.5 },
  ],
};

const seen = (...endings: [outcome: number, rounds: number, hp: number][]): ExaminedBattle[] =>
  endings.map(([outcome, ...metrics], battle) => ({ battle, outcome, metrics }));

function countsOf(battles: readonly ExaminedBattle[]) {
  const counts = createEmptyCounts(SHAPE);
  for (const { outcome, metrics } of battles) addBattle(counts, outcome, metrics);
  return counts;
}

const first = (system: string): Scenario => validateScenario(SHIPPED_REGISTRY.system(system).examples[0]?.scenario);

describe('findTypicalBattle', () => {
  test('returns the battle with the most frequent outcome and metrics nearest to their medians', () => {
    // Given red: rounds 2 4 4 8, median 4, mean distance 1.5; hp 1 5 9 9, median 5, mean distance 3.
    const battles = seen([1, 4, 5], [0, 2, 9], [0, 4, 1], [0, 8, 5], [0, 4, 9]);
    // Distances of red: 2/1.5 + 4/3, 4/3, 4/1.5, 4/3. The two smallest are equal, so the first one is selected.
    expect(findTypicalBattle(battles, SHAPE, countsOf(battles))?.battle).toBe(2);
  });

  test('scales the distance of each metric by its mean distance', () => {
    // Rounds: median 4, mean distance 0.4; hp: median 10, mean distance 6.6. One round more counts more than three hp.
    const battles = seen([0, 5, 10], [0, 4, 13], [0, 3, 10], [0, 4, 0], [0, 4, 30]);
    expect(findTypicalBattle(battles, SHAPE, countsOf(battles))?.battle).toBe(1);
  });

  test('returns undefined if no examined battle has the most frequent outcome of the run', () => {
    const run = seen([0, 1, 1], [1, 1, 1], [1, 1, 1]);
    expect(findTypicalBattle(run.slice(0, 1), SHAPE, countsOf(run))).toBeUndefined();
    expect(findMostFrequentOutcome(countsOf(run))).toBe(1);
  });

  test('uses medians: the least value that at least half of the battles do not exceed', () => {
    expect(
      computeQuantile(
        [
          [1, 2],
          [5, 1],
          [7, 1],
        ],
        0.5,
      ),
    ).toBe(1);
    expect(
      computeQuantile(
        [
          [1, 1],
          [5, 2],
          [7, 1],
        ],
        0.5,
      ),
    ).toBe(5);
    expect(computeQuantile([], 0.5)).toBeUndefined();
  });
});

describe('strangest battle', () => {
  test('has the smallest share of battles with its outcome and a metric at least as extreme', () => {
    const battles = seen([0, 3, 5], [0, 3, 5], [0, 4, 5], [0, 9, 5], [1, 3, 5], [1, 3, 5]);
    const rarityOf = createRarityMeasure(SHAPE, countsOf(battles));
    expect(findRarestBattle(battles, rarityOf)?.battle).toBe(3);
    expect(rarityOf({ outcome: 0, metrics: [9, 5] })).toEqual({
      metric: { index: 0, value: 9, end: 'most' },
      share: 1 / 6,
    });
    expect(rarityOf({ outcome: 0, metrics: [3, 5] })).toEqual({
      metric: { index: 0, value: 3, end: 'least' },
      share: 2 / 6,
    });
    // No metric is rarer than the outcome, so the result has no metric.
    expect(rarityOf({ outcome: 1, metrics: [3, 5] })).toEqual({ share: 2 / 6 });
  });

  test('is chosen by the exact distribution if it is known, and not by the counts', async () => {
    const scenario = validateScenario(DUEL);
    const { counts, shape, ...course } = await simulate(scenario, { battles: 300, workers: 1 });
    const battles = await simulateFirstBattles(course);
    const { distribution: exactDistribution } = solveSync(scenario);
    const { rarityOf, examples: reported } = chooseExamples(scenario, battles, shape, counts, exactDistribution);
    const strange = reported.find(({ kinds }) => kinds.includes('strangest'));
    const least = Math.min(...battles.map((each) => createRarityMeasure(shape, exactDistribution)(each).share));
    expect(strange && rarityOf(strange).share).toBe(least);
    expect(
      createRarityMeasure(shape, counts)(battles[strange?.battle ?? 0] ?? { outcome: 0, metrics: [] }).share,
    ).not.toBe(least);
  });
});

describe('closest battle', () => {
  test('has the smallest lead of the winner, as remaining shares of the initial strengths', () => {
    const scenario = validateScenario({
      ...DUEL,
      attacker: { ...DUEL.attacker, hp: 10 },
      defender: { ...DUEL.defender, hp: 40 },
    });
    const shape = createCountsShape(SHIPPED_REGISTRY.system('attrition').model(scenario));
    // Outcomes: attacker, defender, mutual, stalemate. Metrics: rounds and both hit points.
    const battles = seen([0, 5, 2], [1, 5, 0], [2, 5, 0], [0, 5, 1]).map((each, b) => ({
      ...each,
      metrics: [...each.metrics, [0, 4, 0, 0][b] ?? 0],
    }));
    const measure = createClosenessMeasure(SHIPPED_REGISTRY.system('attrition'), scenario, shape, battles);
    expect(measure?.by).toBe('strength');
    expect(battles.map((each) => measure?.of(each)?.figure)).toEqual([0.2, 0.1, undefined, 0.1]);
    expect(measure && findClosestBattle(battles, measure)?.battle).toBe(1);
  });

  test('is chosen by the absolute lead, even if the loser leads', () => {
    const scenario = validateScenario(DUEL);
    const shape = createCountsShape(SHIPPED_REGISTRY.system('attrition').model(scenario));
    const battles = [
      [1, 5],
      [4, 1],
    ].map((hp, battle) => ({ battle, outcome: 0, metrics: [9, ...hp] }));
    const measure = createClosenessMeasure(SHIPPED_REGISTRY.system('attrition'), scenario, shape, battles);
    expect(measure && findClosestBattle(battles, measure)?.battle).toBe(1);
  });

  test('has the smallest lead of either side if nobody won', () => {
    const scenario = validateScenario(DUEL);
    const shape = createCountsShape(SHIPPED_REGISTRY.system('attrition').model(scenario));
    const battles = [
      [20, 10],
      [12, 14],
    ].map((hp, battle) => ({ battle, outcome: 3, metrics: [9, ...hp] }));
    const measure = createClosenessMeasure(SHIPPED_REGISTRY.system('attrition'), scenario, shape, battles);
    expect(measure && findClosestBattle(battles, measure)?.battle).toBe(1);
    expect(measure?.of({ outcome: 3, metrics: [9, 12, 14] })?.player).toBe('defender');
  });

  test.each(shippedSystems.map(({ id }) => id))('has a measure in %s, and no other battle is closer', async (id) => {
    const scenario = first(id);
    const shape = createCountsShape(SHIPPED_REGISTRY.system(id).model(scenario));
    const battles = await simulateFirstBattles({ scenario, seed: '1', from: 0, to: 500 });
    const measure = createClosenessMeasure(SHIPPED_REGISTRY.system(id), scenario, shape, battles);
    const found = measure && findClosestBattle(battles, measure);
    const figures = battles.flatMap((each) => measure?.of(each)?.figure ?? []);
    expect(measure?.by).toBe(id === 'strength-cards' ? 'margin' : 'strength');
    expect(found && measure.of(found)?.figure).toBe(Math.min(...figures));
  });
});

describe('simulateFirstBattles', () => {
  test.each(shippedSystems.map(({ id }) => id))('returns the same battles as replay: %s', async (id) => {
    const scenario = first(id);
    const { outcomes, metrics } = SHIPPED_REGISTRY.system(id).model(scenario);
    const battles = await simulateFirstBattles({ scenario, seed: '7', from: 30, to: 40 });
    expect(battles.map(({ battle }) => battle)).toEqual([30, 31, 32, 33, 34, 35, 36, 37, 38, 39]);
    for (const { battle, outcome, metrics: values } of battles) {
      const reported = replay(scenario, { seed: 7n, battle });
      expect(outcomes[outcome]).toBe(reported.outcome);
      expect(metrics.map(({ name, unit = 1 }, m) => [name, (values[m] ?? 0) * unit])).toEqual(
        Object.entries(reported.metrics),
      );
    }
  });

  test('returns at most MAX_EXAMINED battles, of which one may be several examples', async () => {
    const scenario = validateScenario(DUEL);
    const battles = await simulateFirstBattles({ scenario, seed: '1', from: 5, to: 1e9 });
    expect([battles.length, battles[0]?.battle]).toEqual([MAX_EXAMINED, 5]);
    const { counts, shape } = await simulate(scenario, { battles: 1, workers: 1 });
    const { examples: reported } = chooseExamples(scenario, battles.slice(0, 1), shape, counts, undefined);
    expect(reported.map(({ battle }) => battle)).toEqual([5]);
  });
});
