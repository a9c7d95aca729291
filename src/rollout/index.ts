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
export type { Changes } from './changes.ts';
export {
  type Configuration,
  configurationOf,
  type EnvironmentOptions,
  type Weighted,
} from './configuration.ts';
export type {
  Box,
  Discrete,
  ResetOptions,
  RolloutLimits,
  Step,
  VectorEnvOptions,
} from './environments.ts';
export type { Estimate } from './evaluate/bounds.ts';
export { type Evaluation, Evaluator, type EvaluatorOptions, evaluate } from './evaluate/evaluate.ts';
export type { Fields } from './fields.ts';
export { AUTORESETS, type Autoreset, FIELDS, type FieldName } from './layout.ts';
export { type Manifest, manifestOf } from './manifest.ts';
export {
  type Correction,
  OPTIMAL_STEPS,
  type OptimalJson,
  type OptimalOptions,
  type Optimum,
  optimal,
} from './optimal/optimal.ts';
export { type EpisodesJson, type PlayedEpisodes, type PlayedVariant, playEpisodes } from './play.ts';
export { POLICIES, type Policy } from './policies.ts';
export type { Reward, RewardTable } from './rewards.ts';
export { RolloutPool, type RolloutPoolOptions, type Slice } from './threads/pool.ts';
export { openSession, type Session, type SessionInfo, type SessionOptions } from './threads/session.ts';
export { VectorEnv } from './vector-env.ts';
