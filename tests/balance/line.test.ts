/** Searches along one field, for functions with known crossings. */
import { describe, expect, test } from 'vitest';
import { type AxisEvaluator, findNearbyCrossing, searchLine } from '../../src/analysis/balance/search.ts';
import {
  type BalanceAxis,
  ErrorAllocation,
  type SettingEvaluation,
} from '../../src/analysis/balance/setting-evaluator.ts';
import { createInterimSchedule, judgeInterval } from '../../src/stats/bounds.ts';
import { type Counts, type CountsShape, createEmptyCounts } from '../../src/stats/counts.ts';
import { createEstimand } from '../../src/stats/estimand.ts';
import { DEPTH } from '../depth.ts';
import { binomialDraw, type Uniform, uniformOf } from '../stats/draws.ts';

const axis = (low: number, high: number, present: number, reach = high - low): BalanceAxis => ({
  path: 'x',
  integer: true,
  step: 1,
  low,
  high,
  present,
  reach,
  isUserRange: false,
});

interface Looks {
  readonly look: AxisEvaluator;
  readonly seen: number[];
}

/**
 * Creates an evaluator of a function whose target is 0.
 * @param steps number of steps of each exact answer
 * @param blur  values closer to 0 are undecided, as after simulation
 */
function looking(f: (k: number) => number | undefined, steps = 1, exact = true, blur = 0): Looks {
  const seen: number[] = [];
  const look = (k: number): Promise<SettingEvaluation | undefined> => {
    seen.push(k);
    const value = f(k);
    if (value === undefined) return Promise.resolve(undefined);
    const close = Math.abs(value) < blur;
    const side = close ? 0 : (Math.sign(value) as -1 | 0 | 1);
    const verdict = close ? 'undecided' : value === 0 ? 'holds' : 'fails';
    return Promise.resolve({ values: [k], value, side, verdict, exact, steps });
  };
  return { look, seen };
}

const pairs = (crossings: readonly (readonly [SettingEvaluation, SettingEvaluation])[]) =>
  crossings.map(([a, b]) => [a.values[0], b.values[0]]);

const wave = (k: number): number => Math.sin(k / 7);

/** Lists the adjacent values between which a function changes its sign. */
const signs = (f: (k: number) => number, low: number, high: number) =>
  Array.from({ length: high - low }, (_, i) => [low + i, low + i + 1]).filter(([a = 0, b = 0]) => f(a) * f(b) < 0);

describe('search along one field', () => {
  test('evaluates a small and cheap range completely and returns every crossing', async () => {
    const { look } = looking((k) => wave(k) + 1e-9);
    const line = await searchLine(axis(1, 200, 50), look);
    expect(line).toMatchObject({ low: 1, high: 200, isComplete: true });
    expect(line.evaluations).toHaveLength(200);
    expect(pairs(line.crossings)).toEqual(signs((k) => wave(k) + 1e-9, 1, 200));
    expect(line.crossings.length).toBeGreaterThan(8);
  });

  test.each([
    ['large', 1, 1_000_000, 1],
    ['dear', 1, 500, 1_000_000],
  ])('evaluates a %s range on a grid and by bisection', async (_, low, high, steps) => {
    const { look, seen } = looking((k) => 300.5 - k, steps);
    const line = await searchLine(axis(low, high, 10), look);
    expect(line.isComplete).toBe(false);
    expect(pairs(line.crossings)).toEqual([[300, 301]]);
    expect(new Set(seen).size).toBeLessThan(60);
  });

  test('evaluates a small range completely in simulations too', async () => {
    const { look, seen } = looking((k) => 37.5 - k, 0, false);
    const line = await searchLine(axis(1, 500, 10), look);
    expect(line).toMatchObject({ isWhole: true, isComplete: false });
    expect(pairs(line.crossings)).toEqual([[37, 38]]);
    expect(new Set(seen).size).toBe(500);
  });

  test('continues after undecided values and finds all of them in a small range', async () => {
    const hill = (k: number): number => 30 - Math.abs(k - 40) - (k > 400 ? 1000 : 0);
    const { look } = looking(hill, 0, false, 3);
    const line = await searchLine(axis(1, 500, 11), look);
    const undecided = line.evaluations.filter(({ verdict }) => verdict !== 'fails').map(({ values: [k = 0] }) => k);
    expect(undecided).toEqual([8, 9, 10, 11, 12, 68, 69, 70, 71, 72]);
    expect(pairs(line.crossings)).toEqual([
      [7, 13],
      [67, 73],
    ]);
  });

  test('finds the limits of undecided values in a large range and evaluates all between them', async () => {
    const { look, seen } = looking((k) => (k - 61_234) / 10, 0, false, 1.05);
    const line = await searchLine(axis(1, 100_000, 10), look);
    const undecided = line.evaluations.filter(({ verdict }) => verdict !== 'fails').map(({ values: [k = 0] }) => k);
    expect(undecided).toEqual(Array.from({ length: 21 }, (_, i) => 61_224 + i));
    expect(pairs(line.crossings)).toEqual([[61_223, 61_245]]);
    expect(new Set(seen).size).toBeLessThan(100);
  });

  test('extends the range if the current value is undecided', async () => {
    const line = await searchLine(axis(1, 100_000, 20, 10), looking((k) => k - 20, 0, false, 15).look);
    expect(line.high).toBe(40);
    expect(pairs(line.crossings)).toEqual([[5, 35]]);
  });

  test('doubles a range without a crossing up to the limits of the field', async () => {
    const far = await searchLine(axis(1, 100_000, 20, 10), looking((k) => k - 100.5).look);
    expect(far).toMatchObject({ low: 1, high: 180 });
    expect(pairs(far.crossings)).toEqual([[100, 101]]);
    const never = await searchLine(axis(1, 100_000, 20, 10), looking(() => 1).look);
    expect(never).toMatchObject({ low: 1, high: 660, crossings: [] });
    const all = await searchLine(axis(1, 90, 20, 10), looking(() => 1).look);
    expect(all).toMatchObject({ low: 1, high: 90, isComplete: true });
  });

  test('stops at a value that equals the target', async () => {
    const line = await searchLine(axis(0, 1_000_000, 10, 5), looking((k) => k - 12).look);
    expect(line.evaluations.find(({ side }) => side === 0)?.values).toEqual([12]);
    expect(line.high).toBe(15);
  });

  test('skips values that are not allowed', async () => {
    const line = await searchLine(axis(1, 100, 10), looking((k) => (k % 3 === 0 ? undefined : k - 30.5)).look);
    expect(pairs(line.crossings)).toEqual([[29, 31]]);
    expect(line.evaluations).toHaveLength(67);
    const large = await searchLine(axis(0, 6400, 10), looking((k) => (k > 100 && k < 130 ? undefined : k - 115)).look);
    expect(large.crossings).toHaveLength(1);
  });

  test('bisects an interval near the current value with findNearbyCrossing', async () => {
    for (const target of [-70.5, 3.5, 4.5, 60.5]) {
      const { look, seen } = looking((k) => k - target);
      const line = await findNearbyCrossing(axis(-1000, 1000, 0, 20), look, 4);
      expect(pairs(line.crossings)).toEqual([[Math.floor(target), Math.ceil(target)]]);
      expect(new Set(seen).size).toBeLessThan(24);
    }
    expect(await findNearbyCrossing(axis(0, 30, 0, 20), looking(() => 1).look, 4)).toMatchObject({
      low: 0,
      high: 30,
      crossings: [],
    });
  });
});

