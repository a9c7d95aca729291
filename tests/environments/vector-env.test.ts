/** VectorEnv: buffers, resets, autoreset modes, snapshots, reseeding, several scenarios, rewards and invalid input. */
import { beforeAll, describe, expect, test } from 'vitest';
import { InputError } from '../../src/core/errors.ts';
import type { VectorEnvOptions } from '../../src/environments/environments.ts';
import { VectorEnv } from '../../src/environments/vector-env.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import type { Scenario } from '../../src/rules/system.ts';

const unit = { attack: 1, defense: 1 };
const duel = (attacker: number, defender: number): Scenario =>
  validateScenario({
    system: 'attrition',
    mode: 'direct',
    attacker: { ...unit, hp: attacker },
    defender: { ...unit, hp: defender },
  });

const even = duel(20, 20);
const open = (options: VectorEnvOptions = {}, scenario = even) =>
  VectorEnv.create(scenario, { numEnvs: 16, ...options });

/** Takes steps of the uniform policy and returns the output of each step. */
function story(env: VectorEnv, steps: number): string[] {
  const reported: string[] = [];
  for (let s = 0; s < steps; s++) {
    env.sampleActions('uniform');
    const { observations, rewards, terminations, infos } = env.step();
    reported.push([...observations, ...rewards, ...terminations, ...infos.mask, ...infos.player].join());
  }
  return reported;
}

describe('views', () => {
  test('stay the same arrays over the same memory', async () => {
    const env = await open({ numEnvs: 256 });
    const { obs } = env.buffers;
    const { buffer } = obs;
    const first = env.step();
    env.rollout('uniform', { steps: 200 });
    env.restore(env.snapshot());
    env.reset({ seed: 9 });
    expect(env.step()).toBe(first);
    expect(first.observations).toBe(obs);
    expect(env.buffers.obs.buffer).toBe(buffer);
    expect(obs.length).toBe(256 * env.observationSpace.shape[0]);
  });

  test('are aligned to 64 bytes', async () => {
    const env = await open({ numEnvs: 3 });
    for (const view of Object.values(env.buffers) as Uint8Array[]) expect(view.byteOffset % 64).toBe(0);
  });

  test('contain observations within the declared bounds', async () => {
    const env = await open({ numEnvs: 64 });
    const { low, high, shape } = env.observationSpace;
    for (let s = 0; s < 50; s++) {
      env.step();
      for (const [k, value] of env.buffers.obs.entries()) {
        expect(value).toBeGreaterThanOrEqual(low[k % shape[0]] ?? 0);
        expect(value).toBeLessThanOrEqual(high[k % shape[0]] ?? 0);
      }
    }
  });
});

describe('episodes', () => {
  test('same-step: obs belongs to the next episode, finalObs to the last one', async () => {
    const env = await open();
    const { buffers: fields } = env;
    while (fields.terminated[0] === 0) env.step();
    expect(fields.episode[0]).toBe(1);
    expect([...fields.obs.subarray(2, 5)]).toEqual([0, 20, 20]);
    expect([...fields.finalObs.subarray(2, 5)]).toEqual([...fields.metrics.subarray(0, 3)]);
    expect(fields.finalReturn[0]).toBe(fields.reward[0]);
    expect(fields.length[0]).toBe(fields.metrics[0]);
  });

  test('next-step: the step after the end starts the next episode and ignores actions', async () => {
    const env = await open({ autoreset: 'next-step' });
    const { buffers: fields } = env;
    while (fields.terminated[0] === 0) env.step();
    expect([fields.episode[0], fields.player[0], fields.phase[0]]).toEqual([0, -4, 0]);
    fields.act[0] = -1;
    env.step();
    expect([fields.episode[0], fields.player[0], fields.terminated[0], fields.invalid[0]]).toEqual([1, 0, 0, 0]);
    expect([...fields.obs.subarray(2, 5)]).toEqual([0, 20, 20]);
  });

  test('disabled: a finished battle does not change until a masked reset', async () => {
    const env = await open({ autoreset: 'disabled' });
    const { buffers: fields } = env;
    env.rollout('uniform', { episodes: 1 });
    const end = [...fields.obs];
    env.step();
    expect([...fields.obs]).toEqual(end);
    expect([...fields.terminated]).toEqual(Array.from({ length: 16 }, () => 1));
    expect([...fields.reward]).toEqual(Array.from({ length: 16 }, () => 0));
    const mask = Array.from({ length: 16 }, (_, e) => e % 2 === 1);
    env.reset({ mask });
    expect([...fields.terminated]).toEqual(mask.map((marked) => Number(!marked)));
    expect([...fields.episode]).toEqual(mask.map(Number));
  });

  test('are the same in all autoreset modes', async () => {
    const ends = await Promise.all(
      (['same-step', 'next-step', 'disabled'] as const).map(async (autoreset) => {
        const env = await open({ autoreset });
        const reported: string[] = [];
        for (let episode = 0; episode < 5; episode++) {
          env.rollout('uniform', { episodes: 1 });
          reported.push([...env.buffers.finalObs, ...env.buffers.outcome, ...env.buffers.length].join());
          if (autoreset === 'next-step') env.rollout('uniform', { steps: 1 });
          if (autoreset === 'disabled') env.reset({ mask: new Uint8Array(16).fill(1) });
        }
        return reported;
      }),
    );
    expect(ends[1]).toEqual(ends[0]);
    expect(ends[2]).toEqual(ends[0]);
  });

  test('are truncated at maxSteps without a reward', async () => {
    const env = await open({ maxSteps: 2 });
    env.step();
    env.step();
    const { truncated, terminated, outcome, reward, length } = env.buffers;
    const cut = [...truncated.keys()].filter((e) => truncated[e] === 1);
    expect(cut.length).toBeGreaterThan(8);
    for (const e of cut) expect([terminated[e], outcome[e], reward[e], length[e]]).toEqual([0, -1, 0, 2]);
  });

  test('are listed in the buffer finished after their last step', async () => {
    const env = await open({ numEnvs: 64 });
    const { buffers: fields } = env;
    for (let s = 0; s < 20; s++) {
      env.step();
      const over = [...fields.terminated.keys()].filter((e) => fields.terminated[e] === 1);
      expect([...fields.finished.subarray(0, over.length)]).toEqual(over);
    }
  });
});

