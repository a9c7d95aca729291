/** Compiled environments, also of systems with a kernel: all buffers equal the buffers of the reference engine. */

import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { d } from '../../src/core/distributions/index.ts';
import { computeKernelHash } from '../../src/engines/kernel/kernel.ts';
import { HEAD_BYTES, readRecordHead } from '../../src/environments/buffers.ts';
import { createEnvSpec, type EnvironmentOptions, type Variant } from '../../src/environments/env-spec.ts';
import { evaluate } from '../../src/environments/evaluate/evaluator.ts';
import { AUTORESETS, BUFFERS } from '../../src/environments/layout.ts';
import { createManifest } from '../../src/environments/manifest.ts';
import { ReferenceEngine } from '../../src/environments/reference-engine.ts';
import { EnvSession } from '../../src/environments/threads/env-session.ts';
import { VectorEnvPool } from '../../src/environments/threads/vector-env-pool.ts';
import { openEngine, VectorEnv } from '../../src/environments/vector-env.ts';
import { defineSystem } from '../../src/rules/custom/define.ts';
import { loadSystems } from '../../src/rules/index.ts';
import { loadScenario, validateScenario } from '../../src/rules/scenario/index.ts';
import type { Scenario, System } from '../../src/rules/system.ts';
import { DEPTH } from '../depth.ts';
import { type Duel, duel, rollout } from './duel.ts';

const ENVS = 5;
const FIRST = 3;

/** Examples without an environment, and examples that are too large for the default of `compileSteps`. */
const WITHOUT = ['hit-wound-save', 'volley'];
const LARGE = ['block-dice-legions', 'combined-arms-land', 'combined-arms-landing', 'space-fleets-invasion'];
const LARGEST = ['combined-arms-land', 'space-fleets-invasion'];

const filesIn = (folder: string) => readdirSync(folder).map((file) => `${folder}/${file}`);
const files = [...filesIn('examples/systems'), ...filesIn('examples/games')];
const systems = await loadSystems(files.filter((file) => file.endsWith('.mjs')));
const nameOf = (file: string) => /([^/]+)\.yaml$/.exec(file)?.[1] ?? '';
const examples = files.filter((file) => {
  const name = nameOf(file);
  return name !== '' && !WITHOUT.some((id) => name.startsWith(id)) && !LARGEST.includes(name);
});

const load = (file: string): Promise<Scenario> => loadScenario(file, { systems });

async function openBoth(
  scenarios: readonly Scenario[],
  options: EnvironmentOptions,
  seed = 5n,
): Promise<readonly [compiled: VectorEnv, rules: VectorEnv]> {
  const weighted = scenarios.map((scenario, s) => ({ scenario, weight: 1 + s }));
  const configuration = createEnvSpec(weighted, { compileSteps: 200_000, ...options });
  const room = { envs: ENVS, first: FIRST };
  const compiled = new VectorEnv(configuration, await openEngine(configuration, room), seed, false);
  expect([compiled.engineUsed, compiled.engineReason]).toEqual(['automaton', undefined]);
  return [compiled, new VectorEnv(configuration, new ReferenceEngine(configuration, room), seed, false)];
}

/** Lists all buffers; of records only the heads, without the outcome and without the player of finished battles. */
function fieldsOf({ buffers: fields, numEnvs }: VectorEnv): Record<string, unknown> {
  const rows = BUFFERS.filter((name) => name !== 'record').map((name) => [name, [...fields[name]]]);
  const bytes = fields.record.length / numEnvs;
  const heads = Array.from({ length: numEnvs }, (_, e) => {
    const {
      outcome: _outcome,
      player,
      ...head
    } = readRecordHead(fields.record.subarray(e * bytes, e * bytes + HEAD_BYTES));
    return { ...head, player: head.point === -1 ? -1 : player };
  });
  return { rows, heads };
}

const WILD = [-1, 1e9, -(2 ** 31), 255, 0, 1];

/**
 * Steps both environments in all ways, and compares all buffers.
 * @param rolls false to omit rollouts, which do not define metrics that a scenario lacks
 */
