/** Environments of systems without a kernel, and errors of invalid declarations. */
import { describe, expect, test } from 'vitest';
import { simulate } from '../../src/analysis/simulate.ts';
import { solveSync } from '../../src/analysis/solve.ts';
import { computeBattleKey, Stream } from '../../src/core/chance/stream.ts';
import { d } from '../../src/core/distributions/index.ts';
import { findBestResponseSync } from '../../src/environments/best-response/best-response.ts';
import { createEnvSpec, createScenarioSpec, type Variant } from '../../src/environments/env-spec.ts';
import { runEpisodes } from '../../src/environments/episodes.ts';
import { type Evaluation, evaluate } from '../../src/environments/evaluate/evaluator.ts';
import { createManifest } from '../../src/environments/manifest.ts';
import { ReferenceBattle } from '../../src/environments/reference-battle.ts';
import { EnvSession } from '../../src/environments/threads/env-session.ts';
import { VectorEnvPool } from '../../src/environments/threads/vector-env-pool.ts';
import { VectorEnv } from '../../src/environments/vector-env.ts';
import { createBestResponseSheet } from '../../src/report/policies/best-response.ts';
import { formatSheet } from '../../src/report/sheet/sheet.ts';
import { PLAIN_PAINT } from '../../src/report/text/table.ts';
import { defineSystem } from '../../src/rules/custom/define.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import type { EnvironmentDefinition, Scenario, System } from '../../src/rules/system.ts';
import { type Duel, type DuelState, duel, rollout } from './duel.ts';

type Changes = Partial<EnvironmentDefinition<DuelState>>;

function scenarioOf(given: object = {}, system: System<Duel> = duel): Scenario {
  return validateScenario({ system: 'duel', ...given }, { systems: [system] });
}

/** Creates a scenario of the duel with a changed declaration. */
const declaring = (changes: Changes, system: Partial<System<Duel>> = {}): Scenario =>
  scenarioOf({}, { ...duel, environment: (scenario) => ({ ...rollout(scenario), ...changes }), ...system });

describe('a system that declares players, actions and features', () => {
  test('has default decision points, action names, bounds and payoffs', () => {
    const { points, actions, features, payoff: worth, pace } = createScenarioSpec(scenarioOf({ red: 3 }));
    expect([points, actions, pace]).toEqual([['stance'], ['stance:wild', 'stance:wary'], undefined]);
    expect(features[0]).toEqual({ name: 'hp.red', unit: 'hp', low: 0, high: 3 });
    expect(['red', 'blue', 'stalemate'].map((outcome) => worth(outcome, 'blue'))).toEqual([-1, 1, 0]);
  });

  test('simulates the battles of simulate() in its first episodes', async () => {
    const scenario = scenarioOf({ blueWild: 3 });
    const { digest } = await simulate(scenario, { battles: 200, seed: 4 });
    for (const agents of ['all', ['blue'], []] as const) {
      const env = await VectorEnv.create(scenario, { numEnvs: 200, agents });
      expect((await runEpisodes(env, { policy: 'scenario', episodes: 1, seed: 4n })).digest).toBe(digest);
    }
  });

  test('requests both decisions of a step, one player after the other', async () => {
    const env = await VectorEnv.create(scenarioOf(), { numEnvs: 1, agents: 'all', autoreset: 'disabled' });
    const { buffers: fields } = env;
    const names = env.observationSpace.features.map(({ name }) => name);
    expect(names).toEqual(['player', 'asked.stance', 'hp.red', 'hp.blue', 'own']);
    expect([...fields.obs]).toEqual([0, 1, 2, 2, 2]);
    env.step([1]);
    expect([...fields.obs]).toEqual([1, 1, 2, 2, 2]);
    expect([...fields.player, ...fields.phase, ...fields.mask]).toEqual([1, 1, 1, 1]);
    const between = env.state(0);
    env.step([1]);
    const after = env.state(0);
    env.setState(0, between);
    env.step([1]);
    expect(env.state(0)).toEqual(after);
  });

  test('keeps the decisions of a step after a reseed', () => {
    const configuration = createEnvSpec([{ scenario: scenarioOf() }], { agents: 'all' });
    const streamOf = (index: number) => Stream.fromKey(computeBattleKey(0n, index));
    const battle = new ReferenceBattle(configuration, configuration.variants[0] as Variant, streamOf(1));
    battle.apply('wary');
    expect(battle.turnState.answers).toEqual(['wary']);
    battle.reseed(streamOf(2));
    expect(battle.turnState.answers).toEqual(['wary']);
    expect(battle.pending?.player).toBe(1);
  });

  test('has exact values of states, also between the decisions of a step', async () => {
    const scenario = scenarioOf();
    const env = await VectorEnv.create(scenario, { numEnvs: 1, agents: 'all' });
    const [start] = await evaluate(env, [env.state(0)], { exact: 'always' });
    const { distribution: exactDistribution } = solveSync(scenario);
    for (const [o, { mean }] of (start as Evaluation).outcomes.entries()) {
      expect(mean).toBeCloseTo(exactDistribution.outcomes[o] ?? 0, 13);
    }
    env.step([0]);
    const [wild] = await evaluate(env, [env.state(0)], { exact: 'always' });
    // The policy of red is always wild.
    expect(wild?.rewards[0]?.mean).toBeCloseTo(start?.rewards[0]?.mean ?? 0, 13);
    const [simulated] = await evaluate(env, [env.state(0)], { exact: 'never', battles: 1000 });
    expect(Math.abs((simulated?.rewards[0]?.mean ?? 0) - (wild?.rewards[0]?.mean ?? 0))).toBeLessThan(0.15);
  });

  test('has a best response, also for a custom reward', () => {
    const scenario = scenarioOf({ red: 1, blue: 1, blueWild: 4 });
    // Against a wild blue, wild wins 1/2, and wary wins 3/5 of the rounds with a hit, in twelve rounds.
    const stalemate = (1 / 6) ** 12;
    expect(findBestResponseSync(scenario).value).toBeCloseTo((1 - stalemate) / 5, 12);
    expect(findBestResponseSync(scenario).policyValue).toBeCloseTo(0, 12);
    expect(findBestResponseSync(scenario, { agent: 'blue' }).policyValue).toBeCloseTo(0, 12);
    expect(findBestResponseSync(scenario, { reward: 'left' }).value).toBeCloseTo((1 - stalemate) * 0.6 + stalemate, 12);
  });
});

