/** Estimates of rare outcomes: unbiased for any levels, equal to exact answers, reproducible, and errors. */
import { describe, expect, test } from 'vitest';
import { selectByResponse, selectCandidate } from '../../src/analysis/rare-outcome/choose-plan.ts';
import type { LevelSearch } from '../../src/analysis/rare-outcome/level-search.ts';
import { fitLogLinear } from '../../src/analysis/rare-outcome/log-linear-fit.ts';
import {
  computeReplicationEstimate,
  computeReplicationInterval,
  countStreams,
  type Importance,
  isReliable,
  simulateReplication,
} from '../../src/analysis/rare-outcome/splitting.ts';
import { createStateFeatures } from '../../src/analysis/rare-outcome/state-features.ts';
import { Stream } from '../../src/core/index.ts';
import { AbortError, estimateRareOutcome, loadScenario, solveSync, updateScenario } from '../../src/index.ts';
import { getBoundScenario, type Scenario, type State } from '../../src/rules/index.ts';
import { clopperPearson95 } from '../../src/stats/index.ts';
import { DEPTH } from '../depth.ts';

const direct = await loadScenario('scenarios/attrition-direct.yaml');
const duel = updateScenario(direct, { 'attacker.hp': 14, 'defender.hp': 5 });

function findExact(scenario: Scenario, outcome: string): number {
  const { distribution, shape } = solveSync(scenario);
  return distribution.outcomes[shape.outcomes.indexOf(outcome)] ?? 0;
}

