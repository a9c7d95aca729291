/**
 * Tests that environments in threads have the same trajectories for all numbers of threads and slices, in any order.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeAll, describe, expect, it, test } from 'vitest';
import {
  type EnvironmentOptions,
  VectorEnv,
  VectorEnvPool,
  type VectorEnvPoolOptions,
} from '../../src/environments.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { DEPTH, some } from '../depth.ts';
import { type Acts, digestOf, referenceDigests, Trajectory } from '../environments/trajectory.ts';
import { requireBuild } from './fixtures.ts';

const ENVS = 61;
const STEPS = 40;
const SEED = 9n;
const OPTIONS: EnvironmentOptions = { agents: 'all', maxSteps: 7, reward: 'win' };

/** Returns an action, which is legal in most cases. */
const acts: Acts = (env, step) => ((env * 31 + step * 7) % 11 === 0 ? 5 - (env % 9) : 0);

let scenarios: { readonly scenario: Scenario; readonly weight: number }[];
let single: Scenario;
let pool: VectorEnvPool | undefined;

async function open(options: VectorEnvPoolOptions = {}): Promise<VectorEnvPool> {
  pool = await VectorEnvPool.create(scenarios, { ...OPTIONS, seed: SEED, numEnvs: ENVS, ...options });
  return pool;
}

beforeAll(async () => {
  requireBuild();
  const files = ['direct', 'mass', 'elite'];
  const loaded = await Promise.all(files.map((name) => loadScenario(`scenarios/attrition-${name}.yaml`)));
  scenarios = loaded.map((scenario, weight) => ({ scenario, weight: 1 + weight }));
  single = await loadScenario('scenarios/attrition-direct.yaml');
});

afterEach(async () => {
  await pool?.close();
  pool = undefined;
});

/** Steps all environments at once and returns the digests of their trajectories. */
function stepped(env: VectorEnv | VectorEnvPool): string[] {
  const trajectory = new Trajectory(env.numEnvs);
  for (let s = 0; s < STEPS; s++) {
    trajectory.note(env.step(Int32Array.from({ length: env.numEnvs }, (_, e) => acts(e, s))));
  }
  return trajectory.digests();
}

/** Steps slices independently, the last ones ahead of the others, and returns the digests of the trajectories. */
async function sliced(env: VectorEnvPool, receive: () => Promise<{ readonly index: number }>): Promise<string[]> {
  const trajectory = new Trajectory(env.numEnvs);
  const steps = env.slices.map(() => 0);
  const send = (index: number): void => {
    const { from, to } = env.slices[index] ?? { from: 0, to: 0 };
    env.send(
      index,
      Int32Array.from({ length: to - from }, (_, e) => acts(from + e, steps[index] ?? 0)),
    );
  };
  const waiting = env.slices.map(({ index }) => index);
  let out = 0;
  while (waiting.length > 0 || out > 0) {
    for (const index of waiting.splice(-2)) {
      send(index);
      out++;
    }
    const { index } = await receive();
    out--;
    const slice = env.slices[index];
    if (slice === undefined) throw new Error(`there is no slice ${String(index)}`);
    trajectory.note(slice, slice.from);
    steps[index] = (steps[index] ?? 0) + 1;
    if ((steps[index] ?? 0) < STEPS) waiting.push(index);
  }
  return trajectory.digests();
}

describe('trajectories', () => {
  let wanted: string[];

  beforeAll(async () => {
    const env = await VectorEnv.create(scenarios, { ...OPTIONS, seed: SEED, numEnvs: ENVS });
    wanted = stepped(env);
    expect(wanted).toEqual(referenceDigests(env.configuration, SEED, ENVS, STEPS, acts));
    expect(new Set(wanted).size).toBe(ENVS);
  });

  const SHARED = [
    [2, 7],
    [1, 1],
    [1, 4],
    [2, 2],
    [3, 61],
    [3, 3],
  ] as const;
  it.each(some(SHARED))('are the same with %i threads and %i slices as with one thread', async (threads, slices) => {
    const env = await open({ threads, slices });
    expect(digestOf(stepped(env))).toBe(digestOf(wanted));
    env.reset({ seed: SEED });
    const blocking = await sliced(env, () => Promise.resolve(env.recv()));
    expect(digestOf(blocking)).toBe(digestOf(wanted));
    env.reset();
    expect(digestOf(await sliced(env, () => env.recvAsync()))).toBe(digestOf(wanted));
  });

  it.runIf(DEPTH > 1)('do not depend on the number of environments', async () => {
    const env = await open({ threads: 2, numEnvs: 3 * ENVS });
    expect(stepped(env).slice(0, ENVS)).toEqual(wanted);
  });

  it('depend on the indices of environments', async () => {
    const env = await VectorEnv.create(scenarios, { ...OPTIONS, seed: SEED, numEnvs: 5, firstEnv: 20 });
    const shifted = await open({ threads: 2, numEnvs: 5, firstEnv: 20 });
    expect(stepped(shifted)).toEqual(stepped(env));
  });
});

