/** Balance of scenarios, compared with brute force. */
import { describe, expect, test } from 'vitest';
import { type BalanceOptions, type BalanceResult, balance } from '../../src/analysis/balance/index.ts';
import { simulate } from '../../src/analysis/simulate.ts';
import { solveSync } from '../../src/analysis/solve.ts';
import { formatSearchCoverage } from '../../src/report/balance/balance.ts';
import { createBalanceFigure } from '../../src/report/figures/balance.ts';
import { applyChanges, loadScenario, updateScenario, validateScenario } from '../../src/rules/scenario/index.ts';
import type { Scenario } from '../../src/rules/system.ts';
import type { Summary } from '../../src/stats/summary.ts';
import { DEPTH } from '../depth.ts';

const duel = await loadScenario('scenarios/attrition-direct.yaml');
const wall = await loadScenario('scenarios/phased-dice-great-wall.yaml');
const bluff = await loadScenario('scenarios/strength-cards-bluff.yaml');
const mass = await loadScenario('scenarios/attrition-mass.yaml');

const solved = new Map<string, Pick<Summary, 'outcomes' | 'metrics'>>();

/** Computes the exact probability of an outcome, or the mean of a metric, with some fields changed. */
function exactly(scenario: Scenario, of: string, ...changes: readonly string[]): number {
  const key = [scenario.name, ...changes].join();
  const { outcomes, metrics } = solved.get(key) ?? solveSync(applyChanges(scenario, changes)).summary;
  solved.set(key, { outcomes, metrics });
  return outcomes.find(({ name }) => name === of)?.p ?? metrics.find(({ name }) => name === of)?.mean ?? Number.NaN;
}

const requested = (vary: BalanceOptions['vary'], target: string, rest: Partial<BalanceOptions> = {}) =>
  balance(duel, { vary, target, ...rest });

const values = (settings: BalanceResult['meeting']) => settings.map((setting) => setting.values);

const crossed = ({ curve: along }: BalanceResult) => along?.crossings.map(([a, b]) => [a.values[0], b.values[0]]);