describe('a best response', () => {
  /** Game of one player who may stop in each turn; a stop wins with probability 5/6, 4/6, 3/6. */
  const turns = defineSystem({
    ...{ id: 'turns', title: 'Turns', about: 'The player may stop in each turn.', fields: {} },
    decisions: [{ point: 'stop', who: 'red', about: 'Stop or continue.', policies: ['never'] }],
    battle: () => ({
      outcomes: ['red', 'blue'],
      start: () => ({ round: 1, stopped: false, over: '' }),
      round: [
        (state, chance) => ({ ...state, stopped: chance.decide('stop', 'red', ['go', 'stop'], () => 'go') === 'stop' }),
        (state, chance) => {
          if (state.stopped) return { ...state, over: chance.sample(d(6)) > state.round ? 'red' : 'blue' };
          return state.round === 3 ? { ...state, over: 'blue' } : { ...state, round: state.round + 1 };
        },
      ],
      outcome: ({ over }) => (over === '' ? undefined : over),
    }),
    environment: () => ({
      players: ['red'],
      features: [{ name: 'round', unit: 'turn', high: 3, of: ({ round }) => round }],
    }),
  });

  test('shows a feature that its system calls `round`', () => {
    const { corrections, opponents } = findBestResponseSync(
      validateScenario({ system: 'turns' }, { systems: [turns] }),
    );
    expect(new Set(corrections.map(({ observation: sees }) => sees['round']))).toEqual(new Set([1, 2, 3]));
    expect(opponents).toEqual([]);
  });

  test('prints the players whose policies it responds to', () => {
    const found = findBestResponseSync(scenarioOf({ blueWild: 3 }), { agent: 'red' });
    expect(found.opponents).toEqual(['blue']);
    const look = { width: 100, paint: PLAIN_PAINT };
    expect(formatSheet(createBestResponseSheet(found, 'duel'), look)).toMatch(
      /^Best response: .*\nOwn policy: .*\nAgainst the policy of the scenario for blue\.$/m,
    );
    expect(formatSheet(createBestResponseSheet({ ...found, opponents: [] }, 'duel'), look)).not.toContain('Against');
    expect(
      formatSheet(createBestResponseSheet({ ...found, opponents: ['blue', 'green', 'gray'] }, 'duel'), look),
    ).toContain('the policies of the scenario for blue, green and gray');
  });
});

