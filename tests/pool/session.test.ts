/** Tests that a session has the trajectories of environments in the calling thread. */
import { afterEach, beforeAll, expect, it } from 'vitest';
import { type EnvironmentOptions, EnvSession, VectorEnv } from '../../src/environments.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { Trajectory } from '../environments/trajectory.ts';
import { requireBuild } from './fixtures.ts';

const OPTIONS: EnvironmentOptions = { agents: 'all', autoreset: 'disabled' };

let scenarios: Scenario[];
let session: EnvSession | undefined;

beforeAll(async () => {
  requireBuild();
  scenarios = await Promise.all(['direct', 'mass'].map((name) => loadScenario(`scenarios/attrition-${name}.yaml`)));
});

afterEach(async () => {
  await session?.close();
  session = undefined;
});

async function open(options: Parameters<typeof EnvSession.create>[1] = {}): Promise<EnvSession> {
  session = await EnvSession.create(scenarios, { ...OPTIONS, seed: 4, numEnvs: 6, ...options });
  return session;
}

/** Performs all operations on environments and returns the digests of their trajectories. */
async function goThrough(env: VectorEnv | EnvSession): Promise<string[]> {
  const trajectory = new Trajectory(env.numEnvs);
  await env.reset({ seed: 12 });
  const stepped = async (times: number): Promise<void> => {
    for (let s = 0; s < times; s++) {
      await env.sampleActions('uniform');
      trajectory.note(await env.step());
    }
  };
  await stepped(5);
  const snapshot = await env.snapshot();
  await stepped(30);
  await env.configure({ autoreset: 'next-step', maxSteps: 3, weights: [1, 0], reward: 'win' });
  await stepped(10);
  await env.restore(snapshot);
  await env.setState(0, await env.state(5));
  await env.reseed(8, 2, 4);
  await stepped(20);
  await env.reset({ mask: [1, 0, 1, 0, 0, 1] });
  expect(await env.rollout('uniform', { episodes: 2 })).toBeGreaterThan(12);
  trajectory.note(await env.step(new Int32Array(env.numEnvs)));
  return trajectory.digests();
}

it('EnvSession has the same trajectories as VectorEnv', async () => {
  const wanted = await goThrough(await VectorEnv.create(scenarios, { ...OPTIONS, seed: 4, numEnvs: 6 }));
  expect(await goThrough(await open())).toEqual(wanted);
  expect(new Set(wanted).size).toBe(6);
});

it('EnvSession performs calls in order, without waiting for results', async () => {
  const env = await open({ maxSteps: 0, numEnvs: 1 });
  const calls = [env.snapshot(), env.step([0]), env.snapshot(), env.reset(), env.snapshot()] as const;
  const [first, , second, , third] = await Promise.all(calls);
  expect(second).not.toEqual(first);
  const record = 96;
  expect(third.slice(-record)).toEqual(first.slice(-record));
});

it('info returns the configuration and the sizes of state and memory', async () => {
  const env = await open();
  await env.configure({ maxSteps: 11 });
  expect(await env.info()).toEqual({
    ...{ system: 'attrition', autoreset: 'disabled', maxSteps: 11, stateBytes: env.stateBytes },
    memoryBytes: env.buffers.obs.buffer.byteLength,
  });
});

it('configure changes the rewards of the next episode', async () => {
  const env = await open({ numEnvs: 1, agents: undefined });
  const [agent = ''] = env.agents;
  const earned = async (): Promise<number | undefined> => {
    await env.reset({ seed: 1 });
    await env.rollout('scenario', { episodes: 1 });
    return env.buffers.finalReturn[0];
  };
  const outcomes = (value: number) =>
    Object.fromEntries(
      scenarios.flatMap((_, v) => (env.configuration.variants[v]?.outcomes ?? []).map((o) => [o, value])),
    );
  await env.configure({ reward: { [agent]: { outcomes: outcomes(7) } } });
  expect(await earned()).toBe(7);
  await env.configure({ reward: { [agent]: { outcomes: outcomes(-2.5) } } });
  expect(await earned()).toBe(-2.5);
});

it('EnvSession rejects invalid arguments and remains usable', async () => {
  const env = await open({ debug: true });
  await expect(env.step([0])).rejects.toThrow('actions: expected 6 numbers, found 1');
  await expect(env.step([0, 0, 9, 0, 0, 0])).rejects.toThrow('action of environment 2: expected one of ');
  await expect(env.reset({ seed: 1, mask: [] })).rejects.toThrow('seed cannot be combined with mask');
  await expect(env.state(6)).rejects.toThrow('env: expected an integer 0..5, found 6');
  await expect(env.restore(new Uint8Array(3))).rejects.toThrow('snapshot: expected ');
  await expect(env.configure({ maxSteps: -1 })).rejects.toThrow('maxSteps: expected an integer');
  expect(env.configuration.maxSteps).toBe(0);
  const { observations } = await env.step(new Int32Array(6));
  expect(observations).toBe(env.buffers.obs);
});

it('EnvSession can be closed several times', async () => {
  const env = await open({ autoreset: 'same-step' });
  const waiting = expect(env.rollout('uniform', { steps: 2 ** 31 })).rejects.toThrow('the session is closed');
  await new Promise((resolve) => setTimeout(resolve, 50));
  await Promise.all([env.close(), env.close(), waiting]);
  await expect(env.step()).rejects.toThrow('the session is closed');
  await env.close();
});
