/** VectorEnv.configure: changed environments equal environments that were created with the changes. */
import { expect, test } from 'vitest';
import { VectorEnv } from '../../src/environments.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import { Trajectory } from './trajectory.ts';

const [ENVS, STEPS, SEED] = [12, 60, 3];

const scenarios = await Promise.all(
  ['direct', 'mass', 'elite'].map((name) => loadScenario(`scenarios/attrition-${name}.yaml`)),
);

function digests(env: VectorEnv): string[] {
  const trajectory = new Trajectory(ENVS);
  for (let s = 0; s < STEPS; s++) {
    env.sampleActions('uniform');
    trajectory.note(env.step());
  }
  return trajectory.digests();
}

test('configure keeps the seed and applies the changes', async () => {
  const options = { agents: 'all', numEnvs: ENVS, seed: SEED } as const;
  const changes = { autoreset: 'next-step', maxSteps: 5, reward: { red: { outcomes: { red: 4 } } } } as const;
  const made = await VectorEnv.create(scenarios, { ...options, ...changes });
  const wanted = digests(made);
  const env = await VectorEnv.create(scenarios, options);
  expect(digests(env)).not.toEqual(wanted);
  env.reset();
  env.configure(changes);
  expect(digests(env)).toEqual(wanted);
  expect(env.configuration).toMatchObject(changes);
  env.reset();
  env.configure({ weights: [0, 1, 0] });
  env.rollout('scenario', { episodes: 2 });
  expect(new Set(env.buffers.variant)).toEqual(new Set([1]));
});

test('invalid changes are rejected without an effect', async () => {
  const env = await VectorEnv.create(scenarios, { agents: 'all', numEnvs: ENVS, seed: SEED });
  const wanted = digests(env);
  env.reset();
  for (const changes of [{ weights: [1, 1] }, { maxSteps: -1 }, { reward: 'none' }, { weights: [0, 0, 0] }]) {
    expect(() => {
      env.configure(changes);
    }).toThrow('expected');
  }
  expect(digests(env)).toEqual(wanted);
});
