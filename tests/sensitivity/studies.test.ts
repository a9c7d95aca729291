import { describe, expect, test } from 'vitest';
import { fitFields } from '../../src/analysis/fit/fit.ts';
import type { Progress } from '../../src/analysis/index.ts';
import { morrisSensitivity } from '../../src/analysis/sensitivity/morris.ts';
import { sobolSensitivity } from '../../src/analysis/sensitivity/sobol.ts';
import {
  computeRangeValue,
  createScenarioAt,
  parseSpace,
  stepSensitivity,
} from '../../src/analysis/sensitivity/step.ts';
import { solveSync } from '../../src/analysis/solve.ts';
import { InputError, RunError } from '../../src/core/errors.ts';
import { loadScenario, updateScenario } from '../../src/rules/scenario/index.ts';
import { DEPTH } from '../depth.ts';

const duel = await loadScenario('scenarios/attrition-direct.yaml');
const space = ['attacker.hp=20..40', 'defender.attack=0..3', 'maxRounds=9000..9100'];

describe('parameter spaces', () => {
  test('are parsed and checked against the limits of their fields', () => {
    expect(parseSpace(duel, ['attacker.hp=10..40'])).toEqual([
      { path: 'attacker.hp', min: 10, max: 40, integer: true },
    ]);
    const rejection = (range: string): (() => unknown) => {
      return () => parseSpace(duel, [range]);
    };
    for (const range of ['attacker.hp', 'attacker.hp=3', 'attacker.hp=4..4', 'attacker.hp=5..4', '=1..2', ''])
      expect(rejection(range)).toThrow('space: expected path=least..greatest');
    expect(rejection('attacker.hp=0..4')).toThrow('space attacker.hp: expected a range within 1..100000');
    expect(rejection('attacker.hp=1..4.5')).toThrow('whole numbers');
    expect(rejection('attacker.hpp=1..4')).toThrow('did you mean attacker.hp?');
    expect(() => parseSpace(duel, [])).toThrow(InputError);
    expect(() => parseSpace(duel, ['attacker.hp=1..4', 'attacker.hp=2..4'])).toThrow('each field once');
  });

  test('map equal shares of the unit interval to each integer', () => {
    const axis = { path: 'x', min: -1, max: 2, integer: true };
    const counts = [0, 0, 0, 0];
    for (let k = 0; k < 400; k++) {
      const value = computeRangeValue(axis, k / 400);
      counts[value + 1] = (counts[value + 1] ?? 0) + 1;
    }
    expect(counts).toEqual([100, 100, 100, 100]);
    expect(computeRangeValue({ ...axis, integer: false }, 0.5)).toBe(0.5);
    expect(computeRangeValue({ ...axis, min: 0.2, max: 0.9, integer: false }, 1 / 3)).toBe(0.433333);
  });

  test('report the values of a point without a valid scenario', async () => {
    const siege = await loadScenario('scenarios/cube-bag-siege.yaml');
    const axes = parseSpace(siege, ['defender.structures[1].marks=0..4']);
    expect(() => createScenarioAt(siege, axes, [3])).toThrow('space (defender.structures[1].marks=3)');
  });
});

