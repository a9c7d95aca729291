/** Environments with the policies of the scenario simulate the battles of `simulate`: equal outcomes and metrics. */
import { describe, expect, test } from 'vitest';
import { simulate } from '../../src/analysis/simulate.ts';
import { runEpisodes } from '../../src/environments/episodes.ts';
import { VectorEnv } from '../../src/environments/vector-env.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import type { Scenario, System } from '../../src/rules/system.ts';
import { type Counts, type CountsShape, listValueCounts, mergeCounts } from '../../src/stats/counts.ts';
import { some } from '../depth.ts';
import { shipped } from './shipped.ts';

const ENVS = 300;
const SEED = 11n;

const counted = (shape: CountsShape, counts: Counts) => ({
  outcomes: [...counts.outcomes],
  metrics: shape.metrics.map((_, m) => shape.outcomes.map((_, o) => listValueCounts(counts, m, o))),
});

async function simulated(scenario: Scenario, agents: readonly string[] | 'all', episodes: number) {
  const env = await VectorEnv.create(scenario, { numEnvs: ENVS, agents });
  return runEpisodes(env, { policy: 'scenario', episodes, seed: SEED });
}

export function testCounts(system: System): void {
  const files = shipped(system.id);
  describe.each(files)('%s', (file) => {
    test('the first episodes are the first battles of a run, with the same digest', async () => {
      const scenario = await loadScenario(`scenarios/${file}`);
      const { digest } = await simulate(scenario, { battles: ENVS, seed: SEED });
      expect((await simulated(scenario, 'all', 1)).digest).toBe(digest);
      expect((await simulated(scenario, [], 1)).digest).toBe(digest);
    });

    test.runIf(some(files).includes(file))('episode k of environment e is battle k x 2^21 + e', async () => {
      const scenario = await loadScenario(`scenarios/${file}`);
      const { variants } = await simulated(scenario, 'all', 3);
      const [{ shape, counts } = { shape: undefined, counts: undefined }] = variants;
      const runs = [0, 1, 2].map((k) => simulate(scenario, { battles: ENVS, seed: SEED, from: k * 2 ** 21 }));
      const [first, ...others] = await Promise.all(runs);
      if (first === undefined || shape === undefined) throw new Error('nothing was played');
      for (const other of others) mergeCounts(first.counts, other.counts);
      expect(counted(shape, counts)).toEqual(counted(shape, first.counts));
    });
  });
}
