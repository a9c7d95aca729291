/** Strength and cards as an environment: turns, hidden information, records of the kernel, and bounds. */

import { describe, expect, it } from 'vitest';
import { SampledChance } from '../../src/core/chance/sampled-chance.ts';
import { Stream } from '../../src/core/chance/stream.ts';
import { createEnvSpec, createScenarioSpec } from '../../src/environments/env-spec.ts';
import { VectorEnv } from '../../src/environments/vector-env.ts';
import { playBattle } from '../../src/rules/play-battle.ts';
import { createEnvironment } from '../../src/rules/strength-cards/environment.ts';
import { strengthCards } from '../../src/rules/strength-cards/index.ts';
import { createModel as modelOf } from '../../src/rules/strength-cards/model.ts';
import type { StrengthCards } from '../../src/rules/strength-cards/schema.ts';
import { sampleScenarios } from '../arbitraries.ts';
import { boundsTest, recordTest, turnTests } from './alike.ts';
import { scenario, unit } from './strength-cards-fight.ts';

const samples = sampleScenarios(strengthCards, undefined, 60) as StrengthCards[];

describe('turns', () => {
  turnTests({ system: strengthCards, scenarios: samples }, 1);

  it('can be followed by a step, which continues to the end of the battle', () => {
    const sample = scenario({
      attacker: { units: [unit({ die: 'd3' })], hand: [{ dice: ['d1'] }] },
      defender: { units: [unit({ name: 'A', die: 'd3' }), unit({ name: 'B' })] },
    });
    const model = modelOf(sample);
    const chance = new SampledChance(Stream.forBattle(1n, 0));
    let state = model.start(chance);
    while (state.allocation === undefined) state = model.turn?.(state, chance) ?? state;
    expect(state.allocation).toMatchObject({ side: 'defender', points: 4, hp: [4, 4] });
    expect(model.outcome(state)).toBeUndefined();
    const end = model.step(state, chance);
    const { outcome, metrics } = playBattle(model, new SampledChance(Stream.forBattle(1n, 0)));
    expect([model.outcome(end), model.measure(end)]).toEqual([model.outcomes[outcome], metrics]);
  });
});

const troops = [
  unit({ name: 'A', hp: 3, die: 'd1' }),
  unit({ name: 'B', hp: 2, die: 'd1' }),
  unit({ name: 'C', hp: 4 }),
];
const tokens = [
  { name: 'Fighter', strength: 1, weight: 0.5 },
  { name: 'Bomber', dice: ['d1'] },
];
const hand = [
  { name: 'Feint', hpSymbols: 1 },
  { name: 'Assault', strength: 2, dice: ['d1'], weight: 0 },
  { name: 'Dig in' },
];
const both = scenario({
  attacker: { units: troops, hand, airTokens: tokens },
  defender: { units: troops.slice(0, 2), hand: hand.slice(0, 2), noCard: 1, airTokens: tokens, fortification: 1 },
});

/** Returns observation, mask, player and phase of an environment. */
function seen(env: VectorEnv, e: number) {
  const { obs, mask, player, phase } = env.buffers;
  const [features, actions] = [env.observationSpace.shape[0], env.actionSpace.n];
  return {
    obs: [...obs.subarray(e * features, (e + 1) * features)],
    mask: [...mask.subarray(e * actions, (e + 1) * actions)],
    player: player[e],
    phase: phase[e],
  };
}

/** Creates environments with agents for all players, all in the state of the first one. */
async function copies(numEnvs: number, debug = true): Promise<{ env: VectorEnv; act: (...names: string[]) => void }> {
  const env = await VectorEnv.create(both, { agents: 'all', numEnvs, autoreset: 'disabled', debug });
  for (let e = 1; e < numEnvs; e++) env.setState(e, env.state(0));
  return { env, act: (...names) => void env.step(names.map((name) => env.actionSpace.names.indexOf(name))) };
}

const feature = (env: VectorEnv, e: number, name: string) =>
  seen(env, e).obs[env.observationSpace.features.findIndex((each) => each.name === name)];

