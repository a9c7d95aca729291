/** Environments of the reference engine: after all operations, their buffers equal the buffers of the kernel. */

import { expect, test } from 'vitest';
import { HEAD_BYTES } from '../../src/environments/buffers.ts';
import { createEnvSpec, type EnvironmentOptions, type Variant } from '../../src/environments/env-spec.ts';
import { Evaluator, evaluate } from '../../src/environments/evaluate/evaluator.ts';
import { AUTORESETS, BUFFERS } from '../../src/environments/layout.ts';
import { ReferenceEngine } from '../../src/environments/reference-engine.ts';
import { openEngine, VectorEnv } from '../../src/environments/vector-env.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';

const ENVS = 6;
const FIRST = 3;

/** Files of one or two scenarios of each system; environments mix the scenarios of a pair. */
const GROUPS = [
  ['attrition-direct', 'attrition-indirect'],
  ['phased-dice-ground'],
  ['cube-bag-siege'],
  ['strength-cards-land', 'strength-cards-fortress'],
  ['token-conflict-city'],
];

async function both(files: readonly string[], options: EnvironmentOptions): Promise<[VectorEnv, VectorEnv]> {
  const scenarios = await Promise.all(files.map((file) => loadScenario(`scenarios/${file}.yaml`)));
  const kernel = await VectorEnv.create(scenarios, { ...options, numEnvs: ENVS, firstEnv: FIRST, seed: 5 });
  const { configuration } = kernel;
  const engine = new ReferenceEngine(configuration, { envs: ENVS, first: FIRST });
  return [kernel, new VectorEnv(configuration, engine, 5n, false)];
}

/** Lists all buffers; of records only the heads. */
function fieldsOf({ buffers: fields, numEnvs }: VectorEnv): Record<string, unknown> {
  const rows = BUFFERS.filter((name) => name !== 'record').map((name) => [name, [...fields[name]]]);
  const bytes = fields.record.length / numEnvs;
  const heads = Array.from({ length: numEnvs }, (_, e) => {
    const [keyLow, keyHigh, episode, steps, variant, point, player, , status] = new Int32Array(
      fields.record.slice(e * bytes, e * bytes + HEAD_BYTES).buffer,
    );
    // The head of a finished battle still contains the player of the last decision.
    return [keyLow, keyHigh, episode, steps, variant, point, point === -1 ? -1 : player, status];
  });
  return { rows, heads };
}

const WILD = [-1, 1e9, -(2 ** 31), 255, 0, 1];

test.each(GROUPS.map((files, g) => ({ files, g })))('both engines have equal buffers: $files', async ({ files, g }) => {
  for (const [a, autoreset] of AUTORESETS.entries()) {
    const agents = (a + g) % 2 === 0 ? ('all' as const) : undefined;
    const envs = await both(files, { autoreset, agents, maxSteps: a === 0 ? 4 : 0 });
    const [kernel, rules] = envs;
    const expectSame = (what: string) => {
      expect(fieldsOf(rules), `${autoreset}, ${what}`).toEqual(fieldsOf(kernel));
    };
    const kept: Uint8Array[][] = [];
    for (let step = 0; step < 24; step++) {
      const [mask, policy] = [[1, 0, 0, 1, 0, 1], step % 3 === 0 ? ('scenario' as const) : ('uniform' as const)];
      for (const env of envs) env.sampleActions(policy);
      expectSame(`suggestions ${String(step)}`);
      if (step % 8 === 7) for (const env of envs) env.buffers.act[step % ENVS] = WILD[step % WILD.length] ?? 0;
      const ended = envs.map((env) => {
        env.step();
        return env.ended;
      });
      expect(ended[1]).toBe(ended[0]);
      expectSame(`step ${String(step)}`);
      if (step === 5) for (const env of envs) env.reset({ mask });
      if (step === 9) for (const env of envs) env.reseed(77, 1, 4);
      if (step === 11) expect(rules.rollout('uniform', { steps: 3 })).toBe(kernel.rollout('uniform', { steps: 3 }));
      if (step === 13) kept.push(...envs.map((env) => [env.snapshot(), env.state(2)]));
      if (step === 17) for (const [e, env] of envs.entries()) env.restore(kept[e]?.[0] as Uint8Array);
      if (step === 20) for (const [e, env] of envs.entries()) env.setState(4, kept[e]?.[1] as Uint8Array);
      if (step === 21) for (const env of envs) env.configure({ autoreset: 'same-step', maxSteps: 3 });
      expectSame(`after ${String(step)}`);
    }
    for (const env of envs) env.reset({ seed: 6 });
    expectSame('another seed');
  }
});

test('states have the values of the kernel, exact or simulated', async () => {
  const [kernel, rules] = await both(['cube-bag-siege'], { agents: 'all' });
  for (const env of [kernel, rules]) env.rollout('uniform', { steps: 2 });
  const exact = await evaluate(kernel, [kernel.state(0), kernel.state(1)], { exact: 'always' });
  const { configuration } = rules;
  const desk = (exactness: 'always' | 'never') =>
    new Evaluator(configuration, new ReferenceEngine(configuration, { envs: 1, first: 0 }), {
      exact: exactness,
      battles: 1500,
    });
  const states = [rules.state(0), rules.state(1)];
  expect(desk('always').evaluate(states)).toEqual(exact);
  for (const [s, { outcomes }] of desk('never').evaluate(states).entries()) {
    for (const [o, { mean }] of outcomes.entries()) {
      const p = exact[s]?.outcomes[o]?.mean ?? 0;
      expect(Math.abs(mean - p)).toBeLessThan(5 * Math.sqrt((p * (1 - p)) / 1500) + 1e-12);
    }
  }
});

test.each(['scenario', 'uniform'] as const)(
  'continued battles equal the battles of the kernel, policy %s',
  async (policy) => {
    for (const [file] of GROUPS) {
      const scenario = await loadScenario(`scenarios/${file ?? ''}.yaml`);
      const configuration = createEnvSpec([{ scenario }], { agents: 'all' });
      const [variant] = configuration.variants;
      const engines = [
        await openEngine(configuration, { envs: 1, first: 0 }),
        new ReferenceEngine(configuration, { envs: 1, first: 0 }),
      ];
      const lots = engines.map((engine) => {
        const state = new VectorEnv(configuration, engine, 2n, false).state(0);
        return engine.playOut(variant as Variant, state, { key: 99n, from: 5, count: 20, policy });
      });
      expect(lots[1]).toEqual(lots[0]);
    }
  },
);