function compareAll(envs: readonly [VectorEnv, VectorEnv], steps: number, rolls = true): void {
  const [compiled, rules] = envs;
  const expectSame = (place: string) => {
    expect(fieldsOf(compiled), place).toEqual(fieldsOf(rules));
  };
  const kept: Uint8Array[][] = [];
  for (let step = 0; step < steps; step++) {
    for (const env of envs) env.sampleActions(step % 3 === 0 ? 'scenario' : 'uniform');
    expectSame(`actions ${String(step)}`);
    if (step % 8 === 7) for (const env of envs) env.buffers.act[step % ENVS] = WILD[step % WILD.length] ?? 0;
    for (const env of envs) env.step();
    expect(compiled.ended).toBe(rules.ended);
    if (step === 5) for (const env of envs) env.reset({ mask: [1, 0, 0, 1, 0] });
    if (step === 9) for (const env of envs) env.reseed(77, 1, 4);
    if (step === 11 && rolls)
      expect(compiled.rollout('uniform', { steps: 3 })).toBe(rules.rollout('uniform', { steps: 3 }));
    if (step === 13) kept.push(...envs.map((env) => [env.snapshot(), env.state(2)]));
    if (step === 17) for (const [e, env] of envs.entries()) env.restore(kept[e]?.[0] as Uint8Array);
    if (step === 20) for (const [e, env] of envs.entries()) env.setState(4, kept[e]?.[1] as Uint8Array);
    if (step === 21) for (const env of envs) env.configure({ autoreset: 'same-step', maxSteps: 3 });
    expectSame(`step ${String(step)}`);
  }
}

/** Scenarios of systems with a kernel. */
const BUILT_IN = [
  'attrition-indirect',
  'cube-bag-crossing',
  'phased-dice-air-raid',
  'strength-cards-land',
  'token-conflict-open',
];
const cases = [
  ...examples.filter((file, k) => DEPTH === 2 || (k % 3 === 0 && !LARGE.includes(nameOf(file)))),
  ...BUILT_IN.map((name) => `scenarios/${name}.yaml`),
];

describe.each(cases.map((file, k) => ({ file, k })))('$file', ({ file, k }) => {
  test('has the buffers of the reference engine', async () => {
    const scenario = await load(file);
    for (const [a, autoreset] of AUTORESETS.entries()) {
      if (DEPTH === 1 && a !== k % 3) continue;
      const agents = (a + k) % 2 === 0 ? ('all' as const) : undefined;
      for (let seed = 5n; seed < 5n + BigInt(DEPTH); seed++)
        compareAll(await openBoth([scenario], { autoreset, agents, maxSteps: a === 0 ? 4 : 0 }, seed), 26);
    }
  });

  test('continues states like the reference engine', async () => {
    const [compiled, rules] = await openBoth([await load(file)], { agents: 'all' });
    for (const env of [compiled, rules]) env.rollout('uniform', { steps: 2 });
    const { configuration } = compiled;
    const room = { envs: 1, first: 0 };
    const engines = [await openEngine(configuration, room), new ReferenceEngine(configuration, room)] as const;
    const variant = configuration.variants[0] as Variant;
    for (const policy of ['scenario', 'uniform'] as const) {
      const playouts = { key: 99n, from: 5, count: 10, policy };
      const [own, expected] = [compiled, rules].map((env, k) => {
        const state = env.state(0);
        // Kernels count the actions of the episode, the reference engine counts only the actions of the playout.
        new DataView(state.buffer).setUint32(12, 0);
        return engines[k]?.playOut(variant, state, playouts);
      });
      expect(own).toEqual(expected);
    }
    const open = Array.from({ length: ENVS }, (_, e) => e).filter((e) => compiled.buffers.phase[e] !== 0);
    for (const e of open)
      expect(engines[0].begun(variant, compiled.state(e))).toEqual(engines[1].begun(variant, rules.state(e)));
  });
});

test('several scenarios share features, also if one of them lacks some', async () => {
  const names = ['conquest-dice-siege', 'conquest-dice-chain', 'conquest-dice-capital'];
  const scenarios = await Promise.all(names.map((name) => load(`examples/games/${name}.yaml`)));
  for (const autoreset of AUTORESETS) compareAll(await openBoth(scenarios, { autoreset }), 26, false);
});

