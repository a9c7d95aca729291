/** One environment of cubes from a bag, with names for what it shows and allows. */
import { VectorEnv } from '../../src/agents/vector-env.ts';
import type { CubeBag } from '../../src/rules/cube-bag/schema.ts';

export async function opened(of: CubeBag, agents: readonly string[] | 'all') {
  const env = await VectorEnv.make(of, { numEnvs: 1, agents, autoreset: 'disabled', debug: true });
  const { names } = env.actionSpace;
  const { metrics = [] } = env.configuration.variants[0] ?? {};
  return {
    env,
    legal: () => names.filter((_, a) => env.fields.mask[a] === 1),
    asked: () => env.points[(env.fields.phase[0] ?? 0) - 1],
    seen: (...features: string[]) =>
      features.map((name) => env.fields.obs[env.observationSpace.features.findIndex((each) => each.name === name)]),
    act: (name: string) => env.step([names.indexOf(name)]),
    lost: (name: string) => env.fields.metrics[metrics.findIndex((metric) => metric.name === name)],
  };
}
