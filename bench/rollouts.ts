/**
 * Decision steps of environments with the uniform policy for all players: within the kernel, with one call of
 * `VectorEnv` per step, with a policy in JavaScript that reads the mask, and with compiled scenarios. A sample is a step
 * of every environment, or enough steps for 4096 decisions. The kernel and `VectorEnv` must agree.
 */

import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { VectorEnv } from '../src/environments/vector-env.ts';
import { loadScenario } from '../src/rules/scenario/index.ts';
import { type Contender, race } from './race.ts';
import type { Row, Suite } from './row.ts';
import { median } from './times.ts';

/** One scenario of each system. */
const FILES: Readonly<Record<string, string>> = {
  attrition: 'attrition-direct',
  'phased-dice': 'phased-dice-ground',
  'cube-bag': 'cube-bag-siege',
  'strength-cards': 'strength-cards-land',
  'token-conflict': 'token-conflict-city',
};

const SIZES = [64, 1024, 16384];

/** Enough to compile the scenarios of strength-cards and token-conflict. */
const COMPILE_STEPS = 20_000;

/** Minimum number of steps of a sample. */
const SAMPLE = 4096;

/** Uniform policy in plain JavaScript: a legal action, drawn by pure-rand. */
function chooser({ buffers: fields, actionSpace, numEnvs }: VectorEnv): () => void {
  const { act, mask } = fields;
  const { n } = actionSpace;
  const rng = xoroshiro128plus(1);
  return () => {
    for (let e = 0; e < numEnvs; e++) {
      const row = e * n;
      let legal = 0;
      for (let a = 0; a < n; a++) legal += mask[row + a] ?? 0;
      let left = uniformInt(rng, 0, legal - 1);
      let action = 0;
      while (left >= (mask[row + action] ?? 1)) left -= mask[row + action++] ?? 1;
      act[e] = action;
    }
  };
}

/** State of an environment after some steps of the uniform policy. */
async function story(file: string, step: (env: VectorEnv) => void): Promise<string> {
  const env = await open(file, 64);
  step(env);
  return [...env.buffers.obs, ...env.buffers.episode, ...env.buffers.player].join();
}

async function open(file: string, numEnvs: number, compileSteps = 0): Promise<VectorEnv> {
  const scenario = await loadScenario(`scenarios/${file}.yaml`);
  return VectorEnv.create(scenario, { numEnvs, agents: 'all', seed: 1, compileSteps });
}

async function contendersFor(file: string, numEnvs: number): Promise<Record<string, Contender>> {
  const [env, other] = [await open(file, numEnvs), await open(file, numEnvs, COMPILE_STEPS)];
  const times = Math.max(1, SAMPLE / numEnvs);
  const choose = chooser(env);
  const stepped = (stepping: VectorEnv, act: () => void) => () => () => {
    for (let t = 0; t < times; t++) {
      act();
      stepping.step();
    }
    return times * numEnvs;
  };
  const sampled = (sampling: VectorEnv) =>
    stepped(sampling, () => {
      sampling.sampleActions('uniform');
    });
  return {
    'in WASM': () => () => env.rollout('uniform', { steps: times }),
    VectorEnv: sampled(env),
    'VectorEnv, policy in JavaScript': stepped(env, choose),
    ...(other.engineUsed === 'automaton' && { 'VectorEnv, compiled': sampled(other) }),
  };
}

async function measure(system: string, file: string, quick: boolean): Promise<Row[]> {
  const within = await story(file, (env) => env.rollout('uniform', { steps: 40 }));
  const called = await story(file, (env) => {
    for (let t = 0; t < 40; t++) {
      env.sampleActions('uniform');
      env.step();
    }
  });
  if (within !== called) throw new Error(`${file}: the kernel and VectorEnv disagree`);
  const rows: Row[] = [];
  for (const numEnvs of quick ? [1024] : SIZES) {
    const effort = { turns: quick ? 2 : 10, time: quick ? 20 : 60 };
    const times = await race(await contendersFor(file, numEnvs), effort);
    for (const [name, nanoseconds] of times) {
      const best = Math.min(...nanoseconds);
      rows.push({
        suite: 'rollouts',
        name: `${system}, N = ${String(numEnvs)}, ${name}`,
        value: 1000 / best,
        unit: 'million steps/s',
        note: `${best.toFixed(1)} ns a step, median ${median(nanoseconds).toFixed(1)}`,
      });
    }
  }
  return rows;
}

export const rollouts: Suite = async ({ quick }) => {
  const rows: Row[] = [];
  for (const [system, file] of Object.entries(FILES)) rows.push(...(await measure(system, file, quick)));
  return rows;
};
