/** Arguments of environments of each kind: all are validated before anything changes. */
import { readdirSync } from 'node:fs';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Stream } from '../../src/core/chance/stream.ts';
import { InputError, RunError } from '../../src/core/errors.ts';
import { EnvSession, VectorEnv, VectorEnvPool } from '../../src/environments.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import type { Scenario } from '../../src/rules/system.ts';

const ENVS = 16;
const OPTIONS = { numEnvs: ENVS, agents: 'all', seed: 3 } as const;

let scenario: Scenario;
const kinds = ['VectorEnv', 'VectorEnv in debug mode', 'VectorEnvPool', 'Session'] as const;
const opened = new Map<string, VectorEnv | VectorEnvPool | EnvSession>();
beforeAll(async () => {
  scenario = await loadScenario('scenarios/phased-dice-ground.yaml');
  opened.set(kinds[0], await VectorEnv.create(scenario, OPTIONS));
  opened.set(kinds[1], await VectorEnv.create(scenario, { ...OPTIONS, debug: true }));
  opened.set(kinds[2], await VectorEnvPool.create(scenario, { ...OPTIONS, threads: 1 }));
  opened.set(kinds[3], await EnvSession.create(scenario, OPTIONS));
});
afterAll(async () => {
  for (const env of opened.values()) if (!(env instanceof VectorEnv)) await env.close();
});

const environments = (kind: string): VectorEnv | VectorEnvPool | EnvSession => {
  const env = opened.get(kind);
  if (env === undefined) throw new Error(`no ${kind}`);
  return env;
};

/** Serializes all buffers, including the states. */
const everything = ({ buffers: fields }: VectorEnv | VectorEnvPool | EnvSession): string =>
  Object.values(fields)
    .map((field: ArrayLike<number>) => Array.from(field).join())
    .join(';');

async function rejection(act: () => unknown): Promise<string> {
  try {
    await act();
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    return (error as Error).message;
  }
  return 'taken';
}

/** Invalid actions, most of which an array of integers would convert to action 0. */
const NO_ACTIONS: readonly unknown[] = [
  Number.NaN,
  undefined,
  'x',
  '1',
  Number.POSITIVE_INFINITY,
  1.5,
  null,
  true,
  2 ** 32,
  -(2 ** 40),
  {},
  [1],
  1n,
];