describe('balance of one field', () => {
  const hp = (value: number): number => exactly(duel, 'attacker', `defender.hp=${String(value)}`);

  test('returns all values that meet the target, nearest first, and the crossing', async () => {
    const result = await requested([{ path: 'defender.hp', range: [1, 60] }], 'attacker=50%', { tolerance: 0.05 });
    const all = Array.from({ length: 60 }, (_, i) => i + 1);
    const meeting = all
      .filter((v) => Math.abs(hp(v) - 0.5) <= 0.05)
      .sort((a, b) => Math.abs(hp(a) - 0.5) - Math.abs(hp(b) - 0.5));
    expect(values(result.meeting)).toEqual(meeting.map((v) => [v]));
    const at = all.find((v) => hp(v) < 0.5) ?? 0;
    expect(crossed(result)).toEqual([[at - 1, at]]);
    expect(result).toMatchObject({
      targetMet: true,
      exact: true,
      examined: 60,
      rejected: 0,
      meetingCount: meeting.length,
    });
    expect(result.curve).toMatchObject({ allExact: true, trend: 'falls' });
    expect(result.current).toMatchObject({ values: [25], verdict: 'fails', battles: 0 });
    for (const {
      values: [value = 0],
      value: found,
    } of [...result.meeting, result.least, result.greatest])
      expect(found).toBeCloseTo(hp(value), 12);
  });

  test('returns the values next to the crossing if none meets the target', async () => {
    const result = await requested([{ path: 'defender.hp' }], 'attacker=0.5', { tolerance: 1e-4 });
    expect(result).toMatchObject({
      targetMet: false,
      meeting: [],
      nearest: { values: [29] },
      fields: [{ low: 12, high: 38 }],
    });
    expect(crossed(result)).toEqual([[28, 29]]);
  });

  test('accepts a value at the edge of the tolerance', async () => {
    const tolerance = 0.5 - hp(29);
    expect(await requested([{ path: 'defender.hp' }], 'attacker=0.5', { tolerance })).toMatchObject({
      targetMet: true,
    });
    const less = await requested([{ path: 'defender.hp' }], 'attacker=0.5', { tolerance: tolerance - 1e-9 });
    expect(less.targetMet).toBe(false);
  });

  test('reports an unreachable target', async () => {
    const result = await requested([{ path: 'defender.hp', range: [1, 20] }], 'attacker=0.5');
    expect(result).toMatchObject({
      targetMet: false,
      least: { values: [20] },
      greatest: { values: [1] },
      curve: { crossings: [] },
    });
    expect(result.current?.values).toEqual([25]);
  });

  test('extends the range until it crosses the target', async () => {
    const result = await requested([{ path: 'defender.hp' }], 'attacker=0.01');
    const at = result.nearest.values[0] ?? 0;
    expect(at).toBeGreaterThan(60);
    expect(hp(at - 1)).toBeGreaterThan(hp(at));
    expect(Math.abs(hp(at) - 0.01)).toBeLessThanOrEqual(Math.abs(hp(at + 1) - 0.01));
    expect(result).toMatchObject({ targetMet: true, curve: { allExact: true } });
  });

  test('returns all crossings of a non-monotone curve', async () => {
    const mutual = (v: number): number => exactly(duel, 'mutual', `attacker.attack=${String(v)}`);
    const all = Array.from({ length: 41 }, (_, i) => i - 20);
    const result = await requested([{ path: 'attacker.attack', range: [-20, 20] }], 'mutual=0.03', { tolerance: 0 });
    const brute = all.slice(0, -1).filter((v) => (mutual(v) - 0.03) * (mutual(v + 1) - 0.03) < 0);
    expect(crossed(result)).toEqual(brute.map((v) => [v, v + 1]));
    expect(brute.length).toBeGreaterThan(1);
    expect(result.curve).toMatchObject({ trend: 'neither', allExact: true });
  });

  test('refines a field of fractional numbers until it meets the target', async () => {
    const path = 'attacker.hand[0].weight';
    const result = await balance(bluff, { vary: [{ path }], target: 'attacker=0.33', tolerance: 1e-6 });
    const [best] = result.meeting;
    expect(result).toMatchObject({ targetMet: true, curve: { allExact: false } });
    expect(exactly(bluff, 'attacker', `${path}=${String(best?.values[0])}`)).toBeCloseTo(0.33, 6);
    expect(String(best?.values[0])).toMatch(/^\d\.\d{1,6}$/);
  });

  test.runIf(DEPTH > 1)('returns adjacent values if the curve jumps over the target', async () => {
    const result = await balance(wall, { vary: [{ path: 'attacker.retreat.whenWeaker' }], target: 'rounds=2' });
    expect(result).toMatchObject({ targetMet: false });
    const [[low, high] = []] = result.curve?.crossings ?? [];
    expect((high?.values[0] ?? 0) - (low?.values[0] ?? 0)).toBeCloseTo(1e-6, 9);
    expect([low?.value, high?.value].map((value) => Math.sign((value ?? 0) - 2))).toEqual([1, -1]);
  });
});

