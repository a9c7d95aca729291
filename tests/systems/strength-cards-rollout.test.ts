/** Strength and cards as an environment: turns, what is hidden when, states of the kernel, bounds. */

import { describe, expect, it } from 'vitest';
import { ReferenceBattle } from '../../src/agents/battle.ts';
import { configurationOf } from '../../src/agents/configuration.ts';
import { HEAD_BYTES } from '../../src/agents/fields.ts';
import { battleIndex } from '../../src/agents/reference.ts';
import { specOf } from '../../src/agents/spec.ts';
import { VectorEnv } from '../../src/agents/vector-env.ts';
import type { Dice, Facts, Lot } from '../../src/core/chance/door.ts';
import { Sampled } from '../../src/core/chance/sampled.ts';
import { battleKey, Stream } from '../../src/core/chance/stream.ts';
import { playBattle } from '../../src/rules/battle.ts';
import { strengthCards } from '../../src/rules/strength-cards/index.ts';
import { type EngagementState, model as modelOf } from '../../src/rules/strength-cards/model.ts';
import { rollout } from '../../src/rules/strength-cards/rollout.ts';
import type { StrengthCards } from '../../src/rules/strength-cards/schema.ts';
import type { Key } from '../../src/rules/system.ts';
import { sampleScenarios } from '../arbitraries.ts';
import { scenario, unit } from './strength-cards-fight.ts';

/** Bytes of a record before the words of its battle. */

const samples = sampleScenarios(strengthCards, undefined, 60) as StrengthCards[];

/** Writes down all that rules ask for and say; decides anything, by place in a stream of its own. */
class Listening extends Sampled {
  readonly heard: string[] = [];
  readonly #whims: Stream;

  constructor(battle: number) {
    super(Stream.of(3n, battle));
    this.#whims = Stream.of(4n, battle);
  }

  override seek(word: number, half: 0 | 1 = 0): void {
    this.heard.push(`seek ${String(word)}`);
    super.seek(word, half);
  }

  override sum(dice: Dice): number {
    this.heard.push('draw');
    return super.sum(dice);
  }

  override faces(lots: readonly Lot[]): number {
    this.heard.push('draw');
    return super.faces(lots);
  }

