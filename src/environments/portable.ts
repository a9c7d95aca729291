/** Exports of warpool/environments on all platforms. */

export {
  BEST_RESPONSE_BUDGET,
  type BestResponse,
  type BestResponseJson,
  type BestResponseOptions,
  type BestResponseSyncOptions,
  findBestResponse,
  findBestResponseSync,
  type PolicyCorrection,
} from './best-response/best-response.ts';
export type { EnvBuffers } from './buffers.ts';
export type { EnvChanges, Reward, RewardTable } from './env-spec.ts';
export {
  createEnvSpec,
  type EnvironmentOptions,
  type EnvSpec,
  type WeightedScenario,
} from './env-spec.ts';
export type {
  Box,
  Discrete,
  ResetOptions,
  RolloutLimits,
  StepResult,
  VectorEnvOptions,
} from './environments.ts';
export { type EpisodesJson, type EpisodesResult, runEpisodes, type VariantResult } from './episodes.ts';
export {
  type ExportedGame,
  type ExportGameOptions,
  exportGame,
  type GameFormat,
} from './equilibrium/export-game.ts';
export {
  type ActionProbabilities,
  type Equilibrium,
  type EquilibriumDecision,
  type EquilibriumJson,
  type EquilibriumOptions,
  type EquilibriumSyncOptions,
  findEquilibrium,
  findEquilibriumSync,
  type PlayerPolicy,
  type PolicyFunction,
  type PolicyLoss,
  type PolicyQuestion,
} from './equilibrium/find-equilibrium.ts';
export { type Evaluation, Evaluator, type EvaluatorOptions, evaluate } from './evaluate/evaluator.ts';
export type { ValueEstimate as Estimate } from './evaluate/value-estimate.ts';
export { AUTORESETS, type Autoreset, BUFFERS, type BufferName, POLICIES, type Policy } from './layout.ts';
export { createManifest, type EnvManifest } from './manifest.ts';
export {
  type DecisionState,
  type Transition,
  TransitionModel,
  type TransitionModelOptions,
} from './transition-model.ts';
export { VectorEnv } from './vector-env.ts';
