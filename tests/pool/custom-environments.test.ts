/** Tests of environments of systems without a kernel, whose rules run in threads. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type EnvironmentOptions, EnvSession, VectorEnv, VectorEnvPool } from '../../src/environments.ts';
import { loadSystems } from '../../src/rules/load-systems.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { ownFolder } from '../custom-system.ts';
import { DEPTH } from '../depth.ts';
import { Trajectory } from '../environments/trajectory.ts';
import { requireBuild } from './fixtures.ts';

/** URL of 'warpool/system', because modules outside of this folder cannot import it by name. */
const SYSTEM = new URL('../../dist/library/system.js', import.meta.url).href;

const ENVS = 7;
// No compilation: compiled scenarios have a kernel.
const OPTIONS: EnvironmentOptions = { agents: 'all', maxSteps: 9, compileSteps: 0 };

let scenarios: { readonly scenario: Scenario; readonly weight: number }[];
let open: { close(): Promise<void> } | undefined;

beforeAll(async () => {
  requireBuild();
  const systems = await loadSystems([fileURLToPath(new URL('../../examples/systems/feint.mjs', import.meta.url))]);
  const [one, two] = [
    { lives: 2, policy: 'answer' },
    { lives: 3, feint: 4 },
  ];
  const of = (red: object, blue: object) => validateScenario({ system: 'feint', red, blue }, { systems });
  scenarios = [
    { scenario: of(one, two), weight: 1 },
    { scenario: of(two, two), weight: 2 },
  ];
});

afterEach(async () => {
  await open?.close();
  open = undefined;
});

type Any = VectorEnv | VectorEnvPool | EnvSession;

/** Performs all operations on environments and returns the digests of their trajectories. */
async function goThrough(env: Any): Promise<string[]> {
  const trajectory = new Trajectory(env.numEnvs);
  const stepped = async (times: number): Promise<void> => {
    for (let s = 0; s < times; s++) {
      await env.sampleActions('uniform');
      trajectory.note(await env.step());
    }
  };
  await env.reset({ seed: 12 });
  await stepped(5);
  const snapshot = await env.snapshot();
  await stepped(9);
  await env.configure({ autoreset: 'next-step', maxSteps: 3, weights: [1, 0] });
  await stepped(5);
  await env.restore(snapshot);
  await env.setState(0, await env.state(5));
  await env.reseed(8, 2, 6);
  await stepped(9);
  await env.reset({ mask: [1, 0, 1, 0, 0, 1, 0] });
  expect(await env.rollout('scenario', { episodes: 2 })).toBeGreaterThan(ENVS);
  trajectory.note(await env.step(Int32Array.from({ length: ENVS }, (_, e) => (e === 3 ? 9 : 0))));
  trajectory.noteShown(0, 0, { ...NOTHING, obs: [...(await env.snapshot())] });
  return trajectory.digests();
}

const NOTHING = {
  ...{ obs: [], mask: [], reward: [], terminated: false, truncated: false, invalid: false },
  ...{ player: 0, phase: 0, episode: 0, variant: 0 },
};