describe('seeds', () => {
  test('determine all steps', async () => {
    const env = await open({ seed: 5 });
    const first = story(env, 40);
    env.reset();
    expect(story(env, 40)).toEqual(first);
    env.reset({ seed: 6 });
    expect(story(env, 40)).not.toEqual(first);
    env.reset({ seed: 5 });
    expect(story(env, 40)).toEqual(first);
  });

  test('seed + 1 does not shift battles to other environments', async () => {
    const [one, two] = [await open({ seed: 42, numEnvs: 64 }), await open({ seed: 43, numEnvs: 64 })];
    for (const env of [one, two]) env.step();
    const row = (env: VectorEnv, e: number) => env.buffers.obs.subarray(e * 5, e * 5 + 5).join();
    const hasEqualResults = Array.from({ length: 63 }, (_, e) => row(one, e + 1) === row(two, e)).filter(Boolean);
    expect(hasEqualResults.length).toBeLessThan(40);
  });

  test('an environment does not depend on the other environments', async () => {
    const all = await open({ numEnvs: 32 });
    const late = await open({ numEnvs: 4, firstEnv: 20 });
    for (let s = 0; s < 60; s++) {
      for (const env of [all, late]) {
        env.sampleActions('uniform');
        env.step();
      }
      expect([...late.buffers.obs]).toEqual([...all.buffers.obs.subarray(20 * 5, 24 * 5)]);
    }
  });
});

describe('states', () => {
  let env: VectorEnv;
  beforeAll(async () => {
    env = await open({ seed: 3 });
  });

  test('a restored snapshot continues in the same way', () => {
    env.rollout('uniform', { steps: 17 });
    const kept = env.snapshot();
    const first = story(env, 30);
    env.restore(kept);
    expect(story(env, 30)).toEqual(first);
  });

  test('a state continues in the same way in another environment', () => {
    env.reset({ seed: 4 });
    env.rollout('uniform', { steps: 3 });
    env.setState(7, env.state(2));
    env.rollout('uniform', { episodes: 1 });
    const metrics = (e: number) => [...env.buffers.metrics.subarray(3 * e, 3 * e + 3)];
    expect(metrics(7)).toEqual(metrics(2));
  });

  test('reseed keeps the observations and changes later steps', () => {
    env.reset({ seed: 4 });
    env.rollout('uniform', { steps: 2 });
    const before = [...env.buffers.obs];
    env.reseed(99);
    expect([...env.buffers.obs]).toEqual(before);
    const rekeyed = story(env, 20);
    env.reset({ seed: 4 });
    env.rollout('uniform', { steps: 2 });
    expect(story(env, 20)).not.toEqual(rekeyed);
  });

  test('reseed continues one state differently in each environment', () => {
    env.reset({ seed: 4 });
    const state = env.state(0);
    for (let e = 0; e < 16; e++) env.setState(e, state);
    env.reseed(5);
    env.rollout('uniform', { episodes: 1 });
    const ends = Array.from({ length: 16 }, (_, e) => env.buffers.metrics.subarray(3 * e, 3 * e + 3).join());
    expect(new Set(ends).size).toBeGreaterThan(8);
  });
});