describe('morrisSensitivity', () => {
  test('ranks fields, returns effects with the correct sign and finds a field without effect', async () => {
    const found = await morrisSensitivity(duel, { space });
    expect(found).toMatchObject({ method: 'morris', of: 'attacker', trajectories: 20, complete: true });
    expect(found.cells.simulated).toBe(0);
    expect(found.fields.map(({ path }) => path)).toEqual(['attacker.hp', 'defender.attack', 'maxRounds']);
    const [hp, attack, idle] = found.fields;
    expect(hp?.mu).toBeGreaterThan(0);
    expect(attack?.mu).toBeLessThan(0);
    expect(hp?.mu).toBeCloseTo(hp?.muStar ?? 0, 9);
    expect(idle).toMatchObject({ muStar: 0, sigma: 0, mu: 0, noise: 0 });
    for (const { effect, ci95, muStar } of found.fields) {
      expect(effect).toBe(muStar);
      expect(ci95[0]).toBeLessThanOrEqual(effect);
      expect(ci95[1]).toBeGreaterThanOrEqual(effect);
    }
  });

  test('returns the exact difference as the effect of a field with two values', async () => {
    const found = await morrisSensitivity(duel, { space: ['attacker.hp=30..31'], trajectories: 2 });
    const [low, high] = [30, 31].map(
      (hp) => solveSync(updateScenario(duel, { 'attacker.hp': hp })).summary.outcomes[0]?.p ?? 0,
    );
    expect(found.fields[0]?.mu).toBeCloseTo((high ?? 0) - (low ?? 0), 12);
    expect(found.fields[0]?.sigma).toBeCloseTo(0, 12);
    expect(found.cells).toEqual({ exact: 2, simulated: 0 });
  });

  test('separates simulation noise from effects: simulated effects are close to exact effects', async () => {
    const exact = await morrisSensitivity(duel, { space, trajectories: 40 });
    const found = await morrisSensitivity(duel, { space, trajectories: 40, exact: 'never', battles: 500 });
    expect(found.cells.exact).toBe(0);
    for (const { path, mu, muStar, sigma, noise } of found.fields) {
      const known = exact.fields.find((field) => field.path === path);
      // The trajectories are equal, so that only noise differs: five standard errors of a mean of forty.
      expect(Math.abs(mu - (known?.mu ?? 0))).toBeLessThanOrEqual((5 * noise) / Math.sqrt(40));
      expect(Math.abs(muStar - (known?.muStar ?? 0))).toBeLessThanOrEqual((5 * noise) / Math.sqrt(40));
      if (path !== 'maxRounds') expect(noise).toBeGreaterThan(0.005);
      // The error of sigma^2 is about noise^2 * sqrt(2 / 39) plus twice sigma * noise / sqrt(39).
      const off = Math.abs(sigma ** 2 - (known?.sigma ?? 0) ** 2);
      expect(off).toBeLessThanOrEqual(5 * noise ** 2 * 0.23 + (10 * (known?.sigma ?? 0) * noise) / Math.sqrt(39));
    }
  });

  test('uses different random numbers in each trajectory', async () => {
    const options = { space: ['attacker.hp=30..31'], trajectories: 6, exact: 'never', battles: 200 } as const;
    const [field] = (await morrisSensitivity(duel, options)).fields;
    expect(field?.muCi95[1]).toBeGreaterThan((field?.muCi95[0] ?? 0) + 0.001);
  });

  test('requires an even number of levels for non-integer fields', async () => {
    const wall = await loadScenario('scenarios/phased-dice-great-wall.yaml');
    const ranges = ['attacker.retreat.whenWeaker=0.2..0.9', 'attacker.units.tank=0..3'];
    const { fields } = await morrisSensitivity(wall, { space: ranges, trajectories: 4 });
    expect(fields.map(({ integer }) => integer)).toEqual([true, false]);
    await expect(morrisSensitivity(wall, { space: ranges, levels: 3 })).rejects.toThrow(
      'levels: expected an even number',
    );
  });
});