describe('VectorEnvPool', () => {
  it('has the same buffers as VectorEnv after each operation', async () => {
    const env = await VectorEnv.create(scenarios, { ...OPTIONS, seed: SEED, numEnvs: ENVS });
    const many = await open({ threads: 2, slices: 5 });
    const fields = (of: VectorEnv | VectorEnvPool) => {
      const { finished: _, ...rest } = of.buffers;
      return Object.values(rest).map((field) => digestOf([Buffer.from(field as Uint8Array).toString('hex')]));
    };
    const both = (work: (of: VectorEnv | VectorEnvPool) => unknown): void => {
      expect(work(many)).toEqual(work(env));
      expect(fields(many)).toEqual(fields(env));
    };
    const mask = Uint8Array.from({ length: ENVS }, (_, e) => e % 3);
    both((of) => {
      of.sampleActions('uniform');
      of.step();
    });
    both((of) => of.rollout('scenario', { steps: 30, episodes: 2 }));
    both((of) => {
      of.reset({ mask });
    });
    const [here, there] = [env.snapshot(), many.snapshot()];
    both((of) => {
      of.reseed(77, 3, 50);
      of.rollout('uniform', { steps: 11 });
    });
    both((of) => {
      of.setState(4, of.state(60));
    });
    // Each one restores the snapshot of the other.
    env.restore(there);
    many.restore(here);
    both((of) => of.rollout('uniform', { steps: 11 }));
    both((of) => {
      of.configure({
        autoreset: 'disabled',
        reward: { attacker: { outcomes: { red: 3, blue: -2 } } },
        weights: [0, 0, 1],
      });
      of.reset({ seed: 5 });
    });
    both((of) => of.rollout('uniform', { steps: 60 }));
    expect(new Set(many.buffers.variant)).toEqual(new Set([2]));
  });

  it.runIf(DEPTH > 1)('lists the ended episodes of each slice', async () => {
    const env = await open({ threads: 2, slices: 3, maxSteps: 0 });
    let over = 0;
    for (let s = 0; s < STEPS; s++) {
      env.sampleActions('scenario');
      const { terminations } = env.step();
      for (const { from, to, finished, infos } of env.slices) {
        const ended = [...terminations.keys()].filter((e) => e >= from && e < to && terminations[e] === 1);
        expect([...infos.finished.subarray(0, finished)]).toEqual(ended);
        over += finished;
      }
    }
    expect(over).toBeGreaterThan(ENVS);
  });

  it('returns the same arrays for a slice every time', async () => {
    const env = await open({ threads: 1, slices: 2 });
    const before = { ...env.slices[0] };
    env.send(0);
    const received = env.recv();
    expect(received).toBe(env.slices[0]);
    expect(received.infos).toBe(before.infos);
    expect(received.observations.byteOffset).toBe(env.buffers.obs.byteOffset);
    expect(env.slices[1]?.observations.byteOffset).toBe(
      env.buffers.obs.byteOffset + 4 * (env.slices[1]?.from ?? 0) * env.observationSpace.shape[0],
    );
  });

  it('rejects invalid calls and arguments', async () => {
    const env = await open({ threads: 1, slices: 2, debug: true });
    expect(() => env.recv()).toThrow('recv: expected a sent slice, found none');
    await expect(env.recvAsync()).rejects.toThrow('a sent slice');
    expect(() => {
      env.send(2);
    }).toThrow('slice: expected an integer 0..1, found 2');
    expect(() => {
      env.send(0, [0]);
    }).toThrow('actions: expected 30 numbers, found 1');
    expect(() => {
      env.send(1, new Int32Array(31).fill(9));
    }).toThrow('action of environment 30: expected one of ');
    env.send(0, new Int32Array(30));
    expect(() => {
      env.send(0);
    }).toThrow('slice: expected a slice that has been received, found slice 0');
    for (const work of [() => env.step(), () => env.reset(), () => env.snapshot(), () => env.state(0)]) {
      expect(work).toThrow('slices: expected all slices received, found 1 not received');
    }
    env.recv();
    expect(() => env.rollout('uniform', {})).toThrow('limits: expected steps or episodes, found neither');
    expect(() => env.rollout('uniform', { steps: -1 })).toThrow('steps: expected an integer');
    expect(() => {
      env.sampleActions('best' as 'uniform');
    }).toThrow('policy: expected one of scenario, uniform, found "best"');
    expect(() => {
      env.configure({ weights: [1] });
    }).toThrow('weights: expected 3 numbers, found 1');
    expect(env.step(new Int32Array(ENVS)).observations).toBe(env.buffers.obs);
  });

  it.each([
    [{ threads: 0 }, 'threads: expected an integer 1..256, found 0'],
    [{ numEnvs: 0 }, 'numEnvs: expected an integer 1..2097152, found 0'],
    [{ numEnvs: 4, slices: 5 }, 'slices: expected an integer 1..4, found 5'],
    [{ bootTimeoutMs: 0 }, 'bootTimeoutMs: expected an integer 1..600000, found 0'],
    [{ seed: -1 }, 'seed: expected an integer'],
  ])('is not created with %o', async (options, message) => {
    await expect(open(options)).rejects.toThrow(message);
  });

  it('can be closed several times', async () => {
    const env = await open({ threads: 2 });
    env.send(0);
    const later = env.recvAsync().then(() => env.recvAsync());
    const ending = expect(later).rejects.toThrow('the pool is closed');
    env.send(1);
    await Promise.all([env.close(), env.close(), ending]);
    await env.close();
    expect(() => env.step()).toThrow('the pool is closed');
    expect(() => {
      env.send(2);
    }).toThrow('the pool is closed');
    expect(env.buffers.obs.length).toBe(ENVS * env.observationSpace.shape[0]);
  });

  it.runIf(DEPTH > 1)('keeps a process alive only while a call waits', async () => {
    const root = new URL('../../', import.meta.url);
    const source = `
      import { loadScenario } from '${root.href}dist/src/index.js';
      import { EnvSession, VectorEnvPool } from '${root.href}dist/src/environments.js';
      const scenario = await loadScenario('scenarios/attrition-direct.yaml');
      const pool = await VectorEnvPool.create(scenario, { threads: 2 });
      const session = await EnvSession.create(scenario);
      pool.send(3);
      const { index } = await pool.recvAsync();
      const { terminations } = await session.step();
      console.log(index, terminations.length);`;
    const folder = mkdtempSync(join(tmpdir(), 'warpool-'));
    writeFileSync(join(folder, 'left-open.mjs'), source);
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, [join(folder, 'left-open.mjs')], { timeout: 30_000, cwd: root });
    rmSync(folder, { recursive: true });
    expect(stdout).toBe('3 1\n');
  });
});