describe.each(kinds)('%s', (kind) => {
  test.each(NO_ACTIONS.map((action) => [typeof action === 'bigint' ? '1n' : String(action), action]))(
    'rejects the action %s without any change',
    async (_text, action) => {
      const env = environments(kind);
      await env.reset({ seed: 1 });
      await env.sampleActions('scenario');
      const before = everything(env);
      const actions: unknown[] = Array.from(env.buffers.act);
      actions[5] = action;
      const found = await rejection(() => env.step(actions as number[]));
      expect(found).toMatch(/^action of environment 5: expected an integer -2147483648\.\.2147483647, found /);
      expect(everything(env)).toBe(before);
      await env.step();
    },
  );

  test('accepts whole numbers in float arrays, and rejects NaN and wrong lengths', async () => {
    const env = environments(kind);
    await env.reset({ seed: 1 });
    await env.sampleActions('scenario');
    const floats = Float64Array.from(env.buffers.act);
    await env.step(floats);
    await env.sampleActions('scenario');
    const other = Float32Array.from(env.buffers.act);
    other[0] = Number.NaN;
    expect(await rejection(() => env.step(other))).toContain('action of environment 0');
    expect(await rejection(() => env.step([0]))).toBe('actions: expected 16 numbers, found 1');
    expect(await rejection(() => env.step(7 as never))).toBe('actions: expected 16 numbers, found undefined');
  });

  test.each<[unknown, unknown, string]>([
    [0, 1e6, 'to: expected an integer 0..16, found 1000000'],
    [16, 3000, 'to: expected an integer 16..16, found 3000'],
    [-40, 0, 'from: expected an integer 0..16, found -40'],
    [17, 17, 'from: expected an integer 0..16, found 17'],
    [5, 4, 'to: expected an integer 5..16, found 4'],
    [0.5, 4, 'from: expected an integer 0..16, found 0.5'],
    [0, Number.NaN, 'to: expected an integer 0..16, found NaN'],
    ['0', 4, 'from: expected an integer 0..16, found "0"'],
    [0, 2 ** 32, 'to: expected an integer 0..16, found 4294967296'],
  ])('rejects reseed from %j to %j', async (from, to, message) => {
    const env = environments(kind);
    await env.reset({ seed: 1 });
    const before = everything(env);
    expect(await rejection(() => env.reseed(1, from as number, to as number))).toBe(message);
    expect(everything(env)).toBe(before);
    await env.reseed(1, 16, 16);
    expect(everything(env)).toBe(before);
    await env.reseed(2, 15, 16);
    expect(everything(env)).not.toBe(before);
    await env.rollout('uniform', { episodes: 1 });
  });

  test.each<[unknown, string]>([
    [Number.NaN, 'NaN'],
    ['1', '"1"'],
    [undefined, 'nothing'],
    [null, 'null'],
  ])('rejects a mask with %j', async (flag, found) => {
    const env = environments(kind);
    const mask: unknown[] = new Array(ENVS).fill(1);
    mask[9] = flag;
    const before = everything(env);
    const message = `mask of environment 9: expected a number, true or false, found ${found}`;
    expect(await rejection(() => env.reset({ mask: mask as number[] }))).toBe(message);
    expect(everything(env)).toBe(before);
  });

  test('resets environments whose mask is not 0, also with numbers beyond a byte', async () => {
    const env = environments(kind);
    await env.reset({ seed: 1 });
    const mask = [0, 1, 2, 256, 0.5, -1, 512, false, true, 2 ** 40, -0, 0, 0, 0, 0, 0];
    await env.reset({ mask });
    expect(Array.from(env.buffers.episode)).toEqual([0, 1, 1, 1, 1, 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0]);
  });

  test('rejects snapshots and states of another type or length', async () => {
    const env = environments(kind);
    const [snapshot, state] = [await env.snapshot(), await env.state(0)];
    const restore = (bytes: unknown): Promise<string> => rejection(() => env.restore(bytes as Uint8Array));
    const put = (bytes: unknown): Promise<string> => rejection(() => env.setState(0, bytes as Uint8Array));
    const size = String(snapshot.length);
    expect(await restore(snapshot.slice(1))).toBe(
      `snapshot: expected ${size} bytes, found ${String(snapshot.length - 1)}`,
    );
    expect(await restore(Array.from(snapshot))).toBe(`snapshot: expected a Uint8Array, found a list of ${size}`);
    expect(await restore(new Float64Array(snapshot.length))).toMatch(/^snapshot: expected a Uint8Array/);
    expect(await restore('x')).toBe('snapshot: expected a Uint8Array, found "x"');
    expect(await restore(undefined)).toBe('snapshot: expected a Uint8Array, found nothing');
    expect(await put(new Uint8Array(3))).toBe(`state: expected ${String(state.length)} bytes, found 3`);
    expect(await put(Array.from(state))).toMatch(/^state: expected a Uint8Array/);
    await env.restore(snapshot);
    await env.setState(0, state);
  });
});

/** Size of the head of a record in bytes. */
const HEAD = 48;