describe('balance of two fields', () => {
  test('returns the nearest value of the second field for each value of the first', async () => {
    const vary = [
      { path: 'defender.hp', range: [5, 12] },
      { path: 'attacker.hp', range: [1, 40] },
    ] as const;
    const result = await requested(vary, 'attacker=0.5', { tolerance: 0.02 });
    const value = (d: number, a: number): number =>
      exactly(duel, 'attacker', `defender.hp=${String(d)}`, `attacker.hp=${String(a)}`);
    const nearest = (d: number) =>
      Array.from({ length: 40 }, (_, i) => i + 1).sort(
        (a, b) => Math.abs(value(d, a) - 0.5) - Math.abs(value(d, b) - 0.5),
      )[0];
    const rows = Array.from({ length: 8 }, (_, i) => i + 5);
    expect(values(result.pairs ?? [])).toEqual(rows.map((d) => [d, nearest(d)]));
    expect(result.current?.values).toEqual([25, 30]);
    expect(result.targetMet).toBe(true);
    for (const setting of result.meeting) {
      const [d = 0, a = 0] = setting.values;
      expect(Math.abs(value(d, a) - 0.5)).toBeLessThanOrEqual(0.02);
    }
  });

  test('examines every setting if all are affordable', async () => {
    const knight = updateScenario(duel, { 'attacker.attack': 2, 'defender.hp': 30 });
    const vary = [
      { path: 'attacker.hp', range: [10, 60] },
      { path: 'attacker.attack', range: [-3, 8] },
    ] as const;
    const result = await balance(knight, { vary, target: 'attacker=50%', tolerance: 0.02 });
    expect(result).toMatchObject({
      examined: 612,
      exact: true,
      rows: { step: 1, allExamined: true },
      meetingCount: 17,
    });
    expect(result.pairs).toHaveLength(51);
    const spec = createBalanceFigure(result, [])?.spec as
      | undefined
      | { data: { values: { x: number; fill: string }[] } };
    const drawn = spec?.data.values ?? [];
    expect(drawn.map(({ x }) => x)).toEqual(Array.from({ length: 51 }, (_, k) => 10 + k));
    expect(drawn.filter(({ fill }) => fill !== 'white')).toHaveLength(17);
    expect(values(result.meeting)).toContainEqual([31, 1]);
    expect(formatSearchCoverage(result)[0]).toMatch(
      /^All 612 settings of attacker’s hit points in 10..60, attacker’s attack in -3..8 were examined/,
    );
  });

  test.runIf(DEPTH > 1)('examines and reports every n-th value if there are too many', async () => {
    const result = await requested([{ path: 'defender.hp', range: [1, 400] }, { path: 'attacker.hp' }], 'attacker=0.5');
    const step = result.rows?.step ?? 0;
    expect(result.rows).toEqual({ step, allExamined: false });
    expect(step).toBeGreaterThan(1);
    const rows = (result.pairs ?? []).map(({ values: [first = 0] }) => first);
    expect(new Set(rows.slice(1).map((row, r) => row - (rows[r] ?? 0)))).toEqual(new Set([step]));
    expect(rows).toContain(25);
    expect(formatSearchCoverage(result).join(' ')).toContain(
      `Only every ${String(step)}th value of defender’s hit points was examined`,
    );
  });

  test.runIf(DEPTH > 1)('uses exact answers for small settings and simulation for large ones', async () => {
    const base = { system: 'phased-dice', mode: 'ground', site: 'great-wall' };
    const units = { units: { rifleman: 10, cannon: 2 } };
    const scenario = validateScenario({ ...base, attacker: units, defender: units });
    const vary = [
      { path: 'defender.units.rifleman', range: [0, 14] },
      { path: 'attacker.units.rifleman', range: [0, 40] },
    ] as const;
    const result = await balance(scenario, { vary, target: 'attacker=50%', battles: 20_000 });
    const exact = (result.pairs ?? []).map(({ interval }) => interval === undefined);
    expect(exact).toEqual(exact.map((_, row) => row < exact.indexOf(false)));
    expect(exact.indexOf(false)).toBeGreaterThan(6);
  });
});

