/** Example that learns when to retreat: a short run with fixed seeds, so that the result is reproducible. */
import { expect, test } from 'vitest';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import type { Scenario } from '../../src/rules/system.ts';

interface Size {
  readonly seed: number;
  readonly battles: number;
  readonly trials: number;
}

/** Exports of the example, which is JavaScript and imports the modules of dist, as users do. */
interface Example {
  readonly learnRetreat: (scenario: Scenario, size: Size) => Promise<{ readonly mean: number; readonly error: number }>;
  readonly computeReferenceValues: (scenario: Scenario) => {
    named: { readonly name: string; readonly value: number }[];
    readonly optimum: number;
  };
}

const { href } = new URL('../../examples/learn-retreat.mjs', import.meta.url);
const { learnRetreat, computeReferenceValues } = (await import(/* @vite-ignore */ href)) as Example;

const scenario = await loadScenario('scenarios/phased-dice-broadside.yaml');

test('the learned policy beats all named policies and is close to the optimum', { timeout: 120_000 }, async () => {
  const learned = await learnRetreat(scenario, { seed: 1, battles: 30_000, trials: 20_000 });
  const { named, optimum } = computeReferenceValues(scenario);
  expect(named.length).toBeGreaterThan(5);
  expect(named.find(({ name }) => name === '"never"')?.value).toBeLessThan(0.7 * optimum);
  for (const { name, value } of named) {
    expect(value, name).toBeLessThan(optimum);
    expect(learned.mean - 2 * learned.error, name).toBeGreaterThan(value);
  }
  // A policy can exceed the optimum only by chance, in 20 000 battles.
  expect(learned.mean).toBeLessThan(optimum + 4 * learned.error);
  expect(learned.mean).toBeGreaterThan(0.9 * optimum);
});

test('the same seed learns the same policy', async () => {
  const size = { seed: 7, battles: 2000, trials: 1000 };
  const [once, again] = [await learnRetreat(scenario, size), await learnRetreat(scenario, size)];
  expect(again).toEqual(once);
  expect(await learnRetreat(scenario, { ...size, seed: 8 })).not.toEqual(once);
});