  override decide<T extends string | number>(point: string, who: string, options: readonly T[], policy: () => T): T {
    this.heard.push(`decide ${point} ${who} ${options.join()} ${String(policy())}`);
    return options[this.#whims.word() % options.length] as T;
  }

  override rule(id: string, facts?: () => Facts): void {
    this.heard.push(`rule ${id} ${JSON.stringify(facts?.())}`);
  }
}

describe('turns', () => {
  it('make up steps: the same draws, decisions, rules and states', () => {
    let longest = 0;
    for (const [battle, sample] of samples.entries()) {
      const model = modelOf(sample);
      const [whole, divided] = [new Listening(battle), new Listening(battle)];
      let state = model.start(whole);
      let part = model.start(divided);
      while (model.outcome(state) === undefined) {
        state = model.step(state, whole);
        let turns = 0;
        for (; part.done < state.done; turns++) part = model.turn?.(part, divided) ?? part;
        longest = Math.max(longest, turns);
        expect(part).toEqual(state);
        expect(model.key(part)).toBe(model.key(state));
        expect(divided.heard).toEqual(whole.heard);
      }
    }
    expect(longest).toBeGreaterThan(5);
  });

  it('have one decision each at most, before anything is drawn', () => {
    for (const [battle, sample] of samples.entries()) {
      const model = modelOf(sample);
      const door = new Listening(battle);
      let state = model.start(door);
      const keys = new Set<Key>();
      while (model.outcome(state) === undefined) {
        expect(keys.has(model.key(state))).toBe(false);
        keys.add(model.key(state));
        const before = door.heard.length;
        state = model.turn?.(state, door) ?? state;
        const heard = door.heard.slice(before).map((line) => line.split(' ')[0]);
        const decisions = heard.filter((what) => what === 'decide').length;
        expect(decisions).toBeLessThanOrEqual(1);
        if (decisions > 0) expect(heard.slice(0, heard.indexOf('decide'))).not.toContain('draw');
      }
    }
  });

  it('can be left: a step from between them goes on to the end of the battle', () => {
    const sample = scenario({
      attacker: { units: [unit({ die: 'd3' })], hand: [{ dice: ['d1'] }] },
      defender: { units: [unit({ name: 'A', die: 'd3' }), unit({ name: 'B' })] },
    });
    const model = modelOf(sample);
    const door = new Sampled(Stream.of(1n, 0));
    let state = model.start(door);
    while (state.ordeal === undefined) state = model.turn?.(state, door) ?? state;
    expect(state.ordeal).toMatchObject({ side: 'defender', points: 4, hp: [4, 4] });
    expect(model.outcome(state)).toBeUndefined();
    const end = model.step(state, door);
    const { outcome, metrics } = playBattle(model, new Sampled(Stream.of(1n, 0)));
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

/** What an environment shows of its battle: observation, mask, player and phase. */
function seen(env: VectorEnv, e: number) {
  const { obs, mask, player, phase } = env.fields;
  const [features, actions] = [env.observationSpace.shape[0], env.actionSpace.n];
  return {
    obs: [...obs.subarray(e * features, (e + 1) * features)],
    mask: [...mask.subarray(e * actions, (e + 1) * actions)],
    player: player[e],
    phase: phase[e],
  };
}

/** Environments in which everyone is asked, all in the state of the first. */
async function copies(numEnvs: number, debug = true): Promise<{ env: VectorEnv; act: (...names: string[]) => void }> {
  const env = await VectorEnv.make(both, { agents: 'all', numEnvs, autoreset: 'disabled', debug });
  for (let e = 1; e < numEnvs; e++) env.setState(e, env.state(0));
  return { env, act: (...names) => void env.step(names.map((name) => env.actionSpace.names.indexOf(name))) };
}

const feature = (env: VectorEnv, e: number, name: string) =>
  seen(env, e).obs[env.observationSpace.features.findIndex((each) => each.name === name)];

describe('choices', () => {
  it('are actions by name, each once, a card without weight too', async () => {
    const { env } = await copies(1);
    expect(env.actionSpace.names).toEqual([
      ...['card:Feint', 'card:Assault', 'card:Dig in', 'card:none'],
      ...['air:play', 'air:hold', 'hit:A', 'hit:B', 'hit:C'],
    ]);
    expect(seen(env, 0)).toMatchObject({ mask: [1, 1, 1, 0, 0, 0, 0, 0, 0], player: 0, phase: 1 });
  });

  it('of a card are hidden from the enemy until both have played one', async () => {
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

  it('of tokens are hidden from the enemy until both have made theirs, and known to him who makes them', async () => {
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
    const played = ['Fighter', 'Bomber'].map((name) => feature(env, 1, `air.attacker.${name}`));
    expect([feature(env, 0, 'air.attacker.Fighter'), ...played]).toEqual([1, 0, 1]);
  });

  it('of units come one by one, while they matter; their order leaves no trace', async () => {
    const { env, act } = await copies(2);
    for (const name of ['card:Dig in', 'card:Feint', 'air:hold', 'air:hold', 'air:play', 'air:play']) act(name, name);
    // Two damage, of which symbols take one and fortification the other: only the attacker's units are hit, by three.
    expect(seen(env, 0)).toMatchObject({ player: 0, phase: 3, mask: [0, 0, 0, 0, 0, 0, 1, 1, 1] });
    expect(
      ['points', 'damage.attacker', 'damage.defender', 'fortification'].map((name) => feature(env, 0, name)),
    ).toEqual([3, 2, 3, 0]);
    act('hit:B', 'hit:A');
    act('hit:A', 'hit:B');
    expect(env.state(0)).toEqual(env.state(1));
    expect(['A', 'B', 'C'].map((name) => feature(env, 0, `hp.attacker.${name}`))).toEqual([2, 1, 4]);
    act('hit:B', 'hit:B');
    expect([...env.fields.terminated]).toEqual([1, 1]);
    expect(['A', 'B', 'C'].map((name) => feature(env, 0, `hp.attacker.${name}`))).toEqual([2, 0, 4]);
  });

  it('of a unit that has fallen loses', async () => {
    const { env, act } = await copies(1, false);
    for (const name of ['card:Dig in', 'card:Feint', 'air:hold', 'air:hold', 'air:play', 'air:play']) act(name);
    act('hit:B');
    act('hit:B');
    expect(seen(env, 0)).toMatchObject({ player: 0, phase: 3, mask: [0, 0, 0, 0, 0, 0, 1, 0, 1] });
    act('hit:B');
    expect([env.fields.invalid[0], [...env.fields.reward]]).toEqual([1, [-1, 0]]);
  });
});

interface End {
  readonly e: number;
  readonly outcome: string | undefined;
  readonly metrics: readonly number[];
}

/** Lets the scenario's policy play on in the kernel, looks at the ends, and comes back. */
function expectEnds(env: VectorEnv, outcomes: readonly string[], expected: readonly End[]): void {
  const before = env.snapshot();
  env.rollout('scenario', { episodes: 1, steps: 200 });
  const { outcome, metrics } = env.fields;
  const count = env.configuration.metrics;
  for (const end of expected) {
    expect(outcomes[outcome[end.e] ?? -1]).toBe(end.outcome);
    expect([...metrics.subarray(end.e * count, (end.e + 1) * count)]).toEqual(end.metrics);
  }
  env.restore(before);
}

describe('a battle of the kernel', () => {
  const SEED = 9n;
  const ENVS = 4;

  it('is a state of the rules, and ends as they do from there', async () => {
    const points = new Set<string>();
    for (const sample of [both, ...samples]) {
      const configuration = configurationOf([{ scenario: sample }], { agents: 'all' });
      const [variant] = configuration.variants;
      if (variant === undefined) throw new Error('no variant');
      const env = await VectorEnv.make(sample, { agents: 'all', numEnvs: ENVS, seed: SEED, autoreset: 'disabled' });
      const streams = Array.from({ length: ENVS }, (_, e) => Stream.keyed(battleKey(SEED, battleIndex(e, 0))));
      const twins = streams.map((stream) => new ReferenceBattle(configuration, variant, stream));
      for (let step = 0; step < 12; step++) {
        const { low, high } = env.observationSpace;
        const ends: End[] = [];
        for (const [e, stream] of streams.entries()) {
          const { obs, player } = seen(env, e);
          expect(obs.every((value, f) => value >= (low[f] ?? 0) && value <= (high[f] ?? 0))).toBe(true);
          const twin = twins[e];
          if (twin?.pending === undefined) continue;
          points.add(twin.pending.point);
          const words = new Int32Array(env.state(e).slice(HEAD_BYTES).buffer);
          const { kernel, observe } = variant.spec;
          const state = kernel?.decode(words) as EngagementState;
          expect(state).toEqual(twin.state);
          const sight = observe(state, variant.players[player ?? -1]).filter((_, f) => (variant.slotOf[f] ?? -1) >= 0);
          expect(obs.slice(1 + env.points.length)).toEqual(sight);
          const rest = new ReferenceBattle(configuration, variant, stream, { state });
          while (rest.pending !== undefined) rest.take(rest.pending.policy);
          ends.push({ e, outcome: rest.outcome, metrics: variant.model.measure(rest.state) });
        }
        expectEnds(env, variant.outcomes, ends);
        env.suggest('uniform');
        for (const [e, twin] of twins.entries()) {
          if (twin.pending === undefined) continue;
          const option = twin.optionOf(env.fields.act[e] ?? -1);
          if (option === undefined) throw new Error('an illegal action');
          twin.take(option);
        }
        env.step();
      }
    }
    expect([...points].sort()).toEqual(['air', 'card', 'losses']);
  });
});

describe('rewards', () => {
  const worth = (given: StrengthCards, reward: string, player: string, values: Readonly<Record<string, number>>) =>
    Object.entries(rollout(given).rewards?.[reward]?.(player) ?? {}).reduce(
      (sum, [name, w]) => sum + w * (values[name] ?? 0),
      0,
    );

  it('are shares of what both sides began with, and the area', () => {
    const end = {
      'hp.attacker': 3,
      'hp.defender': 5,
      'lost.attacker': 1,
      'lost.defender': 0,
      eliminated: 1,
      captured: 1,
    };
    const rewards = Object.keys(rollout(both).rewards ?? {});
    const values = rewards.map((reward) => worth(both, reward, 'attacker', end));
    expect(values).toEqual([3 / 9 - 1, 1 / 2 - 1 / 3, 1]);
    const ofDefender = rewards.map((reward) => worth(both, reward, 'defender', end));
    expect(ofDefender).toEqual(values.map((value) => -value));
    expect(['attacker', 'defender'].map((side) => specOf(both).worth('attacker', side))).toEqual([1, -1]);
  });

  it('of material count eliminated units as those of the side that cannot retreat', () => {
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

  it('of material are refused where these can be of either', () => {
    const pocket = scenario({
      attacker: { units: troops, retreatTo: 'none' },
      defender: { units: troops, retreatTo: 'none' },
    });
    const told =
      'reward: expected hp, capture or a table: eliminated units can be of either side where both have ' +
      'retreatTo: none, found "material"';
    expect(() => configurationOf([{ scenario: pocket }], { reward: 'material' })).toThrow(told);
    expect(() => configurationOf([{ scenario: pocket }], { reward: 'hp' })).not.toThrow();
  });
});