/** Creates a source of standard normal values (G. E. P. Box and M. E. Muller 1958). */
function createGaussian(seed: bigint): () => number {
  const stream = Stream.forBattle(seed, 0);
  const uniform = () => (stream.word() + 0.5) / 2 ** 32;
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

interface DuelState extends State {
  readonly attacker: number;
  readonly defender: number;
}

describe('fixed effort splitting', () => {
  const plans: readonly (readonly [string, (state: DuelState) => number, readonly number[]])[] = [
    ['no levels', () => 0, []],
    ['good levels', ({ attacker }) => -attacker, [-10, -6, -3]],
    ['levels of a bad function', ({ defender }) => -defender, [-4, -2]],
    ['levels that some states jump over', ({ attacker, defender }) => defender - attacker, [-9, -8.5, -8, -7, -3]],
  ];
  test.each(plans)('is unbiased with %s', async (_, importance, levels) => {
    const plan = { importance: importance as Importance, levels, effort: 20 };
    const problem = { model: getBoundScenario(duel).model, outcome: 'defender', onSegment: () => undefined };
    const estimates: number[] = [];
    for (let r = 0; r < 1500 * DEPTH; r++) {
      const first = r * countStreams(plan);
      const counts = await simulateReplication(problem, plan, (index) => Stream.forBattle(5n, first + index));
      estimates.push(computeReplicationEstimate(counts, plan));
    }
    const mean = estimates.reduce((sum, each) => sum + each, 0) / estimates.length;
    const variance = estimates.reduce((sum, each) => sum + (each - mean) ** 2, 0) / estimates.length;
    const exact = findExact(duel, 'defender');
    expect(Math.abs(mean - exact) / Math.sqrt(variance / estimates.length)).toBeLessThan(4);
    // The mean is precise enough to show a bias.
    expect(Math.sqrt(variance / estimates.length) / exact).toBeLessThan(0.1);
  });
});

test('a replication uses each of its streams once, in order', async () => {
  const importance: Importance = ({ round }) => round;
  const plan = { importance, levels: [1, 2], effort: 7 };
  const problem = { model: getBoundScenario(duel).model, outcome: 'attacker', onSegment: () => undefined };
  const used: number[] = [];
  const counts = await simulateReplication(problem, plan, (index) => {
    used.push(index);
    return Stream.forBattle(9n, index);
  });
  expect(counts.slice(0, 2)).toEqual([7, 7]);
  expect(used).toEqual(Array.from({ length: countStreams(plan) }, (_, k) => k));
});

describe('estimateRareOutcome', () => {
  const rare = updateScenario(direct, { 'attacker.hp': 80, 'defender.hp': 10 });

  test('agrees with the exact answer, and the stages multiply to the estimate', async () => {
    const estimate = await estimateRareOutcome(rare, { outcome: 'defender', precision: '50%' });
    const exact = findExact(rare, 'defender');
    expect(exact).toBeLessThan(1e-3);
    expect(estimate.ci95[0]).toBeLessThan(exact);
    expect(estimate.ci95[1]).toBeGreaterThan(exact);
    expect(estimate.exactProbability).toBe(exact);
    const product = estimate.stages.reduce((share, stage) => share * stage.share, 1);
    expect(product / estimate.probability).toBeGreaterThan(0.7);
    expect(product / estimate.probability).toBeLessThan(1.4);
    expect(estimate).toMatchObject({
      emptyReplications: 0,
      precision: { requested: 0.5, reached: true },
      reliable: true,
    });
    expect(estimate.pilotProbability / exact).toBeGreaterThan(0.5);
    expect(estimate.pilotProbability / exact).toBeLessThan(2);
    expect(new Set(estimate.stages.map(({ segments }) => segments)).size).toBe(1);
    const { probability, relativeError, deviation, ci95, plainBattles, stages } = estimate;
    // Student's quantile of 19 degrees of freedom; the interval is wider by a fifth.
    const ratio = Math.log(ci95[1] / probability) / (2.093024 * (relativeError ?? 0));
    expect(ratio).toBeGreaterThan(1.199);
    expect(ratio).toBeLessThan(1.4);
    expect(Math.log(probability / ci95[0])).toBeCloseTo(Math.log(ci95[1] / probability), 9);
    expect(relativeError).toBeCloseTo((deviation ?? 0) / Math.sqrt(estimate.replications), 12);
    expect(plainBattles).toBeCloseTo((1 - probability) / probability / (relativeError ?? 0) ** 2, 0);
    expect(estimate.segments).toBe(stages.reduce((sum, { segments }) => sum + segments, 0));
    for (const { segments, reached, share } of stages) expect(share).toBe(reached / segments);
  });

  test('uses plain simulation for a frequent outcome', async () => {
    const estimate = await estimateRareOutcome(direct, { outcome: 'attacker' });
    expect(estimate.stages).toHaveLength(1);
    expect(Math.abs(estimate.probability - findExact(direct, 'attacker'))).toBeLessThan(0.03);
    const [{ reached, segments } = { reached: 0, segments: 0 }] = estimate.stages;
    expect(estimate.ci95).toEqual(clopperPearson95(reached, segments));
    expect(estimate).toMatchObject({ precision: { reached: true }, reliable: true });
    const other = await estimateRareOutcome(direct, { outcome: 'attacker', seed: 2 });
    expect(other.digest).not.toBe(estimate.digest);
  });

  test('returns no exact probability beyond the budget', async () => {
    const mass = await loadScenario('scenarios/attrition-mass.yaml');
    expect((await estimateRareOutcome(mass, { outcome: 'red' })).exactProbability).toBeNull();
  });

  test('needs more replications for a smaller precision', async () => {
    const estimate = await estimateRareOutcome(direct, { outcome: 'attacker', precision: '1%' });
    expect(estimate.replications).toBeGreaterThan(20);
    expect(estimate.precision).toEqual({ requested: 0.01, reached: true });
    expect((estimate.ci95[1] - estimate.ci95[0]) / 2 / estimate.probability).toBeLessThan(0.01);
  });

  test('limits the number of segments', async () => {
    const estimate = await estimateRareOutcome(direct, { outcome: 'attacker', battles: 1500, precision: '1%' });
    expect(estimate).toMatchObject({ replications: 2, segments: 1000, precision: { reached: false } });
    await expect(estimateRareOutcome(direct, { outcome: 'attacker', battles: 1001 })).rejects.toThrow(
      'the levels need at least 1 002 battle segments, more than 1 001',
    );
  });

  test('uses a precision relative to the probability, and has the same digest on all machines', async () => {
    const { ci95, precision, digest } = await estimateRareOutcome(rare, {
      outcome: 'defender',
      precision: '1%',
      battles: 30_000,
    });
    expect((ci95[1] - ci95[0]) / 2).toBeLessThan(0.01);
    expect(precision.reached).toBe(false);
    expect(digest).toBe('246eafc238ccc48780e708124b6e6782d2093aae31a0763911b66de05656ceb1');
  });

  test.each([
    ['an unknown outcome', { outcome: 'atacker' }, 'outcome: expected one of attacker, defender, mutual, stalemate'],
    ['an absolute precision', { outcome: 'attacker', precision: 0.1 }, 'precision: expected a part of the probability'],
    ['a precision out of range', { outcome: 'attacker', precision: '0.5%' }, 'precision: expected a part'],
    ['no segments', { outcome: 'attacker', battles: 0 }, 'battles: expected an integer'],
  ])('rejects %s', async (_, options, message) => {
    await expect(estimateRareOutcome(direct, options)).rejects.toThrow(message);
  });

  test('reports an impossible outcome', async () => {
    const deadlock = await loadScenario('scenarios/attrition-deadlock.yaml');
    await expect(estimateRareOutcome(deadlock, { outcome: 'attacker' })).rejects.toThrow(
      /^the exact answer shows that the outcome "attacker" is impossible$/,
    );
    await expect(estimateRareOutcome(duel, { outcome: 'stalemate' })).rejects.toThrow(
      /^the exact answer shows that the outcome "stalemate" is impossible, or has a probability below [\d.]+e-\d+$/,
    );
  });

  test('reports an outcome that no pilot reaches', async () => {
    // One draw decides, so that no state is closer to the outcome than the start.
    const lasguns = await loadScenario('examples/games/hit-wound-save-lasguns.yaml');
    await expect(estimateRareOutcome(lasguns, { outcome: 'attacker' })).rejects.toThrow(
      /^no battle of the pilots ended .*: it needs a single improbable draw; the exact probability is 1\.65e-8$/,
    );
  });

  test.skipIf(DEPTH === 1)('divides the phases of a single round into stages', async () => {
    const volley = await loadScenario('examples/games/hit-wound-save-volley.yaml');
    const { probability, relativeError, replications, stages } = await estimateRareOutcome(volley, {
      outcome: 'attacker',
      battles: 200_000,
    });
    expect(stages.length).toBeGreaterThan(4);
    // The pilots raise the effort, so that few replications suffice.
    expect(replications).toBe(20);
    const [{ segments } = { segments: 0 }] = stages;
    expect(segments / replications).toBeGreaterThan(500);
    expect(segments * stages.length).toBeLessThanOrEqual(200_000);
    expect(Math.abs(probability / findExact(volley, 'attacker') - 1)).toBeLessThan(4 * (relativeError ?? 0));
  });

  test('stops at a signal', async () => {
    const controller = new AbortController();
    const onProgress = (): void => {
      controller.abort();
    };
    const options = { outcome: 'defender', precision: '1%', signal: controller.signal, onProgress } as const;
    const stopped = estimateRareOutcome(rare, options);
    await expect(stopped).rejects.toThrow(AbortError);
    await expect(stopped).rejects.toThrow(
      `stopped before the estimate was finished; the exact probability is ${findExact(rare, 'defender').toPrecision(3)}`,
    );
  });
});

describe.skipIf(DEPTH === 1)('estimates and exact answers', () => {
  const cases: readonly (readonly [file: string, outcome: string, changes: Record<string, number>])[] = [
    ['scenarios/attrition-direct.yaml', 'defender', { 'attacker.hp': 250, 'defender.hp': 25 }],
    ['scenarios/attrition-direct.yaml', 'mutual', { 'attacker.hp': 200, 'defender.hp': 20 }],
    ['scenarios/phased-dice-ground.yaml', 'attacker', { 'defender.units.rifleman': 9 }],
    ['scenarios/phased-dice-dogfight.yaml', 'mutual', {}],
    ['scenarios/cube-bag-preachers.yaml', 'attacker', {}],
    ['examples/games/hit-wound-save-fight.yaml', 'defender', { 'attacker.models': 20, 'defender.models': 1 }],
    ['examples/games/space-fleets-dreadnoughts.yaml', 'defender', { 'attacker.dreadnought': 4 }],
    ['examples/games/conquest-dice-siege.yaml', 'defender', { attacker: 60 }],
  ];
  test.each(cases)('agree for %s: %s with %o', { timeout: 400_000 }, async (file, outcome, changes) => {
    const scenario = updateScenario(await loadScenario(file), changes);
    const { probability, relativeError } = await estimateRareOutcome(scenario, { outcome });
    const exact = findExact(scenario, outcome);
    expect(Math.abs(probability / exact - 1)).toBeLessThan(4 * (relativeError ?? 0));
    expect(relativeError).toBeLessThan(0.2);
  });
});

describe('parts of the algorithm', () => {
  test('intervals of skewed estimates contain their mean', () => {
    // Log-normal values with mean 1 and a relative deviation of 1.
    const random = createGaussian(7n);
    const sigma = Math.sqrt(Math.LN2);
    const intervals = Array.from({ length: 4000 }, () =>
      computeReplicationInterval(Array.from({ length: 20 }, () => Math.exp(sigma * random() - sigma ** 2 / 2))),
    );
    const covered = intervals.filter(([low, high]) => low <= 1 && high >= 1).length / intervals.length;
    expect(covered).toBeGreaterThan(0.96);
    expect(covered).toBeLessThan(0.99);
    expect(computeReplicationInterval([0, 0])).toEqual([0, 1]);
  });

  test('an interval is unreliable if replications miss the outcome or differ, or a pilot contradicts', () => {
    expect(isReliable([1, 1.1, 0.9], 3)).toBe(true);
    expect(isReliable([1, 1.1, 0.9], 5)).toBe(false);
    expect(isReliable([1, 1, 1, 1, 1, 1, 0], 1)).toBe(false);
    expect(isReliable([1, 1, 1, 4], 1)).toBe(false);
  });

  test('the candidate without a part of the probability is not selected', () => {
    const search = { levels: [1, 2] } as unknown as LevelSearch;
    const create = (name: number, estimates: readonly number[]) => ({ importance: () => name, search, estimates });
    const low = create(1, [2, 2.1, 1.9, 2, 2]);
    const wide = create(2, [5, 14, 7, 12, 9]);
    const selected = selectCandidate([low, wide]);
    expect(selected?.importance({ round: 0 })).toBe(2);
    expect(selected?.pilotProbability).toBeCloseTo(9.4, 9);
    expect(selectCandidate([low, create(2, [2, 1, 3, 2, 2])])?.importance({ round: 0 })).toBe(1);
  });

  test('selected examples include all large responses, and represent all examples', () => {
    const examples = Array.from({ length: 10_000 }, (_, k) => ({
      ...{ state: { round: k }, logMean: 0, response: k % 1000 === 17 ? 900 : k % 10 === 3 ? 1 : 0 },
    }));
    const selected = selectByResponse(examples, 500);
    expect(selected).toHaveLength(500);
    const rounds = new Set(selected.map(({ example }) => example.state.round));
    for (let k = 17; k < 10_000; k += 1000) expect(rounds).toContain(k);
    const sum = (of: (row: (typeof selected)[number]) => number) => selected.reduce((total, row) => total + of(row), 0);
    expect(sum(({ weight }) => weight) / 10_000).toBeCloseTo(1, 1);
    expect(sum(({ weight, example }) => weight * example.response) / 10_000).toBeCloseTo(1, 1);
    expect(selectByResponse(examples.slice(0, 9), 9).every(({ weight }) => weight === 1)).toBe(true);
  });

  test('a regression finds the weights of noise-free responses', () => {
    const rows = Array.from({ length: 400 }, (_, k) => {
      const features = Float64Array.of(Math.sin(k), Math.cos(3 * k));
      const offset = (k % 3) - 1;
      return {
        features,
        offset,
        response: Math.exp(1.5 * (features[0] ?? 0) - 0.5 * (features[1] ?? 0) + 0.2 + offset),
      };
    });
    const [a = 0, b = 0, intercept = 0] = fitLogLinear(rows, 2);
    expect(a).toBeCloseTo(1.5, 2);
    expect(b).toBeCloseTo(-0.5, 2);
    expect(intercept).toBeCloseTo(0.2, 2);
  });

  test('a regression converges for small and large responses', () => {
    const rows = Array.from({ length: 200 }, (_, k) => {
      const features = Float64Array.of(k / 100 - 1);
      return { features, offset: 0, response: Math.exp(40 * (features[0] ?? 0) - 25) };
    });
    const [slope = 0, intercept = 0] = fitLogLinear(rows, 1);
    expect(slope).toBeCloseTo(40, 0);
    expect(intercept).toBeCloseTo(-25, 0);
    const distant = rows.map(({ features }) => ({ features, offset: 60, response: 1 }));
    expect(fitLogLinear(distant, 1)[1]).toBeCloseTo(-60, 1);
  });

  test('features are the numbers that differ, and their products, in standard scores', () => {
    const states = [0, 1, 2, 3].map((k) => ({
      round: k,
      same: 7,
      name: 'a',
      inner: { on: k > 1, list: [k * k, null] },
    }));
    const features = createStateFeatures(states);
    expect(features.count).toBe(3 + 6);
    const rows = states.map((state) => features.read(state));
    for (let f = 0; f < 3; f++) {
      const values = rows.map((row) => row[f] ?? 0);
      expect(values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 12);
      expect(values.reduce((sum, value) => sum + value * value, 0)).toBeCloseTo(4, 12);
    }
    // Numbers are in the order of the state: round, on, list.0.
    const [round = 0, on = 0, square = 0, ...products] = rows[1] ?? [];
    expect(round).toBeLessThan(0);
    expect(products).toEqual([round * round, round * on, round * square, on * on, on * square, square * square]);
  });
});