describe('a system without decisions', () => {
  const still: System<Duel> = {
    ...duel,
    decisions: [],
    model: (scenario) => ({
      ...duel.model(scenario),
      step: ({ round, ...state }, chance) => {
        const { red, blue } = state as DuelState;
        chance.seek(round);
        const hit = chance.pick([1, 1, 1]);
        return { round: round + 1, red: red - Number(hit === 0), blue: blue - Number(hit === 1) };
      },
    }),
    environment: (scenario) => {
      const { players, features } = rollout(scenario);
      return { players, features };
    },
  };

  test('has the decision point round in every round', async () => {
    const scenario = scenarioOf({}, still);
    expect(createScenarioSpec(scenario)).toMatchObject({ points: ['round'], pace: 'round', actions: ['round'] });
    const env = await VectorEnv.create(scenario, { numEnvs: 50 });
    const { digest, steps } = await runEpisodes(env, { policy: 'scenario', episodes: 1, seed: 9n });
    expect(digest).toBe((await simulate(scenario, { battles: 50, seed: 9 })).digest);
    expect(steps).toBeGreaterThan(99);
    const [value] = await evaluate(env, [env.state(0)], { exact: 'always' });
    expect(value?.exact).toBe(true);
    expect(findBestResponseSync(scenario)).toMatchObject({ decisionStates: 0 });
  });

  test('is required for environment.pace', () => {
    expect(() => createScenarioSpec(declaring({ pace: 'round' }))).toThrow(
      'duel: environment.pace cannot be combined with decisions',
    );
  });
});

describe('other threads and programs', () => {
  const scenario = scenarioOf();

  test.each<[string, () => unknown]>([
    ['VectorEnvPool', () => VectorEnvPool.create(scenario, { threads: 1 })],
    ['EnvSession.create', () => EnvSession.create(scenario)],
  ])('%s requires a system from loadSystems', async (what, ask) => {
    await expect(ask()).rejects.toThrow(
      `system: expected a system from loadSystems, for the threads of ${what}, found "duel", given as an object`,
    );
  });

  test('a manifest requires a kernel or a compiled scenario', () => {
    expect(() => createManifest(createEnvSpec([{ scenario }]))).toThrow(
      'system: expected a system with a kernel or a scenario that can be compiled, because a manifest contains ' +
        'WebAssembly and cannot contain rules in JavaScript, found "duel": ' +
        'a turn draws after the policy of "stance" has drawn',
    );
  });
});

