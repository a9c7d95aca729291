/**
 * warpool/environments: battles as environments for agents.
 *
 * ```ts
 * import { loadScenario } from 'warpool';
 * import { VectorEnv } from 'warpool/environments';
 *
 * const scenario = await loadScenario('scenarios/phased-dice-ground.yaml');
 * const env = await VectorEnv.create(scenario, { numEnvs: 1024, agents: ['attacker'], seed: 1 });
 * const { observations, rewards, infos } = env.step(env.buffers.act);
 * ```
 *
 * @module warpool/environments
 */
export * from './environments/portable.ts';
export {
  EnvSession,
  type EnvSessionInfo,
  type EnvSessionOptions,
} from './environments/threads/env-session.ts';
export { type PoolSlice, VectorEnvPool, type VectorEnvPoolOptions } from './environments/threads/vector-env-pool.ts';
