/**
 * Error rates of verdicts by simulation, with values on the bounds and next to them. The runs draw values instead of
 * simulating battles. The error rate is 5 %, half of it on either side. If each of 1 000 verdicts is wrong with a
 * probability of at most 2.5 %, more than 42 are wrong with probability 0.0006. At 5 %, more than 75 are wrong with
 * probability 0.0003. Seeds are fixed.
 */
import { describe, expect, test } from 'vitest';
import { solveSync } from '../../src/analysis/solve.ts';
import { applyChanges, loadScenario } from '../../src/rules/scenario/index.ts';
import {
  type Bounds,
  type BoundsVerdict,
  createInterimSchedule,
  judgeInterval,
  judgeValue,
} from '../../src/stats/bounds.ts';
import { addBattle, type CountsShape, createEmptyCounts, listValueCounts } from '../../src/stats/counts.ts';
import { createEstimand, createShareEstimand, type Estimand } from '../../src/stats/estimand.ts';
import { drawInto, type Law, meanOf, type Uniform, uniformOf } from '../stats/draws.ts';

const SHAPE: CountsShape = { outcomes: ['yes', 'no'], metrics: [{ name: 'points', min: 0, max: 20, unit: 0.5 }] };

/** Values of the metric with their probabilities: mostly small values, and sometimes the maximum. */
const POINTS = [
  [0, 0.5],
  [2, 0.4],
  [20, 0.1],
] as const;

/** Mean of POINTS, in the unit of the metric. */
const MEAN = 1.4;

const RUNS = 1000;
const MOST = 24_000;
const ERROR = 0.05;

const P = createEstimand(SHAPE, 'yes', 'test');
const M = createEstimand(SHAPE, 'points', 'test');

/** Returns the distribution of the outcomes 0 and 1, the first with probability p. */
const coin = (p: number): Law => [
  [0, p],
  [1, 1 - p],
];

interface Trial {
  readonly quantity: Estimand;
  readonly shape: CountsShape;
  /** Distribution of the metric if the quantity is a mean, otherwise of the outcomes. */
  readonly law: Law;
  readonly watched: ReturnType<typeof createInterimSchedule>;
}

/** Returns the verdict of one run. */
function verdictOf({ quantity, shape, law, watched }: Trial, bounds: Bounds, uniform: Uniform): BoundsVerdict {
  const drawn = law.map(() => 0);
  let [battles, verdict] = [0, 'undecided' as BoundsVerdict];
  for (const look of watched.analyses) {
    drawInto(drawn, law, look - battles, uniform);
    battles = look;
    const counts = createEmptyCounts(shape);
    for (const [k, [value]] of law.entries()) {
      if (quantity.kind === 'mean') addBattle(counts, 0, [value], drawn[k]);
      else addBattle(counts, value, [0], drawn[k]);
    }
    verdict = judgeInterval(watched.interval(counts), bounds);
    if (verdict !== 'undecided') break;
  }
  return verdict;
}

function verdicts(trial: Trial, bounds: Bounds, seed: bigint) {
  const found = { holds: 0, fails: 0, undecided: 0 };
  for (let run = 0; run < RUNS; run++) found[verdictOf(trial, bounds, uniformOf(seed, run))]++;
  return found;
}

const tallied = (quantity: Estimand, bounds: Bounds, seed: bigint, law: Law) =>
  verdicts({ quantity, shape: SHAPE, law, watched: createInterimSchedule(quantity, MOST, ERROR) }, bounds, seed);

describe('the error rate of simulated verdicts is at most the requested one', () => {
  test.each([
    ['on the lower bound', [0.5, 0.52], 0.5, 'fails'],
    ['on the upper bound', [0.48, 0.5], 0.5, 'fails'],
    ['on both', [0.5, 0.5], 0.5, 'fails'],
    ['next to the bound, outside', [0.5001, 1], 0.5, 'holds'],
    ['rare, outside', [Number.NEGATIVE_INFINITY, 0.00099], 0.001, 'holds'],
    ['rare, on the bound', [Number.NEGATIVE_INFINITY, 0.001], 0.001, 'fails'],
  ] as const)('for a probability %s', (_, bounds, p, wrong) => {
    const found = tallied(P, bounds, 3n, coin(p));
    expect(found[wrong]).toBeLessThanOrEqual(bounds[0] === bounds[1] ? 75 : 42);
    // Some wrong verdicts show that the case is hard enough.
    expect(found[wrong]).toBeGreaterThan(0);
  });

  test.each([
    ['on the bound', [MEAN, 10], 'fails'],
    ['outside', [Number.NEGATIVE_INFINITY, MEAN - 0.001], 'holds'],
  ] as const)('for a mean %s', (_, bounds, wrong) => {
    expect(tallied(M, bounds, 5n, POINTS)[wrong]).toBeLessThanOrEqual(42);
  });
});

