/** Comparison of environments of a kernel with environments of the rules, after every step. */
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { type KernelBuild, loadKernel } from '../../src/engines/kernel/kernel.ts';
import { encodeEnvSpec } from '../../src/environments/encode-env-spec.ts';
import { createEnvSpec, type EnvironmentOptions, type WeightedScenario } from '../../src/environments/env-spec.ts';
import { KernelEngine } from '../../src/environments/environment-engine.ts';
import { EnvironmentKernel } from '../../src/environments/environment-kernel.ts';
import { ReferenceEnv } from '../../src/environments/reference-env.ts';
import { VectorEnv } from '../../src/environments/vector-env.ts';

export interface TwinOptions extends EnvironmentOptions {
  readonly seed?: number;
  readonly envs?: number;
  readonly steps?: number;
  readonly build?: KernelBuild;
  /** Policy of the actions: `uniform`, `scenario`, or `wild`, where every eighth action is an arbitrary number. */
  readonly acts?: 'uniform' | 'scenario' | 'wild';
}

const row = <T extends number>(field: ArrayLike<T>, e: number, columns: number): T[] =>
  Array.from({ length: columns }, (_, c) => field[e * columns + c] as T);

/** Returns the output of an environment of the kernel, in the form of `ReferenceEnv`. */
function shownBy(env: VectorEnv, e: number) {
  const { buffers: f } = env;
  const [observations, actions, agents] = [env.observationSpace.shape[0], env.actionSpace.n, env.agents.length];
  return {
    obs: row(f.obs, e, observations),
    mask: row(f.mask, e, actions),
    reward: row(f.reward, e, agents),
    terminated: f.terminated[e] === 1,
    truncated: f.truncated[e] === 1,
    invalid: f.invalid[e] === 1,
    player: f.player[e],
    phase: f.phase[e],
    episode: f.episode[e],
    variant: f.variant[e],
  };
}

function lastOf(env: VectorEnv, e: number, metrics: number) {
  const { buffers: f } = env;
  const outcome = f.outcome[e] ?? -1;
  return {
    obs: row(f.finalObs, e, env.observationSpace.shape[0]),
    mask: row(f.finalMask, e, env.actionSpace.n),
    player: f.finalPlayer[e],
    phase: f.finalPhase[e],
    reward: row(f.finalReturn, e, env.agents.length),
    outcome,
    metrics: outcome < 0 ? [] : row(f.metrics, e, env.configuration.metrics).slice(0, metrics),
    length: f.length[e],
    variant: f.finalVariant[e],
  };
}

/** Returns an action that is usually illegal, determined by the arguments. */
function wild(step: number, e: number): number {
  return [-1, 1e9, -(2 ** 31), 255, step % 7][(step + e) % 5] ?? 0;
}

/** Calls `toEqual` only to report a difference, because it takes several times as long as the steps. */
function expectEqual(shown: unknown, expected: unknown, place: string): void {
  if (!isDeepStrictEqual(shown, expected)) expect(shown, place).toEqual(expected);
}

/**
 * Steps both kinds of environments and expects equal output.
 * @returns number of decisions by decision point, so that a test can require enough of them
 */
export async function expectTwins(
  scenarios: readonly WeightedScenario[],
  { seed = 1, envs = 8, steps = 60, acts = 'uniform', build = 'release', ...options }: TwinOptions = {},
): Promise<Map<string, number>> {
  const configuration = createEnvSpec(scenarios, options);
  const module = await loadKernel(configuration.system.id, build);
  const room = { envs, first: 0, threads: 1 };
  const kernel = EnvironmentKernel.init(module, encodeEnvSpec(configuration), room);
  const engine = new KernelEngine(kernel, configuration);
  const env = new VectorEnv(configuration, engine, BigInt(seed), false);
  const counterparts = Array.from({ length: envs }, (_, e) => new ReferenceEnv(configuration, BigInt(seed), e));
  const points = new Map<string, number>();
  for (let step = 0; step <= steps; step++) {
    env.sampleActions(acts === 'scenario' ? 'scenario' : 'uniform');
    for (const [e, counterpart] of counterparts.entries()) {
      const place = `step ${String(step)}, environment ${String(e)}`;
      expectEqual(shownBy(env, e), counterpart.output, place);
      if (counterpart.last !== undefined)
        expectEqual(lastOf(env, e, counterpart.last.metrics.length), counterpart.last, `${place}, last`);
      const act = counterpart.sampleActions(acts === 'scenario' ? 'scenario' : 'uniform');
      expectEqual(env.buffers.act[e], act, `${place}, policy`);
      if (acts === 'wild' && (step + e) % 8 === 0) env.buffers.act[e] = wild(step, e);
      const point = env.decisionPoints[counterpart.output.phase - 1];
      if (point !== undefined) points.set(point, (points.get(point) ?? 0) + 1);
      counterpart.step(env.buffers.act[e] ?? 0);
    }
    env.step();
  }
  return points;
}
