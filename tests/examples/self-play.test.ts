/** The example of self-play: a short run with a fixed seed. */
import { expect, test } from 'vitest';
import type { loadScenario, Scenario } from '../../src/index.ts';

interface Example {
  readonly trainBoth: (
    scenario: Scenario,
    options: {
      reward: string;
      batches: number;
      seed: number;
      onBatch: (batch: number, policies: Readonly<Record<string, unknown>>) => void;
    },
  ) => Promise<void>;
  readonly computeExploitability: (
    scenario: Scenario,
    reward: string,
    policies: Readonly<Record<string, unknown>>,
  ) => number[];
}

const { href } = new URL('../../examples/self-play.mjs', import.meta.url);
const { trainBoth, computeExploitability } = (await import(/* @vite-ignore */ href)) as Example;
/** A variable, so that types can be checked before the first build. */
const library = 'warpool';

test('self-play makes both policies less exploitable', { timeout: 120_000 }, async () => {
  // The example uses the built library, so its scenario comes from there, too.
  const { loadScenario: load } = (await import(/* @vite-ignore */ library)) as { loadScenario: typeof loadScenario };
  const scenario = await load('scenarios/strength-cards-bluff.yaml');
  const nashConv: number[] = [];
  await trainBoth(scenario, {
    ...{ reward: 'hp', batches: 256, seed: 1 },
    onBatch: (batch, policies) => {
      if (batch === 1 || batch === 256)
        nashConv.push(computeExploitability(scenario, 'hp', policies).reduce((sum, each) => sum + each, 0));
    },
  });
  const [first = 0, last = 0] = nashConv;
  expect(first).toBeCloseTo(0.194444, 5);
  expect(last).toBeLessThan(0.05);
});