/** Searches in which every evaluation is a simulated trial, with random draws instead of battles. */
describe('simulated search along one field', () => {
  const SHAPE: CountsShape = { outcomes: ['yes', 'no'], metrics: [] };
  const YES = createEstimand(SHAPE, 'yes', 'test');
  const MOST = 12_288;
  const ERROR = 0.1;
  const SIDES = { holds: 1, fails: -1, undecided: 0 } as const;

  /** Simulates a value with probability p and a share of the error probability. */
  function played(uniform: Uniform, p: number, share: number): SettingEvaluation {
    const { analyses: looks, interval } = createInterimSchedule(YES, MOST, share);
    const judge = (so: Counts) => judgeInterval(interval(so), [0.5, Number.POSITIVE_INFINITY]);
    const counts = createEmptyCounts(SHAPE);
    let [battles, yes] = [0, 0];
    for (const look of looks) {
      yes += binomialDraw(uniform, look - battles, p);
      battles = look;
      counts.outcomes.set([yes, battles - yes]);
      if (judge(counts) !== 'undecided') break;
    }
    const side = SIDES[judge(counts)];
    const verdict = side === 0 ? 'undecided' : 'fails';
    return { values: [], value: YES.computeValue(counts), side, verdict, exact: false, steps: 0 };
  }

  /** Searches 1..40, with a separate stream for each value. */
  function searched(run: number, chance: (k: number) => number) {
    const known = new Map<number, SettingEvaluation>();
    const shares = new ErrorAllocation(ERROR / 2);
    const look = (k: number) => {
      const reading = known.get(k) ?? played(uniformOf(21n, 100 * run + k), chance(k), shares.next());
      known.set(k, reading);
      return Promise.resolve({ ...reading, values: [k] });
    };
    return searchLine(axis(1, 40, 10), look, (count) => {
      shares.announce(count);
    });
  }

  /** Half of the error rate is 5 %: more than 75 of 1 000 searches have a wrong side with probability 0.0003. */
  test.runIf(DEPTH > 1)('returns wrong sides near the target with at most half of the error rate', async () => {
    const chance = (k: number): number => (k < 20 ? 0.5001 : 0.4999);
    let wrong = 0;
    for (let run = 0; run < 1000; run++) {
      const { evaluations: readings } = await searched(run, chance);
      if (readings.some(({ side, values: [k = 0] }) => side * (chance(k) - 0.5) < 0)) wrong++;
    }
    expect(wrong).toBeLessThanOrEqual(75);
  });

  test('returns a clear crossing', async () => {
    for (let run = 0; run < 100; run++) {
      const { crossings } = await searched(run, (k) => 1 / (1 + Math.exp((k - 17.5) / 2)));
      expect(pairs(crossings)).toEqual([[17, 18]]);
    }
  });
});

test('shares of ErrorAllocation sum to at most the error rate for any announced counts', () => {
  const shares = new ErrorAllocation(0.01);
  let sum = 0;
  for (let turn = 0; turn < 50_000; turn++) sum += shares.next();
  expect(sum).toBeLessThan(0.005);
  expect(sum).toBeGreaterThan(0.00499);
  for (const count of [500, 33, 7, 1000, 33]) {
    shares.announce(count);
    for (let turn = 0; turn < count + 5; turn++) sum += shares.next();
  }
  expect(sum).toBeLessThan(0.01);
  const even = new ErrorAllocation(0.01);
  even.announce(500);
  even.announce(500);
  expect(even.next()).toBeCloseTo(0.0025 / 500, 12);
});