describe('actions', () => {
  it('are named, each once, including a card without weight', async () => {
    const { env } = await copies(1);
    expect(env.actionSpace.names).toEqual([
      ...['card:Feint', 'card:Assault', 'card:Dig in', 'card:none'],
      ...['air:play', 'air:hold', 'hit:A', 'hit:B', 'hit:C'],
    ]);
    expect(seen(env, 0)).toMatchObject({ mask: [1, 1, 1, 0, 0, 0, 0, 0, 0], player: 0, phase: 1 });
  });

  it('for cards are hidden from the enemy until both have chosen', async () => {
    const { env, act } = await copies(2);
    act('card:Feint', 'card:Assault');
    expect(seen(env, 0)).toMatchObject({ player: 1, phase: 1, mask: [1, 1, 0, 1, 0, 0, 0, 0, 0] });
    expect(seen(env, 0)).toEqual(seen(env, 1));
    act('card:none', 'card:none');
    expect(seen(env, 0).player).toBe(0);
    const cards = [0, 1].map((e) => ['Feint', 'Assault'].map((name) => feature(env, e, `card.attacker.${name}`)));
    expect(cards).toEqual([
      [1, 0],
      [0, 1],
    ]);
    expect([feature(env, 0, 'symbols.attacker'), feature(env, 0, 'card.defender.none')]).toEqual([1, 1]);
  });

  it('for tokens are hidden only from the enemy, until both have chosen', async () => {
    const { env, act } = await copies(2);
    act('card:Feint', 'card:Feint');
    act('card:none', 'card:none');
    act('air:play', 'air:hold');
    expect([feature(env, 0, 'token'), feature(env, 0, 'air.attacker.Fighter')]).toEqual([1, 1]);
    expect(feature(env, 1, 'air.attacker.Fighter')).toBe(0);
    act('air:hold', 'air:play');
    for (const token of [0, 1]) {
      expect(seen(env, 0)).toMatchObject({ player: 1, phase: 2 });
      expect(feature(env, 0, 'token')).toBe(token);
      expect(seen(env, 0)).toEqual(seen(env, 1));
      act('air:hold', 'air:hold');
    }
    expect(seen(env, 0).phase).toBe(3);
    const simulated = ['Fighter', 'Bomber'].map((name) => feature(env, 1, `air.attacker.${name}`));
    expect([feature(env, 0, 'air.attacker.Fighter'), ...simulated]).toEqual([1, 0, 1]);
  });

  it('for units are chosen point by point, and their order does not affect the state', async () => {
    const { env, act } = await copies(2);
    for (const name of ['card:Dig in', 'card:Feint', 'air:hold', 'air:hold', 'air:play', 'air:play']) act(name, name);
    // Symbols absorb one of two damage and fortification the other: only the attacker's units are hit, by three.
    expect(seen(env, 0)).toMatchObject({ player: 0, phase: 3, mask: [0, 0, 0, 0, 0, 0, 1, 1, 1] });
    expect(
      ['points', 'damage.attacker', 'damage.defender', 'fortification'].map((name) => feature(env, 0, name)),
    ).toEqual([3, 2, 3, 0]);
    act('hit:B', 'hit:A');
    act('hit:A', 'hit:B');
    expect(env.state(0)).toEqual(env.state(1));
    expect(['A', 'B', 'C'].map((name) => feature(env, 0, `hp.attacker.${name}`))).toEqual([2, 1, 4]);
    act('hit:B', 'hit:B');
    expect([...env.buffers.terminated]).toEqual([1, 1]);
    expect(['A', 'B', 'C'].map((name) => feature(env, 0, `hp.attacker.${name}`))).toEqual([2, 0, 4]);
  });

  it('for a unit that has fallen lose the battle', async () => {
    const { env, act } = await copies(1, false);
    for (const name of ['card:Dig in', 'card:Feint', 'air:hold', 'air:hold', 'air:play', 'air:play']) act(name);
    act('hit:B');
    act('hit:B');
    expect(seen(env, 0)).toMatchObject({ player: 0, phase: 3, mask: [0, 0, 0, 0, 0, 0, 1, 0, 1] });
    act('hit:B');
    expect([env.buffers.invalid[0], [...env.buffers.reward]]).toEqual([1, [-1, 0]]);
  });
});

describe('a battle of the kernel', () => {
  recordTest({ scenarios: [both, ...samples], seed: 9n }, ['card', 'air', 'losses']);
  boundsTest({ scenarios: [both, ...samples] }, 12);
});

describe('rewards', () => {
  const worth = (given: StrengthCards, reward: string, player: string, values: Readonly<Record<string, number>>) =>
    Object.entries(createEnvironment(given).rewards?.[reward]?.(player) ?? {}).reduce(
      (sum, [name, w]) => sum + w * (values[name] ?? 0),
      0,
    );

  it('are shares of hp and units at the start, and the captured area', () => {
    const end = {
      'hp.attacker': 3,
      'hp.defender': 5,
      'lost.attacker': 1,
      'lost.defender': 0,
      eliminated: 1,
      captured: 1,
    };
    const rewards = Object.keys(createEnvironment(both).rewards ?? {});
    const values = rewards.map((reward) => worth(both, reward, 'attacker', end));
    expect(values).toEqual([3 / 9 - 1, 1 / 2 - 1 / 3, 1]);
    const ofDefender = rewards.map((reward) => worth(both, reward, 'defender', end));
    expect(ofDefender).toEqual(values.map((value) => -value));
    expect(['attacker', 'defender'].map((side) => createScenarioSpec(both).payoff('attacker', side))).toEqual([1, -1]);
  });

  it('for material count eliminated units as losses of the side that cannot retreat', () => {
    const given = (attacker: string, defender: string) =>
      scenario({
        attacker: { units: troops, retreatTo: attacker },
        defender: { units: troops.slice(0, 2), retreatTo: defender },
      });
    const end = { 'lost.attacker': 1, 'lost.defender': 1, eliminated: 1 };
    expect(worth(given('none', 'friendly'), 'material', 'attacker', end)).toBeCloseTo(-2 / 3 + 1 / 2, 14);
    expect(worth(given('none', 'friendly'), 'material', 'defender', end)).toBeCloseTo(2 / 3 - 1 / 2, 14);
    expect(worth(given('origin', 'none'), 'material', 'attacker', end)).toBeCloseTo(-1 / 3 + 1, 14);
  });

  it('for material are rejected if units of either side can be eliminated', () => {
    const pocket = scenario({
      attacker: { units: troops, retreatTo: 'none' },
      defender: { units: troops, retreatTo: 'none' },
    });
    const reported =
      'reward: expected hp, capture or a table: eliminated units can be of either side where both have ' +
      'retreatTo: none, found "material"';
    expect(() => createEnvSpec([{ scenario: pocket }], { reward: 'material' })).toThrow(reported);
    expect(() => createEnvSpec([{ scenario: pocket }], { reward: 'hp' })).not.toThrow();
  });
});
