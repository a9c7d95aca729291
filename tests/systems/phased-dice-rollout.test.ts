/** Phased dice as an environment: observations, hidden information, bounds, and records of the kernel. */
import { describe, expect, it } from 'vitest';
import { loadKernel, SystemKernel } from '../../src/engines/kernel/kernel.ts';
import { createScenarioSpec } from '../../src/environments/env-spec.ts';
import { computeBattleIndex } from '../../src/environments/reference-env.ts';
import { VectorEnv } from '../../src/environments/vector-env.ts';
import type { CombatState } from '../../src/rules/phased-dice/army.ts';
import { phasedDice } from '../../src/rules/phased-dice/index.ts';
import type { PhasedDice } from '../../src/rules/phased-dice/schema.ts';
import { DEPTH } from '../depth.ts';
import { boundsTest, recordTest } from './alike.ts';
import { dealt } from './phased-dice-dealt.ts';
import { scenario } from './phased-dice-fight.ts';

const SEED = 79n;
const ENVS = 6;

/** Bytes of a record before the words of its battle. */
const HEAD = 48;

const make = (given: PhasedDice, options: object = {}): Promise<VectorEnv> =>
  VectorEnv.create(given, { numEnvs: ENVS, agents: 'all', autoreset: 'disabled', seed: SEED, ...options });

/** Returns the observation of an environment by feature name. */
function shown(env: VectorEnv, e = 0): Record<string, number> {
  const { features } = env.observationSpace;
  return Object.fromEntries(features.map(({ name }, f) => [name, env.buffers.obs[e * features.length + f] ?? -1]));
}

function legal(env: VectorEnv, e = 0): string[] {
  const { n, names } = env.actionSpace;
  return names.filter((_, a) => env.buffers.mask[e * n + a] === 1);
}

function act(env: VectorEnv, action: string): void {
  env.step(new Int32Array(env.numEnvs).fill(env.actionSpace.names.indexOf(action)));
}

/** Returns the words of a battle. */
function wordsOf(env: VectorEnv, e: number): Int32Array {
  return new Int32Array(env.state(e).slice(HEAD).buffer);
}

/** Returns the state without the reported fallen units, which the kernel's words do not contain. */
function untold(state: CombatState): CombatState {
  const { pending } = state;
  return pending === undefined ? state : { ...state, pending: { ...pending, fallen: pending.fallen.map(() => 0) } };
}

const some = Array.from({ length: DEPTH > 1 ? 120 : 24 }, (_, index) => dealt(index));

const example = scenario({
  attacker: { units: { cannon: 6, knight: 4, rifleman: 5, spearman: 2 } },
  defender: { units: { trebuchet: 3, cannon: 6, dragoon: 4, rifleman: 5 } },
});

describe('the environment', () => {
  it('has actions for land classes, the types of both sides, and the retreat', () => {
    expect(createScenarioSpec(example).actions).toEqual([
      ...['target:artillery', 'target:cavalry', 'target:infantry'],
      ...['trebuchet', 'cannon', 'knight', 'dragoon', 'spearman', 'rifleman'].map((name) => `lose:${name}`),
      ...['stay', 'retreat'],
    ]);
    const fleet = scenario({ mode: 'fleet', attacker: { units: { jet: 1 } }, defender: { units: { galley: 1 } } });
    expect(createScenarioSpec(fleet).actions).toEqual(['lose:jet', 'lose:galley', 'stay', 'retreat']);
  });

  it('pays 1 to the winner, -1 to the loser and 0 for other outcomes', () => {
    const value = (player: string) =>
      phasedDice.model(example).outcomes.map((outcome) => createScenarioSpec(example).payoff(outcome, player));
    expect(value('attacker')).toEqual([1, -1, 0, 0, 0]);
    expect(value('defender')).toEqual([-1, 1, 0, 0, 0]);
  });

  it('has a material reward by shares of units', () => {
    expect(createScenarioSpec(example).rewards['material']?.('attacker')).toEqual({
      'left.attacker': 1 / 17,
      'left.defender': -1 / 18,
    });
    expect(createScenarioSpec(example).rewards['material']?.('defender')).toEqual({
      'left.defender': 1 / 18,
      'left.attacker': -1 / 17,
    });
  });
});

describe('an attacker with only aircraft', () => {
  const given = scenario({
    attacker: { units: { biplane: 1, cart: 1 } },
    defender: { units: { cart: 1, titan: 1 }, target: ['infantry'] },
    unitTypes: {
      cart: { class: 'infantry', era: 1, dice: 0 },
      titan: { class: 'artillery', era: 1, hits: 9, bonus: 5 },
    },
  });

  it.each([
    ['stay', 'defender'],
    ['retreat', 'retreat'],
  ])('decides at the end of the round, which ends the battle: %s', async (action, outcome) => {
    const env = await make(given, { numEnvs: 1 });
    expect(legal(env)).toEqual(['stay', 'retreat']);
    expect(shown(env)).toMatchObject({ 'asked.retreat': 1, round: 1, 'left.attacker.cart': 0, 'hits.attacker': 0 });
    act(env, action);
    expect(phasedDice.model(given).outcomes[env.buffers.outcome[0] ?? -1]).toBe(outcome);
    expect(shown(env)).toMatchObject({ 'left.attacker.biplane': 1, 'left.defender.titan': 1 });
  });
});

