/**
 * warpool/rollout: battles as environments for agents.
 *
 * ```ts
 * import { loadScenario } from 'warpool';
 * import { VectorEnv } from 'warpool/rollout';
 *
 * const scenario = await loadScenario('scenarios/phased-dice-ground.yaml');
 * const env = await VectorEnv.make(scenario, { numEnvs: 1024, agents: ['attacker'], seed: 1 });
 * const { observations, rewards, infos } = env.step(env.fields.act);
 * ```
 *
 * @module warpool/rollout
 */
export * from './agents/portable.ts';
export { RolloutPool, type RolloutPoolOptions, type Slice } from './agents/threads/pool.ts';
export { openSession, type Session, type SessionInfo, type SessionOptions } from './agents/threads/session.ts';