test.runIf(DEPTH > 1)('a million illegal actions affect neither the threads nor other environments', async () => {
  const [numEnvs, steps] = [8192, 330];
  const options = { numEnvs, seed: 3, maxSteps: 20 };
  const calm = await VectorEnv.create(single, options);
  pool = await VectorEnvPool.create(single, { ...options, threads: 2, slices: 4 });
  const { act } = pool.buffers;
  let [wild, reported, word] = [0, 0, 1];
  for (let s = 0; s < steps; s++) {
    for (let e = 0; e < numEnvs; e += 2) {
      word = Math.imul(word, 1_664_525) + 1_013_904_223;
      act[e] = word >>> 30 === 0 ? 0 : word;
      if (act[e] !== 0) wild++;
    }
    const { infos } = pool.step();
    for (let e = 0; e < numEnvs; e += 2) reported += infos.invalid[e] ?? 0;
    calm.step();
  }
  expect(wild).toBeGreaterThanOrEqual(1e6);
  expect(reported).toBe(wild);
  for (const name of ['obs', 'reward', 'terminated', 'truncated', 'invalid', 'episode', 'record', 'metrics'] as const) {
    const [field, other] = [pool.buffers[name], calm.buffers[name]];
    const columns = field.length / numEnvs;
    const stranger = field.findIndex((value, i) => Math.floor(i / columns) % 2 === 1 && value !== other[i]);
    expect(stranger, name).toBe(-1);
  }
});
