/** Token conflict as an environment: turns, observations, and decoded records. */

import { describe, expect, it } from 'vitest';
import { SampledChance } from '../../src/core/chance/sampled-chance.ts';
import { Stream } from '../../src/core/chance/stream.ts';
import { HEAD_BYTES } from '../../src/environments/buffers.ts';
import { createScenarioSpec } from '../../src/environments/env-spec.ts';
import { VectorEnv } from '../../src/environments/vector-env.ts';
import { createPlanModel } from '../../src/rules/token-conflict/model.ts';
import { type ConflictState, getPlan } from '../../src/rules/token-conflict/plan.ts';
import { DEPTH } from '../depth.ts';
import { boundsTest, recordTest } from './alike.ts';
import { Dealer } from './dealer.ts';
import { crowded, dealt } from './token-conflict-dealt.ts';
import { open, scenario } from './token-conflict-fight.ts';

const SEED = 77n;

/** Chance from a stream with random decisions in the order of their requests; records decisions and rules. */
class Dealing extends SampledChance {
  readonly requested: string[] = [];
  readonly reported: string[] = [];
  readonly #deal: Dealer;

  constructor(index: number) {
    super(Stream.forBattle(SEED, index));
    this.#deal = new Dealer(SEED, index);
  }

  override decide<T extends string | number>(point: string, player: string, options: readonly T[]): T {
    const choice = this.#deal.pick(options);
    this.requested.push(`${player} ${point} ${choice}`);
    return choice;
  }

  override rule(id: string, facts: () => object = () => ({})): void {
    this.reported.push(`${id} ${JSON.stringify(facts())}`);
  }
}

/** Scenarios in which somebody has a choice, and others in which possibly nobody has one. */
const scenarios = Array.from({ length: DEPTH === 1 ? 48 : 180 }, (_, index) =>
  index % 6 === 0 ? crowded(index) : dealt(index),
);

/** Scenario of one area with ships for all players and a limit of 0. */
const rivals = scenario(
  open(
    0,
    { a: 3, b: 3, c: 4 },
    Object.fromEntries(['a', 'b', 'c'].map((name) => [name, { advances: ['navalWarfare'], ships: { Delta: 2 } }])),
  ),
);

describe('turns', () => {
  it('are completed by a step', () => {
    const model = createPlanModel(getPlan(rivals), []);
    const follow = (byTurns: number): ConflictState => {
      const chance = new Dealing(1);
      let state = model.step(model.start(chance), chance);
      for (let turn = 0; turn < byTurns; turn++) state = model.turn?.(state, chance) ?? state;
      return model.step(state, chance);
    };
    const whole = follow(0);
    for (const turns of [1, 2, 3]) expect(follow(turns)).toEqual(whole);
    expect([whole.rounds, whole.pending]).toEqual([1, undefined]);
  });

  it('remove no tokens before all equal players have chosen', () => {
    const model = createPlanModel(getPlan(rivals), []);
    const chance = new Dealing(2);
    const started = model.step(model.start(chance), chance);
    const counted = model.turn?.(started, chance);
    const chosen = counted && model.turn?.(counted, chance);
    const through = chosen && model.turn?.(chosen, chance);
    expect(chosen).toEqual({
      ...counted,
      pending: { kind: 'round', groups: [[0, 1], [2]], payments: [expect.any(String)] },
    });
    expect(through).toMatchObject({ pending: { groups: [[2]], payments: [] } });
    const left = (state: ConflictState | undefined) => [...(state?.tokens ?? []), ...(state?.ships ?? [])];
    const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
    expect(left(chosen)).toEqual(left(counted));
    expect(sum(left(through))).toBe(sum(left(counted)) - 2);
  });
});

const wordsOf = (env: VectorEnv, e: number): Int32Array => new Int32Array(env.state(e).slice(HEAD_BYTES).buffer);

const observationOf = (env: VectorEnv, e: number): Record<string, number> => {
  const { features, shape } = env.observationSpace;
  return Object.fromEntries(features.map(({ name }, f) => [name, env.buffers.obs[e * shape[0] + f] ?? Number.NaN]));
};

/** Steps every environment by action names. */
function act(env: VectorEnv, ...names: readonly string[]): void {
  env.step(names.map((name) => env.actionSpace.names.indexOf(name)));
}