describe('a mean that depends on rare battles', () => {
  /** Returns the distribution of the attacker's hit points against a defender that almost never loses. */
  async function almostHopeless() {
    const duel = await loadScenario('scenarios/attrition-direct.yaml');
    const changes = [
      'attacker.attack=0',
      'attacker.defense=0',
      'attacker.hp=6',
      'defender.attack=6',
      'defender.defense=6',
    ];
    const { shape, distribution: law } = solveSync(applyChanges(duel, [...changes, 'defender.hp=25']));
    const m = shape.metrics.findIndex(({ name }) => name === 'hp.attacker');
    const pairs = listValueCounts(law, m);
    return { metric: shape.metrics.slice(m, m + 1), law: pairs };
  }

  /**
   * The bound is 77 % of the true mean, so it does not hold. A verdict is wrong with a probability of 1 %: of 1 000
   * verdicts, more than 20 are wrong with probability 0.0015. Verdicts from observed values only were wrong in 4 % of
   * the runs.
   */
  test.each([false, true])('is not underestimated before rare battles are observed; bounded: %s', async (bounded) => {
    const { metric, law } = await almostHopeless();
    const shape = { outcomes: ['any'], metrics: metric };
    const quantity = createEstimand(shape, 'hp.attacker', 'test');
    const truth = meanOf(law);
    expect(truth).toBeCloseTo(1.4295e-4, 7);
    const watched = createInterimSchedule(quantity, 2e7, 0.01, bounded);
    const found = verdicts({ quantity, shape, law, watched }, [Number.NEGATIVE_INFINITY, 1.0996e-4], 31n);
    expect(found.holds).toBeLessThanOrEqual(bounded ? 2 : 20);
    expect(found.fails).toBeGreaterThan(900);
  });
});

describe('values far from the bounds get the correct verdict', () => {
  test.each([
    [[0.45, 0.55], 0.5, 'holds'],
    [[0.52, 1], 0.5, 'fails'],
    [[Number.NEGATIVE_INFINITY, 0.003], 0.001, 'holds'],
  ] as const)('bounds %j, probability %f', (bounds, p, right) => {
    expect(tallied(P, bounds, 8n, coin(p))[right]).toBe(RUNS);
  });

  test('bounds of a mean', () => {
    expect(tallied(M, [1, 2], 8n, POINTS).holds).toBe(RUNS);
    expect(tallied(M, [1.7, 2], 8n, POINTS).fails).toBe(RUNS);
  });
});

describe('judgeValue with a tolerance for rounding', () => {
  test.each([
    [0.5, [0.5, 1], 'holds'],
    [0.5, [0, 0.5], 'holds'],
    [0.1 + 0.2, [0, 0.3], 'holds'],
    [0.3 + 1e-10, [0, 0.3], 'fails'],
    [12 * (1 + 1e-12), [Number.NEGATIVE_INFINITY, 12], 'holds'],
    [12 * (1 - 1e-12), [12, Number.POSITIVE_INFINITY], 'holds'],
    [12.000001, [Number.NEGATIVE_INFINITY, 12], 'fails'],
    [0, [0, 0], 'holds'],
  ] as const)('%f in %j', (value, bounds, verdict) => {
    expect(judgeValue(value, bounds)).toBe(verdict);
  });
});

test('judgeInterval decides only if the whole interval is inside or outside the bounds', () => {
  expect(judgeInterval([0.4, 0.5], [0.4, 0.5])).toBe('holds');
  expect(judgeInterval([0.4, 0.51], [0.4, 0.5])).toBe('undecided');
  expect(judgeInterval([0.39, 0.5], [0.4, 0.5])).toBe('undecided');
  expect(judgeInterval([0.5, 0.6], [0.4, 0.5])).toBe('undecided');
  expect(judgeInterval([0.51, 0.6], [0.4, 0.5])).toBe('fails');
  expect(judgeInterval([0.3, 0.39], [0.4, 0.5])).toBe('fails');
});

test('interim analyses are fixed in advance and share the error rate', () => {
  const { analyses: looks, level } = createInterimSchedule(P, 1_000_000, 0.01);
  expect(looks[0]).toBe(8192);
  expect(looks.at(-1)).toBe(1_000_000);
  expect(looks.every((look, l) => l === 0 || look > (looks[l - 1] ?? 0))).toBe(true);
  expect(level * looks.length).toBeCloseTo(0.01, 12);
  expect(createInterimSchedule(P, 100, 0.01)).toMatchObject({ analyses: [100], level: 0.01 });
});

test('createShareEstimand counts battles within inclusive bounds, in the unit of the metric', () => {
  const counts = createEmptyCounts(SHAPE);
  for (const [value, count] of [
    [0, 1],
    [3, 2],
    [4, 4],
    [20, 8],
  ] as const)
    addBattle(counts, 0, [value], count);
  const within = (bounds: Bounds): number => createShareEstimand(SHAPE, 'points', bounds, 'test').computeValue(counts);
  expect(within([1.5, 2])).toBe(6 / 15);
  expect(within([Number.NEGATIVE_INFINITY, 1.5])).toBe(3 / 15);
  expect(within([1.6, Number.POSITIVE_INFINITY])).toBe(12 / 15);
  expect(M.computeValue(counts)).toBeCloseTo((6 + 16 + 160) / 15 / 2, 12);
});