describe('sobolSensitivity', () => {
  test('returns indices that sum to 1, and 0 for a field without effect', async () => {
    const found = await sobolSensitivity(duel, { space, points: 128 });
    expect(found).toMatchObject({ method: 'sobol', of: 'attacker', points: 128, noise: 0, complete: true });
    const [hp, attack, idle] = found.fields;
    expect([hp?.path, attack?.path]).toEqual(['attacker.hp', 'defender.attack']);
    expect(idle).toMatchObject({ path: 'maxRounds', first: 0, total: 0, totalCi95: [0, 0] });
    const sum = found.fields.reduce((all, { first }) => all + first, 0);
    expect(Math.abs(sum - 1)).toBeLessThan(0.1);
    expect(found.variance).toBeGreaterThan(0);
  });

  test('returns the exact variance over a small space', async () => {
    const found = await sobolSensitivity(duel, { space: ['attacker.hp=20..23', 'defender.attack=0..1'], points: 1024 });
    const values = [20, 21, 22, 23].flatMap((hp) =>
      [0, 1].map((attack) => {
        const scenario = updateScenario(duel, { 'attacker.hp': hp, 'defender.attack': attack });
        return solveSync(scenario).summary.outcomes[0]?.p ?? 0;
      }),
    );
    const mean = values.reduce((sum, value) => sum + value, 0) / 8;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 8;
    expect(found.variance / variance).toBeCloseTo(1, 2);
    expect(found.cells).toEqual({ exact: 8, simulated: 0 });
  });

  test.runIf(DEPTH > 1)('covers the exact indices by intervals from few simulated battles', async () => {
    const exact = await sobolSensitivity(duel, { space, points: DEPTH === 1 ? 256 : 1024 });
    const found = await sobolSensitivity(duel, { space, points: 128, exact: 'never', battles: 40, seed: 5 });
    expect(found.noise).toBeGreaterThan(0.02);
    for (const { path, firstCi95, totalCi95 } of found.fields) {
      const known = exact.fields.find((field) => field.path === path);
      expect(firstCi95[0]).toBeLessThanOrEqual(known?.first ?? Number.NaN);
      expect(firstCi95[1]).toBeGreaterThanOrEqual(known?.first ?? Number.NaN);
      expect(totalCi95[0]).toBeLessThanOrEqual(known?.total ?? Number.NaN);
      expect(totalCi95[1]).toBeGreaterThanOrEqual(known?.total ?? Number.NaN);
    }
  });

  test('uses different random numbers for each base point', async () => {
    const options = { space: ['maxRounds=9000..9100'], points: 64, exact: 'never', battles: 20 } as const;
    expect((await sobolSensitivity(duel, options)).noise).toBeGreaterThan(0.5);
  });

  test('returns no fields if the outcome does not vary', async () => {
    const found = await sobolSensitivity(duel, { space: ['maxRounds=9000..9100'], points: 8 });
    expect(found).toMatchObject({ variance: 0, fields: [] });
  });
});

test('onProgress reports the unit of each study', async () => {
  const units: (string | undefined)[] = [];
  const onProgress = ({ done, total, unit }: Progress): void => {
    if (done === total) units.push(unit);
  };
  await stepSensitivity(duel, { fields: ['attacker.hp'], onProgress });
  await morrisSensitivity(duel, { space, trajectories: 2, onProgress });
  await sobolSensitivity(duel, { space, points: 8, onProgress });
  const observations = [{ outcome: 'attacker', metrics: {}, count: 1 }];
  await fitFields(duel, observations, { vary: [{ path: 'attacker.hp', range: [20, 21] }], onProgress });
  expect(units).toEqual(['cells', 'trajectories', 'base points', 'settings']);
});

describe('an abort signal', () => {
  const stopped = (at: number): { signal: AbortSignal; onProgress: (progress: { done: number }) => void } => {
    const control = new AbortController();
    return {
      signal: control.signal,
      onProgress: ({ done }) => {
        if (done === at) control.abort();
      },
    };
  };

  test('returns the result of the completed part', async () => {
    const morris = await morrisSensitivity(duel, { space, ...stopped(5) });
    expect(morris).toMatchObject({ trajectories: 5, complete: false });
    expect(morris.fields).toEqual((await morrisSensitivity(duel, { space, trajectories: 5 })).fields);
    const sobol = await sobolSensitivity(duel, { space, ...stopped(16) });
    expect(sobol).toMatchObject({ points: 16, complete: false });
    expect(sobol.fields).toEqual((await sobolSensitivity(duel, { space, points: 16 })).fields);
  });

  test('causes an error if the completed part is too small', async () => {
    await expect(morrisSensitivity(duel, { space, ...stopped(1) })).rejects.toThrow(RunError);
    await expect(sobolSensitivity(duel, { space, ...stopped(7) })).rejects.toThrow(RunError);
  });
});

test('options out of range are rejected', async () => {
  await expect(morrisSensitivity(duel, { space, trajectories: 1 })).rejects.toThrow(InputError);
  await expect(sobolSensitivity(duel, { space, points: 7 })).rejects.toThrow(InputError);
  await expect(sobolSensitivity(duel, { space: [] })).rejects.toThrow('space');
  for (const study of [morrisSensitivity, sobolSensitivity])
    await expect(study(duel, {} as never)).rejects.toThrow('space: expected a value, found nothing');
  await expect(sobolSensitivity(duel, { space, of: 'nobody' })).rejects.toThrow('of');
});