describe('several scenarios', () => {
  test('are drawn by their weights for each episode', async () => {
    const env = await VectorEnv.create(
      [
        { scenario: duel(20, 5), weight: 1 },
        { scenario: duel(5, 20), weight: 3 },
        { scenario: even, weight: 0 },
      ],
      { numEnvs: 4096, seed: 1 },
    );
    const counts = [0, 1, 2].map((variant) => env.buffers.variant.filter((each) => each === variant).length);
    // 4096 draws of probability 3/4: standard deviation 28; one seed in 1.7 million differs by more than 5 of them.
    expect(Math.abs((counts[1] ?? 0) - 3072)).toBeLessThan(140);
    expect(counts[2]).toBe(0);
    const e = env.buffers.variant.indexOf(1);
    expect([...env.buffers.obs.subarray(5 * e + 3, 5 * e + 5)]).toEqual([5, 20]);
    expect([...env.observationSpace.high].slice(3)).toEqual([20, 20]);
  });

  test('have the value 0 for features that a scenario lacks', async () => {
    const mass = (names: readonly string[]) =>
      validateScenario({
        system: 'attrition',
        mode: 'mass',
        combatants: names.map((name, n) => ({ ...unit, name, party: `party ${String(n % 2)}`, hp: 10 })),
      });
    const env = await VectorEnv.create([mass(['a', 'b']), mass(['a', 'c', 'd'])], { numEnvs: 64, seed: 2 });
    const names = env.observationSpace.features.map(({ name }) => name);
    expect(names.slice(2)).toEqual(['round', 'hp.a', 'hp.b', 'hp.c', 'hp.d']);
    for (let s = 0; s < 40; s++) {
      env.step();
      for (let e = 0; e < 64; e++) {
        const [, , , , b, c] = env.buffers.obs.subarray(7 * e);
        expect(env.buffers.variant[e] === 0 ? c : b).toBe(0);
      }
    }
  });
});

describe('rewards', () => {
  const earned = async (reward: VectorEnvOptions['reward']) => {
    const env = await open({ reward, agents: 'all', numEnvs: 64 });
    env.rollout('uniform', { episodes: 1 });
    const { finalReturn, outcome, metrics } = env.buffers;
    return Array.from({ length: 64 }, (_, e) => ({
      returns: [...finalReturn.subarray(2 * e, 2 * e + 2)],
      outcome: env.configuration.variants[0]?.outcomes[outcome[e] ?? -1],
      metrics: [...metrics.subarray(3 * e, 3 * e + 3)],
    }));
  };

  test('win: 1, -1 or 0 by outcome', async () => {
    const payoff = { attacker: [1, -1], defender: [-1, 1], mutual: [0, 0] };
    for (const { returns, outcome } of await earned('win')) expect(returns).toEqual(payoff[outcome as 'mutual']);
  });

  test('hp: relative difference of hit points', async () => {
    for (const { returns, metrics } of await earned('hp')) {
      const [, attacker = 0, defender = 0] = metrics;
      expect(returns).toEqual([(attacker - defender) / 20, (defender - attacker) / 20].map(Math.fround));
    }
  });

  test('a custom table: sum over outcomes and metrics', async () => {
    const reward = { attacker: { outcomes: { attacker: 2 }, metrics: { rounds: -0.25 } } };
    for (const { returns, outcome, metrics } of await earned(reward)) {
      expect(returns).toEqual([(outcome === 'attacker' ? 2 : 0) - 0.25 * (metrics[0] ?? 0), 0]);
    }
  });
});

describe('illegal actions', () => {
  test('lose the battle without an effect on other environments', async () => {
    const [env, other] = [await open({ agents: 'all' }), await open({ agents: 'all' })];
    env.buffers.act[3] = 1;
    env.step();
    other.step();
    const { invalid, terminated, reward, outcome } = env.buffers;
    expect([invalid[3], terminated[3], outcome[3]]).toEqual([1, 1, -1]);
    expect([...reward.subarray(6, 8)]).toEqual([-1, 0]);
    const neighbors = (e: VectorEnv) => [...e.buffers.obs].filter((_, k) => Math.floor(k / 5) !== 3);
    expect(neighbors(env)).toEqual(neighbors(other));
  });

  test('throw in debug mode before any change', async () => {
    const env = await open({ debug: true });
    const before = [...env.buffers.obs];
    env.buffers.act[3] = 7;
    expect(() => env.step()).toThrow('action of environment 3: expected one of fight, found 7');
    expect([...env.buffers.obs]).toEqual(before);
    env.buffers.act[3] = 0;
    env.step();
    expect([...env.buffers.obs]).not.toEqual(before);
  });
});

