import { describe, expect, test } from 'vitest';
import { createMorrisTrajectories } from '../../src/analysis/designs/design.ts';
import { type ElementaryEffect, screenEffects } from '../../src/analysis/sensitivity/morris.ts';
import { Stream } from '../../src/core/chance/stream.ts';
import { morrisFunction, normal, type OnCube } from './functions.ts';

/** Computes elementary effects of a function on the cube, with normal noise of variance 2 * noise^2 in each half. */
function walked(f: OnCube, dimensions: number, trajectories: number, seed: bigint, noise = 0): ElementaryEffect[][] {
  const levels = new Array<number>(dimensions).fill(4);
  const walks = createMorrisTrajectories(levels, trajectories, seed);
  const effects = levels.map((): ElementaryEffect[] => []);
  for (let t = 0; t < trajectories; t++) {
    const stream = Stream.forBattle(seed, t);
    const { order, steps, points } = walks.trajectory(t);
    for (const [i, d] of order.entries()) {
      const [before, after] = [points[i] ?? [], points[i + 1] ?? []].map((point) => f(point.map((level) => level / 3)));
      const scale = 3 / (steps[d] ?? 1);
      const gap = ((after ?? 0) - (before ?? 0)) * scale;
      const halves = [gap + Math.SQRT2 * noise * normal(stream), gap + Math.SQRT2 * noise * normal(stream)] as const;
      effects[d]?.push({ effect: (halves[0] + halves[1]) / 2, halves, noise: noise * noise });
    }
  }
  return effects;
}

describe('screenEffects of a linear function', () => {
  const slopes = [5, -3, 0.5, 0];
  const linear: OnCube = (x) => slopes.reduce((sum, slope, d) => sum + slope * (x[d] ?? 0), 1);

  test('returns the slopes as effects, and no spread', () => {
    for (const [d, effects] of walked(linear, 4, 10, 1n).entries()) {
      const found = screenEffects(effects);
      expect(found.mu).toBeCloseTo(slopes[d] ?? 0, 9);
      expect(found.muStar).toBeCloseTo(Math.abs(slopes[d] ?? 0), 9);
      expect(found.sigma).toBeCloseTo(0, 9);
      expect(found.noise).toBe(0);
    }
  });

  test('is not biased by noise in sigma and in mu* of a dimension without effect', () => {
    const runs = Array.from({ length: 200 }, (_, s) => walked(linear, 4, 20, BigInt(s), 1).map(screenEffects));
    const idle = runs.map((run) => run[3]?.muStar ?? 0);
    const mean = idle.reduce((sum, value) => sum + value, 0) / 200;
    // The size of an effect of 0 has a standard deviation of 1.2, its mean over 20 trajectories and 200 runs 0.02.
    expect(Math.abs(mean)).toBeLessThan(0.09);
    const plain = walked(linear, 4, 4000, 7n, 1)[3]?.map(({ effect }) => Math.abs(effect)) ?? [];
    expect(plain.reduce((sum, size) => sum + size, 0) / 4000).toBeGreaterThan(0.75); // sqrt(2 / pi) = 0.80
    const [first] = walked(linear, 4, 4000, 8n, 1).map(screenEffects);
    expect(first?.muStar).toBeCloseTo(5, 0);
    expect(first?.noise).toBe(1);
    expect(first?.sigma).toBeLessThan(0.25);
  });

  test('returns intervals of mu and mu* with a coverage of 95 %', () => {
    let [mu, muStar] = [0, 0];
    for (let seed = 0n; seed < 200n; seed++) {
      const found = screenEffects(walked(linear, 4, 20, seed, 1)[0] ?? []);
      if (found.muCi95[0] > 5 || found.muCi95[1] < 5) mu++;
      if (found.muStarCi95[0] > 5 || found.muStarCi95[1] < 5) muStar++;
    }
    // Binomial(200, 0.05): more than 24 with probability 6e-5.
    expect(mu).toBeLessThanOrEqual(24);
    expect(muStar).toBeLessThanOrEqual(24);
  });
});

describe('screenEffects of Morris’s function of twenty factors', () => {
  const found = walked(morrisFunction, 20, 400, 3n).map(screenEffects);
  const at = (factor: number) => found[factor - 1] ?? { muStar: Number.NaN, mu: Number.NaN, sigma: Number.NaN };

  test('returns large effects for factors 1 to 10 and small effects for 11 to 20', () => {
    const important = Math.min(...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((factor) => at(factor).muStar));
    const idle = Math.max(...[11, 12, 13, 14, 15, 16, 17, 18, 19, 20].map((factor) => at(factor).muStar));
    expect(important).toBeGreaterThan(3 * idle);
  });

  test('returns the expected effect and little spread for factors 8 to 10', () => {
    // The nonlinear factors 3, 5 and 7 do not have mean 0 over the levels, and their products with the others all have
    // the same sign.
    const mean = [0, 1 / 3, 2 / 3, 1].reduce((sum, x) => sum + (2 * ((1.1 * x) / (x + 0.1)) - 1) / 4, 0);
    for (const factor of [8, 9, 10]) {
      const mu = 40 + 2 * 3 * mean * (-1) ** (factor - 1);
      // Nineteen products cause a standard deviation of 6.5 of an effect: 0.33 in the mean of 400.
      expect(Math.abs(at(factor).mu - mu)).toBeLessThan(5 * 0.33);
      expect(at(factor).sigma / at(factor).muStar).toBeLessThan(0.3);
    }
  });

  test('returns a large spread for the interacting factors 1 to 6 and the nonlinear factor 7', () => {
    for (const factor of [1, 2, 3, 4, 5, 6, 7]) expect(at(factor).sigma / at(factor).muStar).toBeGreaterThan(0.5);
    expect(Math.abs(at(1).mu)).toBeLessThan(at(1).muStar * 0.8);
  });
});

test('screenEffects returns mu 0 and a positive mu* for effects that cancel', () => {
  const both = (effect: number): ElementaryEffect => ({ effect, halves: [effect, effect], noise: 0 });
  expect(screenEffects([both(2), both(-2)])).toMatchObject({ mu: 0, muStar: 2, sigma: Math.sqrt(8) });
});