describe('balance of three fields', () => {
  const vary = ['defender.hp', 'attacker.hp', 'attacker.attack'].map((path) => ({ path }));
  const value = (d: number, a: number, s: number): number =>
    exactly(duel, 'attacker', `defender.hp=${String(d)}`, `attacker.hp=${String(a)}`, `attacker.attack=${String(s)}`);

  test('returns the settings with the fewest steps from the current one', async () => {
    const result = await requested(vary, 'attacker=0.5');
    const { neighborhood: near, meeting } = result;
    expect(near?.meets).toBe(true);
    const radius = near?.radius ?? 0;
    const found: number[][] = [];
    for (let d = -radius; d <= radius; d++)
      for (let a = -radius; a <= radius; a++)
        for (let s = -radius; s <= radius; s++) {
          const steps = Math.abs(d) + Math.abs(a) + Math.abs(s);
          if (steps <= radius && Math.abs(value(25 + d, 30 + a, 1 + s) - 0.5) <= 0.01) {
            expect(steps).toBe(radius);
            found.push([25 + d, 30 + a, 1 + s]);
          }
        }
    expect(
      values(meeting)
        .map((each) => each.join())
        .sort(),
    ).toEqual(found.map((each) => each.join()).sort());
  });

  test('varies single fields if no near setting meets the target', async () => {
    const result = await requested(vary, 'attacker=0.99');
    expect(result).toMatchObject({ targetMet: true, neighborhood: { meets: false, radius: 6 } });
    for (const {
      values: [d, a, s],
    } of result.meeting)
      expect([d === 25, a === 30, s === 1].filter((as) => as)).toHaveLength(2);
  });
});

describe('balance by simulation', () => {
  const never = { exact: 'never', battles: 200_000 } as const;

  test('returns the same result with any number of workers, from separate battles', async () => {
    const one = await requested([{ path: 'defender.hp' }], 'attacker=0.5', { ...never, tolerance: 0.03, workers: 1 });
    const three = await requested([{ path: 'defender.hp' }], 'attacker=0.5', { ...never, tolerance: 0.03, workers: 3 });
    expect(three).toEqual(one);
    expect(one).toMatchObject({ targetMet: true, exact: false, curve: { allExact: false, trend: undefined } });
    expect(crossed(one)).toEqual([[28, 29]]);
    for (const {
      values: [v = 0],
      interval: [low, high] = [1, 0],
    } of [...one.meeting, one.least, one.greatest]) {
      const exact = exactly(duel, 'attacker', `defender.hp=${String(v)}`);
      expect([low <= exact, exact <= high]).toEqual([true, true]);
    }
    // The reported values are from battles that the search did not use.
    const {
      values: [v],
      value,
      battles,
    } = one.nearest;
    const scenario = updateScenario(duel, { 'defender.hp': v });
    const { summary } = await simulate(scenario, { from: never.battles, battles });
    expect(summary.outcomes[0]?.p).toBe(value);
    const other = await requested([{ path: 'defender.hp' }], 'attacker=0.5', { ...never, tolerance: 0.03, seed: 2 });
    expect(crossed(other)).toEqual([[28, 29]]);
    expect(other.nearest.value).not.toBe(one.nearest.value);
  });

  test.runIf(DEPTH > 1)('returns every value that may meet the target after an undecided start', async () => {
    const mutual = (v: number): number => exactly(duel, 'mutual', `defender.hp=${String(v)}`);
    const all = Array.from({ length: 500 }, (_, i) => i + 1);
    const meeting = all.filter((v) => Math.abs(mutual(v) - 0.06) <= 0.001);
    expect(meeting).toEqual([22, 23, 24, 30, 31, 32]);
    const hp = [{ path: 'defender.hp', range: [1, 500] }] as const;
    const result = await requested(hp, 'mutual=0.06', { ...never, tolerance: 0.001 });
    const possible = (result.possible ?? []).map(([v = 0]) => v);
    expect(possible).toEqual(expect.arrayContaining(meeting));
    // The other reported values are close to the target: 200 000 battles do not exclude them.
    for (const v of possible) expect(Math.abs(mutual(v) - 0.06)).toBeLessThan(0.005);
    expect(result).toMatchObject({ targetMet: false, examined: 500, curve: { allExamined: true, allExact: false } });
    expect(result.undecided).toHaveLength(12);
    expect(result.undecided.every(({ verdict }) => verdict === 'undecided')).toBe(true);
  });

  test('reports an undecided value if it is too close to the limit', async () => {
    const target = exactly(duel, 'attacker', 'defender.hp=29');
    const result = await requested([{ path: 'defender.hp', range: [20, 40] }], `attacker=${String(target)}`, {
      ...never,
      tolerance: 1e-4,
    });
    expect(result).toMatchObject({ targetMet: false, nearest: { verdict: 'undecided' } });
  });

  test('searches three fields around the current setting', async () => {
    const vary = ['defender.hp', 'attacker.hp', 'attacker.attack'].map((path) => ({ path }));
    const result = await requested(vary, 'attacker=0.5', { ...never, tolerance: 0.04 });
    expect(result).toMatchObject({ targetMet: true, neighborhood: { meets: true } });
  });

  test.runIf(DEPTH > 1)('returns a partial result after an abort signal', async () => {
    const controller = new AbortController();
    const result = await balance(mass, {
      vary: [{ path: 'combatants[0].hp' }],
      target: 'rounds=9',
      battles: 1e7,
      signal: controller.signal,
      onProgress: ({ done }) => {
        if (done > 30_000) controller.abort();
      },
    });
    expect(result).toMatchObject({ complete: false, targetMet: false });
    expect(result.examined).toBeGreaterThan(0);
    await expect(requested([{ path: 'defender.hp' }], 'attacker=0.5', { signal: AbortSignal.abort() })).rejects.toThrow(
      'stopped before the first step',
    );
  });
});