describe('invalid input', () => {
  const cases: [string, () => Promise<unknown>, string][] = [
    ['no environments', () => open({ numEnvs: 0 }), 'numEnvs: expected an integer 1..2097152, found 0'],
    ['too many', () => open({ numEnvs: 2 ** 21 + 1 }), 'numEnvs: expected an integer 1..2097152, found 2097153'],
    [
      'indices beyond the last',
      () => open({ firstEnv: 2 ** 21 - 3 }),
      'firstEnv: expected an integer 0..2097136, found 2097149',
    ],
    [
      'a stranger',
      () => open({ agents: ['spectator'] }),
      'agents: expected some of attacker, defender, found "spectator"',
    ],
    ['an agent twice', () => open({ agents: ['attacker', 'attacker'] }), 'agents: expected unique names'],
    ['no such reward', () => open({ reward: 'glory' }), 'reward: expected one of win, hp, material, found "glory"'],
    [
      'a reward of nobody',
      () => open({ reward: { defender: {} } }),
      'reward: expected names among attacker, found "defender"',
    ],
    [
      'no such outcome',
      () => open({ reward: { attacker: { outcomes: { glory: 1 } } } }),
      'reward.attacker.outcomes: expected names among attacker, defender, mutual, stalemate, found "glory"',
    ],
    [
      'no such metric',
      () => open({ reward: { attacker: { metrics: { glory: 1 } } } }),
      'reward.attacker.metrics: expected names among rounds, hp.attacker, hp.defender, found "glory"',
    ],
    [
      'a mode',
      () => open({ autoreset: 'never' as 'disabled' }),
      'autoreset: expected one of next-step, same-step, disabled',
    ],
    ['steps', () => open({ maxSteps: -1 }), 'maxSteps: expected an integer 0..2147483647, found -1'],
    ['a seed', () => open({ seed: -1 }), 'seed: expected an integer 0..18446744073709551615, found -1'],
    ['no scenario', () => VectorEnv.create([]), 'scenarios: expected at least one, found none'],
    ['weights', () => VectorEnv.create([{ scenario: even, weight: -1 }]), 'weight: expected a number >= 0, found -1'],
    [
      'no weight',
      () => VectorEnv.create([{ scenario: even, weight: 0 }]),
      'weight: expected a weight above 0, found none',
    ],
    [
      'two systems',
      () =>
        VectorEnv.create([
          even,
          validateScenario({ system: 'token-conflict', areas: [{ name: 'A', limit: 1, tokens: { x: 1 } }] }),
        ]),
      'scenarios: expected scenarios of one system, attrition, found token-conflict',
    ],
  ];
  test.each(cases)('%s', async (_, act, message) => {
    await expect(act()).rejects.toThrow(message);
    await expect(act()).rejects.toBeInstanceOf(InputError);
  });

  test('arrays of another length are rejected', async () => {
    const env = await open();
    expect(() => env.step([0])).toThrow('actions: expected 16 numbers, found 1');
    expect(() => env.reset({ mask: [1] })).toThrow('mask: expected 16 flags, found 1');
    expect(() => env.reset({ mask: new Uint8Array(16), seed: 1 })).toThrow('seed cannot be combined with mask');
    expect(() => {
      env.restore(new Uint8Array(3));
    }).toThrow('snapshot: expected');
    expect(() => {
      env.setState(0, new Uint8Array(3));
    }).toThrow('state: expected');
    expect(() => {
      env.setState(16, env.state(0));
    }).toThrow('env: expected an integer 0..15, found 16');
  });

  test('a snapshot of another configuration is rejected', async () => {
    const [env, other] = [await open(), await open({}, duel(20, 19))];
    expect(() => {
      env.restore(other.snapshot());
    }).toThrow('snapshot: expected one of the same configuration, found one of another');
  });

  test('environments that exceed the memory are rejected', async () => {
    const combatants = Array.from({ length: 32 }, (_, n) => ({
      ...unit,
      name: `u${String(n)}`,
      party: `p${String(n % 2)}`,
      hp: 9,
    }));
    const crowd = validateScenario({ system: 'attrition', mode: 'mass', combatants });
    await expect(open({ numEnvs: 2 ** 21 }, crowd)).rejects.toThrow('not enough memory');
  });
});
