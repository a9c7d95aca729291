/** Truncated episodes: they end with the next decision of the untruncated episode, in every system. */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { evaluate } from '../../src/environments/evaluate/evaluator.ts';
import { AUTORESETS } from '../../src/environments/layout.ts';
import { VectorEnv } from '../../src/environments/vector-env.ts';
import { shippedSystems } from '../../src/rules/index.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import { DEPTH, some } from '../depth.ts';
import { expectTwins } from './reference-comparison.ts';

const ENVS = 16 * DEPTH;

const files = readdirSync('scenarios').filter((file) => file.endsWith('.yaml'));

const row = (field: Float32Array | Uint8Array, e: number): number[] => [
  ...field.subarray((e * field.length) / ENVS, ((e + 1) * field.length) / ENVS),
];

/** Steps environments with and without a limit, and compares them. @returns number of truncated episodes */
async function truncated(file: string, maxSteps: number, autoreset: (typeof AUTORESETS)[number]): Promise<number> {
  const scenario = await loadScenario(`scenarios/${file}`);
  const common = { numEnvs: ENVS, seed: 3, agents: 'all', autoreset } as const;
  const [cut, whole] = [
    await VectorEnv.create(scenario, { ...common, maxSteps }),
    await VectorEnv.create(scenario, common),
  ];
  for (let step = 0; step < maxSteps; step++) {
    whole.sampleActions('uniform');
    cut.step(whole.buffers.act);
    whole.step();
  }
  let rows = 0;
  for (let e = 0; e < ENVS; e++) {
    if (cut.buffers.truncated[e] === 0 || whole.buffers.episode[e] !== 0) continue;
    rows++;
    const { obs, mask, player, phase } = whole.buffers;
    const next = [row(obs, e), row(mask, e), player[e], phase[e]];
    const { finalObs, finalMask, finalPlayer, finalPhase, ...shown } = cut.buffers;
    const last = [row(finalObs, e), row(finalMask, e), finalPlayer[e], finalPhase[e]];
    expect(last, `environment ${String(e)}`).toEqual(next);
    if (autoreset === 'same-step') continue;
    expect([row(shown.obs, e), row(shown.mask, e), shown.player[e], shown.phase[e]]).toEqual(next);
  }
  return rows;
}

describe.each(AUTORESETS)('autoreset %s', (autoreset) => {
  test.each(shippedSystems)('truncated episodes end with the next decision: $id', async ({ id }) => {
    let rows = 0;
    for (const file of some(files.filter((name) => name.startsWith(`${id}-`)))) {
      for (const maxSteps of DEPTH > 1 ? [1, 2, 3, 4] : [1, 3]) rows += await truncated(file, maxSteps, autoreset);
    }
    expect(rows).toBeGreaterThan(ENVS);
  });
});

describe.each(AUTORESETS)('autoreset %s, reference', (autoreset) => {
  test.each(some(files))('kernel and rules agree with a limit of steps: %s', async (file) => {
    const scenario = await loadScenario(`scenarios/${file}`);
    for (const maxSteps of DEPTH > 1 ? [1, 2, 3] : [2]) {
      await expectTwins([{ scenario }], { maxSteps, autoreset, agents: 'all', envs: 4, steps: 20 });
    }
  });
});

test('a restored truncated state has the same observation, mask, player and phase', async () => {
  const scenario = await loadScenario('scenarios/phased-dice-ground.yaml');
  const options = { numEnvs: ENVS, agents: 'all', autoreset: 'disabled', maxSteps: 2 } as const;
  const env = await VectorEnv.create(scenario, options);
  env.rollout('uniform', { steps: 2 });
  const other = await VectorEnv.create(scenario, { ...options, seed: 9 });
  for (let e = 0; e < ENVS; e++) other.setState(e, env.state(e));
  expect([...other.buffers.obs]).toEqual([...env.buffers.obs]);
  for (const name of ['mask', 'player', 'phase'] as const)
    expect([...other.buffers[name]]).toEqual([...env.buffers[name]]);
});

test('a truncated battle has the simulated value of the untruncated battle', async () => {
  const scenario = await loadScenario('scenarios/phased-dice-ground.yaml');
  const options = { numEnvs: 1, agents: 'all', autoreset: 'disabled' } as const;
  const [cut, whole] = [
    await VectorEnv.create(scenario, { ...options, maxSteps: 2 }),
    await VectorEnv.create(scenario, options),
  ];
  for (const env of [cut, whole]) env.rollout('uniform', { steps: 2 });
  const play = (env: VectorEnv) => evaluate(env, [env.state(0)], { policy: 'uniform', exact: 'never', battles: 500 });
  expect(await play(cut)).toEqual(await play(whole));
});

test('debug mode accepts any action in the step after a truncation', async () => {
  const scenario = await loadScenario('scenarios/phased-dice-ground.yaml');
  const env = await VectorEnv.create(scenario, { numEnvs: 1, autoreset: 'next-step', maxSteps: 2, debug: true });
  env.rollout('scenario', { steps: 2 });
  expect([env.buffers.truncated[0], env.buffers.mask.includes(0)]).toEqual([1, true]);
  const illegal = env.buffers.mask.indexOf(0);
  env.step([illegal]);
  expect(env.buffers.episode[0]).toBe(1);
  expect(() => env.step([99])).toThrow('action of environment 0');
});