describe('records', () => {
  const wrong: [string, number, number, string][] = [
    ['variant', 4, 1, '0'],
    ['variant', 4, -1, '0'],
    ['point', 5, 3, '-1..2'],
    ['point', 5, -2, '-1..2'],
    ['player', 6, 2, '0..1'],
    ['player', 6, -1, '0..1'],
    ['outcome', 7, -2, '-1..4'],
    ['outcome', 7, 5, '-1..4'],
    ['status', 8, 1, '0'],
    ['status', 8, -1, '0'],
    ['word 10', 10, 1, '0'],
    ['word 11', 11, -1, '0'],
  ];
  test.each(wrong)('with a head whose %s (word %i) is %i are rejected', async (name, word, found, expected) => {
    for (const kind of kinds) {
      const env = environments(kind);
      await env.reset({ seed: 5 });
      const before = everything(env);
      const reported = `, ${name}: expected ${expected}, found ${String(found)}`;
      const state = (await env.state(1)).slice();
      new DataView(state.buffer).setInt32(4 * word, found, true);
      expect(await rejection(() => env.setState(1, state))).toBe(`state${reported}`);
      const snapshot = (await env.snapshot()).slice();
      const at = snapshot.length - (ENVS - 1) * env.stateBytes;
      new DataView(snapshot.buffer).setInt32(at + 4 * word, found, true);
      expect(await rejection(() => env.restore(snapshot))).toBe(`snapshot${reported}`);
      expect(everything(env)).toBe(before);
    }
  });

  test('of ended episodes are accepted only if the autoreset mode has such a status', async () => {
    const state = (await VectorEnv.create(scenario, { numEnvs: 1, autoreset: 'disabled' })).state(0).slice();
    for (const [autoreset, range] of [['same-step', '0'] as const, ['next-step', '0..2'] as const]) {
      const env = await VectorEnv.create(scenario, { numEnvs: 1, autoreset });
      for (const status of [2, 3]) {
        new DataView(state.buffer).setInt32(4 * 8, status, true);
        const reported = `state, status: expected ${range}, found ${String(status)}`;
        expect(
          await rejection(() => {
            env.setState(0, state);
          }),
        ).toBe(range === '0' || status === 3 ? reported : 'taken');
      }
    }
  });

  test('of random bytes are rejected', async () => {
    const env = environments('VectorEnv');
    const stream = Stream.forBattle(1n, 0);
    for (let turn = 0; turn < 500; turn++) {
      const bytes = Uint8Array.from({ length: env.stateBytes }, () => uniformInt(stream, 0, 255));
      expect(await rejection(() => env.setState(0, bytes))).toMatch(/^state, \w+( \d+)?: expected /);
    }
  });

  const examples = readdirSync('scenarios').filter((name) => name.endsWith('.yaml'));
  test.each(examples)('of %s are accepted at every step of a battle', async (name) => {
    const simulated = await loadScenario(`scenarios/${name}`);
    for (const autoreset of ['same-step', 'next-step', 'disabled'] as const) {
      const env = await VectorEnv.create(simulated, { numEnvs: 8, agents: 'all', autoreset, maxSteps: 7 });
      for (let turn = 0; turn < 12; turn++) {
        const before = everything(env);
        for (let e = 0; e < env.numEnvs; e++) env.setState(e, env.state(e));
        env.restore(env.snapshot());
        expect(everything(env)).toBe(before);
        env.sampleActions('uniform');
        env.step(turn % 5 === 4 ? new Int32Array(env.numEnvs).fill(-1) : undefined);
      }
    }
  });
});

describe('a kernel that fails', () => {
  /** Sets states with valid heads and random bytes of the battle until the kernel traps. @returns its error */
  function failed(env: VectorEnv): RunError {
    let state = 1;
    for (let turn = 0; turn < 400; turn++) {
      const bytes = env.state(0).map((byte, at) => {
        state = Math.imul(state, 48_271) >>> 0;
        return at < HEAD ? byte : state >>> 24;
      });
      try {
        env.setState(0, bytes);
        env.step();
      } catch (error) {
        if (error instanceof RunError) return error;
        throw error;
      }
    }
    throw new Error('no state was bad enough');
  }

  test('reports the same error in all later calls', async () => {
    const siege = await loadScenario('scenarios/cube-bag-siege.yaml');
    const env = await VectorEnv.create(siege, { numEnvs: 2 });
    const failure = failed(env);
    expect(failure.message).toMatch(/^the kernel failed, so its environments cannot be used any more: /);
    expect(failure.cause).toBeInstanceOf(WebAssembly.RuntimeError);
    const acts: (() => unknown)[] = [
      () => env.step(),
      () => env.reset(),
      () => env.state(0),
      () => env.snapshot(),
      () => env.rollout('uniform', { steps: 1 }),
    ];
    for (const act of acts) expect(act).toThrow(failure.message);
    expect(() => {
      env.reseed(1);
    }).toThrow(failure.message);
    // New environments are not affected.
    const fresh = await VectorEnv.create(siege, { numEnvs: 2 });
    expect(fresh.rollout('uniform', { episodes: 1 })).toBeGreaterThan(0);
  });
});