describe('hits in reserve', () => {
  it('are placed with the loss decisions of a side that was not hit', async () => {
    // The attacker's aircraft always score two hits on any unit; the defender's balloon takes nine.
    const given = scenario({
      attacker: { units: { ace: 1, cart: 1 } },
      defender: { units: { zeppelin: 1, cart: 2, mule: 2, titan: 1 } },
      unitTypes: {
        ace: { class: 'air', era: 2, bonus: 9 },
        zeppelin: { class: 'air', era: 1, dice: 0, hits: 9 },
        cart: { class: 'infantry', era: 1, dice: 0, hits: 1 },
        mule: { class: 'cavalry', era: 1, dice: 0, hits: 1 },
        titan: { class: 'artillery', era: 1, hits: 9, bonus: -9 },
      },
    });
    const env = await make(given, { numEnvs: 1 });
    expect(legal(env)).toEqual(['lose:cart', 'lose:mule']);
    expect(shown(env)).toMatchObject({ phase: 2, 'asked.losses': 1, 'hits.defender': 2, 'reserve.defender': 0 });
    act(env, 'lose:mule');
    expect(shown(env)).toMatchObject({ 'hits.defender': 1, 'left.defender.mule': 1, 'left.defender.cart': 2 });
    act(env, 'lose:cart');
    expect(shown(env)).toMatchObject({ 'asked.retreat': 1, 'hits.defender': 0, 'left.defender.cart': 1 });
  });
});

describe('observations', () => {
  it('hide the class that the attacker names until the defender has named one', async () => {
    const env = await make(example, { numEnvs: 1 });
    while (!(shown(env)['player'] === 1 && shown(env)['asked.target'] === 1)) {
      expect(shown(env)['named.attacker.cavalry']).toBe(0);
      act(env, legal(env).includes('target:cavalry') ? 'target:cavalry' : (legal(env)[0] ?? ''));
    }
    const choosing = shown(env);
    expect(choosing).toMatchObject({ 'named.attacker.cavalry': 0, phase: 2 });
    expect(choosing['hits.attacker']).toBeGreaterThan(0);
    expect(choosing['hits.defender']).toBeGreaterThan(0);
    const words = wordsOf(env, 0);
    const { features, observe, kernel } = createScenarioSpec(example);
    const state = kernel?.decode(words) as CombatState;
    expect(state.pending?.named).toEqual({ attacker: 'cavalry', defender: undefined });
    const flag = features.findIndex(({ name }) => name === 'named.attacker.cavalry');
    expect(['attacker', 'defender', undefined].map((player) => observe(state, player)[flag])).toEqual([1, 0, 1]);
    act(env, 'target:infantry');
    expect(shown(env)).toMatchObject({
      'asked.losses': 1,
      'named.attacker.cavalry': 1,
      'named.defender.infantry': 1,
      'named.defender.cavalry': 0,
    });
  });

  boundsTest({ scenarios: some.slice(0, 60) }, 40);

  it('count hits until nothing fits, then the reserve', async () => {
    const given = scenario({
      attacker: { units: { spearman: 3 } },
      defender: { units: { fort: 1, spearman: 2 } },
      unitTypes: { fort: { class: 'infantry', era: 1, dice: 0, hits: 3 }, spearman: { bonus: 3 } },
    });
    const env = await make(given, { numEnvs: 1 });
    const hits = env.observationSpace.features.find(({ name }) => name === 'hits.defender');
    expect(hits).toMatchObject({ unit: 'hits', low: 0, high: 5 });
    expect(shown(env)).toMatchObject({ 'hits.attacker': 0, 'left.attacker.spearman': 1, 'hits.defender': 3, phase: 4 });
    act(env, 'lose:spearman');
    expect(shown(env)).toMatchObject({ 'asked.retreat': 1, 'hits.defender': 0, 'reserve.defender': 1, phase: 0 });
    expect(shown(env)).toMatchObject({ 'strength.attacker': 6, 'strength.defender': 0, 'left.defender.spearman': 0 });
  });
});

describe('a battle of the kernel', () => {
  it('equals the battle of a run with the policies of the scenario', async () => {
    const module = await loadKernel('phased-dice');
    for (let index = 0; index < (DEPTH > 1 ? 60 : 20); index++) {
      const given = dealt(index);
      const env = await make(given, { numEnvs: 24, firstEnv: 7 });
      const model = phasedDice.model(given);
      const kernel = new SystemKernel(module, model, phasedDice.encode(given));
      env.rollout('scenario', { episodes: 1 });
      for (let e = 0; e < 24; e++) {
        const { outcome, metrics } = kernel.play(SEED, computeBattleIndex(7 + e, 0));
        expect(env.buffers.outcome[e]).toBe(outcome);
        const columns = env.configuration.metrics;
        expect([...env.buffers.metrics.subarray(e * columns, (e + 1) * columns)]).toEqual(metrics);
      }
    }
  });

  recordTest({ scenarios: some, seed: SEED }, createScenarioSpec(example).points, (state) =>
    untold(state as CombatState),
  );

  it('needs a state of less than 320 bytes', async () => {
    const env = await make(example);
    expect(env.stateBytes).toBeLessThan(320);
  });
});