test('rewards can depend on metrics and rounds', async () => {
  const metrics = { rounds: -0.01, 'lives.red': 0.1 };
  const reward = { red: { outcomes: { red: 1 }, metrics } };
  compareAll(await openBoth([await load('examples/systems/feint-even.yaml')], { reward }), 26);
});

test('some decisions follow the policies of the scenario', async () => {
  const scenario = await load('examples/games/space-fleets-raid.yaml');
  const { decisionPoints } = createEnvSpec([{ scenario }]);
  const envs = await openBoth([scenario], { agents: 'all', decisions: decisionPoints.slice(0, 1) });
  compareAll(envs, 8);
  for (const env of envs) env.configure({ decisions: decisionPoints.slice(1) });
  compareAll(envs, 26);
});

const conquest = 'examples/games/conquest-dice-siege.yaml';

test('states of a scenario with a deadline have the exact values of the rules', async () => {
  const [compiled, rules] = await openBoth([await load('examples/systems/backoff-deadline.yaml')], { agents: 'all' });
  for (const env of [compiled, rules]) env.rollout('uniform', { steps: 5 });
  const [own] = await Promise.all(
    [compiled].map((env) =>
      evaluate(
        env,
        [0, 1, 2, 3].map((e) => env.state(e)),
        { exact: 'always' },
      ),
    ),
  );
  const configuration = { ...rules.configuration, compileSteps: 0 };
  expect(
    await evaluate(
      configuration,
      [0, 1, 2, 3].map((e) => rules.state(e)),
      { exact: 'always' },
    ),
  ).toEqual(own);
});

test('threads share the tables, also of a system that is given as an object', async () => {
  const scenario = validateScenario({ system: 'steps' }, { systems: [steps] });
  const options = { numEnvs: 8, seed: 3, agents: 'all' as const };
  const env = await VectorEnv.create(scenario, options);
  const pool = await VectorEnvPool.create(scenario, { ...options, threads: 2 });
  const session = await EnvSession.create(scenario, options);
  expect([env.engineUsed, pool.engineUsed, session.engineUsed]).toEqual(['automaton', 'automaton', 'automaton']);
  for (const each of [env, pool, session]) await each.rollout('uniform', { steps: 20 });
  expect([...pool.buffers.obs]).toEqual([...env.buffers.obs]);
  expect([...session.buffers.obs]).toEqual([...env.buffers.obs]);
  await Promise.all([pool.close(), session.close()]);
});

test('scenarios with a kernel are compiled on request, if they are small enough', async () => {
  const scenario = await load('scenarios/strength-cards-land.yaml');
  const uses = async (compileSteps?: number) => (await VectorEnv.create(scenario, { compileSteps })).engineUsed;
  expect([await uses(), await uses(10_000), await uses(10)]).toEqual(['kernel', 'automaton', 'kernel']);
  const name = (compileSteps?: number) => createManifest(createEnvSpec([{ scenario }], { compileSteps })).kernel.name;
  expect([name(), name(10_000), name(10)]).toEqual(['strength-cards', 'decision-automaton', 'strength-cards']);
});

test('a manifest has the kernel of compiled scenarios', async () => {
  const { kernel, configuration } = createManifest(createEnvSpec([{ scenario: await load(conquest) }]));
  expect(kernel.sha256).toBe(computeKernelHash('decision-automaton'));
  expect(configuration.base64.length).toBeGreaterThan(10_000);
});

test('an invalid state does not make a step read outside of the tables', async () => {
  const env = await VectorEnv.create(await load(conquest), { numEnvs: 1 });
  const state = env.state(0);
  new DataView(state.buffer).setUint32(HEAD_BYTES, 2 ** 32 - 1, true);
  env.setState(0, state);
  env.rollout('uniform', { steps: 50 });
  expect(env.buffers.obs.every(Number.isFinite)).toBe(true);
});