describe('mistakes in a declaration', () => {
  const [hp] = rollout(duel.schema.parse({ system: 'duel' })).features;
  if (hp === undefined) throw new Error('no feature');

  test.each<[string, Changes, string]>([
    [
      'an action twice',
      { actions: { stance: ['wild', 'wary', 'wild'] } },
      'duel: environment.actions.stance: expected unique names, found "stance:wild" twice',
    ],
    [
      'a point that is none',
      { actions: { stanse: ['wild', 'wary'] } },
      'duel: environment.actions.stanse: expected a decision point: stance, found "stanse" (did you mean stance?)',
    ],
    ['a feature twice', { features: [hp, hp] }, 'environment.features: expected unique names'],
    [
      'bounds',
      { features: [{ ...hp, low: 5 }] },
      'duel: environment.features.hp.red: expected bounds low <= high, found 5..2',
    ],
    [
      'nothing that reads a feature',
      { features: [{ name: 'hp.red', high: 2 }] },
      'duel: environment.features.hp.red: expected a function `of`, or `observe` for all features, found neither',
    ],
    ['a player twice', { players: ['red', 'red'] }, 'duel: environment.players: expected unique names'],
    ['a reward `win`', { rewards: { win: () => ({}) } }, 'duel: environment.rewards: expected other names than "win"'],
  ])('%s', async (_, changes, message) => {
    await expect(VectorEnv.create(declaring(changes))).rejects.toThrow(message);
  });

  test.each<[string, Changes, string]>([
    [
      'a legal action that is not declared',
      { actions: { stance: ['wild'] } },
      'duel, battle 0 of seed 3: duel: chance.decide("stance"): expected options with declared actions: ' +
        'stance:wild, found "wary", "stance:wary"',
    ],
    [
      'options that share an action',
      { action: () => 'fight' },
      'duel: environment.actions.stance: expected unique names, found "fight" twice',
    ],
    [
      'an observation of another length',
      { observe: ({ red }) => [red] },
      'duel, battle 0 of seed 3: duel: environment.observe: expected 3 numbers, one per feature, found 1 numbers',
    ],
    [
      'an observation out of bounds',
      { features: [{ ...hp, of: () => 9 }] },
      'duel, battle 0 of seed 3: duel: environment.features.hp.red: expected a number 0..2, found 9',
    ],
    [
      'an observation that is no number',
      { features: [{ ...hp, of: () => 'two' as never }] },
      'duel, battle 0 of seed 3: duel: environment.features.hp.red: expected a number 0..2, found two',
    ],
    [
      'a function that throws',
      { features: [{ ...hp, of: () => (undefined as unknown as number[]).length }] },
      /^duel, battle 0 of seed 3: TypeError: .* \(at .*custom-system[.]test[.]ts/,
    ] as never,
  ])('%s, during a battle', async (_, changes, message) => {
    await expect(VectorEnv.create(declaring(changes), { seed: 3 })).rejects.toThrow(message);
  });

  test('an undeclared decision point is rejected with a suggestion', async () => {
    const scenario = declaring({ decisionPoints: ['stances'], actions: {} });
    await expect(VectorEnv.create(scenario)).rejects.toThrow(
      'chance.decide: expected a declared decision point: stances, found "stance" (did you mean stances?)',
    );
  });

  test('environments cannot be used after an error of the rules', async () => {
    const of = ({ red }: DuelState) => (red < 2 ? 9 : red);
    const env = await VectorEnv.create(declaring({ features: [{ ...hp, of }] }), { numEnvs: 8 });
    expect(() => env.rollout('uniform', { episodes: 9 })).toThrow('expected a number 0..2, found 9');
    expect(() => env.step()).toThrow('expected a number 0..2, found 9');
  });

  test('states that are not plain data are rejected', async () => {
    const model: System<Duel>['model'] = (scenario) => {
      const rules = duel.model(scenario);
      return { ...rules, start: (chance) => ({ ...rules.start(chance), seen: new Map() }) };
    };
    const env = await VectorEnv.create(declaring({}, { model }), { numEnvs: 1 });
    expect(() => env.state(0)).toThrow('duel: state.state.seen: expected numbers, texts, true, false, null');
    expect(() => env.state(0)).toThrow('found Map');
  });

  test('a decision after a draw has no best response', () => {
    const model: System<Duel>['model'] = (scenario) => {
      const rules = duel.model(scenario);
      return {
        ...rules,
        step: (state, chance) => rules.step({ ...state, round: state.round * chance.pick([1, 1]) }, chance),
      };
    };
    expect(() => findBestResponseSync(declaring({}, { model }))).toThrow(
      'best-response of duel: expected "stance" before all draws and other decisions of its step, or in a separate turn',
    );
  });

  test('a missing declaration is an error', async () => {
    const silent: System<Duel> = Object.fromEntries(
      Object.entries(duel).filter(([name]) => name !== 'environment'),
    ) as never;
    const message =
      'system: expected a system that declares `environment`: players, actions and features (docs/reference/environments.md), found "duel" without';
    await expect(VectorEnv.create(scenarioOf({}, silent))).rejects.toThrow(message);
    expect(() => findBestResponseSync(scenarioOf({}, silent))).toThrow(message);
    const still = { ...silent, decisions: [] };
    expect(() => findBestResponseSync(scenarioOf({}, still))).toThrow('declares `environment`: players and features');
  });

  test('invalid states and snapshots are rejected', async () => {
    const env = await VectorEnv.create(scenarioOf(), { numEnvs: 2 });
    const state = env.state(0);
    expect(() => {
      env.setState(0, state.slice(0, 40));
    }).toThrow('state: expected 48 or more bytes, found 40');
    expect(() => {
      env.setState(0, state.slice(0, 60));
    }).toThrow('state: expected a state of such environments');
    const snapshot = env.snapshot();
    expect(() => {
      env.restore(snapshot.slice(0, 8));
    }).toThrow('snapshot: expected 16 or more bytes, found 8');
    expect(() => {
      env.restore(snapshot.slice(0, -1));
    }).toThrow('snapshot: expected');
    const other = await VectorEnv.create(scenarioOf({ red: 3 }), { numEnvs: 2 });
    expect(() => {
      other.restore(snapshot);
    }).toThrow('one of the same configuration');
  });
});