describe('trajectories of environments without a kernel', () => {
  let wanted: string[];

  beforeAll(async () => {
    wanted = await goThrough(await VectorEnv.create(scenarios, { ...OPTIONS, numEnvs: ENVS, seed: 4 }));
    expect(new Set(wanted).size).toBe(ENVS);
  });

  it.each(
    DEPTH === 1
      ? [[3, 2]]
      : [
          [2, 3],
          [3, 2],
        ],
  )('are the same with one thread as with %i threads and %i slices', async (threads, slices) => {
    const pool = await VectorEnvPool.create(scenarios, { ...OPTIONS, numEnvs: ENVS, seed: 4, threads, slices });
    open = pool;
    expect(await goThrough(pool)).toEqual(wanted);
    // Sends the slices one by one, the last one first.
    const env = await VectorEnv.create(scenarios, { ...OPTIONS, numEnvs: ENVS, seed: 3 });
    pool.configure({ autoreset: 'same-step', maxSteps: 9, weights: [1, 2] });
    pool.reset({ seed: 3 });
    for (const { index, from, to } of [...pool.slices].reverse()) pool.send(index, new Int32Array(to - from).fill(1));
    for (const _ of pool.slices) await pool.recvAsync();
    env.step(new Int32Array(ENVS).fill(1));
    expect([...pool.buffers.obs]).toEqual([...env.buffers.obs]);
  });

  it('are the same in a session', async () => {
    const session = await EnvSession.create(scenarios, { ...OPTIONS, numEnvs: ENVS, seed: 4 });
    open = session;
    expect(await goThrough(session)).toEqual(wanted);
    const { system, stateBytes, memoryBytes } = await session.info();
    expect([system, stateBytes, memoryBytes > 1000]).toEqual(['feint', 0, true]);
    await expect(session.setState(0, new Uint8Array(60))).rejects.toThrow('state: expected a state of such');
    expect((await session.step()).observations.length).toBeGreaterThan(ENVS);
  });
});

describe('an error of the rules in a thread', () => {
  const DUEL = `
    import { d, defineSystem } from '${SYSTEM}';
    export default defineSystem({
      id: 'fragile', title: 'Fragile', about: 'Breaks in the third round.', fields: {}, rules: {},
      decisions: [{ point: 'go', who: 'red', about: 'Goes.', policies: [], describe: { on: ['goes', 'go'], off: ['stays', 'stay'] } }],
      examples: { one: {} },
      battle: () => ({
        outcomes: ['red'], metrics: {}, streams: { hit: 1 }, start: () => ({ n: 0 }),
        round: ({ n }, chance) => {
          chance.decide('go', 'red', ['on', 'off'], () => 'on');
          if (n === 2) throw new TypeError('no third round');
          chance.at('hit').sample(d(6));
          return { n: n + 1 };
        },
        outcome: ({ n }) => (n > 5 ? 'red' : undefined),
      }),
      environment: () => ({ players: ['red'], actions: { go: ['on', 'off'] }, features: [{ name: 'n', high: 9, of: ({ n }) => n }] }),
    });`;
  const shown = /fragile, battle \d of seed 5: .*no third round/s;

  it.runIf(DEPTH > 1)('ends pools and sessions, and is reported with the battle', async () => {
    const { folder } = ownFolder({ 'fragile.js': DUEL });
    const systems = await loadSystems([`${folder}/fragile.js`]);
    const scenario = validateScenario({ system: 'fragile' }, { systems });
    const pool = await VectorEnvPool.create(scenario, { numEnvs: 3, threads: 2, seed: 5 });
    expect(() => pool.rollout('scenario', { steps: 9 })).toThrow(shown);
    expect(() => pool.step()).toThrow(shown);
    await pool.close();
    const session = await EnvSession.create(scenario, { seed: 5 });
    await expect(session.rollout('scenario', { steps: 9 })).rejects.toThrow(shown);
    await expect(session.step()).rejects.toThrow(shown);
    await session.close();
  });

  it.runIf(DEPTH > 1)('is not printed on standard error, because the caller receives it', () => {
    const { folder } = ownFolder({ 'fragile.js': DUEL });
    const program = `
      import { loadSystems, validateScenario } from 'warpool';
      import { VectorEnvPool } from 'warpool/environments';
      const systems = await loadSystems([${JSON.stringify(`${folder}/fragile.js`)}]);
      const pool = await VectorEnvPool.create(validateScenario({ system: 'fragile' }, { systems }), { numEnvs: 3, seed: 5 });
      try { pool.rollout('scenario', { steps: 9 }); } catch ({ name }) { console.log(name); }
      await pool.close();`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    expect({ stdout, stderr }).toEqual({ stdout: 'RunError\n', stderr: '' });
  });
});