/** Creates a system whose phase decides, draws and counts steps; `isDrawnFirst` moves the draw before the decision. */
const stepsWith = (id: string, isDrawnFirst: boolean, most = 3) =>
  defineSystem({
    ...{ id, title: 'Steps', about: 'Steps.', fields: {} },
    decisions: [{ point: 'stop', who: 'red', about: 'Stops.', policies: ['go'] }],
    battle: () => ({
      outcomes: ['red', 'blue'],
      start: () => ({ step: 1, over: '' }),
      round: [
        (state, chance) => {
          const early = isDrawnFirst ? chance.sample(d(6)) : 0;
          if (chance.decide('stop', 'red', ['go', 'stop'], () => 'go') === 'stop')
            return { ...state, over: (early || chance.sample(d(6))) > state.step ? 'red' : 'blue' };
          return state.step === most ? { ...state, over: 'blue' } : { ...state, step: state.step + 1 };
        },
      ],
      outcome: ({ over }) => (over === '' ? undefined : over),
    }),
    environment: () => ({
      players: ['red'],
      actions: { stop: ['go', 'stop'] },
      features: [
        {
          ...{ name: 'step', high: 3 },
          of({ step }) {
            if (step > 3) throw new Error('four');
            return step;
          },
        },
      ],
    }),
  });

const steps = stepsWith('steps', false);

describe('the rules are called', () => {
  const openOf = (system: System<never>, options: object = {}) =>
    VectorEnv.create(validateScenario({ system: system.id, ...options }, { systems: [system] }), { numEnvs: 1 });

  test.each([
    [0, 'compileSteps is 0'],
    [50, 'compiling takes more than 50 steps (compileSteps)'],
  ])('if compiling takes too many steps: %i', async (compileSteps, reason) => {
    const env = await VectorEnv.create(await load(conquest), { numEnvs: 1, compileSteps });
    expect([env.engineUsed, env.engineReason]).toEqual(['reference', reason]);
    env.configure({ maxSteps: 3 });
    expect(env.configuration.compileSteps).toBe(compileSteps);
  });

  test('if a turn draws before its decision', async () => {
    const env = await openOf(stepsWith('late', true) as unknown as System<never>);
    expect(env.engineReason).toBe('a turn draws before its decision "stop"');
  });

  test('if the draws of a policy shift later ones', async () => {
    const env = await openOf(duel as unknown as System<never>);
    expect(env.engineReason).toBe('a turn draws after the policy of "stance" has drawn');
  });

  test('if the policies of two decisions in one turn draw', async () => {
    const system = defineSystem({
      ...{ id: 'guess', title: 'Guess', about: 'Guess.', fields: {} },
      decisions: [{ point: 'coin', who: 'both', about: 'A side.', policies: ['mix'] }],
      battle: () => ({
        outcomes: ['red', 'blue'],
        start: () => [],
        round: (_: readonly number[], chance) =>
          ['red', 'blue'].map((name) => chance.decide('coin', name, [0, 1], () => chance.pick([1, 1]))),
        outcome: ([red, blue]) => (red === undefined ? undefined : red === blue ? 'red' : 'blue'),
      }),
      environment: () => ({
        players: ['red', 'blue'],
        actions: { coin: [0, 1] },
        features: [{ name: 'own', high: 2, of: (coins, player) => (coins[player === 'blue' ? 1 : 0] ?? -1) + 1 }],
      }),
    });
    const env = await openOf(system as unknown as System<never>);
    expect(env.engineReason).toBe('a turn draws before its decision "coin"');
  });

  test('if rules throw in a state that few battles reach', async () => {
    const env = await openOf(stepsWith('four', false, 4) as unknown as System<never>);
    expect([env.engineUsed, env.engineReason]).toEqual(['reference', 'four']);
  });
});

test('a feature that shows the round has its value in every round', async () => {
  const counting: System<Duel> = {
    ...duel,
    environment: (scenario) => ({
      ...rollout(scenario),
      players: ['red'],
      rewards: {},
      features: [
        { name: 'round', high: 12, of: (state: { round: number }) => state.round },
        ...rollout(scenario).features,
      ] as ReturnType<typeof rollout>['features'],
    }),
  };
  const scenario = validateScenario({ system: 'duel', red: 9, blue: 9 }, { systems: [counting] });
  for (const autoreset of AUTORESETS) compareAll(await openBoth([scenario], { autoreset }), 26);
});
