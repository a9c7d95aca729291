/** Opens one environment of cubes from a bag with access to observations and actions by name. */
import { VectorEnv } from '../../src/environments/vector-env.ts';
import type { CubeBag } from '../../src/rules/cube-bag/schema.ts';

export async function opened(of: CubeBag, agents: readonly string[] | 'all') {
  const env = await VectorEnv.create(of, { numEnvs: 1, agents, autoreset: 'disabled', debug: true });
  const { names } = env.actionSpace;
  const { metrics = [] } = env.configuration.variants[0] ?? {};
  return {
    env,
    legal: () => names.filter((_, a) => env.buffers.mask[a] === 1),
    asked: () => env.decisionPoints[(env.buffers.phase[0] ?? 0) - 1],
    seen: (...features: string[]) =>
      features.map((name) => env.buffers.obs[env.observationSpace.features.findIndex((each) => each.name === name)]),
    act: (name: string) => env.step([names.indexOf(name)]),
    lost: (name: string) => env.buffers.metrics[metrics.findIndex((metric) => metric.name === name)],
  };
}