describe('players with equal counts', () => {
  it('do not observe the choice of the other until both have chosen', async () => {
    const env = await VectorEnv.create(rivals, { numEnvs: 2, agents: 'all', autoreset: 'disabled' });
    expect(observationOf(env, 0)).toMatchObject({ player: 0, rounds: 1, 'turn.a': 1, 'turn.b': 1, 'turn.c': 2 });
    const before = observationOf(env, 0);
    act(env, 'give:pool', 'give:token');
    for (const e of [0, 1]) expect(observationOf(env, e)).toEqual({ ...before, player: 1 });
    expect(wordsOf(env, 0)).not.toEqual(wordsOf(env, 1));
    act(env, 'give:pool', 'give:pool');
    expect(observationOf(env, 0)).toMatchObject({ player: 2, 'ships.Delta.a': 1, 'tokens.Delta.a': 3, 'turn.a': 0 });
    expect(observationOf(env, 1)).toMatchObject({ player: 2, 'ships.Delta.a': 2, 'tokens.Delta.a': 2, 'turn.c': 1 });
    for (const e of [0, 1]) expect(observationOf(env, e)).toMatchObject({ 'ships.Delta.b': 1, 'stock.a': e });
  });

  it('do not observe the choices of policies', async () => {
    const env = await VectorEnv.create(rivals, { numEnvs: 1, agents: ['b'] });
    expect(observationOf(env, 0)).toMatchObject({ player: 1, 'ships.Delta.a': 2, 'tokens.Delta.a': 3 });
  });
});

describe('drawn counts', () => {
  it('are observed once their area is active', async () => {
    const pool = { advances: ['navalWarfare'], ships: { Delta: 1, Nubia: 1 } };
    const areas = ['Delta', 'Nubia'].map((name) => ({ name, limit: 0, tokens: { a: [3, 9], b: [3, 9] } }));
    const env = await VectorEnv.create(scenario({ areas, players: { a: pool, b: pool } }), { agents: 'all' });
    expect(observationOf(env, 0)).toMatchObject({ area: 0, 'tokens.Nubia.a': 0, 'tokens.Nubia.b': 0 });
    let seen = observationOf(env, 0);
    while (seen['area'] === 0) {
      env.sampleActions('scenario');
      env.step();
      seen = observationOf(env, 0);
    }
    expect(seen['tokens.Nubia.a']).toBeGreaterThan(2);
  });
});

describe('a record', () => {
  recordTest({ scenarios: [rivals, ...scenarios], seed: SEED }, createScenarioSpec(rivals).points);
});

describe('features', () => {
  const full = scenario({
    areas: [
      { name: 'A.1', limit: 0, tokens: { a: 1000, b: 1000, c: [0, 1000] } },
      { name: 'A', limit: 1, city: 'b', tokens: { a: 9 } },
      { name: 'B', limit: 0, city: 'pirates', tokens: { a: 7, b: 3 } },
    ],
    players: {
      a: { stock: 100_000, hand: 100_000, advances: ['navalWarfare', 'advancedMilitary'], ships: { 'A.1': 1000 } },
      b: { stock: 1, hand: 1, advances: ['navalWarfare', 'advancedMilitary'], adjacent: { 'A.1': 1000, A: 3 } },
    },
  });

  boundsTest({ scenarios }, 25);
  boundsTest({ scenarios: [full] }, 4000);

  it('have unique names', () => {
    for (const given of [full, ...scenarios]) {
      const names = createScenarioSpec(given).features.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
    }
    const areas = [
      { name: 'x', limit: 0, tokens: { 'y.z': 1 } },
      { name: 'x.y', limit: 0, tokens: { z: 1 } },
    ];
    const names = createScenarioSpec(scenario({ areas })).features.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['tokens.x.y.z', String.raw`tokens.x\.y.z`]));
  });

  it('have bounds at the largest amounts that players can hold', () => {
    const seen = new Map(createScenarioSpec(full).features.map(({ name, high }) => [name, high]));
    expect(seen.get('stock.a')).toBe(100_000 + 1000 + 9 + 7);
    expect(seen.get('stock.b')).toBe(1 + 1000 + 3 + 1003);
    expect(seen.get('hand.a')).toBe(100_002);
    expect(seen.get('tokens.A.b')).toBe(7);
    expect(seen.get('tokens.B.barbarians')).toBe(7);
    expect(seen.has('stock.barbarians')).toBe(false);
  });
});

describe('players with decisions', () => {
  it('are all except barbarians', () => {
    expect(createScenarioSpec(scenario(open(0, { barbarians: 3, a: 1 }, { b: {} }))).players).toEqual(['b', 'a']);
  });
});