describe('balance rejects', () => {
  const hp = [{ path: 'defender.hp' }];
  test.each<[Partial<BalanceOptions>, string]>([
    [{ vary: [] }, 'vary: expected 1..6 fields, found 0'],
    [{ vary: [...hp, ...hp] }, 'vary: expected each field once, found "defender.hp" again'],
    [{ vary: [{ path: 'defender.name' }] }, 'vary: expected a numeric field: '],
    [{ vary: [{ path: 'defender.hpp' }] }, '(did you mean defender.hp?)'],
    [
      { vary: [{ path: 'defender.hp', range: [0, 5] }] },
      'vary: expected a range of integers within 1..100000, found defender.hp=0..5',
    ],
    [{ vary: [{ path: 'defender.hp', range: [5, 5] }] }, 'found defender.hp=5..5'],
    [{ vary: [{ path: 'defender.hp', range: [1.5, 5] }] }, 'found defender.hp=1.5..5'],
    [
      { vary: [{ path: 'defender.ranged' }] },
      'vary: expected a range defender.ranged=low..high, because the scenario has no value for it',
    ],
    [{ target: 'attacker' }, 'target: expected name=value, found "attacker"'],
    [{ target: 'attacker=half' }, 'target: expected a probability, found "half"'],
    [{ target: 'attacker=1.5' }, 'target: expected a probability 0..1, found 1.5'],
    [{ target: 'rounds=-1' }, 'target: expected a mean of rounds 0..10000, found -1'],
    [{ target: 'atacker=0.5' }, '(did you mean attacker?)'],
    [{ tolerance: -1 }, 'tolerance: expected a number of 0 or more, found -1'],
    [{ tolerance: Number.POSITIVE_INFINITY }, 'tolerance: expected a number of 0 or more, found Infinity'],
    [{ seed: -1 }, 'seed: expected an integer 0..'],
    [{ errorRate: 0 }, 'errorRate: expected a number above 0, at most 0.25, found 0'],
    [{ battles: 0 }, 'battles: expected an integer 1..'],
  ])('%j', async (wrong, message) => {
    await expect(balance(duel, { vary: hp, target: 'attacker=0.5', ...wrong })).rejects.toThrow(message);
  });
});
