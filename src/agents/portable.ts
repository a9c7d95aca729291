/** What warpool/rollout exports wherever it runs. */
export type { Changes, Reward, RewardTable } from './configuration.ts';
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
export type { ValueEstimate as Estimate } from './evaluate/bounds.ts';
export { type Evaluation, Evaluator, type EvaluatorOptions, evaluate } from './evaluate/evaluate.ts';
export type { Fields } from './fields.ts';
export { AUTORESETS, type Autoreset, FIELDS, type FieldName } from './layout.ts';
export { type Manifest, manifestOf } from './manifest.ts';
export {
  type Correction,
  OPTIMAL_STEPS,
  type OptimalJson,
  type OptimalOptions,
  type OptimalSyncOptions,
  type Optimum,
  optimal,
  optimalSync,
} from './optimal/optimal.ts';
export { type EpisodesJson, type PlayedEpisodes, type PlayedVariant, playEpisodes } from './play.ts';
export { POLICIES, type Policy } from './spec.ts';
export { VectorEnv } from './vector-env.ts';
